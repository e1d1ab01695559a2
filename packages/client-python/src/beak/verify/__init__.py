"""
Checks without a call: certificates, agent tokens, receipts, audit logs and the transparency log.

Every function raises `VerificationError` unless every check passed. `AsyncVerifier` and `Verifier` also read the keys
and the status lists of a service, and keep them for a short time. Needs the extra `verify` of this package.
"""
try:
    import cryptography as _cryptography
    import jwt as _jwt
except ImportError as error:
    raise ImportError("beak.verify needs PyJWT and cryptography: install its extra verify") from error

from .._async_verifier import AsyncVerifier
from .._exact import exact_json
from .._verifier import Verifier
from .agents import VerifiedAgent, verify_agent_token
from .audit import verify_audit_log
from .certificates import VerifiedCertificate, list_number, status_place, verify_certificate
from .checkpoints import (
    CheckpointFork,
    CheckpointStore,
    LogForkError,
    MemoryCheckpointStore,
    RememberedCheckpoint,
)
from .keys import Issuer, KeySet, KeysUnavailableError, UnknownKeyError
from .log import (
    Checkpoint,
    Cosignature,
    VerifiedEntry,
    open_checkpoint,
    verify_consistency,
    verify_inclusion,
    verify_log_entry,
    verify_log_growth,
)
from .log_policy import LogPolicy, PolicyGroup, PolicyLog, PolicyWitness, parse_log_policy
from .logged import LoggedFacts, LoggedOutcome
from .outcomes import verify_outcome
from .policy import Code, OutcomePolicy, PolicyNotMet, code_digest
from .receipts import VerifiedReceipt, verify_receipt
from .verdicts import Pin, VerifiedOutcome, VerifiedRule

__all__ = [
    "AsyncVerifier",
    "Checkpoint",
    "CheckpointFork",
    "CheckpointStore",
    "Code",
    "Cosignature",
    "Issuer",
    "KeySet",
    "KeysUnavailableError",
    "LogForkError",
    "LogPolicy",
    "LoggedFacts",
    "LoggedOutcome",
    "MemoryCheckpointStore",
    "OutcomePolicy",
    "Pin",
    "PolicyGroup",
    "PolicyLog",
    "PolicyNotMet",
    "PolicyWitness",
    "RememberedCheckpoint",
    "UnknownKeyError",
    "VerifiedAgent",
    "VerifiedCertificate",
    "VerifiedEntry",
    "VerifiedOutcome",
    "VerifiedReceipt",
    "VerifiedRule",
    "Verifier",
    "code_digest",
    "exact_json",
    "list_number",
    "open_checkpoint",
    "parse_log_policy",
    "status_place",
    "verify_agent_token",
    "verify_audit_log",
    "verify_certificate",
    "verify_consistency",
    "verify_inclusion",
    "verify_log_entry",
    "verify_log_growth",
    "verify_outcome",
    "verify_receipt",
]
