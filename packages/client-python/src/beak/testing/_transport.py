"""How clients reach a fake: as the transport of their HTTP client. A call that waits for a decision waits here."""
import asyncio
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Mapping, Optional

import httpx

if TYPE_CHECKING:
    from ._fake import FakeBeak


@dataclass
class FakeCall:
    """A call that the fake received. `input`: the query or the body. `status` is 0 until the call has its answer."""

    method: str
    path: str
    input: Mapping[str, object]
    status: int = 0


def _call_of(request: httpx.Request) -> FakeCall:
    given = json.loads(request.content) if request.content else dict(request.url.params)
    return FakeCall(request.method, request.url.path, given)


def _seconds_of(request: httpx.Request) -> float:
    return float(min(int(request.url.params.get("wait", "0")), 30))


class Transport(httpx.BaseTransport):
    """Brings the calls of a client to a fake."""

    def __init__(self, fake: "FakeBeak") -> None:
        self._fake = fake

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Returns the answer. A call that waits for a decision returns when it is decided, or when its time is over."""
        request.read()
        fake, call = self._fake, _call_of(request)
        with fake._lock:
            fake.calls.append(call)
            end: Optional[float] = None
            while fake._pending(request) is not None:
                now = time.monotonic()
                end = now + _seconds_of(request) if end is None else end
                if end <= now or not fake._changed.wait(end - now):
                    break
            return fake._answer(request, call)


class AsyncTransport(httpx.AsyncBaseTransport):
    """Brings the calls of an asynchronous client to a fake."""

    def __init__(self, fake: "FakeBeak") -> None:
        self._fake = fake

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Returns the answer. A call that waits for a decision returns when it is decided, or when its time is over."""
        await request.aread()
        fake, call = self._fake, _call_of(request)
        with fake._lock:
            fake.calls.append(call)
        end: Optional[float] = None
        while True:
            with fake._lock:
                now = time.monotonic()
                if fake._pending(request) is None or (end is not None and end <= now):
                    return fake._answer(request, call)
                end = now + _seconds_of(request) if end is None else end
                changed = fake._next_change()
            await asyncio.wait([changed], timeout=end - now)
