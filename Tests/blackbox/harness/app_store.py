"""Certificates, tokens and payloads as the App Store makes them, and ways to break each one thing at a time."""

import base64
import datetime
import functools
import hashlib
import json
import pathlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

BUNDLE = "com.example.reader"
APP_APPLE_ID = 41234
LEAF_MARK = "1.2.840.113635.100.6.11.1"
INTERMEDIATE_MARK = "1.2.840.113635.100.6.2.1"
START = datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC)
END = datetime.datetime(2040, 1, 1, tzinfo=datetime.UTC)
YEARS = datetime.timedelta(days=3650)
SECOND = datetime.timedelta(seconds=1)
#: When everything is signed unless said otherwise: before the machine's own date, which lies before END.
MOMENT = int(datetime.datetime(2025, 7, 1, tzinfo=datetime.UTC).timestamp() * 1000)

#: The order of P-256, which turns a signature into its twin.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

KEYS = {
    "P-256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "P-384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "RSA": lambda: rsa.generate_private_key(65537, 2048),
    "RSA-1024": lambda: rsa.generate_private_key(65537, 1024),
}


@functools.cache
def key(kind: str, number: int = 0):
    """One key of a kind; the same for the same number, since making them takes a moment."""
    return KEYS[kind]()


def _is_p256(pair: object) -> bool:
    return isinstance(pair, ec.EllipticCurvePrivateKey) and isinstance(pair.curve, ec.SECP256R1)


def url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass(frozen=True)
class Certificate:
    """One certificate to be made; `dataclasses.replace` changes one thing."""

    subject: str
    issuer: str
    key: object
    issuer_key: object
    authority: bool
    path_length: int | None = None
    certifies: bool = True
    signs: bool = False
    usage: bool = True
    constraints: bool = True
    constraints_critical: bool = True
    mark: str | None = None
    mark_critical: bool = False
    start: datetime.datetime = START - YEARS
    end: datetime.datetime = END + YEARS
    identifiers: bool = True
    authority_key: object = None
    digest: hashes.HashAlgorithm = field(default_factory=hashes.SHA384)

    def make(self) -> bytes:
        def name(text: str) -> x509.Name:
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

        builder = (
            x509.CertificateBuilder().subject_name(name(self.subject)).issuer_name(name(self.issuer))
            .public_key(self.key.public_key()).serial_number(4711)
            .not_valid_before(self.start).not_valid_after(self.end)
        )
        if self.constraints:
            builder = builder.add_extension(
                x509.BasicConstraints(ca=self.authority, path_length=self.path_length), self.constraints_critical
            )
        if self.usage:
            builder = builder.add_extension(
                x509.KeyUsage(
                    digital_signature=self.signs, content_commitment=False, key_encipherment=False,
                    data_encipherment=False, key_agreement=not (self.signs or self.certifies),
                    key_cert_sign=self.certifies, crl_sign=self.certifies, encipher_only=False, decipher_only=False,
                ), True,
            )
        if self.identifiers:
            builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), False)
            above = (self.authority_key or self.issuer_key).public_key()
            builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(above), False)
        if self.mark:
            mark = x509.UnrecognizedExtension(x509.ObjectIdentifier(self.mark), b"\x05\x00")
            builder = builder.add_extension(mark, self.mark_critical)
        return builder.sign(self.issuer_key, self.digest).public_bytes(Encoding.DER)


@dataclass(frozen=True)
class Chain:
    """Root, intermediate and leaf as the store has them."""

    root: Certificate
    intermediate: Certificate
    leaf: Certificate

    @staticmethod
    def standard(number: int = 0, root: str = "P-384", intermediate: str = "P-384") -> "Chain":
        roots, intermediates, leaves = key(root, number), key(intermediate, number + 100), key("P-256", number)
        return Chain(
            Certificate("Test Root", "Test Root", roots, roots, True),
            Certificate(
                "Test Intermediate", "Test Root", intermediates, roots, True, path_length=0, mark=INTERMEDIATE_MARK
            ),
            Certificate(
                "Test Leaf", "Test Intermediate", leaves, intermediates, False, certifies=False, signs=True,
                mark=LEAF_MARK, start=START, end=END,
            ),
        )

    def with_leaf(self, **changes) -> "Chain":
        return replace(self, leaf=replace(self.leaf, **changes))

    def with_intermediate(self, **changes) -> "Chain":
        return replace(self, intermediate=replace(self.intermediate, **changes))

    @functools.cached_property
    def x5c(self) -> list[str]:
        return [base64.b64encode(each.make()).decode() for each in (self.leaf, self.intermediate, self.root)]


