"""Tokens that prove an agent to a third party."""
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Optional, Tuple

from ..errors import VerificationError
from .keys import Issuer, check_times, current_time, open_token, text_claim


@dataclass(frozen=True)
class VerifiedAgent:
    """
    An agent that showed a valid token. `token_id` is unique: remember it until `expires_at` to refuse a second use.

    `operator_id` is the duckling that the agent acts for.
    """

    agent_id: str
    operator_id: str
    trust_tier: str
    capabilities: Tuple[str, ...]
    token_id: str
    expires_at: datetime


def verify_agent_token(
    token: str,
    *,
    issuer: Issuer,
    audience: str,
    now: Optional[datetime] = None,
    allow_test: Optional[bool] = None,
) -> VerifiedAgent:
    """
    Checks a token of `issue_agent_token` without a call: signature, type, audience and times.

    - `audience`: your own name, which the agent gave to `issue_agent_token`. A token for somebody else is refused.
    - `allow_test`: accepts what a test service on this computer made. Set it only in tests. Default: whether `BEAK_ALLOW_TEST` of the
      environment is `1`.

    The token lives five minutes. An agent that was suspended meanwhile still has a valid token: `verify_agent` asks the
    service. Raises `VerificationError`.
    """
    claims = open_token(token, "agent+jwt", issuer.keys, issuer.url, allow_test=allow_test)
    if claims.get("aud") != audience:
        raise VerificationError("The token is for another audience.")
    check_times(claims, current_time(now))
    capabilities = claims.get("capabilities")
    if not isinstance(capabilities, list) or not all(isinstance(one, str) for one in capabilities):
        raise VerificationError("capabilities is missing.")
    return VerifiedAgent(
        agent_id=text_claim(claims, "sub"),
        operator_id=text_claim(claims, "operator"),
        trust_tier=text_claim(claims, "tier"),
        capabilities=tuple(capabilities),
        token_id=text_claim(claims, "jti"),
        expires_at=datetime.fromtimestamp(float(str(claims["exp"])), timezone.utc),
    )
