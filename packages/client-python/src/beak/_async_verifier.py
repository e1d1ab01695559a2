"""Checks that read keys and status lists where they are needed, for asynchronous callers."""
import time
from dataclasses import replace
from typing import Dict, Mapping, Optional, Tuple

from ._async_client import AsyncBeak
from .errors import BeakAnswerError, BeakConnectionError, BeakError, VerificationError
from .verify.agents import VerifiedAgent, verify_agent_token
from .verify.certificates import VerifiedCertificate, list_number, status_place, verify_certificate
from .verify.keys import Issuer, KeySet, KeysUnavailableError, UnknownKeyError, kid_of
from .verify.outcomes import verify_outcome
from .verify.policy import OutcomePolicy
from .verify.receipts import VerifiedReceipt, verify_receipt
from .verify.verdicts import VerifiedOutcome

#: Seconds for which the key set is used, so that a key that was stolen is found out.
KEYS_AGE = 300.0

#: An unknown key asks for the key set again at most this often, in seconds.
KEYS_PAUSE = 60.0

#: Seconds for which a status list is used: the time that the service names (`ttl`).
LIST_AGE = 5.0


class AsyncVerifier:
    """
    Checks certificates, agent tokens and receipts of one service.

    - `beak`: a client of the service; it needs no credential. Its `allow_test` counts here too.
    - `issuer`: what the service calls itself in its tokens. Default: the address of the client.

    Reads the key set at most every five minutes, and a status list at most every five seconds. Methods raise
    `VerificationError` unless every check passed, even when the service cannot be reached.
    """

    def __init__(self, beak: AsyncBeak, *, issuer: Optional[str] = None) -> None:
        self._beak = beak
        self._allow_test = beak.allow_test
        self._url = beak.url if issuer is None else issuer
        self._issuer: Optional[Issuer] = None
        self._keys_at = 0.0
        self._lists: Dict[int, Tuple[float, str]] = {}

    async def certificate(self, credential: str) -> VerifiedCertificate:
        """Checks a certificate and its place in the status list. Raises `VerificationError`."""
        issuer = await self._issuer_for(credential)
        number = list_number(status_place(credential, issuer, allow_test=self._allow_test))
        status_list = await self._status_list(number)
        # The list may be signed with a newer key.
        issuer = await self._issuer_for(status_list)
        return verify_certificate(
            credential, issuer=issuer, status_list=status_list, allow_test=self._allow_test
        )

    async def agent_token(self, token: str, *, audience: str) -> VerifiedAgent:
        """Checks a token that an agent showed. `audience` is your own name. Raises `VerificationError`."""
        issuer = await self._issuer_for(token)
        return verify_agent_token(token, issuer=issuer, audience=audience, allow_test=self._allow_test)

    async def receipt(self, receipt: Mapping[str, object]) -> VerifiedReceipt:
        """Checks the receipt of an approval. Raises `VerificationError`."""
        token = receipt.get("jws")
        issuer = await self._issuer_for(token if isinstance(token, str) else "")
        return verify_receipt(receipt, issuer=issuer, allow_test=self._allow_test)

    async def outcome(self, receipt: Mapping[str, object], policy: OutcomePolicy) -> VerifiedOutcome:
        """
        Checks the receipt of an outcome against a policy: see `verify_outcome`. Without an issuer in the policy, reads the keys
        of the service. Raises `VerificationError`.
        """
        token = receipt.get("jws")
        issuer = policy.issuer or await self._issuer_for(token if isinstance(token, str) else "")
        allow_test = self._allow_test if policy.allow_test is None else policy.allow_test
        return verify_outcome(receipt, replace(policy, issuer=issuer, allow_test=allow_test))

    async def load_keys(self, token: str) -> None:
        """Reads the keys of the service unless they are new enough for a token. Raises `KeysUnavailableError`."""
        await self._issuer_for(token)

    async def _issuer_for(self, token: str) -> Issuer:
        """Returns the issuer with keys that are new enough for a token."""
        age = time.monotonic() - self._keys_at
        if self._issuer is None or age > KEYS_AGE:
            return await self._read_keys()
        try:
            self._issuer.keys.find(kid_of(token))
        except UnknownKeyError:
            if age > KEYS_PAUSE:
                return await self._read_keys()
        except VerificationError:
            # The check itself says what is wrong.
            pass
        return self._issuer

    async def _read_keys(self) -> Issuer:
        try:
            self._issuer = Issuer(self._url, KeySet(await self._beak.get_public_keys()))
        except (BeakError, BeakAnswerError, BeakConnectionError) as error:
            raise KeysUnavailableError("The keys of the service cannot be read.") from error
        self._keys_at = time.monotonic()
        return self._issuer

    async def _status_list(self, number: int) -> str:
        read_at, status_list = self._lists.get(number, (0.0, ""))
        if status_list == "" or time.monotonic() - read_at > LIST_AGE:
            try:
                status_list = await self._beak.get_status_list(n=number)
            except (BeakError, BeakAnswerError, BeakConnectionError) as error:
                raise VerificationError("The status list cannot be read.") from error
            self._lists[number] = (time.monotonic(), status_list)
        return status_list
