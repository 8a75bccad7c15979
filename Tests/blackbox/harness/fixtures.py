"""Fixtures: one database cluster and two servers for all tests that only talk, an app of its own for each test."""

import base64
import contextlib
import dataclasses
import itertools
import os
import pathlib
import shutil

import pytest

from . import pages, places, server as processes
from .browser import Browser
from .client import Client
from .cluster import Cluster
from .embedded import Embedded
from .server import Server


@pytest.fixture(scope="session")
def cluster():
    """Not durable against the machine's death, only against its processes': that is what tests kill."""
    cluster = Cluster("fsync=off", "max_connections=200").start()
    yield cluster
    cluster.remove()


@pytest.fixture(scope="session")
def template(cluster) -> str:
    """The name of a migrated database to copy; nobody stays connected to it."""
    return migrated(cluster.database()).split("?")[0].rsplit("/", 1)[1]


@pytest.fixture
def database(cluster, template) -> str:
    """An empty migrated database's URL."""
    return cluster.database(template)


@pytest.fixture
def scratch():
    """A folder that PostgreSQL's user may pass through."""
    path = places.folder("t")
    yield path
    shutil.rmtree(path, ignore_errors=True)


@dataclasses.dataclass
class Deployment:
    """A database and the servers on it."""

    database: str
    servers: list[Server]
    admin_key: str
    numbers: itertools.count = dataclasses.field(default_factory=itertools.count)

    @property
    def server(self) -> Server:
        return self.servers[0]

    @property
    def admin(self) -> Client:
        return self.server.client(self.admin_key)

    def app(self, **policy) -> "App":
        """A new app with a service key."""
        id = f"app-{next(self.numbers)}"
        admin = self.admin
        admin.ok("PUT", f"/v1/apps/{id}", {"name": id, "policy": policy})
        key = admin.ok("POST", f"/v1/apps/{id}/keys", {"role": "service", "label": "tests"})["key"]
        admin.close()
        return App(id, key, self)


@dataclasses.dataclass
class App:
    id: str
    key: str
    deployment: Deployment

    def client(self, server: int = 0, **options) -> Client:
        return self.deployment.servers[server].client(self.key, **options)


def secret_key(folder: pathlib.Path) -> list[str]:
    """Flags that give servers one key under which they keep secrets, made at the first call."""
    path = folder / "secret.key"
    if not path.exists():
        path.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
    return ["--secret-key-file", str(path)]


def migrated(database: str) -> str:
    """The same URL, once the database is up to date."""
    done = processes.run("migrate", database=database)
    assert done.returncode == 0, done.stderr
    return database


def admin_key(database: str) -> str:
    made = processes.run("key", "create", "--role", "admin", "--label", "tests", database=database)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


@pytest.fixture(scope="session")
def deployment(cluster, template):
    """Two servers on one database, for all tests that leave both as they are."""
    url = cluster.database(template)
    path = places.folder("d")
    servers = [Server(path, *secret_key(path), database=url, name=f"server-{n}").start() for n in range(2)]
    yield Deployment(url, servers, admin_key(url))
    codes = [server.stop() for server in servers]
    shutil.rmtree(path, ignore_errors=True)
    assert codes == [0, 0]


@pytest.fixture
def app(deployment) -> App:
    return deployment.app()


@pytest.fixture
def client(app) -> Client:
    client = app.client()
    yield client
    client.close()


@contextlib.contextmanager
def deploying(database: str, folder: pathlib.Path):
    """Starts servers on a database, and stops them at the end: deploy(count, *flags)."""
    started = []

    def deploy(count: int = 1, *flags: str) -> Deployment:
        servers = [Server(folder, *flags, database=database, name=f"server-{n}") for n in range(count)]
        started.extend(servers)
        for server in servers:
            server.start()
        return Deployment(database, servers, admin_key(database))

    try:
        yield deploy
    finally:
        for server in started:
            server.stop()


@pytest.fixture
def deploy(database, scratch):
    """Starts servers of a test's own on a database of its own."""
    with deploying(database, scratch) as deploy:
        yield deploy


@pytest.fixture
def own_cluster():
    """A cluster to kill, durable as an operator's."""
    cluster = Cluster().start()
    yield cluster
    cluster.remove()


@pytest.fixture
def own_deploy(own_cluster, scratch):
    """The same on the cluster to kill."""
    with deploying(migrated(own_cluster.database()), scratch) as deploy:
        yield deploy


@pytest.fixture
def embed(scratch):
    """A server with a private cluster of its own, not yet started: embed(*flags)."""
    made = []

    def embed(*flags: str) -> Embedded:
        made.append(Embedded(scratch, *flags))
        return made[-1]

    yield embed
    for embedded in made:
        embedded.server.stop()


@pytest.fixture(scope="module")
def origin():
    """Where the pages of web/ are served from."""
    with pages.serve() as origin:
        yield origin


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser
