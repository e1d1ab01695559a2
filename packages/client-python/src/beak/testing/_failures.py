"""The refusals of the fake. A test compares each with the fake of the TypeScript client, which has those of the service."""
from typing import Dict, NamedTuple


class Failure(NamedTuple):
    """What a problem document says about a reason."""

    code: str
    status: int
    title: str
    detail: str
    action: str


_ASK_AGAIN = "See current_status. If needed, ask again with POST /beak/peck/request."
_ASK_FOR_LINK = "Ask the person who gave you the link for a new one."

#: By `reason`.
FAILURES: Dict[str, Failure] = {
    "invalid_request": Failure(
        "E4000",
        400,
        "Invalid request",
        "The request is not valid.",
        "Correct the fields named in errors and send the request again.",
    ),
    "beak_key_invalid": Failure(
        "E4001",
        401,
        "Invalid or missing beak key",
        "The beak key is invalid or missing.",
        "Send the agent's current beak key in X-Beak-Key. Its owner can issue a new one with POST /beak/key/rotate.",
    ),
    "peck_recently_rejected": Failure(
        "E4004",
        429,
        "Rate limit exceeded",
        "This duckling rejected the same action from you or one of your agents less than an hour ago.",
        "Wait for the number of seconds in Retry-After before asking for the same action again. Another number or sign in its name "
        "makes no difference.",
    ),
    "path_not_found": Failure(
        "E4005", 404, "Not found", "Not found.", "Check the path against GET /beak/openapi.json."
    ),
    "duckling_not_found": Failure(
        "E4005", 404, "Not found", "There is no such duckling.", "Check the duckling_id or the handle."
    ),
    "peck_not_found": Failure(
        "E4005",
        404,
        "Not found",
        "You have no peck with this id.",
        "Check the peck_id against GET /beak/peck/history.",
    ),
    "agent_not_registered": Failure(
        "E4005",
        404,
        "Not found",
        "There is no such agent.",
        "Check the agent_id. Do not trust an agent that is not registered here.",
    ),
    "invitation_not_found": Failure(
        "E4005",
        404,
        "Not found",
        "There is no such invitation link.",
        "Check that the link is complete. Ask the person who gave it to you for a new one.",
    ),
    "session_invalid": Failure(
        "E4006",
        401,
        "Invalid or missing credential",
        "The session token is missing, invalid, expired or revoked.",
        "Sign in again and send Authorization: Bearer <token>.",
    ),
    "grant_token_invalid": Failure(
        "E4006",
        401,
        "Invalid or missing credential",
        "The grant token is not valid or has expired.",
        "Get a new grant_token from GET /beak/peck/status, or ask for the permission again with POST /beak/peck/request.",
    ),
    "agent_not_allowed": Failure(
        "E4007",
        403,
        "Not allowed",
        "Agents are not allowed to do this.",
        "Its operator can do this with a session token.",
    ),
    "not_the_target": Failure(
        "E4007",
        403,
        "Not allowed",
        "Only the target of this peck can decide it.",
        "Wait for the answer, or cancel the peck with POST /beak/peck/cancel.",
    ),
    "not_the_asker": Failure(
        "E4007",
        403,
        "Not allowed",
        "Only the asker of this peck can do this.",
        "Send the request with the credentials of the asker.",
    ),
    "grant_mismatch": Failure(
        "E4007",
        403,
        "Not allowed",
        "This grant does not cover this request.",
        "Use a grant that was given to you, with the same action and the same params that were approved.",
    ),
    "grant_audience_mismatch": Failure(
        "E4007",
        403,
        "Not allowed",
        "This permission is meant for another service.",
        "Ask for a permission that names this service as its audience.",
    ),
    "invitation_mismatch": Failure(
        "E4007",
        403,
        "Not allowed",
        "This invitation link is for another agent or another action.",
        "GET /beak/invitation/view names the action. Ask the person who gave you the link for one that fits.",
    ),
    "invitation_revoked": Failure(
        "E4008", 409, "Wrong state", "This invitation link was revoked.", _ASK_FOR_LINK
    ),
    "invitation_used_up": Failure(
        "E4008", 409, "Wrong state", "This invitation link has been used up.", _ASK_FOR_LINK
    ),
    "invitation_expired": Failure(
        "E4008", 409, "Wrong state", "This invitation link has expired.", _ASK_FOR_LINK
    ),
    "peck_not_pending": Failure("E4008", 409, "Wrong state", "This peck is no longer pending.", _ASK_AGAIN),
    "nothing_to_undo": Failure(
        "E4008",
        409,
        "Wrong state",
        "It is too late to undo this decision, or there is none.",
        "Read the peck with GET /beak/peck/status. To end a permission, use POST /beak/peck/revoke.",
    ),
    "peck_undecided": Failure(
        "E4008",
        409,
        "Wrong state",
        "This peck is still pending, so there is no receipt yet.",
        "Wait for the answer with GET /beak/peck/status.",
    ),
    "paused": Failure(
        "E4008",
        409,
        "Wrong state",
        "The owner has paused everything that may happen without asking.",
        "Nothing has ended. Try again later: it goes on when the owner resumes. Do not ask again for the same.",
    ),
    "grant_not_active": Failure("E4008", 409, "Wrong state", "This grant is not active.", _ASK_AGAIN),
    "idempotency_key_reused": Failure(
        "E4013",
        422,
        "Idempotency key used for another request",
        "This Idempotency-Key was used for another request.",
        "Make a new key for each request, such as a random UUID, and use it again only to repeat that request.",
    ),
}


class Refused(Exception):
    """Raised by the fake, and answered as a problem document."""

    def __init__(self, reason: str, **extras: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.extras = extras

    @property
    def status(self) -> int:
        """Returns the HTTP status."""
        return FAILURES[self.reason].status

    def document(self, issuer: str, request_id: str) -> Dict[str, object]:
        """Returns the problem document (RFC 9457) that the service answers with."""
        code, status, title, detail, action = FAILURES[self.reason]
        return {
            "type": f"{issuer}/docs/errors#{code}",
            "title": title,
            "status": status,
            "detail": detail,
            "code": code,
            "reason": self.reason,
            "message": detail,
            "success": False,
            "request_id": request_id,
            "action": action,
            **self.extras,
        }
