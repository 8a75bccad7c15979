"""A database that is reached over TLS: only one that proves to be the host named is told anything."""

import pathlib
import shutil
import socket
import time

import pytest

from harness import places, server as processes
from harness.certificates import self_signed
from harness.cluster import Cluster
from harness.fixtures import Deployment, admin_key, migrated
from harness.server import Server

PASSWORD = "hush-7c41"


def ask(client, subject: str) -> dict:
    return client.ok("POST", "/v1/questions", {
        "person": "p", "topic": {"kind": "custom", "subject": subject}, "description": "d" * 1000})


class SecuredCluster:
    """Takes a password from the network, and that under TLS only; its certificate is that of `localhost`."""

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        self.cluster = Cluster("fsync=off", "listen_addresses=127.0.0.1", "ssl=on", port=port)
        self.folder = places.folder("c")
        self.own = self_signed(self.folder, "own", "DNS:localhost")
        self.strange = self_signed(self.folder, "strange", "DNS:localhost")
        self.show(self.own)
        (self.cluster.data / "pg_hba.conf").write_text("local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n")
        self.cluster.start()
        with self.cluster.connect() as connection:
            connection.execute(f"alter role assent password '{PASSWORD}'")
        # Migrated over TLS too.
        self.database = self.cluster.database().split("?")[0].rsplit("/", 1)[1]
        migrated(self.url())

    def show(self, pair: tuple[pathlib.Path, pathlib.Path]):
        """The certificate it has from its next start on."""
        for source, name in zip(pair, ("server.crt", "server.key"), strict=True):
            path = self.cluster.data / name
            shutil.copy(source, path)
            path.chmod(0o600)
            if user := places.postgres_user():
                shutil.chown(path, user.pw_uid, user.pw_gid)

    def restart(self):
        self.cluster.stop()
        self.cluster.start()

    def url(self, host: str = "localhost", mode: str = "verify-full", root: pathlib.Path | None = None) -> str:
        return (f"postgresql://assent:{PASSWORD}@{host}:{self.cluster.port}/{self.database}"
                f"?sslmode={mode}&sslrootcert={root or self.own[0]}")

    def sessions(self) -> list[bool]:
        """Of each that came by the network, whether it is encrypted."""
        with self.cluster.connect(self.database) as connection:
            rows = connection.execute(
                "select ssl from pg_stat_ssl join pg_stat_activity using (pid) where client_addr is not null").fetchall()
        return [encrypted for (encrypted,) in rows]

    def remove(self):
        self.cluster.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="module")
def secured():
    secured = SecuredCluster()
    yield secured
    secured.remove()


@pytest.fixture
def served(secured, scratch):
    server = Server(
        scratch, "--write-connections", "2", "--read-connections", "3", "--request-timeout", "1s", "--head-timeout", "1s",
        "--body-timeout", "1s", database=secured.url()).start()
    yield Deployment(secured.url(), [server], admin_key(secured.url()))
    server.stop()


def test_every_session_is_encrypted(secured, served):
    client = served.app().client()
    question = ask(client, "once")
    assert client.ok("GET", f"/v1/questions/{question['id']}") == question
    served.server.wait_for_line("listener.listening")
    limit = time.monotonic() + 20
    # Those who write, those who read, and the one who listens.
    while secured.sessions() != [True] * (2 + 3 + 1):
        assert time.monotonic() < limit, secured.sessions()
        time.sleep(0.02)
    assert served.server.stop() == 0
    assert PASSWORD not in served.server.log_path.read_text()


def test_it_serves_again_once_the_database_proves_itself_again(secured, served):
    client = served.app().client()
    question = ask(client, "before")
    secured.restart()
    served.server.wait_for_readiness()
    assert client.ok("GET", f"/v1/questions/{question['id']}") == question
    # Somebody else in the database's place is told nothing.
    secured.show(secured.strange)
    secured.restart()
    try:
        served.server.wait_for_readiness(503)
        served.server.wait_for_line("database.refused", detail="certificate verify failed")
        assert client.get(f"/v1/questions/{question['id']}").status == 503
        assert secured.sessions() == []
    finally:
        secured.show(secured.own)
        secured.restart()
    served.server.wait_for_readiness()
    assert client.ok("GET", f"/v1/questions/{question['id']}") == question
    assert PASSWORD not in served.server.log_path.read_text()


@pytest.mark.parametrize("differs, words", [
    ({"root": "strange"}, "certificate verify failed"),
    ({"host": "127.0.0.1"}, 'does not match host name "127.0.0.1"'),
    ({"root": "missing"}, "does not exist"),
], ids=["a root of somebody else", "another host's certificate", "no root at all"])
def test_a_database_that_does_not_prove_itself_is_not_served_from(secured, scratch, differs, words):
    if root := differs.get("root"):
        differs = {"root": secured.folder / f"{root}.pem"}
    url = secured.url(**differs)
    server = Server(scratch, database=url).launch()
    try:
        assert words in server.wait_for_line("database.waiting")["reason"]
        assert "listening" not in [line["event"] for line in server.lines()]
    finally:
        assert server.stop() == 0
    told = processes.run("doctor", database=url)
    [line] = [line for line in told.stdout.splitlines() if line.startswith("BAD ")]
    assert told.returncode == 1 and words in line
    assert PASSWORD not in server.log_path.read_text() + told.stdout + told.stderr


def test_a_database_that_takes_nobody_without_tls_is_not_waited_for(secured):
    refused = processes.run("serve", "--port", "0", database=secured.url(mode="disable"))
    assert refused.returncode == 1 and "no encryption" in refused.stderr
    assert PASSWORD not in refused.stderr


@pytest.mark.parametrize("mode, grade, words", [
    ("verify-full", "ok", "and the certificate is the host's"),
    ("verify-ca", "odd", "sslmode=verify-ca does not check"),
], ids=["verify-full", "verify-ca"])
def test_the_doctor_says_how_the_connection_is_protected(secured, mode, grade, words):
    told = processes.run("doctor", database=secured.url(mode=mode))
    [line] = [line for line in told.stdout.splitlines() if "encrypted" in line]
    assert line.startswith(f"{grade} ") and "TLSv1.3" in line and words in line, told.stdout


def test_the_doctor_asks_for_no_tls_within_a_host(database):
    assert "ok   the connection does not leave the host" in processes.run("doctor", database=database).stdout
