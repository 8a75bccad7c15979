"""The example of web/example in headless Chromium: a child asks in one tab, a guardian answers in another, and neither is reloaded."""

import base64
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from harness import places


class Example:
    """The back end, over a server of its own."""

    def __init__(self, deployment, folder, *flags: str):
        self.deployment = deployment
        self.app = deployment.app()
        key = folder / f"{self.app.id}.key"
        key.write_text(self.app.key + "\n")
        command = [
            sys.executable, str(places.CHECKOUT / "web/example/backend.py"), "--port", "0", "--key-file", str(key),
            "--assent", f"http://localhost:{deployment.server.port}", *flags]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"})
        line = self.process.stdout.readline()
        found = re.search(r"(http://localhost:\d+)/child ", line)
        assert found, line
        self.origin = found[1]
        admin = deployment.admin
        admin.ok("PUT", f"/v1/apps/{self.app.id}", {"name": "Example", "allowedOrigins": [self.origin]})
        client = self.app.client()
        limit = time.monotonic() + 10
        while client.get("/v1/changes", Origin=self.origin).headers["Access-Control-Allow-Origin"] is None:
            assert time.monotonic() < limit
            time.sleep(0.05)
        for one in (client, admin):
            one.close()

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()

    def open(self, browser, role: str):
        """The role's page, once it follows the log; a mark on it would not outlive a reload."""
        window = browser.window(f"{self.origin}/{role}")
        window.wait("document.body.dataset.stream === 'open'")
        window.run("window.mark = 'still here'")
        return window


@pytest.fixture
def example(deploy, scratch):
    started = []

    def example(*flags: str) -> Example:
        secret = scratch / "secret.key"
        secret.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
        started.append(Example(deploy(1, "--secret-key-file", str(secret)), scratch, *flags))
        return started[-1]

    yield example
    for one in started:
        one.stop()


def ask(page, description: str, seconds: int = 86_400):
    page.run("""
        document.querySelector('[name=description]').value = args[0];
        document.querySelector('[name=seconds]').value = String(args[1]);
    """, description, seconds)
    page.click("Ask")


def shows(page, description: str, state: str, patience: float = 20):
    page.wait(
        "Array.from(document.querySelectorAll('#questions li')).some((item) =>"
        " item.dataset.state === args[1] && item.querySelector('b').textContent === args[0])",
        description, state, patience=patience)


def test_a_guardian_answers_in_another_tab(browser, example):
    example = example()
    child, guardian = example.open(browser, "child"), example.open(browser, "guardian")
    ask(child, "One more hour today")
    for page in (child, guardian):
        shows(page, "One more hour today", "pending")
    guardian.click("Yes")
    for page in (child, guardian):
        shows(page, "One more hour today", "approved")
    # They change their mind.
    guardian.click("No")
    shows(child, "One more hour today", "revoked")
    # Refused is refused for a day; the page says so.
    ask(child, "And now?")
    child.wait("document.querySelector('#notice').textContent.includes('denied-recently')")
    for page in (child, guardian):
        assert page.run("return window.mark") == "still here"
    # A page that comes later reads what there is.
    late = example.open(browser, "guardian")
    shows(late, "One more hour today", "revoked")


def test_denied_expired_and_taken_back_show(browser, example):
    example = example()
    child, guardian = example.open(browser, "child"), example.open(browser, "guardian")
    ask(child, "Nobody looks", seconds=5)
    shows(guardian, "Nobody looks", "pending")
    for page in (child, guardian):
        shows(page, "Nobody looks", "expired")
    ask(child, "A mistake")
    shows(guardian, "A mistake", "pending")
    child.click("Take it back")
    for page in (child, guardian):
        shows(page, "A mistake", "cancelled")
    ask(child, "A film at ten")
    shows(guardian, "A film at ten", "pending")
    guardian.click("No")
    for page in (child, guardian):
        shows(page, "A film at ten", "denied")
        assert page.run("return window.mark") == "still here"
    assert child.run("return document.querySelectorAll('#questions li').length") == 3


def test_pages_go_on_when_their_tokens_end_and_the_server_is_gone(browser, example):
    example = example("--token-seconds", "3")
    child, guardian = example.open(browser, "child"), example.open(browser, "guardian")
    for page in (child, guardian):
        # A stream ends with its token, and the next has a new one.
        page.run("""
            window.opened = 0;
            new MutationObserver(() => { if (document.body.dataset.stream === 'open') opened += 1; })
                .observe(document.body, { attributes: true });
        """)
        page.wait("opened >= 2", patience=30)
    ask(child, "After a while")
    shows(guardian, "After a while", "pending")
    example.deployment.server.kill()
    for page in (child, guardian):
        page.wait("document.body.dataset.stream !== 'open'")
    example.deployment.server.start()
    for page in (child, guardian):
        page.wait("document.body.dataset.stream === 'open'", patience=40)
    guardian.click("Yes")
    shows(child, "After a while", "approved")
    for page in (child, guardian):
        assert page.run("return window.mark") == "still here"


def test_the_back_end_keeps_its_key(example):
    example = example()
    texts = []
    for path in ("/child", "/guardian", "/example.js", "/example.css", "/assent.js", "/settings.json"):
        with urllib.request.urlopen(example.origin + path) as reply:
            texts.append(reply.read().decode())
    for role in ("child", "guardian"):
        request = urllib.request.Request(f"{example.origin}/tokens/{role}", method="POST", data=b"")
        with urllib.request.urlopen(request) as reply:
            texts.append(reply.read().decode())
    secret = example.app.key[-43:]
    assert len(texts) == 8 and not any(secret in text for text in texts)
    for path in ("/../backend.py", "/backend.py", "/.assent/demo.key", "/tokens/admin"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(example.origin + path)
        assert refused.value.code == 404
