"""Permissions: what an approval gives to the asker."""
import unicodedata
from dataclasses import dataclass, field
from typing import Dict, Literal, Mapping, Optional, Union, cast

from typing_extensions import TypedDict

from . import models
from .errors import BeakError, PermissionRefused


@dataclass(frozen=True)
class Permission:
    """
    An approval, with the token that proves it.

    - `grant_token`: show it to the service that you want to act.
    - `params`: the approved parameters. The service must act with exactly these.
    - `max_uses`: how many uses, or None for any number.
    - `scope`: `limited` (one use), `timed` (until `grant_expires_at`) or `standing` (until revoked).
    - `grant_expires_at`: ISO 8601, or None.
    - `peck`: the whole request.
    """

    peck_id: str
    action: str
    params: Mapping[str, models.JsonValue]
    scope: str
    target_duckling_id: str
    grant_expires_at: Optional[str]
    max_uses: Optional[int]
    grant_token: str = field(repr=False)
    peck: models.Peck = field(repr=False)


class UsedGrant(TypedDict):
    """
    A permission of which one use was spent.

    - `claimed`: who asked, as the service says: ids, names and tier. The asker signed nothing, so no receipt proves any of it. Decide by
      `action`, by `target_duckling_id` and by the params instead.
    - `uses_left`: None when the number of uses is not limited.
    - `receipt`: shows who approved.
    """

    active: Literal[True]
    peck_id: str
    action: str
    target_duckling_id: str
    claimed: models.Requester
    uses_left: Optional[int]
    receipt: models.OutcomeReceipt


def used_grant(answer: models.ConsumedGrant) -> UsedGrant:
    """Returns the answer of the service with a name for what nobody signed."""
    said = {name: value for name, value in answer.items() if name != "requester"}
    return cast(UsedGrant, {**said, "claimed": answer.get("requester")})


def successor_of(peck: models.Peck) -> Optional[str]:
    """
    Returns the id of the request that waits in place of one whose approval the person undid, or `None`. What was used before is done, and
    nothing waits in its place.
    """
    return peck.get("superseded_by") if peck["uses"] == 0 else None


def permission_of(peck: models.Peck) -> Permission:
    """Returns the permission that a decided peck gives. Raises `PermissionRefused`."""
    status = peck["status"]
    if status != "approved":
        raise PermissionRefused(status, _sentence(peck), reason=peck["reason"], peck=peck)
    token = peck.get("grant_token")
    if peck["grant_status"] != "active" or token is None:
        ended = peck["grant_status"] or "invalid"
        raise PermissionRefused(ended, f"The permission is no longer active: {ended}.", peck=peck)
    return Permission(
        peck_id=peck["peck_id"],
        action=peck["action"],
        params=peck["params"],
        scope=peck["scope"],
        target_duckling_id=peck["target_duckling_id"],
        grant_expires_at=peck["grant_expires_at"],
        max_uses=peck["max_uses"],
        grant_token=token,
        peck=peck,
    )


def _sentence(peck: models.Peck) -> str:
    target = isolated(peck.get("target_full_name") or peck["target_display_name"])
    sentences: Dict[str, str] = {
        "rejected": f"{target} rejected {peck['action']}: {peck['reason']}",
        "expired": f"{target} did not answer in time.",
        "cancelled": "The request was cancelled.",
    }
    return sentences.get(peck["status"], f"The request is {peck['status']}.")


def isolated(name: str) -> str:
    """Returns a name that does not reorder the words beside it, even when it is written from right to left."""
    is_right_to_left = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    return f"\u2068{name}\u2069" if is_right_to_left else name


def refused_use(error: BeakError, permission: Union[Permission, str]) -> Optional[PermissionRefused]:
    """Returns why a permission cannot be used, or None when the error says nothing about the permission."""
    ended = error.problem.get("current_status", "expired")
    status = {"E4006": "invalid", "E4007": "mismatch", "E4008": ended}.get(error.code)
    if status is None:
        return None
    peck = None if isinstance(permission, str) else permission.peck
    return PermissionRefused(status, error.args[0], peck=peck)
