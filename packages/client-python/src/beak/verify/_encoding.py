"""Encodings that must have exactly one form, so that nobody can write the same thing in two ways."""
import base64
import binascii
import hashlib
import json
import math
import re
from decimal import Decimal
from typing import Dict, Union

from .._exact import exact_json, is_exact_number
from ..errors import VerificationError


def base64url_bytes(text: str, what: str) -> bytes:
    """Decodes canonical base64url without padding. Raises `VerificationError` for any other text."""
    if re.fullmatch(r"[A-Za-z0-9_-]*", text) and len(text) % 4 != 1:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        if base64url(data) == text:
            return data
    raise VerificationError(f"The {what} is not canonical base64url.")


def base64url(data: bytes) -> str:
    """Encodes bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def base64_bytes(text: str, what: str) -> bytes:
    """Decodes canonical base64 with padding. Raises `VerificationError` for any other text."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if base64.b64encode(data).decode("ascii") != text:
        raise VerificationError(f"The {what} is not canonical base64.")
    return data


def json_object(data: bytes, what: str) -> Dict[str, object]:
    """
    Reads a JSON object. Raises `VerificationError` for other data, for a member that is given twice and for numbers that JSON does not
    keep.
    """
    try:
        value = exact_json(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise VerificationError(f"The {what} cannot be read.") from error
    if not isinstance(value, dict):
        raise VerificationError(f"The {what} is not a JSON object.")
    return value


def canonical_json(value: object, *, any_number: bool = False) -> str:
    """
    Returns the canonical JSON (RFC 8785) of a value. Numbers must be whole and exact in every language, unless `any_number`
    allows the numbers that people choose, which are those that JSON keeps. Raises `VerificationError` for other values.
    """
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise VerificationError("There is a text that is not Unicode.")
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) and abs(value) < 2**53:
        return str(value)
    if any_number and isinstance(value, (int, float)) and is_exact_number(value):
        return number_text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(canonical_json(one, any_number=any_number) for one in value) + "]"
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        names = sorted(value, key=lambda name: str(name).encode("utf-16-be", "surrogatepass"))
        members = [f"{canonical_json(name)}:{canonical_json(value[name], any_number=any_number)}" for name in names]
        return "{" + ",".join(members) + "}"
    raise VerificationError("There is a value that has no canonical form here.")


def number_text(value: Union[int, float]) -> str:
    """Writes a number as ECMAScript does (RFC 8785, 3.2.2.3): the shortest text that gives the same double."""
    try:
        number = float(value)
    except OverflowError as error:
        raise VerificationError("There is a number that does not fit in 64 bits.") from error
    if not math.isfinite(number):
        raise VerificationError("There is a number that is not finite.")
    if number == 0:
        return "0"
    sign, all_digits, exponent = Decimal(repr(number)).as_tuple()
    text = "".join(map(str, all_digits))
    digits = text.rstrip("0")
    # Where the decimal point is, counted from the first digit.
    point = len(text) + int(exponent)
    prefix = "-" if sign else ""
    if len(digits) <= point <= 21:
        return prefix + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{prefix}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{prefix}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{prefix}{digits[0]}{fraction}e{point - 1:+d}"


def digest_of(value: object) -> str:
    """Returns the SHA-256 of the canonical JSON of a value, in hex. Raises `VerificationError`."""
    return hashlib.sha256(canonical_json(value).encode("utf-8")).hexdigest()
