"""
A decorator for views of Flask that refuses requests without a permission. Needs the extra `flask` of this package.

The asker sends the grant token in the header `X-Peck-Grant`. The decorator spends one use of the permission and gives the view what was
approved. Without Beak, every request is refused, and so is what Beak says without a receipt.
"""
import functools
import inspect
from typing import Any, Callable, Mapping, Optional

from flask import Response, request

from ._client import Beak
from ._permission_problem import GRANT_HEADER, PermissionProblem
from ._require import PermissionRule
from .trust import GuardTrust

__all__ = ["GRANT_HEADER", "GuardTrust", "require_permission"]

View = Callable[..., Any]


def require_permission(
    action: str,
    *,
    beak: Beak,
    params: Callable[..., Mapping[str, object]],
    target: Optional[Callable[..., str]] = None,
    audience: Optional[str] = None,
    trust: Optional[GuardTrust] = None,
) -> Callable[[View], View]:
    """
    Returns a decorator that spends one use of a permission for this action before the view runs. Put it below `@app.post(…)`.

    `params` and `target` get the arguments of the view and may read `flask.request`. The view also gets `permission`, the
    `ConsumedGrant`. The rest is as for `require_permission` of `beak.fastapi`.
    """
    rule = PermissionRule(action, beak, audience, trust)

    def decorate(view: View) -> View:
        if inspect.iscoroutinefunction(view):
            raise TypeError("This guard is for views that are not async.")

        @functools.wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            giver = None if target is None else target(*args, **kwargs)
            try:
                used = rule.spend(
                    request.headers.get(GRANT_HEADER), params(*args, **kwargs), giver, host=request.host
                )
            except PermissionProblem as problem:
                return Response(problem.text(), problem.status, problem.headers)
            return view(*args, permission=used, **kwargs)

        return guarded

    return decorate
