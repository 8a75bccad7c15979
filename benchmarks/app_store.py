#!/usr/bin/env python3
"""Measures how many notifications a second verify, next to the store's own Python library, in one run.

    make release python && .build/venv/bin/python benchmarks/app_store.py

Both judge the same texts, one process on one thread each, in turn, several rounds: notifications (one token) and rescissions (a
token in a token). Assent runs `assent app-store verify --json`, so its figures include starting the program and reading a file; a
file of one text is measured first and taken off. Prints a table of medians.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT / "Tests/blackbox"))
os.environ.setdefault("ASSENT_BINARY", str(CHECKOUT / ".build/release/assent"))

from appstoreserverlibrary.models.Environment import Environment  # noqa: E402
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier  # noqa: E402

from harness import app_store, places  # noqa: E402
from harness.app_store import APP_APPLE_ID, BUNDLE, Chain, Token  # noqa: E402


def texts(count: int, kind: str, chains: list[Chain]) -> list[str]:
    """Genuine texts, signed by the chains in turn."""
    chance = random.Random(1)
    inner = Token(app_store.app_transaction("Production"), chains[0]).text()
    make = {
        "notification": lambda: app_store.notification(chance, "Production"),
        "rescission": lambda: app_store.rescission(chance, "Production", inner),
    }[kind]
    return [Token(make(), chains[number % len(chains)]).text() for number in range(count)]


def assent(lines: list[str], root: pathlib.Path, folder: pathlib.Path) -> float:
    """CPU seconds of one call, the start of the program included."""
    file = folder / "texts"
    file.write_text("".join(json.dumps({"signedPayload": line}) + "\n" for line in lines))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [places.program(), "app-store", "verify", "--json", "--app-store-root", root, "--bundle-id", BUNDLE,
         "--app-apple-id", str(APP_APPLE_ID), file], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.count('"taken"') == len(lines), done.stdout[:300]
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def library(lines: list[str], root: pathlib.Path) -> float:
    """CPU seconds of the library in this process; what a rescission carries it verifies as its manual asks."""
    verifier = SignedDataVerifier([root.read_bytes()], False, Environment.PRODUCTION, BUNDLE, APP_APPLE_ID)
    before = resource.getrusage(resource.RUSAGE_SELF)
    for line in lines:
        decoded = verifier.verify_and_decode_notification(line)
        if decoded.appData is not None:
            verifier.verify_and_decode_app_transaction(decoded.appData.signedAppTransactionInfo)
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--count", type=int, default=400, help="texts a round")
    chosen = options.parse_args()

    one = [Chain.standard()]
    # As many leaves as texts: no chain is ever met again.
    many = [one[0].with_leaf(start=app_store.START + number * app_store.SECOND) for number in range(chosen.count)]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        root = folder / "root.der"
        root.write_bytes(one[0].root.make())
        for label, kind, chains in [
            ("notification, chain known", "notification", one), ("rescission, chain known", "rescission", one),
            ("notification, every chain new", "notification", many),
        ]:
            lines = texts(chosen.count, kind, chains)
            ours, theirs = [], []
            for _ in range(chosen.rounds):
                start = assent(lines[:1], root, folder)
                ours.append((len(lines) - 1) / (assent(lines, root, folder) - start))
                theirs.append(len(lines) / library(lines, root))
            rows.append((label, statistics.median(ours), statistics.median(theirs)))
    print(f"{'verified per CPU-second':34}{'Assent':>10}{'library':>10}{'ratio':>8}")
    for label, ours, theirs in rows:
        print(f"{label:34}{ours:10.0f}{theirs:10.0f}{ours / theirs:8.1f}")


if __name__ == "__main__":
    main()
