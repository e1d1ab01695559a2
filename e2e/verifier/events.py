"""Canonical JSON, event hashes and chains, written from docs/audit/format.md. Shares no code with the service."""
import hashlib
import json
from decimal import Decimal

from merkle import require


def canonical_number(value):
    """A number as ECMAScript writes it (RFC 8785, section 3.2.2.3)."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + exponent
    if 0 < point <= 21:
        body = text[:point].ljust(point, "0") + ("." + text[point:] if len(text) > point else "")
    elif -6 < point <= 0:
        body = "0." + "0" * -point + text
    else:
        fraction = "." + text[1:] if len(text) > 1 else ""
        body = "%s%se%s%d" % (text[0], fraction, "+" if point > 0 else "-", abs(point - 1))
    return ("-" if sign else "") + body


def canonical(value):
    """The RFC 8785 text of a JSON value."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return canonical_number(value)


def digest_of(value):
    return hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()


def hashed_content(event):
    """What the hash of an event covers."""
    content = {name: value for name, value in event.items() if name != "hash"}
    context = event["context"]
    if "digest" in context:
        erasable = ("ip", "salt", "user_agent")
        content["context"] = {name: value for name, value in context.items() if name not in erasable}
    return content


def check_event(event):
    number = event["seq"]
    require(digest_of(hashed_content(event)) == event["hash"], "event %d does not have its hash" % number)
    context = event["context"]
    if "digest" not in context:
        return
    if context["salt"] is None:
        is_erased = context["ip"] is None and context["user_agent"] is None
        require(is_erased, "event %d was erased only in part" % number)
        return
    erasable = {name: context[name] for name in ("ip", "salt", "user_agent")}
    require(digest_of(erasable) == context["digest"], "the context of event %d does not fit its digest" % number)


def check_chain(events, duckling_id):
    """Checks a whole log, oldest event first."""
    previous = "0" * 64
    for number, event in enumerate(events, 1):
        require(event["seq"] == number, "event %d is missing" % number)
        require(event["duckling_id"] == duckling_id, "event %d is of another log" % number)
        require(event["prev_hash"] == previous, "event %d does not follow from the event before" % number)
        check_event(event)
        previous = event["hash"]
