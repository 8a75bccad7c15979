"""Callers who keep a ledger of what they were told, through crashes of whatever they talk to."""

import dataclasses
import random
import threading
import time
import uuid
from collections.abc import Callable

from .client import UNANSWERED, Client, Reply
from .judge import Judge


@dataclasses.dataclass
class Fact:
    """One question with everything that callers were promised about it."""

    person: str
    question: dict
    answers: list[dict] = dataclasses.field(default_factory=list)


class Load:
    """Asks, answers and repeats itself on several connections; each request is retried, under one idempotency key, until it
    is accepted. What is neither a success nor a 503 is a failure of the test, and so is silence for longer than `patience`."""

    def __init__(self, ports: Callable[[], list[int]], key: str, *, workers: int = 8, patience: float = 30):
        self.ports, self.key, self.patience = ports, key, patience
        self.facts: list[Fact] = []
        self.persons: set[str] = set()
        # Moments at which writes and reads succeeded.
        self.writes: list[float] = []
        self.reads: list[float] = []
        self.unanswered = 0
        self.refused = 0
        self.failures: list[BaseException] = []
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(n,)) for n in range(workers)]

    def start(self) -> "Load":
        for thread in self._threads:
            thread.start()
        self.wait_for(lambda: len(self.facts) >= 20)
        return self

    def wait_for(self, condition: Callable[[], bool], patience: float = 30):
        limit = time.monotonic() + patience
        while not condition():
            self.check()
            assert time.monotonic() < limit, "the load makes no progress"
            time.sleep(0.005)

    def progress(self, facts: int = 20):
        """Returns after so many more facts."""
        goal = len(self.facts) + facts
        self.wait_for(lambda: len(self.facts) >= goal)

    def back_after(self, moment: float) -> float:
        """How long after a moment both a write and a read succeeded."""
        self.wait_for(lambda: self.writes[-1] > moment and self.reads[-1] > moment)
        return max(min(t for t in list(times) if t > moment) for times in (self.writes, self.reads)) - moment

    def stop(self) -> "Load":
        """Every request under way is brought to its end first."""
        self._over.set()
        for thread in self._threads:
            thread.join(self.patience * 2)
        self.check()
        return self

    def check(self):
        if self.failures:
            self._over.set()
            raise self.failures[0]

    def _work(self, number: int):
        dice, clients = random.Random(number), {}
        try:
            turn = 0
            while not self._over.is_set():
                self._live(f"w{number}-{turn}", dice, clients)
                turn += 1
        except BaseException as failure:
            self.failures.append(failure)
        for client in clients.values():
            client.close()

    def _live(self, person: str, dice: random.Random, clients: dict):
        """One person's question from asking to its last answer."""
        ask = {"person": person, "topic": {"kind": "purchase", "product": "coins"}, "description": "May I?"}
        asking = str(uuid.uuid4())
        question = self._insist(clients, "POST", "/v1/questions", ask, asking).json
        fact = Fact(person, question)
        self.facts.append(fact)
        path = f"/v1/questions/{question['id']}"
        # What was acknowledged is there for whoever reads, on whichever server.
        assert self._insist(clients, "GET", path).json == question
        for kind in ["approval", "denial"][: dice.choice([1, 2])]:
            key = str(uuid.uuid4())
            answer = {"guardian": "g", "answer": kind}
            fact.answers.append(self._insist(clients, "POST", f"{path}/answers", answer, key).json)
        if dice.random() < 0.3:
            # By now the question no longer stands in the way of a second one: only the key does.
            late = self._insist(clients, "POST", "/v1/questions", ask, asking)
            assert late.status == 201 and late.headers["Idempotency-Replayed"] == "true", late
            assert late.json == fact.answers[-1]
        if dice.random() < 0.3:
            self._insist(clients, "PUT", f"/v1/persons/{person}-x", {})
            self.persons.add(f"{person}-x")

    def _insist(self, clients: dict, method: str, path: str, body=None, key: str | None = None) -> Reply:
        limit = time.monotonic() + self.patience
        while True:
            # Whoever was not answered may ask the next server.
            port = random.choice(self.ports())
            client = clients.setdefault(port, Client(port, self.key))
            try:
                reply = client.request(method, path, body, **({"idempotency_key": key} if key else {}))
            except UNANSWERED:
                self.unanswered += 1
                reply = None
            if reply is not None and reply.status < 300:
                (self.reads if method == "GET" else self.writes).append(time.monotonic())
                return reply
            if reply is not None:
                assert reply.status == 503, f"{method} {path}: {reply}"
                assert int(reply.headers["Retry-After"]) >= 1
                self.refused += 1
            assert time.monotonic() < limit, f"{method} {path} got no success within {self.patience} s"
            time.sleep(0.01)

    def verify(self, client: Client):
        """The ledger against the log: every fact is there, none twice, none more."""
        events = client.events()
        judge = Judge().hear(events)
        created = [event for event in events if event["type"] == "question.created"]
        by_id = {event["data"]["id"]: event for event in created}
        assert len(by_id) == len(created)
        assert len({event["person"] for event in created}) == len(created), "a question was asked twice"
        assert {fact.question["id"] for fact in self.facts} == set(by_id)
        answers: dict[str, list] = {}
        for event in events:
            if "answer" in event:
                answers.setdefault(event["data"]["id"], []).append(event["data"])
        for fact in self.facts:
            id = fact.question["id"]
            assert by_id[id]["person"] == fact.person and by_id[id]["data"] == fact.question
            assert answers[id] == fact.answers, "answers differ from what was acknowledged"
        known = {event["person"] for event in events}
        assert self.persons <= known
        return judge
