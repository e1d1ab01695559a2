"""Spends one use of the permission that a request carries, or says what the agent must ask for. The guards of the frameworks use this."""
from typing import Dict, Mapping, Optional, cast

from ._addresses import public_host_name, refuse_test_elsewhere
from ._async_client import AsyncBeak
from ._exact import InexactNumberError, plain_json
from ._operation import unchecked_claims
from ._permission_problem import PermissionProblem, problem_of
from .errors import BeakException
from .permissions import UsedGrant
from .trust import GuardTrust
from .verify import AsyncVerifier, Issuer


class PermissionRule:
    """What a request needs permission for."""

    def __init__(self, action: str, beak: AsyncBeak, audience: Optional[str], trust: Optional[GuardTrust]) -> None:
        self._action = action
        self._beak = beak
        self._audience = None if audience is None else public_host_name(audience)
        if audience is not None and self._audience is None:
            raise ValueError("audience must be a public host name, such as shop.example.")
        self._trust = GuardTrust() if trust is None else trust
        self._trust.warn_without_memory()
        issuer = self._trust.issuer if isinstance(self._trust.issuer, str) else None
        self._issuer = self._trust.issuer.url if isinstance(self._trust.issuer, Issuer) else issuer or beak.url
        verifier = AsyncVerifier(beak, issuer=issuer)
        refuse_test_elsewhere(self._trust.allow_test, self._issuer)
        self._receipt = self._trust.permission_trust(verifier) if self._trust.demands_receipt else None

    async def spend(
        self, token: Optional[str], params: object, giver: Optional[str], *, host: Optional[str]
    ) -> UsedGrant:
        """
        Spends one use of a permission for exactly these params. `giver`: the duckling that must have given it, or None for anyone. `host`:
        the host that was called, with or without its port. Raises `PermissionProblem`. A permission for something else is not spent.
        """
        audience = self._audience or public_host_name(host or "")
        try:
            given = cast(Dict[str, object], plain_json(params, "params")) if isinstance(params, Mapping) else None
        except InexactNumberError as error:
            # Nobody can give a permission for such a number.
            raise PermissionProblem("mismatch", self._required({}, audience), fault=str(error)) from error
        required = self._required(given or {}, audience)
        if not token:
            raise PermissionProblem("missing", required)
        # Without parameters, Beak would accept a permission for `{}`. A body that is a list or missing reaches this.
        if given is None:
            raise PermissionProblem("mismatch", required)
        # Before the use is spent. What the token says is confirmed below.
        claims = unchecked_claims(token)
        if claims is None:
            raise PermissionProblem("invalid", required)
        self._require_for(claims.get("action"), claims.get("target"), giver, required)
        try:
            used = await self._beak.use_permission(token, given, audience=audience, trust=self._receipt)
        except BeakException as error:
            problem = problem_of(error, required)
            if problem is None:
                raise
            raise problem from error
        self._require_for(used["action"], used["target_duckling_id"], giver, required)
        return used

    def _required(self, params: Mapping[str, object], audience: Optional[str]) -> Dict[str, object]:
        required: Dict[str, object] = {"action": self._action, "params": params, "scope": "limited"}
        if audience is not None:
            required["audience"] = audience
        return {**required, "issuer": self._issuer, **self._trust.demands()}

    def _require_for(self, action: object, target: object, giver: Optional[str], required: Mapping[str, object]) -> None:
        if action != self._action or giver not in (None, target):
            raise PermissionProblem("mismatch", required)
