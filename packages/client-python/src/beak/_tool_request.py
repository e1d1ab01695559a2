"""What a guarded tool asks for, and what a model reads when the tool did not run."""
import json
import unicodedata
from dataclasses import dataclass
from typing import Dict, List, Literal, Optional, Tuple

from . import models
from ._exact import plain_json
from .errors import (
    BeakAnswerError,
    BeakConnectionError,
    BeakError,
    BeakException,
    PermissionPending,
    PermissionRefused,
)
from .permissions import isolated

#: The longest message of a request.
LONGEST_MESSAGE = 280


@dataclass(frozen=True)
class ToolRequest:
    """A request for the permission of one call. `used_by`: who spends the permission."""

    target: str
    action: str
    params: Dict[str, object]
    scope: Literal["limited", "timed", "standing"]
    message: Optional[str]
    expires_in: Optional[int]
    grant_expires_in: Optional[int]
    param_types: Optional[models.ParamTypes]
    audience: Optional[str]
    require: Optional[Literal["signed"]]
    challenge: Optional[str]
    code_hash: Optional[str]
    wait: Optional[float]
    used_by: Literal["tool", "service"]

    def is_covered_by(self, peck: models.Peck) -> bool:
        """Tells whether the permission of a peck is for exactly this call."""
        # A service accepts its challenge and its code once, so a permission with others is of no use there.
        is_bare = self.challenge is None and self.code_hash is None
        demands = (self.require if is_bare else "signed", self.challenge, self.code_hash)
        found = (peck.get("require"), peck.get("challenge"), peck.get("code_hash"))
        return (
            (peck["target_duckling_id"], peck["action"], peck.get("audience"))
            == (self.target, self.action, self.audience)
            and found == demands
            and _text_of(peck["params"]) == _text_of(self.params)
        )


def _text_of(params: object) -> str:
    """Returns a text that is the same for the same JSON. As values of Python, `True` and `1` would be equal."""
    return json.dumps(params, sort_keys=True)


class ToolRefusal(str):
    """
    Why a tool did not run: JSON for the model, which says what happened and what to do next.

    - `refusal`: `rejected`, `expired`, `cancelled`, `pending` (not decided within `wait`), `ended` (approved, but no longer active),
      `not_asked` (Beak refused the request) or `unavailable` (Beak did not answer).
    - `message`, `next`: the sentences. `peck_id`: the request, or None.
    """

    refusal: str
    message: str
    next: str
    peck_id: Optional[str]


def tool_refusal(kind: str, message: str, next_step: str, peck_id: Optional[str] = None) -> ToolRefusal:
    """Returns a refusal with its JSON."""
    facts = {"done": False, "refusal": kind, "message": message, "next": next_step, "peck_id": peck_id}
    refusal = ToolRefusal(json.dumps(facts, ensure_ascii=False, separators=(",", ":")))
    refusal.refusal, refusal.message, refusal.next, refusal.peck_id = kind, message, next_step, peck_id
    return refusal


def refusal_of(error: BeakException) -> Optional[ToolRefusal]:
    """Returns the refusal for what a request or a use raised, or None for an error that says nothing about permission."""
    if isinstance(error, PermissionPending):
        return _refusal_of_peck("pending", error.peck)
    cause = error.__cause__ if isinstance(error, PermissionRefused) else error
    if isinstance(error, PermissionRefused) and cause is None and error.peck is not None:
        status = error.peck["status"]
        return _refusal_of_peck("ended" if status == "approved" else status, error.peck)
    if isinstance(cause, BeakError) and cause.status < 500:
        text = "".join([cause.args[0], *(f" {fault['field']} {fault['message']}." for fault in cause.errors)])
        if isinstance(error, PermissionRefused) and error.status != "blocked":
            return tool_refusal("ended", f"Nothing was done. {cause.args[0]}", cause.action)
        wait = "" if cause.retry_after is None else f" Wait {cause.retry_after:g} seconds."
        return tool_refusal("not_asked", f"Nothing was done. {text}", f"{cause.action}{wait}")
    if isinstance(cause, (BeakError, BeakAnswerError, BeakConnectionError)):
        what = "Nothing was done. Nobody can be asked for permission now."
        return tool_refusal("unavailable", what, "Try again in some minutes.")
    return None


def _refusal_of_peck(kind: str, peck: models.Peck) -> ToolRefusal:
    """Returns the refusal of a peck, in the words of the TypeScript client."""
    name = isolated(peck.get("target_full_name") or peck["target_display_name"])
    texts: Dict[str, Tuple[str, str]] = {
        "rejected": (
            f"{name} rejected this. Reason: {peck['reason'] or ''}{_smaller_wish(peck)}",
            "Do not try to reach the same effect in another way. Tell the user, and ask what to do instead.",
        ),
        "expired": (
            f"{name} did not answer before request {peck['peck_id']} expired. This is not a refusal.",
            "Tell the user that an answer is needed. Call this tool again only when the user still wants this.",
        ),
        "cancelled": (
            "The request for permission was withdrawn.",
            "Call this tool again only when the user still wants this.",
        ),
        "pending": (
            f"{name} has not answered yet. This is not a refusal: request {peck['peck_id']} still waits.",
            "Continue with something else. Call this tool again later with exactly the same input: it finds the same request.",
        ),
        "ended": (
            f"{name} approved this, but the permission was used, has expired or was revoked since.",
            "Call this tool again to ask for a new permission.",
        ),
    }
    return tool_refusal(kind, *texts[kind], peck["peck_id"])


def _smaller_wish(peck: models.Peck) -> str:
    """Returns what the person would approve instead, as a sentence. Empty when the person said nothing about that."""
    if peck.get("unclear"):
        return " Something was unclear: ask again with a clearer message."
    terms = peck.get("would_approve")
    if terms is None:
        return ""
    parts: List[str] = []
    amount = terms.get("max_amount")
    if amount is not None:
        parts.append(f"at most {amount['amount']} {amount['currency']}")
    if "scope" in terms:
        parts.append("one use" if terms["scope"] == "limited" else "a limited time")
    if "grant_expires_in" in terms:
        parts.append(f"at most {terms['grant_expires_in']} seconds")
    return f" Would approve: {', '.join(parts)}."


def printable(text: str) -> Optional[str]:
    """Returns a text as a message of a request: at most 280 characters, all printable. None when nothing is left."""
    shown = (" " if unicodedata.category(letter).startswith("C") else letter for letter in text[:LONGEST_MESSAGE])
    return "".join(shown).strip() or None


def not_json(name: str, fault: str = "") -> TypeError:
    """Returns the error for an argument that no permission can cover."""
    return TypeError(
        f"The argument {name} is not JSON, so no permission can cover it. {fault}".rstrip()
        + " Give params the names of the arguments that the permission covers."
    )


def json_value(name: str, value: object) -> object:
    """Returns a value as it is sent. Raises `TypeError` for what JSON cannot carry, because the permission would then cover less."""
    try:
        return plain_json(value, name, strict=True)
    except TypeError as error:
        raise not_json(name, str(error)) from error
