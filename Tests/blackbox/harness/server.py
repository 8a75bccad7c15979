"""Server processes under test: started, watched through their log, ended by their own process id."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time

from . import places
from .client import Client


class Server:
    """One `assent serve`. Its log goes to a file that outlives it; every start appends."""

    def __init__(self, folder: pathlib.Path, *flags: str, database: str | None = None, name: str = "server"):
        self.flags, self.database = flags, database
        self.log_path = folder / f"{name}.log"
        self.port = 0
        self.process: subprocess.Popen | None = None
        self._read_from = 0

    @property
    def pid(self) -> int:
        return self.process.pid

    def launch(self) -> "Server":
        """Returns at once; a restart keeps the port."""
        self._read_from = self.log_path.stat().st_size if self.log_path.exists() else 0
        command = [places.program(), "serve", "--port", str(self.port), *self.flags]
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                command, env=environment(self.database), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=log, start_new_session=True)
        return self

    def start(self, *, patience: float = 60) -> "Server":
        """Returns when it listens."""
        self.launch()
        line = self.wait_for_line("listening", patience)
        self.port = line["port"]
        return self

    def lines(self) -> list[dict]:
        """What it has logged since its last start; a line that is no JSON object is an error."""
        with open(self.log_path, "rb") as log:
            log.seek(self._read_from)
            text = log.read()
        whole = text[: text.rfind(b"\n") + 1]
        return [json.loads(line) for line in whole.splitlines()]

    def wait_for_line(self, event: str, patience: float = 20, *, count: int = 1, detail: str = "") -> dict:
        """The line of that many's such event whose detail holds these words, as soon as it is there."""
        limit = time.monotonic() + patience
        while True:
            ended = self.process.poll() is not None
            found = [
                line for line in self.lines() if line["event"] == event and detail in str(line.get("detail", ""))]
            if len(found) >= count:
                return found[count - 1]
            assert not ended, f"it ended with {self.process.returncode}: {self.tail()}"
            assert time.monotonic() < limit, f"no '{event}' within {patience} s: {self.tail()}"
            time.sleep(0.01)

    def wait_for_readiness(self, status: int = 200, patience: float = 30):
        """Returns when `/readyz` is answered with that."""
        limit, client = time.monotonic() + patience, self.client()
        while client.get("/readyz").status != status:
            assert time.monotonic() < limit, f"no {status} within {patience} s: {self.tail()}"
            time.sleep(0.02)
        client.close()

    def tail(self) -> str:
        return self.log_path.read_text(errors="replace")[-3000:]

    def client(self, key: str | None = None, **options) -> Client:
        return Client(self.port, key, **options)

    def kill(self):
        """kill -9, and waits until it is gone."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self, patience: float = 40) -> int:
        """Its exit code."""
        return self.process.wait(patience)

    def stop(self) -> int:
        """Ends it if it runs, gently first."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.wait(30)
            self.kill()
        return self.process.returncode


def environment(database: str | None = None, **more: str) -> dict[str, str]:
    """Ours without any setting of the program's, so that nothing leaks in from a developer's shell."""
    clean = {
        name: value for name, value in os.environ.items()
        if not name.startswith("ASSENT_") and not name.startswith("PG") and name != "DATABASE_URL"
    }
    if database:
        clean["DATABASE_URL"] = database
    return clean | more


def run(*arguments: str, database: str | None = None, patience: float = 60, cwd=None, **more: str):
    """Runs one command of the program to its end."""
    return subprocess.run(
        [places.program(), *arguments], env=environment(database, **more), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=patience, cwd=cwd)
