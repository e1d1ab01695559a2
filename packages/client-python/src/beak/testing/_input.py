"""Reads the input of a call to the fake."""
import re
from typing import Dict, List, Mapping, Optional

from ._failures import Refused

_ACTION = re.compile(r"[a-z][a-z0-9_-]{0,31}:[a-z][a-z0-9_.*/-]{0,63}")

_FAVOUR = frozenset(("favour", "date", "amount", "currency", "place", "file"))


class Input:
    """Reads the fields of a call, and collects what is wrong with them."""

    def __init__(self, given: Mapping[str, object], *known: str) -> None:
        self._given = given
        self._errors = [
            {"field": name, "message": "is not a known field"} for name in given if name not in known
        ]

    def _wrong(self, name: str, message: str) -> None:
        self._errors.append({"field": name, "message": message})

    def text(self, name: str, *, most: int = 100_000) -> str:
        """Returns a required text."""
        value = self._given.get(name)
        if not isinstance(value, str) or not 0 < len(value) <= most:
            self._wrong(name, "is required" if value is None else f"must be a text of 1 to {most} characters")
            return ""
        return value

    def action(self) -> str:
        """Returns the action."""
        value = self.text("action")
        if value and not _ACTION.fullmatch(value):
            self._wrong("action", "must have the form verb:object, for instance read:profile")
        return value

    def optional_action(self) -> Optional[str]:
        """Returns the action, or None when it is not there."""
        return None if self._given.get("action") is None else self.action()

    def optional_text(self, name: str, most: int = 280) -> Optional[str]:
        """Returns a text, or None when it is not there."""
        return None if self._given.get(name) is None else self.text(name, most=most)

    def choice(self, name: str, choices: "tuple[str, ...]") -> str:
        """Returns one of the choices. Default: the first one."""
        value = self._given.get(name, choices[0])
        if value not in choices:
            self._wrong(name, f"must be one of {', '.join(choices)}")
            return choices[0]
        return str(value)

    def number(self, name: str, least: int, most: int) -> Optional[int]:
        """Returns a whole number, or None when it is not there."""
        value = self._given.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self._wrong(name, f"must be a whole number of {least} to {most}")
            return None
        return value

    def true(self, name: str) -> None:
        """Reads a field that can only be true."""
        if self._given.get(name) is not True:
            self._wrong(name, "must be true")

    def seconds(self, name: str) -> Optional[int]:
        """Returns a lifetime in seconds, or None when it is not there."""
        return self.number(name, 60, 2_592_000)

    def target(self) -> "tuple[Optional[str], Optional[str]]":
        """Returns the id or the handle, and the invitation link. Exactly one of them is there."""
        ref, given = self.optional_text("target_duckling_id"), self.optional_text("target", 1000)
        if (ref is None) == (given is None):
            self._wrong("target_duckling_id", "must be sent unless target is: send one of the two, not both")
        is_link = given is not None and given.strip().lower().startswith(("https:", "http:"))
        return (ref, given) if is_link else (ref or given, None)

    def params(self) -> Dict[str, object]:
        """Returns the params. Default: none."""
        value = self._given.get("params", {})
        if not isinstance(value, dict):
            self._wrong("params", "must be an object")
            return {}
        return value

    def require_free_text(self) -> None:
        """A request in free text has words, and no terms of a permission."""
        params = self.params()
        favour = params.get("favour")
        wrong = [name for name in ("grant_expires_in", "audience") if self._given.get(name) is not None]
        if self._given.get("scope", "limited") != "limited":
            wrong.append("scope")
        if not isinstance(favour, str) or not 0 < len(favour) <= 280 or not _FAVOUR.issuperset(params):
            wrong.append("params")
        for name in wrong:
            self._wrong(name, "is wrong for a request in free text")

    def check(self) -> None:
        """Raises `invalid_request`, which names the fields."""
        if self._errors:
            raise Refused("invalid_request", errors=self._errors)
