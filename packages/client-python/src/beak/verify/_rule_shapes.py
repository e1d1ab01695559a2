"""The shape of a rule and of the statement that a passkey signs. The verifier in TypeScript has the same."""
from typing import Mapping

from ..errors import VerificationError
from ._bounds import is_same_kind, measure_of_bound
from ._encoding import canonical_json
from ._money import read_money
from ._places import is_host, is_path
from ._shapes import Shape, boolean, either, equal_to, instant, items, members, nullable, text, whole


def _number(value: object) -> bool:
    return not isinstance(value, str) and measure_of_bound(value) is not None


def _whole_from(least: int, most: int) -> Shape:
    shape = whole(most)
    return lambda value: shape(value) and isinstance(value, (int, float)) and value >= least


def _list_of(shape: Shape, most: int) -> Shape:
    """A list of at least one value."""
    shapes = items(shape, most)
    return lambda value: shapes(value) and value != []


def _bound(value: object) -> bool:
    return either(text(64), _number)(value) and measure_of_bound(value) is not None


def _bounds(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2 or not all(map(_bound, value)):
        return False
    return is_same_kind(value[0], value[1])


def _short_json(value: object) -> bool:
    """Tells whether a value has a canonical form of at most 4,096 UTF-16 units."""
    try:
        return len(canonical_json(value, any_number=True).encode("utf-16-le")) <= 2 * 4096
    except (VerificationError, RecursionError):
        return False


_SCALAR = either(text(500), _number, boolean)


def _amount(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 64 and read_money(value) is not None


def _host(value: object) -> bool:
    return isinstance(value, str) and is_host(value)


def _path(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 500 and is_path(value)


CONSTRAINT = either(
    members({"equals": _SCALAR}),
    members({"one_of": _list_of(_SCALAR, 50)}),
    members({"at_most": _bound}),
    members({"at_least": _bound}),
    members({"between": _bounds}),
    members({"domain": _host}),
    members({"path_below": _path}),
    members({"unchanged": _short_json}),
    members({"any": lambda value: value is True}),
)


def _params(value: object) -> bool:
    # JavaScript cannot keep a member of this name.
    return (
        isinstance(value, dict)
        and len(value) <= 64
        and "__proto__" not in value
        and all(len(name) <= 128 for name in value)
        and all(map(CONSTRAINT, value.values()))
    )


_BUDGET_MEMBERS = members(
    {},
    {
        "amount": _amount,
        "per": equal_to("day", "week", "month"),
        "uses": _whole_from(1, 100_000),
        "uses_each": _whole_from(1, 100_000),
    },
)


def _budget(value: object) -> bool:
    return isinstance(value, dict) and _BUDGET_MEMBERS(value) and ("uses_each" not in value or "per" in value)


def _action(value: object) -> bool:
    return isinstance(value, str) and 3 <= len(value) <= 100


_RULE_MEMBERS = members(
    {
        "actions": _list_of(_action, 20),
        "params": _params,
        "reasons": items(text(40), 20),
        "expires_in": _whole_from(60, 31_536_000),
        "answer": equal_to("approve", "reject", "ask"),
        "mode": equal_to("on", "watch"),
    },
    {"agent_id": text(64), "operator_id": text(64), "budget": _budget},
)


def _is_of_one(rule: Mapping[str, object]) -> bool:
    return ("agent_id" in rule) != ("operator_id" in rule)


def is_rule(value: object) -> bool:
    """Tells whether a value has the form of a whole rule, as a passkey signs it."""
    return isinstance(value, dict) and _RULE_MEMBERS(value) and _is_of_one(value)


RULE_STATEMENT = members(
    {
        "type": equal_to("beak.rule"),
        "version": equal_to(1),
        "issuer": text(300),
        "nonce": text(64),
        "rule_id": text(64),
        "duckling_id": text(64),
        "rule": is_rule,
        "time_zone": text(64),
        "sentence": text(8192),
        "created_at": instant,
        "expires_at": instant,
        "log": nullable(members({"origin": text(300), "size": whole(), "root": text(44)})),
    }
)
