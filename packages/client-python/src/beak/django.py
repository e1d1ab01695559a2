"""
A decorator for views of Django that refuses requests without a permission. Needs the extra `django` of this package.

The asker sends the grant token in the header `X-Peck-Grant`. The decorator spends one use of the permission and gives the view what was
approved. Without Beak, every request is refused, and so is what Beak says without a receipt.
"""
import functools
import inspect
from typing import Any, Callable, Mapping, Optional

from django.http import HttpRequest, HttpResponse

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
    Returns a decorator that spends one use of a permission for this action before the view runs. The requests of agents have no CSRF
    token: put `@csrf_exempt` above it.

    `params` and `target` get the arguments of the view, of which the first is the request. The view also gets `permission`, the
    `ConsumedGrant`. The rest is as for `require_permission` of `beak.fastapi`.
    """
    rule = PermissionRule(action, beak, audience, trust)

    def decorate(view: View) -> View:
        if inspect.iscoroutinefunction(view):
            raise TypeError("This guard is for views that are not async.")

        @functools.wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            # Refuses a host that is not in ALLOWED_HOSTS.
            host = request.get_host()
            giver = None if target is None else target(request, *args, **kwargs)
            try:
                used = rule.spend(
                    request.headers.get(GRANT_HEADER), params(request, *args, **kwargs), giver, host=host
                )
            except PermissionProblem as problem:
                return HttpResponse(problem.text(), status=problem.status, headers=problem.headers)
            return view(request, *args, permission=used, **kwargs)

        return guarded

    return decorate
