"""
Client of Beak: identity, trust and permission for people and the agents that act for them.

`Beak` is the client, `AsyncBeak` the same for `async` code. Both have a method for each operation of the service,
and `request_permission` and `use_permission` for the main job. `beak.verify` checks certificates, tokens, receipts
and proofs without the service, `beak.webhooks` checks webhooks, and `beak.fastapi` guards endpoints.
"""
from . import models
from ._async_client import AsyncBeak
from ._client import Beak
from ._operation import UNSET, Unset
from ._required import RequiredPermission, required_permission
from ._version import VERSION as __version__
from .errors import (
    BeakAnswerError,
    BeakConnectionError,
    BeakError,
    BeakException,
    BeakTimeout,
    PermissionPending,
    PermissionRefused,
    RequiredPermissionError,
    VerificationError,
)
from .events import AccountChanged, BlockChanged, PasskeyRecoveryChanged, PeckChanged, StreamEvent, StreamReady
from .permissions import Permission, UsedGrant

__all__ = [
    "UNSET",
    "AsyncBeak",
    "Beak",
    "BeakAnswerError",
    "BeakConnectionError",
    "BeakError",
    "BeakException",
    "BeakTimeout",
    "AccountChanged",
    "BlockChanged",
    "PasskeyRecoveryChanged",
    "PeckChanged",
    "Permission",
    "PermissionPending",
    "PermissionRefused",
    "RequiredPermission",
    "RequiredPermissionError",
    "StreamEvent",
    "StreamReady",
    "Unset",
    "UsedGrant",
    "VerificationError",
    "__version__",
    "models",
    "required_permission",
]
