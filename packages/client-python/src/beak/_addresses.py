"""Host names in the form that permissions have as `audience`, and addresses of services."""
import re
from typing import Optional

import httpx

from ._environment import environment_of

#: Characters that a parser would remove, decode or read as another part of an address.
_FOREIGN = re.compile(r"[\x00-\x20\x7f/\\?#%@<>^|]")

#: Letters, digits and hyphens, as in DNS. At least one dot.
_LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_PUBLIC = re.compile(rf"({_LABEL}\.)+{_LABEL}")

#: `localhost`, or an IP address in any spelling.
_NOT_PUBLIC = re.compile(r"(^|\.)(localhost|\d+|0x[0-9a-f]*)$")

#: `localhost`, `127.0.0.1` or `[::1]`, as written: no other spelling, no user name, and nothing that a parser would remove.
_LOOPBACK = re.compile(r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::([0-9]{1,5}))?(?:/|\Z)", re.IGNORECASE)


def public_host_name(text: str) -> Optional[str]:
    """
    Returns the public host name of a `Host` header or of a setting: lower case, punycode, without port and trailing dot. None for anything
    else, also for an IP address and for `localhost`, because no permission can name those.
    """
    if _FOREIGN.search(text):
        return None
    try:
        name = httpx.URL(f"http://{text}").raw_host.decode("ascii").lower()
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return None
    name = name[:-1] if name.endswith(".") else name
    return name if _PUBLIC.fullmatch(name) and not _NOT_PUBLIC.search(name) else None


def public_host_of(address: str) -> Optional[str]:
    """
    Returns the public host name of a web address, or None as `public_host_name` does. Raises `ValueError` unless it is a web address
    without a user name and backslashes.
    """
    found = re.match(r"https?://([^/?#]+)", address, re.IGNORECASE)
    if found is None or re.search(r"[\x00-\x20\x7f\\@]", found[1]):
        raise ValueError("The address must begin with https:// or http://, without a user name and backslashes.")
    return public_host_name(found[1])


def is_loopback(address: str) -> bool:
    """Tells whether only programs on this computer can answer at an address. A test service (`beak dev`) has no other address."""
    return _LOOPBACK.match(address) is not None


def is_same_service(left: str, right: str) -> bool:
    """Tells whether two addresses are one service. This computer has several names, so there the port and the path decide."""
    if left == right:
        return True
    found, other = _LOOPBACK.match(left), _LOOPBACK.match(right)
    if found is None or other is None:
        return False
    return (found[1], left[found.end() :]) == (other[1], right[other.end() :])


#: The address of the fake (`beak.testing`). No real host has this name (RFC 6761).
FAKE_ADDRESS = "https://beak.test"


def is_test_address(address: str) -> bool:
    """Tells whether a test service can have this address."""
    return is_loopback(address) or address == FAKE_ADDRESS


def is_test_allowed(allow_test: Optional[bool], address: object) -> bool:
    """
    Tells whether a check may accept what the test service at an address made. `allow_test` is what the program says: None leaves it to
    `BEAK_ALLOW_TEST` of the environment, which counts for no other address than a loopback one.
    """
    if not isinstance(address, str):
        return False
    if allow_test is None:
        return environment_of("BEAK_ALLOW_TEST") == "1" and is_loopback(address)
    return allow_test is True and is_test_address(address)


def refuse_test_elsewhere(allow_test: Optional[bool], address: str) -> None:
    """Raises `ValueError` when a program allows tests for a service that is not on this computer."""
    if allow_test is True and not is_test_address(address):
        raise ValueError(
            "allow_test counts only for a test service on this computer (localhost, 127.0.0.1 or [::1]), and not for"
            f" {address}."
        )