class Token:
    """A token whose every part can be changed before and after it is signed."""

    def __init__(self, payload: dict | str, chain: Chain):
        self.header: dict | str | bytes = {"alg": "ES256", "x5c": list(chain.x5c)}
        self.payload: dict | str | bytes = payload
        # A leaf with another sort of key cannot have signed it at all.
        self.key = chain.leaf.key if _is_p256(chain.leaf.key) else key("P-256", 76)
        self.sign: Callable[[bytes, int, int], bytes] = lambda der, r, s: r.to_bytes(32) + s.to_bytes(32)
        self.tamper: Callable[[str], str] = lambda text: text

    @staticmethod
    def _bytes(part: dict | str | bytes) -> bytes:
        if isinstance(part, bytes):
            return part
        return (part if isinstance(part, str) else json.dumps(part)).encode()

    def text(self) -> str:
        signed = url(self._bytes(self.header)) + "." + url(self._bytes(self.payload))
        der = self.key.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        return self.tamper(signed + "." + url(self.sign(der, *decode_dss_signature(der))))


def identity(environment: str, **more) -> dict:
    """What says whom a payload is about; the sandbox sends no App Store id."""
    members = {"bundleId": BUNDLE, "environment": environment, **more}
    if environment == "Production":
        members["appAppleId"] = APP_APPLE_ID
    return members


def notification(chance: random.Random, environment: str) -> dict:
    """Any notification but a rescission."""
    kinds = ["DID_RENEW", "SUBSCRIBED", "EXPIRED", "REFUND", "TEST", "REVOKE", "ANNOUNCED_IN_2030"]
    payload = {
        "notificationType": chance.choice(kinds), "notificationUUID": f"{chance.getrandbits(128):032x}",
        "version": "2.0", "signedDate": MOMENT + chance.randrange(10**9), "data": identity(environment),
    }
    if chance.random() < 0.5:
        payload["subtype"] = chance.choice(["INITIAL_BUY", "VOLUNTARY", "SOMETHING_NEW"])
    return payload


def app_transaction(environment: str) -> dict:
    """The payload of a signed app transaction."""
    members = identity(environment)
    members["receiptType"] = members.pop("environment")
    return members | {
        "receiptCreationDate": MOMENT, "originalApplicationVersion": "1.2", "originalPlatform": "iOS",
        "appTransactionId": "704289572311402534",
    }


def rescission(chance: random.Random, environment: str, inner: str) -> dict:
    """A rescission that carries a signed app transaction."""
    payload = notification(chance, environment) | {"notificationType": "RESCIND_CONSENT"}
    payload.pop("subtype", None)
    payload["appData"] = payload.pop("data") | {"signedAppTransactionInfo": inner}
    return payload


def settings(**more) -> dict:
    """What an app is registered with so that what the store signs is about it."""
    return {
        "name": "Reader", "bundleId": BUNDLE, "appAppleId": str(APP_APPLE_ID), "environments": ["production", "sandbox"],
    } | more


class AppStore:
    """A store that signs what happens now; `root` is the file to trust, and another number makes another store."""

    def __init__(self, folder: pathlib.Path, number: int = 0):
        folder.mkdir(exist_ok=True)
        self.chain = Chain.standard(number)
        leaf, _, root = (base64.b64decode(text) for text in self.chain.x5c)
        (folder / "root.der").write_bytes(root)
        (folder / "leaf.der").write_bytes(leaf)
        self.root, self.leaf = str(folder / "root.der"), str(folder / "leaf.der")
        self.fingerprint = hashlib.sha256(root).hexdigest()
        self.chance = random.Random()

    def sign(self, payload: dict) -> str:
        return Token(payload, self.chain).text()

    def transaction(self, id: str, at: float | None = None, environment: str = "Production") -> str:
        return self.sign(app_transaction(environment) | {"appTransactionId": id, "receiptCreationDate": milliseconds(at)})

    def rescission(self, id: str, at: float | None = None, environment: str = "Production") -> str:
        """`at`: seconds since the epoch; now if not given. The transaction inside is a day old."""
        inner = self.transaction(id, time.time() - 86_400, environment)
        return self.sign(rescission(self.chance, environment, inner) | {"signedDate": milliseconds(at)})

    def notification(self, type: str = "TEST", at: float | None = None) -> str:
        payload = notification(self.chance, "Production") | {"notificationType": type, "signedDate": milliseconds(at)}
        payload.pop("subtype", None)
        return self.sign(payload)


def milliseconds(at: float | None) -> int:
    return int((time.time() if at is None else at) * 1000)
