"""Exact comparison of JSON bodies in which a few values cannot be known beforehand."""

import datetime
import re

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


class Shape:
    """Equal to every value that passes its check."""

    def __init__(self, name: str, check):
        self.name, self.check = name, check

    def __eq__(self, other) -> bool:
        return bool(self.check(other))

    def __repr__(self) -> str:
        return f"<{self.name}>"


UUID = Shape("a UUID", lambda value: isinstance(value, str) and _UUID.fullmatch(value))
UUID7 = Shape("a UUID of version 7", lambda value: value == UUID and value[14] == "7" and value[19] in "89ab")
MOMENT = Shape("a moment in UTC with milliseconds", lambda value: isinstance(value, str) and _MOMENT.fullmatch(value))
TEXT = Shape("a text that is not empty", lambda value: isinstance(value, str) and value)


def moment(text: str) -> datetime.datetime:
    assert text == MOMENT, text
    return datetime.datetime.fromisoformat(text)


def written(when: datetime.datetime) -> str:
    return when.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def soon(seconds: float) -> str:
    return written(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds))
