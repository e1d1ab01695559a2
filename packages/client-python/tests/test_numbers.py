"""Numbers that JSON keeps, as packages/contract/numbers.json has them for the service and every client, and values that JSON does not have."""
import json
import math
from datetime import date, datetime
from decimal import Decimal
from enum import IntEnum
from typing import Any, Dict, List

import pytest
from beak import Beak
from beak._exact import InexactNumberError, is_exact_number, plain_json
from beak.errors import VerificationError
from beak.verify import exact_json
from beak.verify._encoding import canonical_json, json_object
from service import ROOT

NUMBERS: List[Dict[str, Any]] = json.loads((ROOT / "packages/contract/numbers.json").read_text("utf-8"))
DIGITS = "must be a string: JSON numbers do not keep so many digits."


class Colour(IntEnum):
    RED = 1


def named(number: Dict[str, Any]) -> str:
    return str(number["text"])


@pytest.mark.parametrize("number", NUMBERS, ids=named)
def test_reads_json_as_the_service_does(number: Dict[str, Any]) -> None:
    text = f'{{"a": [{{"b": {number["text"]}}}]}}'
    if number["accepted"]:
        assert exact_json(text) == json_object(text.encode(), "text") == json.loads(text)
        return
    with pytest.raises(ValueError) as refused:
        exact_json(text)
    assert str(refused.value) == f"a.0.b {DIGITS}"
    with pytest.raises(VerificationError):
        json_object(text.encode(), "text")


@pytest.mark.parametrize("number", [one for one in NUMBERS if "lost_in_value" not in one], ids=named)
def test_sends_and_signs_only_numbers_that_json_keeps(number: Dict[str, Any]) -> None:
    value = {"a": [json.loads(number["text"])]}
    assert is_exact_number(value["a"][0]) is number["accepted"]
    if number["accepted"]:
        assert plain_json(value, "params") == value
        assert json.loads(canonical_json(value, any_number=True)) == value
        return
    with pytest.raises(InexactNumberError, match="^params.a.0 (must be a string|is -?inf)"):
        plain_json(value, "params")
    with pytest.raises(VerificationError):
        canonical_json(value, any_number=True)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (2**53, DIGITS),
        (10**400, DIGITS),
        (math.nan, "is nan, which JSON does not have."),
        (-math.inf, "is -inf, which JSON does not have."),
        (Decimal("12.50"), "is a Decimal, which JSON does not have. Send it as a string, a list or a dict."),
        (b"a", "is a bytes, which JSON does not have."),
        ({1}, "is a set, which JSON does not have."),
        (frozenset(), "is a frozenset, which JSON does not have."),
        (date(2026, 1, 1), "is a date, which JSON does not have."),
        (datetime(2026, 1, 1), "is a datetime, which JSON does not have."),
        (1j, "is a complex, which JSON does not have."),
        (object(), "is a object, which JSON does not have."),
        (iter([("a", 1)]), "is a list_iterator, which JSON does not have."),
        ({"a": 1}.items(), "is a dict_items, which JSON does not have."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_refuses_what_json_does_not_have_before_it_is_sent(value: object, message: str) -> None:
    with Beak("http://127.0.0.1:1", retries=0) as beak:
        for given, place in (({"a": {"b": value}}, "params.a.b"), ({"a": [0, value]}, "params.a.1")):
            for call in (
                lambda: beak.consume_grant(grant_token="x", params=given),
                lambda: beak.use_permission("x", given),
                lambda: beak.request_permission(target="DUCK-1", action="pay:invoice", params=given),
            ):
                with pytest.raises(TypeError) as refused:
                    call()
                assert str(refused.value).startswith(f"{place} {message}")


@pytest.mark.parametrize("name", [1, None, True, ("a",), 1.5])
def test_refuses_names_that_are_no_text(name: object) -> None:
    with pytest.raises(TypeError, match="^A name in params.a is "):
        plain_json({"a": {name: 1}}, "params")


def test_refuses_a_value_that_holds_itself() -> None:
    own: List[object] = []
    own.append(own)
    with pytest.raises(TypeError, match="is nested too deep"):
        plain_json(own, "params")


def test_sends_the_same_as_json_for_all_other_values() -> None:
    deep: Dict[str, object] = {"a": {}}
    value = {"text": "9007199254740993", "none": None, "list": (True, 0.1, -0.0), "colour": Colour.RED, "deep": deep}
    assert json.dumps(plain_json(value, "params")) == json.dumps(value)
