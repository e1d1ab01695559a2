"""The bounds of `at_most`, `at_least` and `between` in rules: money of one currency, numbers, or dates. Values of two kinds are never compared."""
import re
from datetime import date
from typing import Optional, Tuple, Union

from .._exact import is_exact_number
from ._money import money_of_param, read_money

#: What a value is compared by: the currency of money, `number`, `date` or `time`, and its size.
_Measure = Tuple[str, Union[int, float]]

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII
)


def _day_of(text: str) -> Optional[int]:
    """Returns the day as a number, or None. The 30th of February is no day."""
    found = _DATE.fullmatch(text)
    if found is None or found[1] < "1000":
        return None
    try:
        return date(int(found[1]), int(found[2]), int(found[3])).toordinal()
    except ValueError:
        return None


def _time_of(text: str) -> Optional[int]:
    """Returns a time with its zone (RFC 3339) in milliseconds, or None."""
    found = _TIME.fullmatch(text)
    day = None if found is None else _day_of(found[1])
    if found is None or day is None:
        return None
    hours, minutes, seconds = int(found[2]), int(found[3]), int(found[4] or 0)
    zone_hours, zone_minutes = int(found[7] or 0), int(found[8] or 0)
    if hours > 23 or minutes > 59 or seconds > 59 or zone_hours > 23 or zone_minutes > 59:
        return None
    zone = (zone_hours * 60 + zone_minutes) * (-1 if found[6] == "-" else 1)
    in_minutes = day * 1440 + hours * 60 + minutes - zone
    return (in_minutes * 60 + seconds) * 1000 + int((found[5] or "").ljust(3, "0"))


def _date_measure(text: str) -> Optional[_Measure]:
    day = _day_of(text)
    if day is not None:
        return "date", day
    time = _time_of(text)
    return None if time is None else ("time", time)


def _number(value: object) -> Optional[_Measure]:
    """Returns the measure of a number that JSON keeps. True is no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return ("number", float(value)) if is_exact_number(value) else None


def measure_of_bound(bound: object) -> Optional[_Measure]:
    """Returns the measure of a bound, or None when it is none."""
    if not isinstance(bound, str):
        return _number(bound)
    money = read_money(bound)
    return _date_measure(bound) if money is None else (money.currency, money.minor)


def _measure_of_param(value: object, beside: object, kind: str) -> Optional[_Measure]:
    """Returns the measure of a param as the kind of a bound, or None."""
    if kind == "number":
        return _number(value)
    if kind in ("date", "time"):
        return _date_measure(value) if isinstance(value, str) else None
    money = money_of_param(value, beside)
    return None if money is None else (money.currency, money.minor)


def is_same_kind(low: object, high: object) -> bool:
    """Tells whether two bounds are of one kind, the smaller first."""
    start, end = measure_of_bound(low), measure_of_bound(high)
    return start is not None and end is not None and start[0] == end[0] and start[1] <= end[1]


def is_money_bound(bound: object) -> bool:
    """Tells whether a bound is an amount of money."""
    return isinstance(bound, str) and read_money(bound) is not None


def compare_with_bound(value: object, beside: object, bound: object) -> Union[int, float, None]:
    """Compares a param with a bound: negative, zero or positive. None when they cannot be compared."""
    limit = measure_of_bound(bound)
    measure = None if limit is None else _measure_of_param(value, beside, limit[0])
    if limit is None or measure is None or measure[0] != limit[0]:
        return None
    return (measure[1] > limit[1]) - (measure[1] < limit[1])
