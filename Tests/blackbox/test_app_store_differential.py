"""The store's own server library and Assent judge the same signed texts.

Where they disagree it is because Assent is stricter, for a reason that docs/app-store.md lists; never does Assent take what
the library refuses. ASSENT_DIFFERENTIAL says how many texts are judged; with fewer than 2,000 not
every kind of disagreement has to show.
"""

import collections
import json
import os
import random
import subprocess

import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from harness import app_store, app_store_mutations, places
from harness.app_store import APP_APPLE_ID, BUNDLE, Chain, Token

COUNT = int(os.environ.get("ASSENT_DIFFERENTIAL", "2000"))
DOCUMENT = places.CHECKOUT / "docs/app-store.md"

#: Why Assent refuses or quarantines what the library takes: reason and what was done to the text. A text may have been
#: changed in two ways, so one of its changes has to be listed under the reason.
EXPLAINED = {
    "header-malformed": ["header: alg twice", "header: alg twice, none first", "header: byte order mark"],
    "token-malformed": ["encoding: padded"],
    "certificate-malformed": ["header: bytes behind a certificate"],
    "leaf-is-authority": ["chain: leaf an authority", "chain: leaf an authority that certifies"],
    "chain-too-weak": ["chain: intermediate with short RSA"],
    "chain-invalid": ["chain: intermediate's constraints not critical"],
    "certificate-expired": ["date: past the leaf"],
    "leaf-key-usage": ["chain: leaf may not sign", "chain: leaf without key usage"],
    "payload-malformed": [
        "payload: a key twice", "payload: byte order mark", "payload: NaN", "payload: U+0000", "payload: lone surrogate",
        "payload: deep", "payload: UTF-16",
    ],
    "date-missing": ["date: missing", "date: null"],
    "date-invalid": ["date: a text", "date: a fraction"],
    "date-ahead": ["date: the leaf's last", "date: an hour ahead"],
    "subject-ambiguous": ["payload: two subjects", "payload: two subjects of two apps"],
    "field-missing": ["payload: no type"],
    "field-invalid": [
        "payload: type empty", "payload: type a number", "payload: UUID a number", "payload: subtype a list",
        "payload: version a number", "identity: App Store id a text", "identity: App Store id a fraction",
    ],
    "inner-token-refused": ["inner"],
    "inner-token-mismatch": ["inner", "identity: the other environment"],
}


class Library:
    """The library as an operator would run it: one verifier for each environment the app is registered for."""

    def __init__(self, root: bytes):
        self.verifiers = [
            SignedDataVerifier([root], False, Environment.PRODUCTION, BUNDLE, APP_APPLE_ID),
            SignedDataVerifier([root], False, Environment.SANDBOX, BUNDLE),
        ]

    def notification(self, text: str):
        return self._any(lambda verifier: verifier.verify_and_decode_notification(text))

    def app_transaction(self, text: str):
        return self._any(lambda verifier: verifier.verify_and_decode_app_transaction(text))

    def _any(self, verify):
        for verifier in self.verifiers:
            try:
                return verify(verifier)
            except VerificationException:
                continue
            except Exception:  # It lets its decoder's own errors through, and they are refusals too.
                continue
        return None


def generate(count: int):
    """Texts with the names of what was done to them; none in about one of eight."""
    chance = random.Random(20260701)
    standard, chains = Chain.standard(), app_store_mutations.chains()
    tables = [app_store_mutations.HEADER, app_store_mutations.PAYLOAD, app_store_mutations.SIGNATURE]
    singles = [(name, table[name]) for table in tables for name in table]
    plan = [[each] for each in [*singles, *((name, None) for name in chains)]]
    while len(plan) < count:
        kind = chance.random()
        if kind < 0.12:
            plan.append([])
        elif kind < 0.35:
            plan.append([(chance.choice(list(chains)), None)])
        elif kind < 0.85:
            plan.append([chance.choice(singles)])
        else:
            first, second = chance.sample(tables, 2)
            plan.append([(name, first[name]) for name in [chance.choice(list(first))]]
                        + [(name, second[name]) for name in [chance.choice(list(second))]])
    chance.shuffle(plan)
    for changes in plan[:count]:
        yield make(chance, changes, standard, chains)


