"""
A shop that uses the Python client. Reads one task a line, as JSON, and answers one line: whether the shop accepts a receipt, acts on a
permission, or accepts an audit log.
"""
import json
import sys
from typing import Any, Dict, Optional

from beak import Beak, PermissionRefused, VerificationError
from beak.trust import GuardTrust, MemoryPinStore, MemoryUsedStore, PermissionTrust
from beak.verify import Issuer, KeySet, OutcomePolicy, Verifier, verify_audit_log, verify_certificate, verify_outcome

Task = Dict[str, Any]
SHOPS: Dict[str, Optional[PermissionTrust]] = {}


def issuer_of(task: Task) -> Issuer:
    return Issuer(task["url"], KeySet(task["jwks"]))


def open_shop(task: Task) -> bool:
    """Opens a shop, which remembers what it accepted if its column says so. Without a column, the shop believes the service."""
    column = task["column"]
    SHOPS[task["shop"]] = None if column is None else trust_of(task, column)
    return True


def trust_of(task: Task, column: Task) -> PermissionTrust:
    pins = MemoryPinStore()
    for pin in column["pins"]:
        pins.add(task["target"], pin)
    demands = {name: column[name] for name in ("require", "vkeys", "witnesses", "approver")}
    kept = pins if column["pins"] else None
    if not column["isGuard"]:
        used = MemoryUsedStore() if column["rules"] else None
        policy = OutcomePolicy(issuer=issuer_of(task), rules=column["rules"], **demands)
        return PermissionTrust(policy=policy, pins=kept, used=used)
    if column["isDefault"]:
        demands = {}
    guard = GuardTrust(used=MemoryUsedStore(), secret=task["secret"], pins=kept, **demands)
    return guard.permission_trust(Verifier(Beak(task["url"])))


def acts(task: Task) -> bool:
    terms, trust = task["terms"], SHOPS[task["shop"]]
    with Beak(task["url"], retries=0) as beak:
        try:
            used = beak.use_permission(task["token"], terms["params"], audience=terms["audience"], trust=trust)
        except PermissionRefused:
            return False
    return used["action"] == terms["action"] and used["target_duckling_id"] == terms["target"]


def accepts_receipt(task: Task) -> bool:
    policy = OutcomePolicy(issuer=issuer_of(task), **task["policy"])
    return is_verified(lambda: verify_outcome(task["receipt"], policy))


def accepts_log(task: Task) -> bool:
    audit = task["export"]["audit"]
    log = audit.get("log", {})
    return is_verified(
        lambda: verify_audit_log(
            audit["events"], duckling_id=task["target"], head=audit["head"], issuer=issuer_of(task), log=log
        )
    )


def accepts_certificate(task: Task) -> bool:
    return is_verified(
        lambda: verify_certificate(task["credential"], issuer=issuer_of(task), status_list=task["status_list"])
    )


def is_verified(check: Any) -> bool:
    try:
        check()
        return True
    except VerificationError:
        return False


TASKS = {
    "open": open_shop,
    "acts": acts,
    "receipt": accepts_receipt,
    "log": accepts_log,
    "certificate": accepts_certificate,
}

for line in sys.stdin:
    task = json.loads(line)
    try:
        answer: Dict[str, object] = {"result": TASKS[task["do"]](task)}
    except Exception as error:  # The program that asks ends with this text.
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
