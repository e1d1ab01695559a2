"""
Withdraws the requests that still wait when the process ends: at SIGTERM and SIGHUP, and at the end of the interpreter.

Everything else, such as Ctrl+C, raises an exception where the program waits, and the client withdraws there.
"""
import atexit
import math
import os
import signal
import threading
import time
from types import FrameType
from typing import Any, Dict, List, Mapping, Optional, Set

import httpx

from . import _operations as operations
from ._operation import Credential, Operation, build_request

#: How long withdrawing may delay an exception or the end of the process, in seconds.
LONGEST_WITHDRAWAL = 2.0

_SIGNALS = [number for number in (getattr(signal, "SIGTERM", None), getattr(signal, "SIGHUP", None)) if number]

# A signal may arrive while the main thread holds it.
_lock = threading.RLock()
_open: "Set[OpenRequest]" = set()


class OpenRequest:
    """
    A request that a call of this process sends and waits for.

    - `question`, `key`: its fields, and the idempotency key, with which the service names the request again.
    - `peck_id`: None until the service has answered.
    """

    def __init__(self, url: str, credential: Credential, question: Dict[str, Any], key: str) -> None:
        self.url, self.credential, self.question, self.key = url, credential, question, key
        self.peck_id: Optional[str] = None
        with _lock:
            if not _open:
                atexit.register(_withdraw_all)
            _open.add(self)
            _listen()

    def is_shared(self) -> bool:
        """Tells whether another call waits for the same request: asking twice for the same finds the first request."""
        with _lock:
            return self.peck_id is not None and any(
                other is not self and other.peck_id == self.peck_id for other in _open
            )

    def close(self) -> None:
        """Nobody waits any more."""
        with _lock:
            _open.discard(self)
            if not _open:
                atexit.unregister(_withdraw_all)
                _stop_listening()


def lifetime_for(wait: Optional[float]) -> Optional[int]:
    """
    Returns how many seconds a request lasts that is waited for so long: 60 to 30 days, as the service takes it. None
    without a limit, and for 0, which only asks.
    """
    return None if wait is None or wait <= 0 else min(2_592_000, max(60, math.ceil(wait)))


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _listen() -> None:
    """Only the main thread may set a handler. The handlers of the program stay: they decide what happens."""
    if _is_main():
        for number in _SIGNALS:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _on_signal)


def _stop_listening() -> None:
    if _is_main():
        for number in _SIGNALS:
            if signal.getsignal(number) is _on_signal:
                signal.signal(number, signal.SIG_DFL)


def _on_signal(number: int, _: Optional[FrameType]) -> None:
    """Withdraws, and lets the signal end the process as if this handler had not been there."""
    signal.signal(number, signal.SIG_DFL)
    _withdraw_all()
    os.kill(os.getpid(), number)


def _withdraw_all() -> None:
    with _lock:
        waiting: List[OpenRequest] = list(_open)
    end = time.monotonic() + LONGEST_WITHDRAWAL
    for one in waiting:
        left = end - time.monotonic()
        if left > 0:
            _withdraw(one, left)


def _withdraw(one: OpenRequest, seconds: float) -> None:
    """Withdraws a request with a client of its own, because the client of the program may be in the middle of a call."""
    try:
        with httpx.Client(timeout=seconds) as http:
            if one.peck_id is None:
                # The signal came before the answer.
                one.peck_id = str(_send(http, one, operations.REQUEST_PECK, one.question, one.key).json()["peck_id"])
            _send(http, one, operations.CANCEL_PECK, {"peck_id": one.peck_id}, None)
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        # The request expires.
        pass


def _send(
    http: httpx.Client, one: OpenRequest, operation: Operation, values: Mapping[str, object], key: Optional[str]
) -> httpx.Response:
    request = build_request(operation, values, base=one.url, credential=one.credential, idempotency_key=key)
    return http.request(request.method, request.url, headers=request.headers, content=request.content)
