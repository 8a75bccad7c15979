"""PostgreSQL clusters that belong to the tests, reached through a Unix socket unless their settings say otherwise."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

import psycopg

from . import places


class Cluster:
    """A cluster of its own folder; `kill` is kill -9 of its first process."""

    def __init__(self, *settings: str, port: int = 5432):
        self.folder = places.folder("pg")
        self.data = self.folder / "data"
        self.log_path = self.folder / "log"
        self.settings = settings
        self.port = port
        self.process: subprocess.Popen | None = None
        self._databases = 0
        user = places.postgres_user()
        if user:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        made = subprocess.run(
            self._as_user("initdb", f"--pgdata={self.data}", "--username=assent", "--encoding=UTF8", "--locale=C",
                          "--auth=trust", "--no-sync"),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/")
        assert made.returncode == 0, f"initdb ended with {made.returncode}: {made.stdout[-1000:]}{made.stderr[-1000:]}"

    def _as_user(self, name: str, *arguments: str) -> list[str]:
        command = [f"{places.postgres_programs()}/{name}", *arguments]
        user = places.postgres_user()
        if user is None:
            return ["setpriv", "--pdeathsig", "INT", "--", *command]
        return ["setpriv", "--pdeathsig", "INT", "--reuid", str(user.pw_uid), "--regid", str(user.pw_gid),
                "--clear-groups", "--", *command]

    def url(self, database: str) -> str:
        return f"postgresql://assent@/{database}?host={self.folder}&port={self.port}"

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(self.url(database), autocommit=True, connect_timeout=5)

    def start(self, patience: float = 30) -> "Cluster":
        """Returns when it takes connections; the moment stands in `back_at`."""
        flags = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}", "-c", f"port={self.port}",
                 "-c", "logging_collector=off"]
        for setting in self.settings:
            flags += ["-c", setting]
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                self._as_user("postgres", "-D", str(self.data), *flags), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, cwd="/", start_new_session=True)
        limit = time.monotonic() + patience
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                self.connect().close()
                self.back_at = time.monotonic()
                return self
            assert self.process.poll() is None, f"PostgreSQL did not start: {self.tail()}"
            assert time.monotonic() < limit, f"PostgreSQL is not up after {patience} s: {self.tail()}"
            time.sleep(0.01)

    def tail(self) -> str:
        return self.log_path.read_text(errors="replace")[-2000:]

    def database(self, template: str = "template1") -> str:
        """A new database's URL."""
        self._databases += 1
        name = f"t{self._databases}"
        with self.connect() as connection:
            connection.execute(f"create database {name} template {template}")
        return self.url(name)

    def kill(self):
        """kill -9, and waits until none of its processes is left: only then may another start."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
        wait_for_quiet(self.data)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
            if self.process.poll() is None:
                self.kill()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def processes_in(folder: pathlib.Path) -> list[int]:
    """PostgreSQL's processes on a data folder: they work in it."""
    found, folder = [], os.path.realpath(folder)
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{name}/cwd") == folder and "postgres" in os.readlink(f"/proc/{name}/exe"):
                    found.append(int(name))
    return found


def wait_for_quiet(folder: pathlib.Path, patience: float = 15):
    limit = time.monotonic() + patience
    while processes_in(folder):
        assert time.monotonic() < limit, "processes of a killed cluster do not end"
        time.sleep(0.01)
