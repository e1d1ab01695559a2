"""What calls raise. Every exception of this package is a `BeakException`."""
from typing import List, Optional, Union

from . import models
from ._addresses import is_test_allowed


class BeakException(Exception):
    """The base of all exceptions of this package."""


class BeakError(BeakException):
    """
    The service refused a call. The text of the exception says what happened.

    - `code`: such as `E4008`. The address `/docs/errors` of the service explains all codes.
    - `reason`: what went wrong, such as `peck_not_pending`, or None from an older version of the service. Decide by it, not by
      a text. The list of reasons may grow.
    - `status`: the HTTP status.
    - `action`: what to do next, as a sentence.
    - `retry_after`: seconds to wait before another try, or None.
    - `request_id`: names the request for the support of the service.
    - `errors`: the faults of single fields, with `field` and `message`.
    - `problem`: the whole answer (RFC 9457), with further members such as `required_tier` and `current_status`.
    """

    def __init__(self, problem: "models.Problem", retry_after: Optional[float] = None) -> None:
        super().__init__(problem["detail"])
        self.problem = problem
        self.code: str = problem["code"]
        self.reason = problem.get("reason")
        self.status = problem["status"]
        self.action = problem["action"]
        self.retry_after: Optional[float] = problem.get("retry_after") if retry_after is None else retry_after
        self.request_id = problem["request_id"]
        self.errors: List["models.ProblemErrorsItem"] = problem.get("errors", [])

    def __str__(self) -> str:
        fields = "; ".join(f"{error['field']} {error['message']}" for error in self.errors)
        parts = [f"{self.code} {self.args[0]}", f"({fields})" if fields else "", self.action]
        return " ".join(part for part in parts if part)


class BeakAnswerError(BeakException):
    """
    Something answered that is not Beak: a proxy, a wrong address, broken JSON.

    `status` is the HTTP status, `retry_after` the seconds to wait before another try, or None.
    """

    def __init__(self, message: str, *, status: int, retry_after: Optional[float] = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class BeakConnectionError(BeakException):
    """
    No whole answer arrived: the connection failed or broke.

    `was_sent` is False when the request certainly did not reach the service. Otherwise the service may have done what was
    asked.
    """

    def __init__(self, message: str, *, was_sent: bool = True) -> None:
        super().__init__(message)
        self.was_sent = was_sent


class BeakTimeout(BeakConnectionError):
    """No whole answer arrived in time."""


class PermissionRefused(BeakException):
    """
    There is no permission.

    `status` says why:

    - `rejected`: the target said no; `reason` has the target's words.
    - `expired`: nobody answered in time, or the permission has expired. A target that blocks the asker never answers.
    - `cancelled`: the asker took the request back.
    - `blocked`: the service does not let the asker ask now (429): the pause after a rejection, too many open requests, or
      a rate limit. `retry_after` has the seconds to wait.
    - `consumed` or `revoked`: the permission was used up, or its giver took it back.
    - `paused`: the person has paused everything. The permission goes on when they resume.
    - `mismatch`: the permission is for something else, or with other parameters.
    - `invalid`: this is not a permission of the service.
    - `untrusted`: the service says that the permission is active, and its receipt is not as the `trust` of the caller demands.
    - `test_credential`: a test service gave it, and the client does not allow that.

    `peck` is the request, or None when only a grant token was shown. `fault` says what is wrong with the receipt, when `trust`
    refused what the service accepted: a `PolicyNotMet` or another `VerificationError`. Otherwise it is None.
    """

    def __init__(
        self,
        status: str,
        message: str,
        *,
        reason: Optional[str] = None,
        retry_after: Optional[float] = None,
        peck: Optional["models.Peck"] = None,
        fault: "Optional[VerificationError]" = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.retry_after = retry_after
        self.peck = peck
        self.fault = fault


class PermissionPending(BeakException):
    """
    The target has not decided within the time that the caller wanted to wait.

    Wait again with `wait_for_permission(error.peck["peck_id"])`.
    """

    def __init__(self, peck: "models.Peck") -> None:
        super().__init__(f"{peck['peck_id']} is not decided yet.")
        self.peck = peck


class RequiredPermissionError(BeakException):
    """
    An agent must not ask for what a service demands. Nothing was sent to anybody.

    - `reason`: `malformed`: the answer is not that of a guard. `audience`: it names another host than the called one. `issuer`: it
      names a Beak that is not the one of the client.
    - `named`: the host or the address that the answer names, or None.
    """

    def __init__(self, reason: str, message: str, *, named: Optional[str] = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.named = named


class VerificationError(BeakException):
    """A certificate, token, receipt, proof or webhook is not valid. The message says why."""


class TestCredentialError(VerificationError):
    """
    A test service made a credential or an answer, and the caller does not allow that. Do not act on it. A program that is tested sets
    `allow_test=True`. `reason` is always `test_credential`.
    """

    #: pytest must not take this class for a test.
    __test__ = False

    reason = "test_credential"

    def __init__(self) -> None:
        super().__init__(
            "This was made by a test service, so it proves nothing. In tests, set allow_test or BEAK_ALLOW_TEST=1, which count only for a"
            " service on this computer."
        )


def refuse_test(content: object, allow_test: Optional[bool], address: Optional[str] = None) -> None:
    """
    Raises `TestCredentialError` for claims or an answer of a test service, unless the caller allows that. A member `test` with any value
    counts as the mark, also `false`. `address`: the service that made it. Default: the issuer in the claims.
    """
    if isinstance(content, dict) and "test" in content:
        if not is_test_allowed(allow_test, content.get("iss") if address is None else address):
            raise TestCredentialError


#: What a call can fail with.
CallFailure = Union[BeakError, BeakAnswerError, BeakConnectionError]
