"""The asynchronous client."""
import asyncio
import time
import uuid
from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Type, Union

import httpx

from . import models
from ._addresses import is_test_allowed, refuse_test_elsewhere
from ._async_methods import AsyncMethods
from ._awaited import awaited
from ._environment import environment_of
from ._open_requests import LONGEST_WITHDRAWAL, OpenRequest, lifetime_for
from ._operation import (
    Credential,
    Operation,
    Request,
    backoff,
    build_request,
    connection_error,
    is_temporary,
    may_repeat,
    read_answer,
    refusal,
    refuse_test_answer,
    refuse_test_input,
    require_new_use,
)
from ._required import require_issuer
from .errors import (
    BeakAnswerError,
    BeakConnectionError,
    BeakError,
    BeakException,
    CallFailure,
    PermissionPending,
    PermissionRefused,
    TestCredentialError,
    VerificationError,
    refuse_test,
)
from .events import EventParser, StreamEvent, read_events
from .permissions import Permission, UsedGrant, permission_of, refused_use, successor_of, used_grant

if TYPE_CHECKING:
    from ._use_check import Claim, UseCheck
    from .trust import PermissionTrust
    from .verify import AsyncVerifier
    from .verify.verdicts import Pin, VerifiedOutcome

#: Seconds without a byte after which a stream counts as broken. The service sends a comment every 15 seconds.
STREAM_SILENCE = 45.0

#: How often a person may undo an approval of one request while a client waits.
MAX_SUCCESSORS = 100
#: The longest wait of one request for a decision, in seconds.
LONGEST_WAIT = 30

#: A service that answers a long poll at once is not asked again at once, in seconds.
SHORTEST_WAIT = 1.0

#: Seconds for which a service that cannot be reached is still asked for a decision.
LONGEST_OUTAGE = 300.0


