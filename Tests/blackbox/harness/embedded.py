"""Servers with a private cluster."""

import contextlib
import pathlib
import time

import psycopg

from .server import Server


class Embedded:
    """A server with its private cluster and the demo's keys, in a folder that PostgreSQL's user may pass through."""

    def __init__(self, folder: pathlib.Path, *flags: str):
        self.data = folder / "data"
        self.server = Server(folder, "--embedded", "--data-dir", str(self.data), "--demo", *flags)

    def start(self) -> "Embedded":
        self.server.start()
        return self

    @property
    def key(self) -> str:
        """The demo app's service key."""
        return (self.data / "demo.key").read_text().strip()

    @property
    def cluster(self) -> pathlib.Path:
        return self.data / "postgres"

    def lock_file(self) -> list[str]:
        return (self.cluster / "postmaster.pid").read_text().split("\n")

    def url(self) -> str:
        """How others reach its database while it runs."""
        lines = self.lock_file()
        return f"host={lines[4]} port={lines[3]} user=assent dbname=assent"

    def wait_for_database(self, but_not: int, patience: float = 20) -> float:
        """The moment its next PostgreSQL takes connections."""
        limit = time.monotonic() + patience
        while True:
            with contextlib.suppress(OSError, IndexError, ValueError, psycopg.OperationalError):
                if int(self.lock_file()[0]) != but_not:
                    psycopg.connect(self.url(), connect_timeout=2).close()
                    return time.monotonic()
            assert time.monotonic() < limit, "the private cluster does not come back"
            time.sleep(0.01)
