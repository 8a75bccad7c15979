"""What may be wrong with what the App Store signed: named changes, each of one thing."""

import base64
import datetime
import json
import random
import time
from collections.abc import Callable

from cryptography.hazmat.primitives import hashes

from . import app_store
from .app_store import END, MOMENT, ORDER, START, Chain, Token, key

Change = Callable[[random.Random, Token], None]
HEADER: dict[str, Change] = {}
PAYLOAD: dict[str, Change] = {}
SIGNATURE: dict[str, Change] = {}


def _in(table: dict[str, Change], name: str, change: Callable) -> None:
    table[name] = change


def _header(name: str, change: Callable[[dict], object]) -> None:
    def apply(_: random.Random, token: Token) -> None:
        result = change(token.header)
        if isinstance(result, (str, bytes, dict)):
            token.header = result

    HEADER[name] = apply


def _payload(name: str, change: Callable[[dict], object]) -> None:
    def apply(_: random.Random, token: Token) -> None:
        result = change(token.payload)
        if isinstance(result, (str, bytes, dict)):
            token.payload = result

    PAYLOAD[name] = apply


def _subject(payload: dict) -> dict:
    return next(payload[each] for each in ("data", "appData") if each in payload)


def _set(member: str, value: object) -> Callable[[dict], object]:
    return lambda members: members.__setitem__(member, value)


def _without(member: str) -> Callable[[dict], object]:
    return lambda members: members.pop(member, None) and None


def _of_subject(change: Callable[[dict], object]) -> Callable[[dict], object]:
    return lambda payload: change(_subject(payload)) and None


for algorithm in ("none", "HS256", "RS256", "ES384", "es256", 256, None):
    _header(f"header: alg {algorithm}", _set("alg", algorithm))
_header("header: no alg", _without("alg"))
_header("header: alg twice", lambda header: '{"alg":"ES256",' + json.dumps(header)[1:])
_header("header: alg twice, none first", lambda header: '{"alg":"none",' + json.dumps(header)[1:])
_header("header: more members", lambda header: header | {"typ": "JWT", "kid": "1", "jku": "https://example.com"})
_header("header: critical", lambda header: header | {"crit": ["exp"]})
_header("header: no x5c", _without("x5c"))
_header("header: x5c a text", _set("x5c", "MII"))
_header("header: two certificates", lambda header: header["x5c"].pop() and None)
_header("header: four certificates", lambda header: header["x5c"].append(header["x5c"][2]))
_header("header: certificates swapped", lambda header: header["x5c"].reverse())
_header("header: third entry of nobody", lambda header: header["x5c"].__setitem__(2, "AAAA"))
_header("header: third entry no base64", lambda header: header["x5c"].__setitem__(2, "*"))
_header("header: certificate cut off", lambda header: header["x5c"].__setitem__(0, header["x5c"][0][:-8]))
_header("header: certificate no base64", lambda header: header["x5c"].__setitem__(1, "*" + header["x5c"][1][1:]))
_header("header: line end in a certificate", lambda header: header["x5c"].__setitem__(0, header["x5c"][0] + "\n"))
_header(
    "header: bytes behind a certificate",
    lambda header: header["x5c"].__setitem__(
        0, base64.b64encode(base64.b64decode(header["x5c"][0]) + b"\0").decode()
    ),
)
_header("header: byte order mark", lambda header: "\ufeff" + json.dumps(header))
_header("header: trailing comma", lambda header: json.dumps(header)[:-1] + ",}")
_header("header: a list", lambda header: json.dumps([header]))

for name, value in {
    "missing": ..., "null": None, "a text": str(MOMENT), "a fraction": MOMENT + 0.5, "true": True, "a list": [],
    "negative": -1, "zero": 0, "seconds": MOMENT // 1000, "past 64 bits": 2**70,
    "before the leaf": int(START.timestamp() * 1000) - 1, "the leaf's first": int(START.timestamp() * 1000),
    "the leaf's last": int(END.timestamp() * 1000) - 1, "past the leaf": int(END.timestamp() * 1000),
    "an hour ahead": int((time.time() + 3600) * 1000),
    "ten years on": int((END + app_store.YEARS).timestamp() * 1000),
}.items():
    _payload(f"date: {name}", _without("signedDate") if value is ... else _set("signedDate", value))

