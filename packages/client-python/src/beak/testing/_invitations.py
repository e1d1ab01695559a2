"""The invitation links of a fake, by its clock. Not safe for threads by itself: the fake holds its lock."""
import re
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional

from ._failures import Refused
from ._pecks import Account, Asker, random_text
from ._signing import iso


@dataclass(eq=False)
class FakeInvitation:
    """An invitation link. Times are in seconds since 1970."""

    id: str
    token: str
    owner: Account
    agent_id: Optional[str]
    action: Optional[str]
    max_uses: Optional[int]
    note: Optional[str]
    created_at: float
    expires_at: Optional[float]
    uses: int = 0
    last_used_at: Optional[float] = None
    revoked_at: Optional[float] = None


class Invitations:
    """All invitation links of a fake."""

    def __init__(self, issuer: str, now: Callable[[], float]) -> None:
        self._now = now
        self._prefix = f"{issuer}/ask/"
        self._all: List[FakeInvitation] = []

    def create(
        self,
        owner: Account,
        *,
        agent_id: Optional[str],
        action: Optional[str],
        uses: Optional[int],
        expires_in: Optional[int],
        note: Optional[str],
    ) -> FakeInvitation:
        """Makes a link. `expires_in` is in seconds."""
        now = self._now()
        made = FakeInvitation(
            id=f"INV-{random_text()}",
            token=random_text(),
            owner=owner,
            agent_id=agent_id,
            action=action,
            max_uses=uses,
            note=note,
            created_at=now,
            expires_at=None if expires_in is None else now + expires_in,
        )
        self._all.append(made)
        return made

    def revoke(self, owner: Account, invitation_id: str) -> FakeInvitation:
        """Ends a link of a person. Raises `invitation_not_found`."""
        for one in self._all:
            if one.id == invitation_id and one.owner is owner:
                if one.revoked_at is None and self._status_of(one) != "used_up":
                    one.revoked_at = self._now()
                return one
        raise Refused("invitation_not_found")

    def find(self, link: str) -> FakeInvitation:
        """Returns what a link names. Raises `invitation_not_found`, and `invalid_request` for anything but a link of this fake."""
        match = re.fullmatch(re.escape(self._prefix) + "([0-9A-HJKMNP-TV-Z]{26})/?", link.strip())
        if match is None:
            message = (
                "must be an id (DUCK-01JDAB…), a handle with @ (@mallard), or a whole invitation link "
                f"({self._prefix}…)"
            )
            raise Refused("invalid_request", errors=[{"field": "target", "message": message}])
        found = next((one for one in self._all if one.token == match[1]), None)
        if found is None:
            raise Refused("invitation_not_found")
        return found

    @staticmethod
    def require_match(invitation: FakeInvitation, asker: Asker, action: str) -> None:
        """Raises `invitation_mismatch` when the link is for another agent or another action."""
        if invitation.agent_id not in (None, asker.id) or invitation.action not in (None, action):
            raise Refused("invitation_mismatch")

    def spend(self, invitation: FakeInvitation) -> None:
        """Spends one use. Raises why the link does not work any more."""
        status = self._status_of(invitation)
        if status != "active":
            raise Refused(f"invitation_{status}")
        invitation.uses += 1
        invitation.last_used_at = self._now()

    def present(self, invitation: FakeInvitation) -> Dict[str, object]:
        """Returns a link as its owner sees it."""
        status = self._status_of(invitation)
        return {
            "invitation_id": invitation.id,
            "status": status,
            "url": self._prefix + invitation.token if status == "active" else None,
            "agent_id": invitation.agent_id,
            "action": invitation.action,
            "uses": invitation.max_uses,
            "used": invitation.uses,
            "last_used_at": iso(invitation.last_used_at),
            "note": invitation.note,
            "created_at": iso(invitation.created_at),
            "expires_at": iso(invitation.expires_at),
        }

    def _status_of(self, invitation: FakeInvitation) -> str:
        if invitation.max_uses is not None and invitation.uses >= invitation.max_uses:
            return "used_up"
        if invitation.revoked_at is not None:
            return "revoked"
        expires_at = invitation.expires_at
        return "expired" if expires_at is not None and expires_at <= self._now() else "active"
