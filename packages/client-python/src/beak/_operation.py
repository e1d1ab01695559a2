"""How an operation is called: the request of its values, and the value of its answer."""
import base64
import email.utils
import enum
import json
import random
import time
from dataclasses import dataclass, field
from typing import Dict, Final, Literal, Mapping, Optional, Tuple, Union, cast
from urllib.parse import quote

import httpx

from . import models
from ._exact import plain_json
from ._version import VERSION
from .errors import BeakAnswerError, BeakConnectionError, BeakError, BeakTimeout, CallFailure, refuse_test


class Unset(enum.Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"


#: For arguments that the service also takes as null: the argument is left out.
UNSET: Final = Unset.UNSET


@dataclass(frozen=True)
class Operation:
    """One operation of the service. The names are those of its fields."""

    name: str
    method: str
    path: str
    answer: Literal["json", "text", "bytes", "events"]
    #: The kinds of credentials that the operation reads.
    credentials: Tuple[Literal["session", "key"], ...] = ()
    in_path: Tuple[str, ...] = ()
    in_query: Tuple[str, ...] = ()
    in_header: Tuple[str, ...] = ()
    in_body: Tuple[str, ...] = ()
    #: Fields whose null is another value than nothing.
    nullable: Tuple[str, ...] = ()
    takes_idempotency_key: bool = False


@dataclass(frozen=True)
class Credential:
    """A session token or a beak key, or neither."""

    token: Optional[str] = field(default=None, repr=False)
    key: Optional[str] = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name, words in (("token", "session token"), ("key", "beak key")):
            object.__setattr__(self, name, _tidy_secret(getattr(self, name), words))

    def headers(self, operation: Operation) -> Dict[str, str]:
        """Returns the header of the credential. An operation that reads none gets none."""
        if not operation.credentials:
            return {}
        if self.token is not None:
            return {"Authorization": f"Bearer {self.token}"}
        return {} if self.key is None else {"X-Beak-Key": self.key}


def _tidy_secret(secret: object, words: str) -> Optional[str]:
    """
    Returns a secret without the blanks and line breaks around it, which files and variables of the environment often have. Raises
    `ValueError` for other characters that no secret has. The HTTP library would name the whole secret in its error.
    """
    if secret is None:
        return None
    if not isinstance(secret, str):
        raise TypeError(f"The {words} must be a str.")
    tidy = secret.strip().strip("\ufeff").strip()
    if any(not "!" <= character <= "~" for character in tidy):
        raise ValueError(
            f"The {words} has a blank, a line break or another character inside that no {words} has. Copy it again."
        )
    return tidy


@dataclass(frozen=True)
class Request:
    """A request that is ready to send, any number of times."""

    method: str
    url: str
    query: Dict[str, str] = field(repr=False)
    headers: Dict[str, str] = field(repr=False)
    content: Optional[bytes] = field(repr=False)
    #: Seconds that the service may wait before it answers.
    wait: float
    #: Whether sending it twice has the effect of sending it once.
    is_repeatable: bool


def build_request(
    operation: Operation,
    values: Mapping[str, object],
    *,
    base: str,
    credential: Credential,
    idempotency_key: Optional[str],
) -> Request:
    """
    Returns the request of an operation with these values. None and UNSET are left out; None stays where it has a meaning. Raises
    `TypeError` that names a value that JSON would change or lose.
    """
    path = operation.path
    for name in operation.in_path:
        path = path.replace("{" + name + "}", quote(str(values[name]), safe="/"))
    body = {
        name: plain_json(values[name], name)
        for name in operation.in_body
        if not isinstance(values[name], Unset) and (values[name] is not None or name in operation.nullable)
    }
    query = {name: _query_text(values[name]) for name in operation.in_query if values[name] is not None}
    headers = {
        "Accept": "text/event-stream" if operation.answer == "events" else "application/json, */*;q=0.5",
        "User-Agent": f"beak-client/{VERSION}",
        **{name: str(values[name]) for name in operation.in_header if values[name] is not None},
        **credential.headers(operation),
    }
    if idempotency_key is not None:
        headers["Idempotency-Key"] = idempotency_key
    content = None
    if operation.method != "GET":
        headers["Content-Type"] = "application/json"
        content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return Request(
        method=operation.method,
        url=base + path,
        query=query,
        headers=headers,
        content=content,
        wait=float(query.get("wait", 0)),
        is_repeatable=operation.method == "GET" or idempotency_key is not None,
    )


def _query_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def connection_error(error: httpx.HTTPError) -> BeakConnectionError:
    """Returns what a call raises when it got no answer."""
    was_sent = not isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    kind = BeakTimeout if isinstance(error, httpx.TimeoutException) else BeakConnectionError
    return kind(f"{type(error).__name__}: {error}".rstrip(": "), was_sent=was_sent)


#: The calls whose answers programs rely on. The others only show what the service has.
_CHECKS = ("consumeGrant", "checkGrant", "verifyCertificate", "verifyAgent", "verifySsoToken", "verifySsoTokenInQuery")


def refuse_test_input(operation: Operation, values: Mapping[str, object], allow_test: bool, url: str) -> None:
    """Raises `TestCredentialError` before a token of a test service is sent, so its permission stays unspent."""
    if operation.name in _CHECKS:
        for value in values.values():
            if isinstance(value, str):
                refuse_test(unchecked_claims(value), allow_test, url)


def refuse_test_answer(operation: Operation, answer: object, allow_test: bool, url: str) -> None:
    """Raises `TestCredentialError` for an answer of a test service."""
    if operation.name in _CHECKS:
        refuse_test(answer, allow_test, url)


def unchecked_claims(token: str) -> Optional[Dict[str, object]]:
    """Reads the claims of a token, or returns None for another text. Only the service can tell whether they are true."""
    try:
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (IndexError, ValueError, RecursionError):
        return None
    return claims if isinstance(claims, dict) else None


def require_new_use(response: httpx.Response) -> None:
    """
    Raises `BeakError` for the stored answer to an earlier use of a permission.

    The program chose the idempotency key. Whoever causes two calls with one key would act twice with one use. A key that the client made
    for this call has no earlier call.
    """
    if response.headers.get("Idempotency-Replayed") != "true":
        return
    detail = "An earlier call with this idempotency key spent this use."
    problem: models.Problem = {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "detail": detail,
        "code": "E4008",
        "reason": "grant_not_active",
        "message": detail,
        "success": False,
        "request_id": response.headers.get("X-Request-Id", ""),
        "action": "Do not act again. For another use, call again without a key of your own.",
        "current_status": "consumed",
    }
    raise BeakError(problem)


def read_answer(operation: Operation, response: httpx.Response) -> object:
    """Returns the value of an answer. Raises `BeakError` for a refusal and `BeakAnswerError` for what is not an answer of Beak."""
    if response.status_code != 200:
        raise refusal(response)
    if operation.answer == "bytes":
        return response.content
    if operation.answer == "text":
        return response.text
    value = _json_object(response, "application/json")
    if value is None:
        raise BeakAnswerError("The answer is not a JSON object of the service.", status=response.status_code)
    return value


def _json_object(response: httpx.Response, media: str) -> Optional[Dict[str, object]]:
    if response.headers.get("Content-Type", "").split(";")[0].strip() != media:
        return None
    try:
        value = json.loads(response.content)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


#: What every problem document of the service has, with the types of the values.
PROBLEM_TYPES = {"code": str, "status": int, "detail": str, "action": str, "request_id": str}


def refusal(response: httpx.Response) -> Union[BeakError, BeakAnswerError]:
    """Returns the error of an answer that is not a success."""
    retry_after = _seconds(response.headers.get("Retry-After"))
    problem = _json_object(response, "application/problem+json") or {}
    if all(isinstance(problem.get(name), kind) for name, kind in PROBLEM_TYPES.items()):
        return BeakError(cast(models.Problem, problem), retry_after)
    status = response.status_code
    return BeakAnswerError(f"Not the service, but something else answered with {status}.", status=status, retry_after=retry_after)


def _seconds(header: Optional[str]) -> Optional[float]:
    """Returns the seconds of `Retry-After`, which is a number or a date (RFC 9110, 10.2.3)."""
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


#: A longer `Retry-After` is left to the caller.
LONGEST_DELAY = 60.0

#: 429 and 503 of the service, 502 and 504 of a proxy in front of it.
TEMPORARY = frozenset({429, 502, 503, 504})


def is_temporary(error: CallFailure) -> bool:
    """Returns whether the same request may succeed soon."""
    if isinstance(error, BeakConnectionError):
        return True
    if (error.retry_after or 0) > LONGEST_DELAY:
        return False
    # A call with the same idempotency key still runs.
    is_running = isinstance(error, BeakError) and error.status == 409 and error.retry_after is not None
    return is_running or error.status in TEMPORARY


def may_repeat(request: Request, error: CallFailure) -> bool:
    """Returns whether a failed request may be sent again without doing a thing twice."""
    if isinstance(error, BeakConnectionError) and not error.was_sent:
        return True
    return request.is_repeatable and is_temporary(error)


def backoff(failures: int, error: CallFailure) -> float:
    """Returns the seconds to wait after that many failures before this one: never less than `Retry-After`, with jitter."""
    growing = min(30.0, 0.25 * 2.0 ** min(failures, 10))
    required = None if isinstance(error, BeakConnectionError) else error.retry_after
    return random.uniform(growing / 2, growing) if required is None else required + random.uniform(0, min(growing, 1.0))
