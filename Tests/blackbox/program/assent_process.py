"""Starts the program under test as a process and talks to it as anybody would."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import httpx

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("ASSENT_BINARY", ROOT / ".build/debug/assent"))


def clean_environment(**extra: str) -> dict[str, str]:
    """The environment without any setting of ours that happens to be in it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ASSENT_", "DATABASE_URL", "PG"))}
    return kept | extra


def run(*arguments: str, cwd: pathlib.Path | None = None, timeout: float = 60, **environment: str):
    """Runs a command of the program to its end."""
    return subprocess.run(
        [str(BINARY), *arguments], cwd=cwd or "/", env=clean_environment(**environment), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=timeout,
    )


class Folder:
    """A data directory that the cluster's own user can reach, removed at the end."""

    def __init__(self) -> None:
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="assent-test-"))
        self.path.chmod(0o711)

    @property
    def data(self) -> pathlib.Path:
        return self.path / "data"

    def key(self, name: str) -> str:
        return (self.data / f"{name}.key").read_text().strip()

    def database_url(self) -> str:
        """How another process reaches the cluster that runs here; the lock file says where its socket is."""
        lines = (self.data / "postgres/postmaster.pid").read_text().split("\n")
        return f"host={lines[4]} port={lines[3]} user=assent dbname=assent"

    def postmaster(self) -> int:
        return int((self.data / "postgres/postmaster.pid").read_text().split("\n")[0])

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


class Server:
    """One `assent serve`, on a port of its own choice."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.lines: list[dict] = []
        self.strays: list[str] = []
        self.changed = threading.Condition()
        self.process = subprocess.Popen(
            [str(BINARY), "serve", "--port", "0", *arguments], cwd="/", env=clean_environment(**environment),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        self.readers = [
            threading.Thread(target=self._read_log, daemon=True),
            threading.Thread(target=self._read_output, daemon=True),
        ]
        self.output = ""
        for reader in self.readers:
            reader.start()

    @classmethod
    def embedded(cls, folder: Folder, *arguments: str, **environment: str) -> Server:
        return cls("--embedded", "--demo", "--data-dir", str(folder.data), *arguments, **environment)

    def _read_log(self) -> None:
        for line in self.process.stderr:
            try:
                parsed = json.loads(line)
            except ValueError:
                parsed = None
            with self.changed:
                if isinstance(parsed, dict):
                    self.lines.append(parsed)
                else:
                    self.strays.append(line)
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def _read_output(self) -> None:
        for line in self.process.stdout:
            self.output += line

    def events(self, name: str) -> list[dict]:
        with self.changed:
            return [line for line in self.lines if line.get("event") == name]

    def wait_for(self, name: str, count: int = 1, within: float = 60) -> dict:
        """The log line of the nth such event, as soon as it is there."""
        deadline = time.monotonic() + within
        with self.changed:
            while True:
                found = [line for line in self.lines if line.get("event") == name]
                if len(found) >= count:
                    return found[count - 1]
                rest = deadline - time.monotonic()
                if rest <= 0 or (self.process.poll() is not None and not self.readers[0].is_alive()):
                    raise AssertionError(f"no '{name}' in the log: {self.lines} {self.strays}")
                self.changed.wait(min(rest, 0.5))

    def ready(self) -> Server:
        self.listening = self.wait_for("listening")
        return self

    @property
    def base(self) -> str:
        return f"{self.listening['scheme']}://127.0.0.1:{self.listening['port']}"

    def client(self, key: str | None = None, **options) -> httpx.Client:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.Client(base_url=self.base, headers=headers, timeout=30, trust_env=False, **options)

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait(self, within: float = 60) -> int:
        code = self.process.wait(within)
        for reader in self.readers:
            reader.join(10)
        return code

    def stop(self) -> int:
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.wait()

    def end(self) -> None:
        """For fixtures: leaves nothing running whatever the test did."""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
            try:
                self.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.wait()