class AsyncBeak(AsyncMethods):
    """
    A client of one service, with one credential or none.

    - `url`: the address of the service, such as `https://beak.example`. Default: `BEAK_URL` of the environment.
    - `token`: a session token, for a person. `key`: a beak key, for an agent. At most one of the two. Default: the key in `BEAK_KEY` of
      the environment, if the address comes from there too. So a key of the environment goes to no other service.
    - `timeout`: seconds of one attempt to wait for a connection, and for each part of an answer.
    - `retries`: how often a call is repeated after 429, 502, 503, 504 and broken connections. Only reads and calls with an
      idempotency key are repeated; the client makes a key where the service takes one. `Retry-After` is honoured.
    - `http`: an HTTP client to use. The caller then closes it.
    - `allow_test`: accepts what a test service (`beak dev`) on this computer made, in every check of this client and of the guards that
      use it. Set it only in tests. Default: whether `BEAK_ALLOW_TEST` of the environment is `1`, which counts only when the address is a
      loopback one. No credential and no answer can set it.

    Use it as a context manager, or call `aclose`. Methods raise `BeakError`, `BeakAnswerError`,
    `BeakConnectionError` and `BeakTimeout`.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        token: Optional[str] = None,
        key: Optional[str] = None,
        timeout: float = 30.0,
        retries: int = 2,
        http: Optional[httpx.AsyncClient] = None,
        allow_test: Optional[bool] = None,
    ) -> None:
        if token is not None and key is not None:
            raise ValueError("Give a session token or a beak key, not both.")
        name = "url"
        if url is None:
            url, name = environment_of("BEAK_URL"), "BEAK_URL"
            if token is None and key is None:
                key = environment_of("BEAK_KEY")
        if url is None:
            raise ValueError("url is missing. Pass the address of the service as url, or set BEAK_URL.")
        if not url.lower().startswith(("http://", "https://")):
            # Without the text: it may be a key in the wrong place.
            raise ValueError(f"{name} is not the address of a service. It must begin with https:// or http://.")
        self._url = url.rstrip("/")
        self._credential = Credential(token=token, key=key)
        self._timeout = timeout
        self._retries = retries
        refuse_test_elsewhere(allow_test, self._url)
        self._allow_test = is_test_allowed(allow_test, self._url)
        self._owns_http = http is None
        self._http = http or httpx.AsyncClient()
        self._verifier: "Optional[AsyncVerifier]" = None

    @property
    def url(self) -> str:
        """The address of the service, without a slash at its end."""
        return self._url

    @property
    def allow_test(self) -> bool:
        """Whether the checks of this client accept what a test service made."""
        return self._allow_test

    def with_credential(self, *, token: Optional[str] = None, key: Optional[str] = None) -> "AsyncBeak":
        """Returns a client with another credential, or with none, that shares the connections of this one."""
        return AsyncBeak(
            self._url,
            token=token,
            key=key,
            timeout=self._timeout,
            retries=self._retries,
            http=self._http,
            allow_test=self._allow_test,
        )

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> "AsyncBeak":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()

    async def request_permission(
        self,
        *,
        target: str,
        action: str,
        params: Optional[Mapping[str, object]] = None,
        scope: Literal["limited", "timed", "standing"] = "limited",
        message: Optional[str] = None,
        expires_in: Optional[int] = None,
        grant_expires_in: Optional[int] = None,
        param_types: Optional[models.ParamTypes] = None,
        audience: Optional[str] = None,
        require: Optional[Literal["signed"]] = None,
        challenge: Optional[str] = None,
        code_hash: Optional[str] = None,
        issuer: Optional[str] = None,
        wait: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        keep: Optional[bool] = None,
    ) -> Permission:
        """
        Asks a duckling for permission, waits for the decision, and returns the permission.

        - `target`: the duckling that must allow the action: its id (`DUCK-…`), `@` and its handle, or the whole address of an
          invitation link.
        - `action`: such as `send:mail`. `params`: what exactly; the permission holds for these parameters only.
        - `scope`: `limited` is one use, `timed` until the permission expires, `standing` until it is revoked.
        - `message`: your own words to the target.
        - `expires_in`: seconds until the request expires unanswered. Default: one day.
        - `grant_expires_in`: lifetime of the permission in seconds.
        - `param_types`: how the decision page shows parameters, such as `{"total": "money"}`.
        - `audience`: host name of the service that the permission is meant for.
        - `require`: `signed` when only an approval that a passkey signs counts. Always so with `challenge` or `code_hash`.
        - `challenge`: challenge of the service that will act. The passkey signs it.
        - `code_hash`: hash of the code that this service shows to the target, who types it to approve.
        - `issuer`: address of the Beak whose permissions this service accepts, as in `required` of its answer. The client asks only when this
          is its own address.
        - `wait`: seconds to wait for the decision. Default: until the request expires. Without `expires_in` the request
          expires then too, after at least a minute, because nobody waits any more. 0 only asks: the request stays.
        - `idempotency_key`: the same key names the same request, also after a restart of your program. Default: a new key.
        - `keep`: leaves the request in the inbox when an exception ends the wait or the process ends, and lets it last longer
          than `wait`. Set it when you come back to it. Default: True with an `idempotency_key`, otherwise False.

        An exception that ends the wait, such as KeyboardInterrupt or the cancellation of the task, withdraws the request, and so do
        SIGTERM, SIGHUP and the end of the interpreter. The process then ends as it would without this, at most two seconds later.
        Handlers of the program for these signals stay, and only calls of the main thread see signals.

        Survives broken connections and 429 and 503 while it waits. Raises `PermissionRefused` when there is no
        permission, `PermissionPending` when `wait` is over, `RequiredPermissionError` when `issuer` is another service than that of the
        client, and `BeakError` when the service refuses the request.
        """
        if issuer is not None:
            require_issuer(self._url, issuer)
        link = target.lower().startswith(("https://", "http://"))
        keeps = idempotency_key is not None if keep is None else keep
        key = idempotency_key or str(uuid.uuid4())
        lifetime = lifetime_for(wait) if expires_in is None and not keeps else expires_in

        question: Dict[str, Any] = {
            "target_duckling_id": None if link else target,
            "target": target if link else None,
            "action": action,
            "scope": scope,
            "params": params,
            "message": message,
            "expires_in": lifetime,
            "grant_expires_in": grant_expires_in,
            "param_types": param_types,
            "audience": audience,
            "require": require,
            "challenge": challenge,
            "code_hash": code_hash,
        }
        waiting = None if keeps else OpenRequest(self._url, self._credential, question, key)
        is_sent = False
        try:
            peck = await self.request_peck(**question, idempotency_key=key)
            is_sent = True
            if waiting is not None:
                waiting.peck_id = peck["peck_id"]
            if peck["status"] != "pending" and successor_of(peck) is None:
                # A rule of the target has answered, and the answer has the token.
                refuse_test(peck, self._allow_test, self._url)
                return permission_of(peck)
            return await self.wait_for_permission(peck["peck_id"], wait=wait)
        except (PermissionRefused, PermissionPending):
            raise
        except BaseException as error:
            if not is_sent and isinstance(error, BeakError) and error.status == 429:
                raise PermissionRefused("blocked", error.args[0], retry_after=error.retry_after) from error
            # A request that the service refused does not exist. One that was interrupted may.
            may_exist = is_sent or not isinstance(error, Exception)
            if waiting is not None and may_exist and not waiting.is_shared():
                await self._withdraw_question(waiting)
            raise
        finally:
            if waiting is not None:
                waiting.close()

    async def _withdraw_question(self, waiting: OpenRequest) -> None:
        """Withdraws a request that nobody waits for any more. After an interruption before its answer, the same key gets the answer again."""
        try:
            if waiting.peck_id is None:
                peck = await self.request_peck(
                    **waiting.question, timeout=LONGEST_WITHDRAWAL, idempotency_key=waiting.key
                )
                waiting.peck_id = peck["peck_id"]
            try:
                await self.cancel_peck(peck_id=waiting.peck_id, timeout=LONGEST_WITHDRAWAL)
            except BeakError:
                # It was decided, unless another one took its place after an undo.
                successor = successor_of(await self.get_peck(peck_id=waiting.peck_id, timeout=LONGEST_WITHDRAWAL))
                if successor is not None:
                    await self.cancel_peck(peck_id=successor, timeout=LONGEST_WITHDRAWAL)
        except BeakException:
            # It expires.
            pass

    async def wait_for_permission(self, peck_id: str, *, wait: Optional[float] = None) -> Permission:
        """
        Waits for the decision about a peck that you sent, and returns the permission.

        Waits at most `wait` seconds, by default until the request expires. When the person undoes an approval before it is used,
        waits for the request that takes its place. Raises as `request_permission`.
        """
        now = time.monotonic()
        deadline = None if wait is None else now + wait
        last_success = now
        last_peck: Optional[models.Peck] = None
        failures = 0
        successors = 0
        while True:
            left = LONGEST_WAIT if deadline is None else deadline - time.monotonic()
            # The first question does not wait, so an answer that is already there arrives at once.
            seconds = 0 if last_peck is None else max(0, min(LONGEST_WAIT, int(left) + 1))
            asked_at = time.monotonic()
            try:
                peck = await self.get_peck(peck_id=peck_id, wait=seconds)
                refuse_test(peck, self._allow_test, self._url)
            except (BeakError, BeakAnswerError, BeakConnectionError) as error:
                silence = time.monotonic() - last_success
                if not is_temporary(error) or (deadline is None and silence > LONGEST_OUTAGE) or left <= 0:
                    raise
                delay = backoff(failures, error)
                await asyncio.sleep(delay if deadline is None else min(delay, max(left, 0)))
                failures += 1
                continue
            failures = 0
            successor = successor_of(peck)
            if successor is not None and successors < MAX_SUCCESSORS:
                successors += 1
                peck_id, last_peck, last_success = successor, None, time.monotonic()
                continue
            if peck["status"] != "pending":
                return permission_of(peck)
            if deadline is not None and time.monotonic() >= deadline:
                raise PermissionPending(peck)
            if last_peck is not None and time.monotonic() - asked_at < SHORTEST_WAIT:
                await asyncio.sleep(SHORTEST_WAIT)
            last_success = time.monotonic()
            last_peck = peck

    async def use_permission(
        self,
        permission: Union[Permission, str],
        params: Optional[Mapping[str, object]] = None,
        *,
        audience: Optional[str] = None,
        trust: "Optional[PermissionTrust]" = None,
        idempotency_key: Optional[str] = None,
    ) -> UsedGrant:
        """
        Spends one use of a permission. Call this in the service that is about to act, before it acts.

        - `permission`: the permission, or the grant token that the asker showed.
        - `params`: what you are about to do. Default for a `Permission`: its own parameters.
        - `audience`: your own host name. A permission for another one is then refused. Default: not checked, unless `trust` checks the
          receipt: then a permission that names an audience is refused, and so is one for a single use without a challenge.
        - `trust`: what the receipt must have, so that you need not believe Beak. Default: Beak is believed. See `beak.trust`.
        - `idempotency_key`: a use with the same key counts once, and only the call that spent it succeeds. Default: a
          new key.

        Returns who allowed what. Check `action` and `target_duckling_id` before you act. Who asked is in `claimed`, because only the
        service says it. Raises
        `PermissionRefused` when the permission cannot be used, or its receipt is not accepted (`untrusted`), and
        `BeakConnectionError` when the keys of the service cannot be read.
        """
        token = permission if isinstance(permission, str) else permission.grant_token
        if params is None and not isinstance(permission, str):
            params = permission.params
        check = None if trust is None else self._use_check(trust, permission, params, audience)
        if check is not None:
            await self._load_keys(check, token)
        try:
            if check is not None and check.reads_first:
                read = await self.check_grant(grant_token=token, params=params, audience=audience)
                found, _ = await self._read_receipt(check, read)
                await self._claim(check, check.challenge_claims(found))
            answer = await self.consume_grant(
                grant_token=token, params=params, audience=audience, idempotency_key=idempotency_key
            )
        except BeakError as error:
            refused = refused_use(error, permission)
            if refused is None:
                raise
            raise refused from error
        except TestCredentialError as error:
            raise PermissionRefused(error.reason, str(error), peck=_peck_of(permission), fault=error) from error
        if check is not None:
            await self._accept(check, answer)
        return used_grant(answer)

    def _use_check(
        self,
        trust: "PermissionTrust",
        permission: Union[Permission, str],
        params: Optional[Mapping[str, object]],
        audience: Optional[str],
    ) -> "UseCheck":
        # Only here: programs that check no receipts need no verifiers.
        from ._use_check import UseCheck
        from .verify import AsyncVerifier

        if self._verifier is None:
            self._verifier = AsyncVerifier(self)
        return UseCheck(trust, self._verifier, params, audience, _peck_of(permission))

    async def _load_keys(self, check: "UseCheck", token: str) -> None:
        from .verify.keys import KeysUnavailableError

        try:
            await awaited(check.load_keys(token))
        except KeysUnavailableError as error:
            raise BeakConnectionError(str(error)) from error

    async def _read_receipt(
        self, check: "UseCheck", answer: models.ConsumedGrant
    ) -> "Tuple[VerifiedOutcome, Sequence[Pin]]":
        """Checks the receipt of an answer and stores nothing. Returns what was found and the known pins. Raises `PermissionRefused`."""
        from .verify.keys import KeysUnavailableError

        pins = await awaited(check.known_pins(answer))
        try:
            found = await awaited(check.outcome(answer, pins))
        except KeysUnavailableError as error:
            # Nothing was checked, so nothing is found wrong.
            raise BeakConnectionError(str(error)) from error
        except VerificationError as fault:
            check.refuse(fault)
        check.require_same(found, answer, pins)
        return found, pins

    async def _claim(self, check: "UseCheck", claims: "List[Claim]") -> None:
        """Stores what the shop must have to act. Raises `PermissionRefused` when something else has it."""
        for claim in claims:
            if await awaited(check.claimed(claim)) != claim.accepted:
                check.refuse(claim.fault, claim.status)

    async def _accept(self, check: "UseCheck", answer: models.ConsumedGrant) -> None:
        """Checks the receipt of an answer, and remembers that it was accepted. Raises `PermissionRefused`."""
        found, known = await self._read_receipt(check, answer)
        await self._claim(check, check.use_claims(found) + check.challenge_claims(found))
        use = check.rule_use(found)
        is_summed = use is None
        while use is not None and not is_summed:
            kept = await awaited(use.kept())
            after = use.after(kept)
            if after is None:
                check.refuse(use.fault)
            is_summed = await awaited(use.replaced(kept, after))
        pin, target = check.new_pin(found, known), found.statement["target_duckling_id"]
        if pin is None:
            return
        if known:
            await awaited(check.pins.add(target, pin))
            return
        await awaited(check.pins.add_first(target, pin))
        check.require_pinned(await awaited(check.pins.get(target)), pin, found)

    async def _call(
        self,
        operation: Operation,
        values: Mapping[str, object],
        *,
        timeout: Optional[float],
        idempotency_key: Optional[str] = None,
    ) -> object:
        refuse_test_input(operation, values, self._allow_test, self._url)
        has_own_use_key = operation.name == "consumeGrant" and idempotency_key is not None
        if operation.takes_idempotency_key and idempotency_key is None:
            idempotency_key = str(uuid.uuid4())
        request = build_request(
            operation,
            values,
            base=self._url,
            credential=self._credential,
            idempotency_key=idempotency_key,
        )
        failures = 0
        while True:
            try:
                response = await self._send(request, timeout)
                if has_own_use_key:
                    require_new_use(response)
                answer = read_answer(operation, response)
                refuse_test_answer(operation, answer, self._allow_test, self._url)
                return answer
            except (BeakError, BeakAnswerError, BeakConnectionError) as error:
                if failures >= self._retries or not may_repeat(request, error):
                    raise
                delay = backoff(failures, error)
            await asyncio.sleep(delay)
            failures += 1

    async def _send(self, request: Request, timeout: Optional[float]) -> httpx.Response:
        try:
            return await self._http.request(
                request.method,
                request.url,
                params=request.query,
                headers=request.headers,
                content=request.content,
                timeout=(self._timeout if timeout is None else timeout) + request.wait,
            )
        except httpx.HTTPError as error:
            failure = connection_error(error)
        # Outside of `except`, so that the error of the library, which has the request with its credential, is not part of this one.
        raise failure

    async def _events(self, operation: Operation) -> AsyncIterator[StreamEvent]:
        request = build_request(
            operation, {}, base=self._url, credential=self._credential, idempotency_key=None
        )
        timeout = httpx.Timeout(self._timeout, read=max(self._timeout, STREAM_SILENCE))
        was_connected = False
        failures = 0
        while True:
            started = time.monotonic()
            parser = EventParser()
            try:
                async with self._http.stream(
                    request.method, request.url, headers=request.headers, timeout=timeout
                ) as response:
                    media = response.headers.get("Content-Type", "").split(";")[0].strip()
                    if response.status_code != 200:
                        await response.aread()
                        raise refusal(response)
                    if media != "text/event-stream":
                        raise BeakAnswerError("The address returned no event stream.", status=response.status_code)
                    async for chunk in response.aiter_bytes():
                        for event in read_events(parser.feed(chunk), was_connected):
                            yield event
                            was_connected = True
                # The service ends a stream when the session ends or the service stops. The next request tells which.
                error: CallFailure = BeakConnectionError("The stream has ended.")
            except httpx.HTTPError as failure:
                error = connection_error(failure)
            except (BeakError, BeakAnswerError, BeakConnectionError) as failure:
                error = failure
            if not is_temporary(error) or (not was_connected and failures >= self._retries):
                raise error
            failures = 0 if time.monotonic() - started > STREAM_SILENCE else failures
            await asyncio.sleep(backoff(failures, error))
            failures += 1


def _peck_of(permission: Union[Permission, str]) -> Optional[models.Peck]:
    return None if isinstance(permission, str) else permission.peck
