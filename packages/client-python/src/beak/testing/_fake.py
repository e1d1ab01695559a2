"""A service in the process of a test."""
import asyncio
import json
import re
import threading
import time
from collections import deque
from datetime import datetime, timezone
from typing import Callable, Deque, Dict, List, Literal, NamedTuple, Optional, Set, Tuple

import httpx

from .._addresses import FAKE_ADDRESS
from .._async_client import AsyncBeak
from .._client import Beak
from .._exact import INEXACT, inexact_numbers_in
from ._clock import FakeClock
from ._failures import Refused
from ._invitations import Invitations
from ._pecks import FREE_TEXT, Account, AgentAccount, Asker, FakePeck, FakeRule, Pecks, random_text
from ._routes import ROUTES, Call, World
from ._signing import Signer
from ._transport import AsyncTransport, FakeCall, Transport

#: Nothing that a fake signs can be of a real service.
_ISSUER = FAKE_ADDRESS


def _refuse_inexact(body: bytes) -> None:
    """Raises `Refused` for a body that the service refuses because JSON does not keep it."""
    try:
        places = inexact_numbers_in(body) if body else []
    except ValueError as error:
        raise Refused("invalid_request", errors=[{"field": "body", "message": str(error)}]) from error
    if places:
        raise Refused("invalid_request", errors=[{"field": place, "message": INEXACT} for place in places])


class FakePerson(NamedTuple):
    """A person whose decisions the test makes. `handle` begins with `@`."""

    id: str
    handle: str
    beak: Beak
    async_beak: AsyncBeak


