"""What an operator types, and what they are told."""

import re
import shutil

import pytest

from harness import places
from harness.embedded import Embedded
from harness.server import run

COMMANDS = [
    ("serve",), ("migrate",), ("app", "create"), ("app", "list"), ("key", "create"), ("key", "list"), ("key", "revoke"),
    ("feed", "renew"), ("doctor",), ("version",),
]


def test_overview_lists_every_command():
    result = run("--help")
    assert result.returncode == 0
    for command in COMMANDS:
        assert f"  {' '.join(command)} " in result.stdout


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help(command):
    result = run(*command, "--help")
    assert result.returncode == 0
    assert f"Usage: assent {' '.join(command)}" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_refuses_an_unknown_flag(command):
    result = run(*command, "--no-such-flag")
    assert result.returncode == 2
    assert "unknown flag '--no-such-flag'" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "words", [["serve"], ["migrate"], ["app", "list"], ["key", "list"], ["key", "create", "--role", "admin"]], ids=" ".join
)
def test_without_a_database_the_setting_is_named(words):
    result = run(*words)
    assert result.returncode == 2
    assert "DATABASE_URL" in result.stderr and "--embedded" in result.stderr


def test_every_wrong_setting_is_named_at_once():
    result = run("serve", "--embedded", "--port", "70000", ASSENT_BODY_LIMIT="lots")
    assert result.returncode == 2
    assert "--port must be" in result.stderr and "ASSENT_BODY_LIMIT must be" in result.stderr


def test_version_is_a_version():
    assert re.fullmatch(r"assent \d+\.\d+\.\d+\n", run("version").stdout)


@pytest.fixture(scope="module")
def running():
    folder = places.folder("t")
    embedded = Embedded(folder)
    try:
        yield embedded.start()
    finally:
        embedded.server.stop()
        shutil.rmtree(folder, ignore_errors=True)


class TestOnADatabase:
    """Beside a running server: the cluster is found where it runs."""

    def run(self, running, *words):
        return run(*words, "--embedded", "--data-dir", str(running.data))

    def test_apps_are_created_once_and_listed(self, running):
        assert self.run(running, "app", "create", "reader", "--name", "The Reader").stdout == "Created reader.\n"
        again = self.run(running, "app", "create", "reader")
        assert again.returncode == 1 and "already" in again.stderr
        assert "reader  The Reader\n" in self.run(running, "app", "list").stdout

    def test_a_key_works_until_it_is_revoked(self, running):
        text = self.run(running, "key", "create", "--role", "service", "--app", "demo", "--label", "test").stdout.strip()
        assert text.startswith("asnt_demo_")
        assert running.server.client(text).get("/v1/questions").status == 200
        listed = self.run(running, "key", "list", "--app", "demo").stdout.splitlines()
        row = next(line for line in listed if line.endswith("  test"))
        assert self.run(running, "key", "revoke", row.split()[0]).returncode == 0
        assert not any(line.endswith("  test") for line in self.run(running, "key", "list", "--app", "demo").stdout.splitlines())
        assert self.run(running, "key", "revoke", row.split()[0]).returncode == 1

    def test_an_admin_key_belongs_to_no_app(self, running):
        assert self.run(running, "key", "create", "--role", "admin", "--app", "demo").returncode == 2
        assert self.run(running, "key", "create", "--role", "service").returncode == 2
        text = self.run(running, "key", "create", "--role", "admin").stdout.strip()
        assert text.startswith("asnt__")
        assert running.server.client(text).get("/v1/apps").status == 200

    def test_unknown_apps_are_named(self, running):
        for words in (["key", "create", "--role", "viewer", "--app", "nobody"], ["key", "list", "--app", "nobody"],
                      ["feed", "renew", "--app", "nobody"]):
            result = self.run(running, *words)
            assert result.returncode == 1 and "'nobody'" in result.stderr, words

    def test_a_feed_can_be_renewed(self, running):
        first, second = (self.run(running, "feed", "renew", "--app", "demo").stdout for _ in range(2))
        assert first.startswith("The feed of demo is now ") and first != second

    def test_the_schema_is_up_to_date(self, running):
        assert self.run(running, "migrate", "--check").returncode == 0
        assert self.run(running, "migrate").stdout == "The schema is up to date.\n"

    def test_the_doctor_finds_nothing_bad(self, running):
        result = self.run(running, "doctor")
        assert result.returncode == 0, result.stdout
        assert all(line.startswith(("ok ", "odd ")) for line in result.stdout.splitlines())
        for word in ("PostgreSQL 15", "fsync is on", "full_page_writes is on", "synchronous_commit is on", "schema", "clocks"):
            assert word in result.stdout

    def test_a_second_server_on_the_folder_is_refused(self, running):
        result = self.run(running, "serve", "--port", "0")
        assert result.returncode == 1
        assert "in use" in result.stderr


def test_the_doctor_names_what_is_bad():
    result = run("doctor", "--database-url", "postgresql://u:hush-9f2@127.0.0.1:1/x", "--tls-cert", "/no/such", "--tls-key", "/no/such",
                 ASSENT_PROT="1")
    assert result.returncode == 1
    assert "BAD  cannot connect" in result.stdout
    assert "/no/such cannot be read" in result.stdout
    assert "ASSENT_PROT is not a setting; did you mean ASSENT_PORT?" in result.stdout
    assert "hush-9f2" not in result.stdout + result.stderr