def make(chance: random.Random, changes: list, standard: Chain, chains: dict[str, Chain]):
    environment = chance.choice(["Production", "Sandbox"])
    names = [name for name, _ in changes]
    chain = next((chains[name] for name in names if name in chains), standard)
    if chance.random() < 0.4:
        inner = Token(app_store.app_transaction(environment), standard)
        if not names and chance.random() < 0.6:
            names = ["inner"]
            break_inner(chance, inner, chains)
        token = Token(app_store.rescission(chance, environment, inner.text()), chain)
    else:
        token = Token(app_store.notification(chance, environment), chain)
    # The payload last but one: it may turn into text, which only the signature's changes do not mind.
    for table in (app_store_mutations.HEADER, app_store_mutations.PAYLOAD, app_store_mutations.SIGNATURE):
        for name, change in changes:
            if name in table:
                change(chance, token)
    return names, token.text()


def break_inner(chance: random.Random, inner: Token, chains: dict[str, Chain]) -> None:
    changes = [
        lambda: inner.payload.update(receiptType="Xcode"), lambda: inner.payload.update(bundleId="com.example.other"),
        lambda: inner.payload.update(receiptCreationDate=0), lambda: inner.payload.pop("receiptCreationDate"),
        lambda: inner.payload.pop("appTransactionId"), lambda: inner.payload.update(appTransactionId=7),
        lambda: inner.payload.update(receiptType={"Production": "Sandbox", "Sandbox": "Production"}[
            inner.payload["receiptType"]]),
        lambda: app_store_mutations.SIGNATURE["signature: a bit flipped"](chance, inner),
        lambda: setattr(inner, "payload", app_store.notification(chance, "Production")),
        lambda: setattr(inner, "header", {"alg": "ES256", "x5c": chains["chain: another root"].x5c}),
    ]
    chance.choice(changes)()


def judged_by_assent(texts: list[str], root, folder) -> list[dict]:
    verdicts = []
    for start in range(0, len(texts), 400):
        lines = folder / f"texts-{start}"
        lines.write_text("".join(json.dumps({"signedPayload": text}) + "\n" for text in texts[start:start + 400]))
        done = subprocess.run(
            [places.program(), "app-store", "verify", "--json", "--app-store-root", root, "--bundle-id", BUNDLE,
             "--app-apple-id", str(APP_APPLE_ID), lines],
            capture_output=True, text=True, timeout=120)
        assert done.stderr == "", done.stderr
        verdicts += [json.loads(line) for line in done.stdout.splitlines() if line]
    return verdicts


@pytest.mark.timeout(600)
def test_assent_takes_nothing_that_the_library_refuses(tmp_path):
    root = tmp_path / "root.der"
    root.write_bytes(Chain.standard().root.make())
    library = Library(root.read_bytes())
    cases = list(generate(COUNT))
    verdicts = judged_by_assent([text for _, text in cases], root, tmp_path)
    assert len(verdicts) == len(cases) == COUNT

    tally, seen, unexplained = collections.Counter(), set(), []
    for (names, text), verdict in zip(cases, verdicts, strict=True):
        notification = library.notification(text)
        takes = notification is not None
        taken = verdict["verdict"] == "taken"
        if taken and takes and notification.notificationType is not None and notification.appData is not None:
            inner = notification.appData.signedAppTransactionInfo
            assert inner is None or library.app_transaction(inner) is not None, f"{names}: the inner token"
        if taken and not takes:
            # An app transaction is no notification to the library; both tell it apart.
            assert library.app_transaction(text) is not None, f"Assent takes what the library refuses: {names} {verdict}"
        tally["both take" if taken and takes else "neither" if not taken and not takes else "only the library"
              if takes else "an app transaction"] += 1
        if takes and not taken:
            listed = [name for name in names if name in EXPLAINED.get(verdict["reason"], [])]
            seen.update((verdict["reason"], name) for name in listed)
            if not listed:
                unexplained.append(f"{names}: {verdict}")
        if not names:
            assert taken and takes, f"nothing is wrong with it: {verdict}, {notification}"
    print(f"\n{COUNT} signed texts: {dict(tally)}")
    assert not unexplained, "\n".join(sorted(set(unexplained)))
    if COUNT >= 2000:
        listed = {(reason, name) for reason, names in EXPLAINED.items() for name in names}
        assert sorted(listed - seen) == [], "explained and never seen"


def test_every_disagreement_is_documented():
    text = DOCUMENT.read_text()
    for reason, names in EXPLAINED.items():
        assert f"`{reason}`" in text, reason
        for name in names:
            assert name in text, f"{reason}: {name}"