class FakeBeak:
    """
    A service in the process of a test: no server, no network, no database. Its clients are ordinary ones. It has requests, decisions,
    permissions, receipts and invitation links, and no passkeys. Everything that it answers and signs has the mark of a test service, so
    only clients and verifiers with `allow_test` accept it.

    - `now`: the time at which the clock stands, with a time zone. Default: now.
    - `http` and `async_http`: for a client of your program: `Beak(fake.url, http=fake.http, allow_test=True)`.
    """

    url = _ISSUER

    def __init__(self, *, now: Optional[datetime] = None) -> None:
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._listeners: List[Callable[[], None]] = []
        self.clock = FakeClock(now or datetime.now(timezone.utc), self._settle)
        self.calls: List[FakeCall] = []
        self.http = httpx.Client(transport=Transport(self))
        self.async_http = httpx.AsyncClient(transport=AsyncTransport(self))
        now_of = self.clock.seconds
        self._world = World(_ISSUER, Pecks(now_of), Invitations(_ISSUER, now_of), Signer(_ISSUER))
        self._replies: Dict[Tuple[object, ...], Tuple[bytes, bytes]] = {}
        self._waiting: Deque[str] = deque()
        self._announced: Set[str] = set()
        self._add("always-approves", approves_after=0, is_automatic=True)
        self._add("always-rejects", rejects_with="This test account rejects every request.", is_automatic=True)
        self._add("never-answers", is_automatic=True)
        self._add("approves-in-5s", approves_after=5, is_automatic=True)
        code = "Show me a code: send code_hash with the request."
        self._add("asks-for-a-code", rejects_with=code, is_automatic=True)

    def agent(self, name: str = "Agent") -> Beak:
        """Makes an agent of a new person, and returns its client."""
        return self._client(key=self._new_agent(name))

    def async_agent(self, name: str = "Agent") -> AsyncBeak:
        """Makes an agent of a new person, and returns its asynchronous client."""
        return self._async_client(key=self._new_agent(name))

    def shop(self) -> Beak:
        """Returns a client without a credential, as a service that acts has."""
        return self._client()

    def async_shop(self) -> AsyncBeak:
        """Returns an asynchronous client without a credential."""
        return self._async_client()

    def person(self, handle: str) -> FakePerson:
        """Makes a person who decides with `approve` and `reject`, or with the methods of a client. Raises `ValueError` for a taken handle."""
        account = self._add(handle)
        token = account.token
        return FakePerson(account.id, f"@{handle}", self._client(token=token), self._async_client(token=token))

    def approve(self, peck_id: str) -> None:
        """Approves a pending request. Raises when it is not pending."""
        self._change(lambda pecks: pecks.decide(pecks.find(peck_id), "approved"))

    def reject(self, peck_id: str, reason: str = "Rejected.") -> None:
        """Rejects a pending request. Raises when it is not pending."""
        self._change(lambda pecks: pecks.decide(pecks.find(peck_id), "rejected", reason=reason))

    def undo(self, peck_id: str) -> Optional[str]:
        """
        Undoes an approval of the last 30 seconds, by the clock of the fake: the permission is revoked, and the same request waits again. Returns
        the id of the request that waits, which the first one has as `superseded_by`, or None when the permission was used before. Raises
        when there is no such approval.
        """
        with self._lock:
            peck = self._world.pecks.find(peck_id)
            self._world.pecks.undo(peck)
            self._notify()
            return peck.superseded_by

    def rule(self, handle: str, action: str, answer: Literal["approve", "reject"] = "approve") -> str:
        """
        Makes a rule of a person: each request of an agent for one use of the action is answered at once. `handle` as in `target`. Returns the
        id of the rule, which `decided_by` has.
        """
        with self._lock:
            person = self._find(handle)
            if action == FREE_TEXT:
                raise ValueError(f"No rule answers {action}: the person reads it.")
            rule = FakeRule(f"RULE-{random_text()}", action, "approved" if answer == "approve" else "rejected")
            person.rules.append(rule)
            return rule.id

    def pause(self, handle: str) -> None:
        """Pauses everything that may happen without asking the person: no rule answers, and no permission can be used, until `resume`."""
        with self._lock:
            self._find(handle).is_paused = True

    def resume(self, handle: str) -> None:
        """Ends the pause of everything. The service wants a passkey for it, so the clients of the fake cannot."""
        with self._lock:
            self._find(handle).is_paused = False

    def _find(self, handle: str) -> Account:
        person = next((one for one in self._world.people if f"@{one.handle}" == handle), None)
        if person is None:
            raise ValueError(f"{handle} is nobody of this fake.")
        return person

    def revoke(self, peck_id: str) -> None:
        """Revokes the permission of an approved request. Raises when it is not active."""
        self._change(lambda pecks: pecks.revoke(pecks.find(peck_id)))

    def waiting(self, timeout: float = 10.0) -> str:
        """
        Waits until a call in another thread waits for a decision, and returns its `peck_id`. Such a call ends when the request is decided
        or expires by the clock of the fake. Raises `TimeoutError` after `timeout` seconds.
        """
        end = time.monotonic() + timeout
        with self._lock:
            while not self._waiting:
                left = end - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    raise TimeoutError("No call waits for a decision.")
            return self._waiting.popleft()

    async def waiting_async(self) -> str:
        """The same for a call of an asynchronous client, without a limit."""
        while True:
            with self._lock:
                if self._waiting:
                    return self._waiting.popleft()
                changed = self._next_change()
            await changed

    def _new_agent(self, name: str) -> str:
        owner = self._add(f"owner-{random_text(8).lower()}")
        agent = AgentAccount(f"AGT-{random_text()}", name, f"fake_key_{random_text()}", owner)
        with self._lock:
            self._world.agents.append(agent)
        return agent.key

    def _add(
        self,
        handle: str,
        *,
        approves_after: Optional[float] = None,
        rejects_with: Optional[str] = None,
        is_automatic: bool = False,
    ) -> Account:
        with self._lock:
            if any(one.handle == handle for one in self._world.people):
                raise ValueError(f"The handle {handle} is taken.")
            token = f"fake_token_{random_text()}"
            account = Account(
                f"DUCK-{random_text()}", handle, token, approves_after, rejects_with, is_automatic
            )
            self._world.people.append(account)
        return account

    def _client(self, *, token: Optional[str] = None, key: Optional[str] = None) -> Beak:
        return Beak(_ISSUER, token=token, key=key, retries=0, http=self.http, allow_test=True)

    def _async_client(self, *, token: Optional[str] = None, key: Optional[str] = None) -> AsyncBeak:
        return AsyncBeak(_ISSUER, token=token, key=key, retries=0, http=self.async_http, allow_test=True)

    def _settle(self) -> None:
        self._change(lambda pecks: pecks.settle())

    def _change(self, change: Callable[[Pecks], None]) -> None:
        with self._lock:
            change(self._world.pecks)
            self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()

    def _next_change(self) -> "asyncio.Future[None]":
        """Returns what is done after the next change. Call it with the lock, in the loop that waits."""
        loop = asyncio.get_running_loop()
        future: "asyncio.Future[None]" = loop.create_future()

        def done() -> None:
            if not future.done():
                future.set_result(None)

        def wake() -> None:
            loop.call_soon_threadsafe(done)

        self._listeners.append(wake)
        return future

    def _pending(self, request: httpx.Request) -> Optional[FakePeck]:
        """Returns the peck whose decision a request waits for, or None. Tells `waiting` about it."""
        query = request.url.params
        if request.url.path != "/beak/peck/status" or not re.fullmatch(r"[1-9]\d*", query.get("wait", "")):
            return None
        peck = self._world.pecks.all.get(query.get("peck_id", ""))
        if peck is None or self._world.pecks.status_of(peck) != "pending":
            return None
        if peck.id not in self._announced:
            self._announced.add(peck.id)
            self._waiting.append(peck.id)
            self._notify()
        return peck

    def _answer(self, request: httpx.Request, call: FakeCall) -> httpx.Response:
        request_id = random_text()
        headers = {"Content-Type": "application/json", "X-Request-Id": request_id}
        try:
            status, content = 200, self._reply(request, call, headers)
        except Refused as refused:
            status, content = refused.status, json.dumps(refused.document(_ISSUER, request_id)).encode()
            headers["Content-Type"] = "application/problem+json"
            if "retry_after" in refused.extras:
                headers["Retry-After"] = str(refused.extras["retry_after"])
        call.status = status
        return httpx.Response(status, headers=headers, content=content, request=request)

    def _reply(self, request: httpx.Request, call: FakeCall, headers: Dict[str, str]) -> bytes:
        """Returns the answer, or that to an earlier request with the same idempotency key. Raises `Refused`."""
        _refuse_inexact(request.content)
        key = request.headers.get("Idempotency-Key")
        credential = (request.headers.get("Authorization"), request.headers.get("X-Beak-Key"))
        name = (call.method, call.path, *credential, key)
        earlier = None if key is None else self._replies.get(name)
        if earlier is not None:
            if earlier[0] != request.content:
                raise Refused("idempotency_key_reused")
            headers["Idempotency-Replayed"] = "true"
            return earlier[1]
        is_own = f"{request.url.scheme}://{request.url.netloc.decode()}" == _ISSUER
        route = ROUTES.get(f"{call.method} {call.path}") if is_own else None
        if route is None:
            raise Refused("path_not_found")
        result = route(self._world, Call(self._caller_of(*credential), call.input))
        # A receipt has the mark in its signature, and the keys are no answer about anything.
        marked = result if "jws" in result or "keys" in result else {**result, "test": True}
        content = json.dumps(marked).encode()
        if key is not None:
            self._replies[name] = (request.content, content)
        self._notify()
        return content

    def _caller_of(self, authorization: Optional[str], key: Optional[str]) -> Optional[Asker]:
        if key is not None:
            agent = next((one for one in self._world.agents if one.key == key), None)
            if agent is None:
                raise Refused("beak_key_invalid")
            return agent
        if authorization is None:
            return None
        person = next((one for one in self._world.people if authorization == f"Bearer {one.token}"), None)
        if person is None:
            raise Refused("session_invalid")
        return person
