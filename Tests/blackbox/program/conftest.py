"""Servers for the tests: one to share, fresh ones to break, two on one database."""

from __future__ import annotations

import pytest

from assent_process import BINARY, Folder, Server


def pytest_sessionstart(session) -> None:
    if not BINARY.exists():
        pytest.exit(f"{BINARY} is missing: build it, or name another in ASSENT_BINARY", returncode=3)


@pytest.fixture(scope="session")
def shared():
    """A folder and a server with a private database, for tests that leave it working."""
    folder = Folder()
    server = Server.embedded(folder)
    try:
        yield folder, server.ready()
    finally:
        server.end()
        folder.remove()


@pytest.fixture(scope="session")
def server(shared) -> Server:
    return shared[1]


@pytest.fixture(scope="session")
def service(shared):
    """A client with the demo app's service key."""
    folder, server = shared
    with server.client(folder.key("demo")) as client:
        yield client


@pytest.fixture(scope="session")
def admin(shared):
    """A client with an admin's key."""
    folder, server = shared
    with server.client(folder.key("admin")) as client:
        yield client


@pytest.fixture
def folder():
    """A data directory of the test's own."""
    folder = Folder()
    yield folder
    folder.remove()


@pytest.fixture
def start(request):
    """Starts servers that are stopped when the test ends, last first: `start(folder, …)` with a private database."""

    def begin(folder: Folder, *arguments: str, **environment: str) -> Server:
        server = Server.embedded(folder, *arguments, **environment)
        request.addfinalizer(server.end)
        return server.ready()

    return begin


@pytest.fixture
def pair(request):
    """Two instances on one database: the folder of the first, which runs the cluster, and both servers."""
    folder = Folder()
    request.addfinalizer(folder.remove)
    first = Server.embedded(folder)
    request.addfinalizer(first.end)
    first.ready()
    second = Server(DATABASE_URL=folder.database_url())
    request.addfinalizer(second.end)
    return folder, first, second.ready()
