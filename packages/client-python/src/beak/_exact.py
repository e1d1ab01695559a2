"""Numbers that JSON keeps, and values that JSON carries as they are."""
import json
import math
from decimal import Decimal, InvalidOperation
from typing import Dict, Iterator, List, Mapping, Tuple, Union

#: The largest whole number that every program reads exactly.
LARGEST_INTEGER = 2**53 - 1

#: What is wrong with a number that a double does not hold as it is written.
INEXACT = "must be a string: JSON numbers do not keep so many digits"

#: The service accepts 32 levels. A value that holds itself has more.
_DEPTH_MOST = 40


class InexactNumberError(TypeError, ValueError):
    """A number that JSON does not keep."""


def is_exact_number(value: Union[int, float]) -> bool:
    """Tells whether a number is one that JSON keeps: finite, and within ±(2^53 − 1) when it is whole."""
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return abs(value) <= LARGEST_INTEGER or value != int(value)


class _Written:
    """A number in a JSON text that a double does not hold."""


def _read_integer(text: str) -> object:
    # Python refuses to read integers of thousands of digits.
    return int(text) if len(text) <= 17 and is_exact_number(int(text)) else _Written()


def _read_float(text: str) -> object:
    number = float(text)
    if number == 0:
        digits = text.lower().partition("e")[0]
        return number if not any(digit in digits for digit in "123456789") else _Written()
    if not is_exact_number(number):
        return _Written()
    try:
        return number if Decimal(text) == Decimal(repr(number)) else _Written()
    except InvalidOperation:
        return _Written()


def _unique(pairs: "List[Tuple[str, object]]") -> Dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is given twice")
    return members


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _places_of(value: object, place: str) -> Iterator[str]:
    if isinstance(value, _Written):
        yield place
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in members:
        yield from _places_of(inner, _inside(place, name))


def _inside(place: str, name: object) -> str:
    return f"{place}.{name}" if place else str(name)


def exact_json(text: Union[str, bytes]) -> object:
    """
    Reads JSON. Use it instead of `json.loads` for what a person approves, signs or compares.

    Raises `ValueError` for another text and for a member that is given twice, and names the numbers that other programs would round.
    """
    value = _read(text)
    faults = [f"{place or 'The number'} {INEXACT}" for place in _places_of(value, "")]
    if faults:
        raise ValueError(f"{'. '.join(faults)}.")
    return value


def inexact_numbers_in(text: Union[str, bytes]) -> List[str]:
    """
    Returns the places of the numbers in a JSON text that a double does not hold as they are written: `params.ids.0`.

    Raises `ValueError` for another text and for a member that is given twice.
    """
    return list(_places_of(_read(text), ""))


def _read(text: Union[str, bytes]) -> object:
    value: object = json.loads(
        text,
        parse_int=_read_integer,
        parse_float=_read_float,
        parse_constant=_refuse_constant,
        object_pairs_hook=_unique,
    )
    return value


def plain_json(value: object, place: str, *, strict: bool = False, depth: int = 0) -> object:
    """
    Returns a copy of a value that JSON carries as it is: any mapping becomes an object.

    - `place`: names the value in errors.
    - `strict`: refuses classes of their own as well, which can show another value than they send.

    Raises `TypeError` that names the place of a value that JSON would change or lose.
    """
    kind = type(value)
    if value is None or (isinstance(value, (str, bool)) and (kind in (str, bool) or not strict)):
        return value
    if isinstance(value, (int, float)) and (kind in (int, float) or not strict):
        return _exact(value, place, strict)
    if depth > _DEPTH_MOST:
        raise TypeError(f"{place} is nested too deep.")
    if isinstance(value, (list, tuple)) and (kind in (list, tuple) or not strict):
        items = enumerate(value)
        return [plain_json(one, _inside(place, at), strict=strict, depth=depth + 1) for at, one in items]
    if isinstance(value, Mapping) and (kind is dict or not strict):
        for name in value:
            if type(name) is not str and (strict or not isinstance(name, str)):
                raise TypeError(f"A name in {place} is {name!r}, which JSON does not have. Send it as a string.")
        return {
            name: plain_json(one, _inside(place, name), strict=strict, depth=depth + 1) for name, one in value.items()
        }
    raise TypeError(f"{place} is a {kind.__name__}, which JSON does not have. Send it as a string, a list or a dict.")


def _exact(value: Union[int, float], place: str, strict: bool) -> Union[int, float]:
    if not is_exact_number(value):
        # `isfinite` cannot read integers of hundreds of digits.
        is_number = isinstance(value, int) or math.isfinite(value)
        fault = INEXACT if is_number else f"is {value}, which JSON does not have"
        raise InexactNumberError(f"{place} {fault}.")
    # JSON knows no difference between 2.0 and 2.
    return int(value) if strict and isinstance(value, float) and value.is_integer() else value