for name, change in {
    "another bundle": _set("bundleId", "com.example.other"), "no bundle": _without("bundleId"),
    "bundle null": _set("bundleId", None), "bundle a number": _set("bundleId", 7),
    "bundle decomposed": _set("bundleId", "com.example.re\u0301ader"),
    "environment unknown": _set("environment", "Orbit"), "no environment": _without("environment"),
    "environment Xcode": _set("environment", "Xcode"), "environment LocalTesting": _set("environment", "LocalTesting"),
    "environment in lower case": lambda data: data.__setitem__("environment", data["environment"].lower()),
    "the other environment": lambda data: data.__setitem__(
        "environment", "Sandbox" if data["environment"] == "Production" else "Production"
    ),
    "another App Store id": _set("appAppleId", 99), "no App Store id": _without("appAppleId"),
    "App Store id a text": _set("appAppleId", str(app_store.APP_APPLE_ID)),
    "App Store id a fraction": _set("appAppleId", app_store.APP_APPLE_ID + 0.0),
    "App Store id null": _set("appAppleId", None),
}.items():
    _payload(f"identity: {name}", _of_subject(change))

_payload("payload: no type", _without("notificationType"))
_payload("payload: type a number", _set("notificationType", 5))
_payload("payload: type empty", _set("notificationType", ""))
_payload("payload: no UUID", _without("notificationUUID"))
_payload("payload: UUID a number", _set("notificationUUID", 5))
_payload("payload: subtype a list", _set("subtype", ["x"]))
_payload("payload: version a number", _set("version", 2))
_payload("payload: more members", _set("announced", {"deep": [1, 2.5, None]}))
_payload("payload: two subjects", lambda payload: payload | {"data": _subject(payload), "appData": _subject(payload)})
_payload(
    "payload: two subjects of two apps",
    lambda payload: payload | {"data": _subject(payload), "appData": {"bundleId": "com.example.other"}},
)
_payload("payload: no subject", lambda payload: {k: v for k, v in payload.items() if k not in ("data", "appData")})
_payload("payload: subject a list", lambda payload: payload | {"data": [], "appData": None})
_payload("payload: a key twice", lambda payload: '{"version":"1",' + json.dumps(payload)[1:])
_payload("payload: byte order mark", lambda payload: "\ufeff" + json.dumps(payload))
_payload("payload: trailing comma", lambda payload: json.dumps(payload)[:-1] + ",}")
_payload("payload: NaN", lambda payload: json.dumps(payload)[:-1] + ',"x":NaN}')
_payload("payload: U+0000", lambda payload: json.dumps(payload | {"x": "\0"}))
_payload("payload: lone surrogate", lambda payload: json.dumps(payload | {"x": "\ud800"}))
_payload("payload: deep", lambda payload: json.dumps(payload)[:-1] + ',"x":' + "[" * 60 + "]" * 60 + "}")
_payload("payload: a list", lambda payload: json.dumps([payload]))
_payload("payload: nothing", lambda payload: "")
_payload("payload: UTF-16", lambda payload: json.dumps(payload).encode("utf-16"))
_payload("payload: expired by its own word", _set("exp", 1))
_payload("payload: not yet valid by its own word", _set("nbf", 2**40))
_payload("payload: for an audience", _set("aud", "somebody"))
_payload("payload: issued in the future", _set("iat", 2**40))
_payload("payload: an app transaction", lambda payload: app_store.app_transaction(_subject(payload)["environment"]))
_payload(
    "payload: a transaction",
    lambda payload: _subject(payload) | {"transactionId": "1", "signedDate": payload.get("signedDate")},
)


