"""Many callers at once, let go at the same moment."""

import dataclasses
import threading
import time

from .client import Reply


@dataclasses.dataclass
class Told:
    """One caller's request and what became of it, with the moments it was sent and answered."""

    sent: float
    answered: float
    reply: Reply


def at_once(calls, clients) -> list[Told]:
    """Runs `calls[i](clients[i])`, each on a thread and an open connection of its own; results in the calls' order."""
    results: list[Told | BaseException | None] = [None] * len(calls)
    gate = threading.Barrier(len(calls))

    def one(index):
        try:
            client = clients[index]
            assert client.get("/healthz").status == 200
            gate.wait(30)
            sent = time.monotonic()
            reply = calls[index](client)
            results[index] = Told(sent, time.monotonic(), reply)
        except BaseException as failure:
            gate.abort()
            results[index] = failure

    threads = [threading.Thread(target=one, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for client in clients:
        client.close()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results
