"""
A dependency for FastAPI that refuses requests without a permission. Needs the extra `fastapi` of this package.

The asker sends the grant token in the header `X-Peck-Grant`. The dependency spends one use of the permission and gives
the endpoint what was approved. Without Beak, every request is refused, and so is what Beak says without a receipt.
"""
import json
from typing import Awaitable, Callable, Mapping, Optional, Union

from fastapi import Depends, FastAPI, Header, HTTPException, Request, Response
from starlette.middleware.exceptions import ExceptionMiddleware

from ._async_client import AsyncBeak
from ._async_require import PermissionRule
from ._permission_problem import GRANT_HEADER, PermissionProblem
from .permissions import UsedGrant
from .trust import GuardTrust

__all__ = ["GRANT_HEADER", "GuardTrust", "PermissionRequired", "require_permission"]


class PermissionRequired(HTTPException):
    """
    A request was refused. `detail` is a problem document, which is the body of the answer. Add a handler for this class to your
    application to answer something else.
    """

    def __init__(self, problem: PermissionProblem) -> None:
        super().__init__(status_code=problem.status, detail=problem.body, headers=problem.headers)


def _no_params() -> Mapping[str, object]:
    return {}


def _any_target() -> Optional[str]:
    return None


def require_permission(
    action: str,
    *,
    beak: AsyncBeak,
    params: Callable[..., Union[Mapping[str, object], Awaitable[Mapping[str, object]]]] = _no_params,
    target: Callable[..., Union[Optional[str], Awaitable[Optional[str]]]] = _any_target,
    audience: Optional[str] = None,
    trust: Optional[GuardTrust] = None,
) -> Callable[..., Awaitable[UsedGrant]]:
    """
    Returns a dependency that spends one use of a permission for this action.

    - `beak`: a client of the service; it needs no credential.
    - `params`: a dependency that returns what this request is about to do. The permission must be for exactly these
      parameters. It can take path, query and body as every dependency of FastAPI.
    - `target`: a dependency that returns the id of the duckling whose permission is needed. Without it, the endpoint
      must check `target_duckling_id` itself.
    - `audience`: the host name of the service. A permission for another one is refused. Default: the host of each request, when it is a
      public host name. Name it when your server answers requests for any host, or when a proxy changes the host.
    - `trust`: what the receipt of the permission must have, so that the service need not believe Beak. Default: the signature of a
      passkey, and a challenge of the service, which is accepted once. `GuardTrust(require="service")`: Beak is believed.

    The endpoint gets the `ConsumedGrant`. Requests without a permission get 401, with an unsuitable one 403, and 503 while
    the service cannot be asked. `required` in the answer is what the agent must ask for, and where: `required_permission` reads it. A permission for another action or target is not spent.
    """
    rule = PermissionRule(action, beak, audience, trust)

    async def spend(
        request: Request,
        grant_token: Optional[str] = Header(default=None, alias=GRANT_HEADER),
        approved: Mapping[str, object] = Depends(params),
        giver: Optional[str] = Depends(target),
    ) -> UsedGrant:
        try:
            return await rule.spend(grant_token, approved, giver, host=request.headers.get("host"))
        except PermissionProblem as problem:
            _answer_with_problems(request.app)
            raise PermissionRequired(problem) from problem

    return spend


def _answer_with_problems(app: FastAPI) -> None:
    """
    Makes an application answer refusals with the problem document alone. By itself, FastAPI puts it into `detail`, and a dependency knows
    its application only when a request arrives.
    """
    if PermissionRequired in app.exception_handlers:
        return
    layer: object = app.middleware_stack
    while layer is not None and not isinstance(layer, ExceptionMiddleware):
        layer = getattr(layer, "app", None)
    if isinstance(layer, ExceptionMiddleware):
        layer.add_exception_handler(PermissionRequired, _answer)


async def _answer(_: Request, error: Exception) -> Response:
    assert isinstance(error, PermissionRequired)
    return Response(json.dumps(error.detail), status_code=error.status_code, headers=error.headers)
