"""Gets the permission for one call of a tool."""
from dataclasses import replace
from typing import Optional

from ._async_client import AsyncBeak
from ._tool_request import ToolRequest
from .errors import PermissionRefused
from .permissions import Permission, permission_of

#: How long a request lasts when nobody says how long, in seconds.
USUAL_LIFETIME = 86_400


async def permission_for(beak: AsyncBeak, request: ToolRequest) -> Permission:
    """Returns a permission that may be acted on. One use is spent, unless a service does that. Raises what the calls raise."""
    if request.target.startswith("@"):
        # Permissions name their targets by id.
        view = await beak.view_handle(handle=request.target[1:])
        request = replace(request, target=view["duckling_id"])
    found = await _find(beak, request)
    if found is not None:
        try:
            return await _used(beak, found, request)
        except PermissionRefused:
            # Somebody else used it since, or it was revoked.
            pass
    asked = await beak.request_permission(
        target=request.target,
        action=request.action,
        params=request.params,
        scope=request.scope,
        message=request.message,
        # After `wait`, the same call finds the request or its permission again, so the request lasts longer than the wait.
        expires_in=request.expires_in or USUAL_LIFETIME,
        grant_expires_in=request.grant_expires_in,
        param_types=request.param_types,
        audience=request.audience,
        require=request.require,
        challenge=request.challenge,
        code_hash=request.code_hash,
        wait=request.wait,
    )
    return await _used(beak, asked, request)


async def _find(beak: AsyncBeak, request: ToolRequest) -> Optional[Permission]:
    """
    Returns an active permission that covers the request, or None. It may be of scope `timed` or `standing`, or a `limited` one that was
    approved after an earlier call had stopped waiting.
    """
    # Only the newest page. In the worst case, the person is asked once more.
    page = await beak.list_pecks(direction="sent", grant_status="active", limit=100)
    for peck in page["items"]:
        if peck.get("grant_token") is not None and request.is_covered_by(peck):
            return permission_of(peck)
    return None


async def _used(beak: AsyncBeak, permission: Permission, request: ToolRequest) -> Permission:
    if request.used_by == "tool":
        await beak.use_permission(permission, request.params, audience=request.audience)
    return permission
