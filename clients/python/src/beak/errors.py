"""What calls raise. Every exception of this package is a `BeakException`."""
from typing import List, Optional, Sequence

from . import models


class BeakException(Exception):
    """The base of all exceptions of this package."""


class BeakError(BeakException):
    """
    The service refused a call.

    - `code`: such as `E4008`; None when another server answered, for instance a proxy.
    - `status`: the HTTP status.
    - `action`: what to do next, as a sentence.
    - `retry_after`: seconds to wait before another try, or None.
    - `request_id`: the id of the request in the logs of the service, or None.
    - `errors`: for `E4000`, each invalid field and what it must be.
    - `problem`: the whole answer (RFC 9457), or None when another server answered.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: Optional[str] = None,
        action: Optional[str] = None,
        retry_after: Optional[float] = None,
        request_id: Optional[str] = None,
        errors: Sequence["models.ProblemErrorsItem"] = (),
        problem: Optional["models.Problem"] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.action = action
        self.retry_after = retry_after
        self.request_id = request_id
        self.errors: List["models.ProblemErrorsItem"] = list(errors)
        self.problem = problem

    @property
    def current_status(self) -> Optional[str]:
        """For `E4008`: the status of the thing that is in another state."""
        return None if self.problem is None else self.problem.get("current_status")

    def __str__(self) -> str:
        text = f"{self.code or self.status}: {self.args[0]}"
        fields = "; ".join(f"{error['field']} {error['message']}" for error in self.errors)
        return " ".join(part for part in (text, f"({fields})" if fields else "", self.action or "") if part)


class BeakConnectionError(BeakException):
    """
    The service gave no usable answer: no connection, a broken one, or an answer that cannot be read.

    `was_sent` is False when the request certainly did not reach the service. Otherwise the service may have done
    what was asked.
    """

    def __init__(self, message: str, *, was_sent: bool = True) -> None:
        super().__init__(message)
        self.was_sent = was_sent


class BeakTimeout(BeakConnectionError):
    """The service did not answer in time."""


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
    - `mismatch`: the permission is for something else, or with other parameters.
    - `invalid`: this is not a permission of the service.

    `peck` is the request, or None when only a grant token was shown.
    """

    def __init__(
        self,
        status: str,
        message: str,
        *,
        reason: Optional[str] = None,
        retry_after: Optional[float] = None,
        peck: Optional["models.Peck"] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.retry_after = retry_after
        self.peck = peck


class PermissionPending(BeakException):
    """
    The target has not decided within the time that the caller wanted to wait.

    Wait again with `wait_for_permission(error.peck["peck_id"])`.
    """

    def __init__(self, peck: "models.Peck") -> None:
        super().__init__(f"{peck['peck_id']} is not decided yet.")
        self.peck = peck


class VerificationError(BeakException):
    """A certificate, token, receipt, proof or webhook is not valid. The message says why."""
