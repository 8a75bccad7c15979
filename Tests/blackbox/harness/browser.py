"""A headless Chromium, driven through WebDriver's own protocol: chromedriver answers plain HTTP, so nothing else is needed.

It talks to this machine only, and ends with the test: its processes are a group of their own.
"""

import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

FLAGS = [
    "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    # Pages in the background are what half of these tests look at.
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1", "--window-size=900,700",
]


class BrowserError(Exception):
    """What WebDriver refused, or a script threw."""


class Browser:
    """One browser with windows; use it as a context."""

    def __enter__(self) -> "Browser":
        self.profile = tempfile.mkdtemp(prefix="assent-chromium-", dir="/tmp")
        self.log = pathlib.Path(self.profile) / "chromedriver.log"
        with open(self.log, "wb") as log:
            self.driver = subprocess.Popen(
                [program("chromedriver"), "--port=0"], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True, env=os.environ | {"HOME": self.profile})
        try:
            self.port = self._port()
            flags = FLAGS + [f"--user-data-dir={self.profile}/data"]
            if os.geteuid() == 0:
                # The sandbox cannot be set up by root; what runs here is our own pages.
                flags.append("--no-sandbox")
            options = {"binary": program("chromium"), "args": flags}
            session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
            self.base = f"/session/{session['sessionId']}"
            self.send("POST", "/timeouts", {"script": 30_000, "pageLoad": 30_000})
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self._call("DELETE", self.base, None)
        # The group is this driver's and its browser's alone.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)

    def window(self, url: str) -> "Window":
        """A new tab that has loaded the page."""
        window = Window(self, self.send("POST", "/window/new", {"type": "tab"})["handle"])
        window.go(url)
        return window

    def console(self) -> list[str]:
        """What pages wrote to the console since it was read last."""
        return [f"{entry['level']} {entry['message']}" for entry in self.send("POST", "/se/log", {"type": "browser"})]

    def send(self, method: str, path: str, body: dict | None = None):
        return self._call(method, self.base + path, body)

    def _call(self, method: str, path: str, body: dict | None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            text = None if method != "POST" else json.dumps(body or {})
            connection.request(method, path, text, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            value = json.loads(reply.read())["value"]
        finally:
            connection.close()
        if reply.status >= 400:
            raise BrowserError(f"{value['error']}: {value['message'][:1500]}")
        return value

    def _port(self) -> int:
        limit = time.monotonic() + 30
        while time.monotonic() < limit:
            text = self.log.read_text(errors="replace")
            if found := re.search(r"started successfully on port (\d+)", text):
                return int(found[1])
            assert self.driver.poll() is None, text
            time.sleep(0.02)
        raise AssertionError(f"chromedriver does not start: {self.log.read_text(errors='replace')}")


@dataclasses.dataclass
class Window:
    """One tab."""

    browser: Browser
    handle: str

    def go(self, url: str):
        self._switch()
        self.browser.send("POST", "/url", {"url": url})

    def run(self, script: str, *arguments):
        """What a script's promise comes to, as JSON; `args` are its arguments. What it throws is a BrowserError."""
        self._switch()
        wrapped = (
            "const done = arguments[arguments.length - 1]; const args = Array.from(arguments).slice(0, -1);"
            f"(async () => {{ {script} }})().then((value) => done({{ value: value ?? null }}),"
            " (error) => done({ thrown: `${error?.name}: ${error?.message} ${error?.stack}` }));")
        outcome = self.browser.send("POST", "/execute/async", {"script": wrapped, "args": list(arguments)})
        if "thrown" in outcome:
            raise BrowserError(outcome["thrown"])
        return outcome["value"]

    def wait(self, condition: str, *arguments, patience: float = 20):
        """The first value of an expression that is true, looked at until it is."""
        limit = time.monotonic() + patience
        while not (value := self.run(f"return {condition}", *arguments)):
            if time.monotonic() > limit:
                raise AssertionError(f"not within {patience} s: {condition}\n{self.text()}\n{self.browser.console()}")
            time.sleep(0.05)
        return value

    def click(self, text: str):
        """The button with this text, once there is one; clicked as a person would."""
        self.wait("Array.from(document.querySelectorAll('button')).some((b) => b.textContent === args[0])", text)
        path = f"//button[normalize-space()='{text}']"
        element = self.browser.send("POST", "/element", {"using": "xpath", "value": path})
        self.browser.send("POST", f"/element/{next(iter(element.values()))}/click")

    def text(self) -> str:
        return self.run("return document.body.innerText")

    def _switch(self):
        self.browser.send("POST", "/window", {"handle": self.handle})


def program(name: str) -> str:
    path = shutil.which(name)
    assert path, f"{name} is not installed: apt-get install chromium chromium-driver"
    return path
