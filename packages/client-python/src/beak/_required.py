"""Reads what a service demands of an agent (the 401 of a guard), before the agent asks a person for it."""
from typing import Dict, Literal, Mapping, Optional, cast

from typing_extensions import TypedDict

from ._addresses import is_same_service, public_host_name, public_host_of
from .errors import RequiredPermissionError


class RequiredPermission(TypedDict):
    """
    What a service demands. Pass it on: `beak.request_permission(target=target, **required)`.

    - `scope`: one use.
    - `audience`: the host that was called. None when it has no public name, such as `localhost`.
    - `issuer`: the address of the Beak whose permissions the service accepts.
    """

    action: str
    params: Dict[str, object]
    scope: Literal["limited"]
    audience: Optional[str]
    issuer: str
    require: Optional[Literal["signed"]]
    challenge: Optional[str]
    code_hash: Optional[str]


def required_permission(address: str, answer: object) -> RequiredPermission:
    """
    Returns what a service demands in `required` of its answer 401 or 403. The answer must name the host that was called as `audience`, so
    that no service gets a permission that is meant for another one. Follow no redirects when you call the service: a redirect would carry
    the permission to another host.

    - `address`: the address that your program called.
    - `answer`: the body of the answer, as JSON.

    Raises `RequiredPermissionError` when the answer is not that of a guard, or names another host, and `ValueError` for an address that is
    not a plain web address.
    """
    called = public_host_of(address)
    required = answer.get("required") if isinstance(answer, Mapping) else None
    if not isinstance(required, Mapping):
        raise _malformed("required")
    for name in ("action", "issuer"):
        if not isinstance(required.get(name), str):
            raise _malformed(f"required.{name}")
    for name in ("audience", "challenge", "code_hash"):
        if name in required and not isinstance(required[name], str):
            raise _malformed(f"required.{name}")
    if not isinstance(required.get("params"), dict):
        raise _malformed("required.params")
    # A service that wants more than one use says so to a person, not to a program.
    if required.get("scope") != "limited":
        raise _malformed("required.scope")
    if required.get("require", "signed") != "signed":
        raise _malformed("required.require")
    audience = required.get("audience")
    is_plain = audience is None or public_host_name(audience) == audience
    if not is_plain or audience != called:
        host = called or address
        named = "no host" if audience is None else repr(audience)
        raise RequiredPermissionError(
            "audience",
            f"The service at {host} wants a permission for {named}. Its audience must be the host that was called.",
            named=audience,
        )
    names = ("action", "params", "scope", "audience", "issuer", "require", "challenge", "code_hash")
    return cast(RequiredPermission, {name: required.get(name) for name in names})


def require_issuer(url: str, issuer: str) -> None:
    """
    Raises `RequiredPermissionError` when `issuer` is not the service at `url`, so that no credential is sent because of a name in an answer.
    """
    if is_same_service(url, issuer):
        return
    raise RequiredPermissionError(
        "issuer",
        f"The service accepts permissions of {issuer!r}, and this client is set up for {url}. Nothing was sent. If you have an account"
        " there and trust it, ask with a client for that address.",
        named=issuer,
    )


def _malformed(place: str) -> RequiredPermissionError:
    return RequiredPermissionError(
        "malformed", f"This is not a guard's answer: {place} is missing or invalid."
    )
