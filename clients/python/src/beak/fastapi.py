"""
A dependency for FastAPI that refuses requests without a permission. Needs the extra `fastapi` of this package.

The asker sends the grant token in the header `X-Peck-Grant`. The dependency spends one use of the permission and gives
the endpoint what was approved. Without Beak, every request is refused, and so is what Beak says without a receipt.
"""
import base64
import binascii
import json
import math
from typing import Awaitable, Callable, Dict, Mapping, Optional, Union

from fastapi import Depends, Header, HTTPException

from . import models
from ._async_client import AsyncBeak
from .errors import BeakAnswerError, BeakConnectionError, BeakError, PermissionRefused
from .trust import GuardTrust
from .verify import AsyncVerifier

#: The header with the grant token. The service reads the same one at `GET /beak/profile`.
GRANT_HEADER = "X-Peck-Grant"

ASK_AS_REQUIRED = 'Ask for exactly the permission in "required", with its "require" and "challenge".'


def _no_params() -> Mapping[str, object]:
    return {}


def _any_target() -> Optional[str]:
    return None


def require_permission(
    action: str,
    *,
    beak: AsyncBeak,
    params: Callable[..., Union[Mapping[str, object], Awaitable[Mapping[str, object]]]] = _no_params,
    target: Callable[..., Union[Optional[str], Awaitable[Optional[str]]]] = _any_target,
    audience: Optional[str] = None,
    trust: Optional[GuardTrust] = None,
) -> Callable[..., Awaitable[models.ConsumedGrant]]:
    """
    Returns a dependency that spends one use of a permission for this action.

    - `beak`: a client of the service; it needs no credential.
    - `params`: a dependency that returns what this request is about to do. The permission must be for exactly these
      parameters. It can take path, query and body as every dependency of FastAPI.
    - `target`: a dependency that returns the id of the duckling whose permission is needed. Without it, the endpoint
      must check `target_duckling_id` itself.
    - `audience`: the host name of the service. A permission for another one is refused. Default: not checked.
    - `trust`: what the receipt of the permission must have, so that the service need not believe Beak. Default: the signature of a
      passkey, and a challenge of this process, which is accepted once. `GuardTrust(require="service")`: Beak is believed.

    The endpoint gets the `ConsumedGrant`. Requests without a permission get 401, with an unsuitable one 403, and 503 while
    the service cannot be asked. `required` in the answer is what the agent must ask for: it passes `require` and `challenge` on as they
    are. A permission for another action or target is not spent.
    """
    believed = GuardTrust() if trust is None else trust
    name = believed.issuer if isinstance(believed.issuer, str) else None
    receipt = believed.permission_trust(AsyncVerifier(beak, issuer=name)) if believed.demands_receipt else None

    async def spend(
        grant_token: Optional[str] = Header(default=None, alias=GRANT_HEADER),
        approved: Mapping[str, object] = Depends(params),
        giver: Optional[str] = Depends(target),
    ) -> models.ConsumedGrant:
        required: Dict[str, object] = {"action": action, "params": dict(approved), **believed.demands()}
        if audience is not None:
            required["audience"] = audience

        def refuse(status: int, code: str, message: str, headers: Optional[Dict[str, str]] = None) -> HTTPException:
            """Returns the error of a refused request, which says what to ask for."""
            detail = {"code": code, "message": message, "required": required}
            return HTTPException(status_code=status, detail=detail, headers=headers)

        def check(found_action: object, found_giver: object) -> None:
            """Raises the error for a permission for another action, or of another person."""
            if found_action != action:
                raise refuse(403, "mismatch", f"The permission is not for {action}.")
            if giver is not None and found_giver != giver:
                raise refuse(403, "mismatch", "The permission is from somebody else.")

        if not grant_token:
            # Spec silent: the name of the scheme.
            challenge = {"WWW-Authenticate": f'PeckGrant action="{action}"'}
            raise refuse(401, "missing", f"This needs a permission for {action} in {GRANT_HEADER}.", challenge)
        claims = _unchecked_claims(grant_token)
        if claims is None:
            raise refuse(403, "invalid", "This is not a permission.")
        # Before the use is spent: a permission for something else stays whole.
        check(claims.get("action"), claims.get("target"))
        try:
            consumed = await beak.use_permission(grant_token, approved, audience=audience, trust=receipt)
        except PermissionRefused as error:
            text = f"{error} {ASK_AS_REQUIRED}" if error.status == "untrusted" else str(error)
            raise refuse(403, error.status, text) from error
        except (BeakError, BeakAnswerError, BeakConnectionError) as error:
            seconds = None if isinstance(error, BeakConnectionError) else error.retry_after
            wait = {"Retry-After": str(math.ceil(seconds or 1))}
            raise refuse(503, "unavailable", "The permission cannot be checked now.", wait) from error
        check(consumed["action"], consumed["target_duckling_id"])
        return consumed

    return spend


def _unchecked_claims(token: str) -> Optional[Dict[str, object]]:
    """Reads what a grant token says, or returns None for another text. Only the service can tell whether that is true."""
    try:
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (IndexError, ValueError, binascii.Error, RecursionError):
        return None
    return claims if isinstance(claims, dict) else None
