"""
Host names and paths in rules. ASCII where names of other scripts could look alike, and no form that two programs read differently.
"""
import re
import unicodedata
from typing import List, Optional

_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
#: The last label begins with a letter: otherwise it is a numeric address, which has no domain.
_HOST = rf"(?:{_LABEL}\.)+[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])?"
_HOST_FORM = re.compile(_HOST)
# ASCII: without it, the Kelvin sign would be a k.
_ANY_CASE = re.compile(_HOST, re.IGNORECASE | re.ASCII)
#: Without "%" and "!", with which old mail servers route to another host.
_EMAIL = re.compile(rf"[A-Za-z0-9._+'&=~-]{{1,64}}@({_HOST})", re.IGNORECASE | re.ASCII)
#: Without user, password and port, and without "@" after "?" or "#", which some programs take for the end of a user.
_URL = re.compile(rf"https://({_HOST})(?:/[!-\[\]-~]*|[?#][!-?A-\[\]-~]*)?", re.IGNORECASE | re.ASCII)

_PHONE = re.compile(r"\+[0-9 ()./-]{6,}")
_IBAN = re.compile(r"[a-z]{2}[0-9]{2}[a-z0-9]{11,30}", re.IGNORECASE | re.ASCII)
_WALLET = re.compile(r"0x[0-9a-f]{40}", re.IGNORECASE | re.ASCII)
_ACCOUNT = re.compile(r"(?:duck|agt)-", re.IGNORECASE | re.ASCII)
_SCHEME = re.compile(r"[^a-z0-9]*[a-z][a-z0-9+.-]*:", re.IGNORECASE | re.ASCII)
_DOT = re.compile("[^.\u3002][.\u3002]+[^.\u3002]", re.DOTALL)


def is_host(text: str) -> bool:
    """Tells whether a text is a host name in small letters, with at least one dot."""
    return len(text) <= 253 and _HOST_FORM.fullmatch(text) is not None


def host_in(value: object) -> Optional[str]:
    """Returns the host name of an email address, of a web address, or of a text that is one, in small letters. None for any other value."""
    if not isinstance(value, str):
        return None
    found = _EMAIL.fullmatch(value) or _URL.fullmatch(value)
    name = found[1] if found else value if _ANY_CASE.fullmatch(value) else ""
    return name.lower() if is_host(name.lower()) else None


def is_address(value: str) -> bool:
    """
    Tells whether a text can be somebody whom an action reaches: an email address, a web address of any kind, a host name, a phone number, an
    account. Rather too often than too rarely.
    """
    text = unicodedata.normalize("NFKC", value)
    words = [word for word in re.split("[ \t\n\r]+", text) if word]
    joined = "".join(words)
    return (
        "@" in text
        or "://" in text
        or _SCHEME.match(text) is not None
        or (len(words) == 1 and _DOT.search(text) is not None)
        or _IBAN.fullmatch(joined) is not None
        or _WALLET.fullmatch(joined) is not None
        or _ACCOUNT.match(joined) is not None
        or _PHONE.fullmatch(" ".join(words)) is not None
    )


#: Characters that some program takes for a separator of paths. An escaped one may become a separator later.
_UNSAFE = frozenset("\\%\u00a5\u20a9\u2044\u2215\u2216\u29f5\u29f8\u29f9")
#: Categories of characters that nobody sees.
_UNSEEN = frozenset(("Cc", "Cf", "Zl", "Zp"))
#: Parts that some program reads as "..", such as "..;" or ".. ", and others than that.
_UNSAFE_PART = re.compile(r"\.\..*|\.[; ].*|.*[. ]", re.DOTALL)


def _parts_of(value: object) -> Optional[List[str]]:
    """Returns the parts of an absolute path, without "." and "..", or None for anything else."""
    # Two slashes at the beginning name a server on some systems.
    if not isinstance(value, str) or not value.startswith("/") or value.startswith("//"):
        return None
    if unicodedata.normalize("NFKC", value) != value:
        return None
    if any(one in _UNSAFE or unicodedata.category(one) in _UNSEEN for one in value):
        return None
    parts: List[str] = []
    for part in value.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif _UNSAFE_PART.fullmatch(part):
            return None
        else:
            parts.append(part)
    return parts


def is_path(text: str) -> bool:
    """Tells whether a text is an absolute path that a rule may name."""
    return _parts_of(text) is not None


def is_below(value: object, base: str) -> bool:
    """Tells whether a value is a path below `base`, and not `base` itself."""
    parts, above = _parts_of(value), _parts_of(base)
    return parts is not None and above is not None and len(parts) > len(above) and parts[: len(above)] == above
