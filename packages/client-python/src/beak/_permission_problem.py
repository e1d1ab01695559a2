"""The answer to a request without a suitable permission. The guards of the TypeScript client answer the same."""
import json
import math
from typing import Dict, Mapping, Optional
from urllib.parse import quote

from .errors import BeakAnswerError, BeakConnectionError, BeakError, BeakException, PermissionRefused

#: The header with the grant token. The service reads the same one at `GET /beak/profile`.
GRANT_HEADER = "X-Peck-Grant"

_ASK_AGAIN = "Ask for this permission with POST /beak/peck/request, then repeat the request with it."

#: Code of the refusal → status, what happened, and what to do next.
_REFUSALS = {
    "missing": (
        401,
        "This request needs a permission.",
        'Ask for the permission in "required" at its "issuer" with POST /beak/peck/request, and send its grant_token in X-Peck-Grant.',
    ),
    "invalid": (403, "The permission is not valid or has expired.", _ASK_AGAIN),
    "mismatch": (403, "The permission does not cover this request.", _ASK_AGAIN),
    "consumed": (403, "The permission was used before.", _ASK_AGAIN),
    "expired": (403, "The permission is not active.", _ASK_AGAIN),
    "revoked": (403, "The permission was revoked.", "Ask the person why before asking again."),
    "paused": (
        403,
        "The person has paused everything that may happen without asking.",
        "Repeat the request with the same permission later. Do not ask again for the same.",
    ),
    "untrusted": (
        403,
        "The receipt of the permission is not what this service accepts.",
        'Ask for exactly the permission in "required", with its "require" and "challenge", then repeat the request with it.',
    ),
    "test_credential": (
        403,
        "The permission was made by a test service, so it proves nothing here.",
        "Ask for the permission at the real service. Only tests of this service set BEAK_ALLOW_TEST=1.",
    ),
    "unavailable": (
        503,
        "The permission cannot be checked now, so nothing was done.",
        "Repeat the request after the seconds in Retry-After.",
    ),
}

_TITLES = {401: "Unauthorized", 403: "Forbidden", 503: "Service Unavailable"}


class PermissionProblem(Exception):
    """
    A request was refused. `status`, `headers` and `body` are the answer: a problem document (RFC 9457), in which `required` is what the
    agent must ask for.
    """

    def __init__(
        self, code: str, required: Mapping[str, object], *, fault: Optional[str] = None, retry_after: Optional[float] = None
    ) -> None:
        self.status, detail, action = _REFUSALS[code]
        super().__init__(detail)
        self.code = code
        self.headers = {"Content-Type": "application/problem+json", "Cache-Control": "no-store"}
        if self.status == 401:
            # A scheme of its own, because a grant is no Bearer token of this service.
            name = quote(str(required["action"]), safe=";,/?:@&=+$-_.!~*'()#")
            issuer = quote(str(required["issuer"]), safe=";,/?:@&=+$-_.!~*'()#%")
            self.headers["WWW-Authenticate"] = f'PeckGrant action="{name}", issuer="{issuer}"'
        if self.status == 503:
            self.headers["Retry-After"] = str(math.ceil(1 if retry_after is None else retry_after))
        self.body: Dict[str, object] = {
            "type": "about:blank",
            "title": _TITLES[self.status],
            "status": self.status,
            "detail": detail if fault is None else f"{detail} {fault}",
            "code": code,
            "action": action,
            "required": required,
        }

    def text(self) -> str:
        """Returns the body as JSON."""
        return json.dumps(self.body)


def problem_of(error: BeakException, required: Mapping[str, object]) -> Optional[PermissionProblem]:
    """Returns the answer for a permission that was not accepted, or None for an error that is not about it."""
    if isinstance(error, PermissionRefused):
        code = error.status if error.status in _REFUSALS else "expired"
        fault = str(error.fault) if code == "untrusted" and error.fault is not None else None
        return PermissionProblem(code, required, fault=fault)
    if isinstance(error, BeakError) and error.status == 400:
        # The token or the parameters are longer than any that Beak accepts.
        return PermissionProblem("invalid", required)
    if isinstance(error, (BeakError, BeakAnswerError)):
        return PermissionProblem("unavailable", required, retry_after=error.retry_after)
    return PermissionProblem("unavailable", required) if isinstance(error, BeakConnectionError) else None