def _flip(chance: random.Random, token: Token) -> None:
    bit = chance.randrange(512)

    def sign(der: bytes, r: int, s: int) -> bytes:
        raw = bytearray(r.to_bytes(32) + s.to_bytes(32))
        raw[bit // 8] ^= 1 << (bit % 8)
        return bytes(raw)

    token.sign = sign


_in(SIGNATURE, "signature: a bit flipped", _flip)
_in(SIGNATURE, "signature: DER", lambda _, token: setattr(token, "sign", lambda der, r, s: der))
_in(
    SIGNATURE, "signature: its twin",
    lambda _, token: setattr(token, "sign", lambda der, r, s: r.to_bytes(32) + (ORDER - s).to_bytes(32)),
)
_in(SIGNATURE, "signature: zeros", lambda _, token: setattr(token, "sign", lambda der, r, s: bytes(64)))
_in(SIGNATURE, "signature: cut off", lambda _, token: setattr(token, "sign", lambda der, r, s: r.to_bytes(32)))
_in(SIGNATURE, "signature: none", lambda _, token: setattr(token, "sign", lambda der, r, s: b""))
_in(SIGNATURE, "signature: of another key", lambda _, token: setattr(token, "key", key("P-256", 77)))


def _part(name: str, change: Callable[[str], str]) -> None:
    def apply(chance: random.Random, token: Token) -> None:
        place = chance.randrange(3)

        def tamper(text: str) -> str:
            parts = text.split(".")
            parts[place] = change(parts[place])
            return ".".join(parts)

        token.tamper = tamper

    SIGNATURE[name] = apply


_part("encoding: padded", lambda part: part + "=" * (-len(part) % 4 or 4))
_part("encoding: a blank", lambda part: part[:8] + " " + part[8:])
_part("encoding: a line end", lambda part: part + "\n")
_part("encoding: the other alphabet", lambda part: "+/" + part[2:])
_part("encoding: a part empty", lambda part: "")
_part("encoding: a part cut off", lambda part: part[:-1])
_part("encoding: a part more", lambda part: part + ".AAAA")
_part("encoding: not ASCII", lambda part: "é" + part[1:])
_in(SIGNATURE, "encoding: JSON form", lambda _, token: setattr(token, "tamper", lambda text: json.dumps({"a": text})))
_in(SIGNATURE, "encoding: nothing", lambda _, token: setattr(token, "tamper", lambda text: ""))


def chains() -> dict[str, Chain]:
    """Chains that differ from the standard one in one thing; all but one end at its root."""
    standard, stranger = Chain.standard(), Chain.standard(number=50)
    second = datetime.timedelta(seconds=1)
    moment = datetime.datetime.fromtimestamp(MOMENT / 1000, tz=datetime.UTC)
    other = key("P-384", 78)
    return {
        "chain: another root": stranger,
        "chain: no mark on the leaf": standard.with_leaf(mark=None),
        "chain: another mark on the leaf": standard.with_leaf(mark=app_store.INTERMEDIATE_MARK),
        "chain: critical mark on the leaf": standard.with_leaf(mark_critical=True),
        "chain: no mark on the intermediate": standard.with_intermediate(mark=None),
        "chain: leaf an authority": standard.with_leaf(authority=True),
        "chain: leaf an authority that certifies": standard.with_leaf(authority=True, certifies=True),
        "chain: leaf may not sign": standard.with_leaf(signs=False),
        "chain: leaf without key usage": standard.with_leaf(usage=False),
        "chain: leaf without basic constraints": standard.with_leaf(constraints=False),
        "chain: leaf without key identifiers": standard.with_leaf(identifiers=False),
        "chain: leaf on P-384": standard.with_leaf(key=key("P-384", 79)),
        "chain: leaf with RSA": standard.with_leaf(key=key("RSA", 80)),
        "chain: leaf expired": standard.with_leaf(end=moment - second),
        "chain: leaf not yet valid": standard.with_leaf(start=moment + datetime.timedelta(days=30)),
        "chain: leaf of another issuer": standard.with_leaf(issuer="Somebody Else"),
        "chain: leaf signed by another key": standard.with_leaf(
            issuer_key=other, authority_key=standard.intermediate.key
        ),
        "chain: leaf signed by SHA-256": standard.with_leaf(digest=hashes.SHA256()),
        "chain: intermediate no authority": standard.with_intermediate(authority=False, path_length=None),
        "chain: intermediate without basic constraints": standard.with_intermediate(constraints=False),
        "chain: intermediate's constraints not critical": standard.with_intermediate(constraints_critical=False),
        "chain: intermediate may not certify": standard.with_intermediate(certifies=False, path_length=None, signs=True),
        "chain: intermediate without key usage": standard.with_intermediate(usage=False, path_length=None),
        "chain: intermediate expired": standard.with_intermediate(end=moment - second),
        "chain: intermediate not yet valid": standard.with_intermediate(start=moment + datetime.timedelta(days=30)),
        "chain: intermediate of another issuer": standard.with_intermediate(issuer="Somebody Else"),
        "chain: intermediate signed by another key": standard.with_intermediate(
            issuer_key=other, authority_key=standard.root.key
        ),
        "chain: intermediate with RSA": _rekeyed(standard, key("RSA", 81)),
        "chain: intermediate with short RSA": _rekeyed(standard, key("RSA-1024", 82)),
        "chain: intermediate on P-256": _rekeyed(standard, key("P-256", 83)),
    }


def _rekeyed(standard: Chain, pair: object) -> Chain:
    return standard.with_intermediate(key=pair).with_leaf(issuer_key=pair)
