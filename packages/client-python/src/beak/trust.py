"""
For services that act on permissions and do not want to believe Beak that a permission is active.

`PermissionTrust` says what the receipt of a permission must have: pass it to `use_permission`. The module also has the stores in which a
shop remembers what it accepted, and its own challenges and codes. Needs the extra `verify` of this package.
"""
import hashlib
import hmac
import logging
import math
import re
import secrets
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import (
    Awaitable,
    Callable,
    Dict,
    List,
    Literal,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    runtime_checkable,
)

from ._awaited import awaited
from ._environment import environment_of
from .verify._encoding import base64url
from .verify.checkpoints import CheckpointFork, CheckpointStore, MemoryCheckpointStore, RememberedCheckpoint
from .verify.keys import CLOCK_SKEW, Issuer
from .verify.log_policy import LogPolicy
from .verify.policy import Code, OutcomePolicy, approver_text, code_digest, is_same_pin
from .verify.verdicts import Pin, VerifiedOutcome

__all__ = [
    "ChallengeRule",
    "CheckpointStore",
    "GuardTrust",
    "MemoryCheckpointStore",
    "MemoryPinStore",
    "MemoryUsedStore",
    "OutcomeVerifier",
    "PermissionTrust",
    "PinStore",
    "ShopCode",
    "SqlCheckpointStore",
    "SqlPinStore",
    "SqlUsedStore",
    "SummingStore",
    "UsedStore",
    "is_own_challenge",
    "shop_challenge",
    "shop_code",
]

T = TypeVar("T")

#: The key of a shop's challenges: at least 16 bytes. Of a text, its UTF-8.
ChallengeSecret = Union[str, bytes]

#: The fewest bytes of a secret.
SECRET_LEAST = 16

#: What `shop_challenge` makes.
CHALLENGE = re.compile(r"(?P<start>[A-Za-z0-9_-]{22}\.(?P<time>[0-9a-z]{1,9}))\.(?P<signature>[A-Za-z0-9_-]{22})")

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def shop_challenge(secret: ChallengeSecret, *, now: Optional[datetime] = None) -> str:
    """
    Returns a new challenge of a shop. A decision that names it was made after the shop gave it, so the service cannot date an old
    decision anew. The shop recognizes its own challenges by their signature and stores nothing before a challenge is used. Raises
    `ValueError` for a secret with less than 16 bytes.
    """
    start = f"{base64url(secrets.token_bytes(16))}.{_base36(int(_seconds(now)))}"
    return f"{start}.{_signature(secret, start)}"


def is_own_challenge(
    secret: ChallengeSecret, text: str, max_age: Optional[timedelta], *, now: Optional[datetime] = None
) -> bool:
    """
    Returns whether `shop_challenge` made the text with this secret, at most `max_age` ago. Without `max_age`, at any time. It does not
    say whether the challenge was used. Raises `ValueError` for a secret with less than 16 bytes.
    """
    found = CHALLENGE.fullmatch(text)
    expected = _signature(secret, found["start"] if found else "")
    # The time of the comparison must not say how many characters are right.
    if not hmac.compare_digest(found["signature"] if found else "", expected) or found is None:
        return False
    age = _seconds(now) - int(found["time"], 36)
    return age >= -CLOCK_SKEW and (max_age is None or age <= max_age.total_seconds())


def time_of_challenge(text: str) -> Optional[datetime]:
    """Returns when a challenge of this shop was made, or None for another text."""
    found = CHALLENGE.fullmatch(text)
    try:
        return datetime.fromtimestamp(int(found["time"], 36), timezone.utc) if found else None
    except (OverflowError, OSError, ValueError):
        return None


def _signature(secret: ChallengeSecret, text: str) -> str:
    key = secret.encode("utf-8") if isinstance(secret, str) else secret
    if len(key) < SECRET_LEAST:
        raise ValueError(f"The secret of the challenges needs at least {SECRET_LEAST} bytes.")
    return base64url(hmac.new(key, text.encode("utf-8"), hashlib.sha256).digest()[:16])


def _seconds(now: Optional[datetime]) -> float:
    return time.time() if now is None else now.timestamp()


def _base36(number: int) -> str:
    text = ""
    while number > 0:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    return text or "0"


class ShopCode(Code):
    """
    A code for one request. The policy takes it as `code`.

    - `code`: six digits. Show them to the person, and to nobody else: neither the agent nor the service may read them.
    - `salt`: keep it with the code.
    - `code_hash`: what the request has.
    """

    code_hash: str


def shop_code() -> ShopCode:
    """Returns a new code with its hash. Use it for one request only."""
    code, salt = f"{secrets.randbelow(1_000_000):06d}", base64url(secrets.token_bytes(16))
    return {"code": code, "salt": salt, "code_hash": code_digest(salt, code)}


class UsedStore(Protocol):
    """
    Remembers what a shop has accepted: one-use permissions and challenges. All processes of a shop must share one store. The method may
    be asynchronous when the client is.
    """

    def claim(self, key: str, owner: str, until: Optional[datetime] = None) -> Union[str, Awaitable[str]]:
        """
        Stores `owner` under `key` unless the key has an owner, in one step, and returns the owner that is stored. Of simultaneous calls
        with different owners, all return the same owner. The entry may be deleted after `until`, and must not be deleted before.
        Without `until`, the store must keep it.
        """
        ...


@runtime_checkable
class SummingStore(UsedStore, Protocol):
    """A store that can also sum. A shop that accepts rules needs it, to sum what it accepted by each rule."""

    def replace(self, key: str, expected: str, owner: str) -> Union[bool, Awaitable[bool]]:
        """
        Stores `owner` under `key` in place of `expected`, in one step, and returns whether the key had `expected`. Of simultaneous calls
        with the same `expected`, one returns True.
        """
        ...


class PinStore(Protocol):
    """
    The passkeys of people whom a shop knows, by their `duckling_id`. Remove a pin yourself when a person tells you that a passkey is
    lost. The methods may be asynchronous when the client is.
    """

    def get(self, target: str) -> Union[Sequence[Pin], Awaitable[Sequence[Pin]]]:
        """Returns the pins of a person. Empty before the first contact."""
        ...

    def add(self, target: str, pin: Pin) -> Union[None, Awaitable[None]]:
        """Adds a pin, unless the person has it."""
        ...

    def add_first(self, target: str, pin: Pin) -> Union[None, Awaitable[None]]:
        """Adds a pin if the person has none yet, in one step. Of simultaneous calls with different pins, one adds its pin."""
        ...


class MemoryUsedStore:
    """
    A store in the memory of this process, for any number of threads. It is empty after a restart and unknown to other processes: use it
    only together with challenges whose secret ends with the process, too.
    """

    #: A smaller store is not searched for entries that have expired.
    CLEANUP_LEAST = 1000

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: Dict[str, Tuple[str, float]] = {}
        self._cleanup_size = self.CLEANUP_LEAST

    def claim(self, key: str, owner: str, until: Optional[datetime] = None) -> str:
        """Stores `owner` under `key` unless the key has an owner, and returns the owner that is stored."""
        with self._lock:
            if key not in self._entries and len(self._entries) >= self._cleanup_size:
                self._clean_up()
            end = math.inf if until is None else until.timestamp()
            return self._entries.setdefault(key, (owner, end))[0]

    def replace(self, key: str, expected: str, owner: str) -> bool:
        """Stores `owner` under `key` in place of `expected`, and returns whether the key had `expected`."""
        with self._lock:
            known = self._entries.get(key)
            if known is None or known[0] != expected:
                return False
            self._entries[key] = (owner, known[1])
            return True

    def _clean_up(self) -> None:
        now = time.time()
        self._entries = {key: entry for key, entry in self._entries.items() if entry[1] >= now}
        # Waits until the store has doubled, so that a claim takes the same time on average however large the store is.
        self._cleanup_size = max(self.CLEANUP_LEAST, 2 * len(self._entries))


class MemoryPinStore:
    """A store in the memory of this process, for any number of threads. After a restart, every contact is a first contact again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pins: Dict[str, List[Pin]] = {}

    def get(self, target: str) -> List[Pin]:
        """Returns the pins of a person. Empty before the first contact."""
        with self._lock:
            return list(self._pins.get(target, []))

    def add(self, target: str, pin: Pin) -> None:
        """Adds a pin, unless the person has it."""
        with self._lock:
            pins = self._pins.setdefault(target, [])
            if not any(is_same_pin(known, pin) for known in pins):
                pins.append({"credential_id": pin["credential_id"], "public_key": pin["public_key"]})

    def add_first(self, target: str, pin: Pin) -> None:
        """Adds a pin if the person has none yet."""
        with self._lock:
            first: Pin = {"credential_id": pin["credential_id"], "public_key": pin["public_key"]}
            self._pins.setdefault(target, [first])


#: The rows of a statement, such as tuples.
Rows = Sequence[Sequence[object]]

#: Runs one statement with its values, and returns its rows. It may be asynchronous when the client is.
RunSql = Callable[[str, List[object]], Union[Rows, Awaitable[Rows]]]

#: How a driver writes the place of a value: `?` (sqlite3), `%s` (psycopg) or `$` and a number (asyncpg).
Placeholders = Literal["?", "%s", "$"]


def _with_places(text: str, placeholders: Placeholders) -> str:
    """Writes the places of the values, which are `?` in the text, as the driver expects them."""
    count = iter(range(1, text.count("?") + 1))
    return re.sub(r"\?", lambda _: f"${next(count)}" if placeholders == "$" else placeholders, text)


def _then(rows: Union[Rows, Awaitable[Rows]], read: Callable[[Rows], T]) -> Union[T, Awaitable[T]]:
    """Returns what is read from the rows, or an awaitable of it when the rows are not there yet."""

    async def later() -> T:
        """Waits for the rows."""
        return read(await awaited(rows))

    return later() if isinstance(rows, Awaitable) else read(rows)


#: The update of an existing row changes nothing: it makes the statement return the row.
CLAIM = """INSERT INTO beak_used (key, owner, until) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING owner"""
REPLACE = "UPDATE beak_used SET owner = ? WHERE key = ? AND owner = ? RETURNING owner"

GET_PINS = "SELECT credential_id, public_key FROM beak_pins WHERE target = ?"
ADD_PIN = """INSERT INTO beak_pins (target, credential_id, public_key, is_first) VALUES (?, ?, ?, 0)
ON CONFLICT DO NOTHING"""
#: The unique index on the first pins refuses one of two statements that both see no pin.
ADD_FIRST_PIN = """INSERT INTO beak_pins (target, credential_id, public_key, is_first)
SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), 1
WHERE NOT EXISTS (SELECT 1 FROM beak_pins WHERE target = ?) ON CONFLICT DO NOTHING"""


class SqlUsedStore:
    """
    A store in a table of PostgreSQL or SQLite (3.35 or newer), for all processes of a shop. Create the table first, and delete rows whose
    `until` (in seconds since 1970) has passed when you like:

        CREATE TABLE beak_used (key TEXT PRIMARY KEY, owner TEXT NOT NULL, until BIGINT);
        DELETE FROM beak_used WHERE until < extract(epoch FROM now());

    - `run`: runs one statement, commits it and returns its rows. Do not run it in a transaction that your program may roll back.
    - `placeholders`: how the driver writes the places of values.
    """

    def __init__(self, run: RunSql, *, placeholders: Placeholders = "?") -> None:
        self._run = run
        self._claim = _with_places(CLAIM, placeholders)
        self._replace = _with_places(REPLACE, placeholders)

    def claim(self, key: str, owner: str, until: Optional[datetime] = None) -> Union[str, Awaitable[str]]:
        """Stores `owner` under `key` unless the key has an owner, and returns the owner that is stored."""
        end = None if until is None else math.ceil(until.timestamp())
        return _then(self._run(self._claim, [key, owner, end]), _owner_in)

    def replace(self, key: str, expected: str, owner: str) -> Union[bool, Awaitable[bool]]:
        """Stores `owner` under `key` in place of `expected`, and returns whether the key had `expected`."""
        return _then(self._run(self._replace, [owner, key, expected]), lambda rows: len(rows) > 0)


def _owner_in(rows: Rows) -> str:
    owner = rows[0][0] if rows else None
    if not isinstance(owner, str):
        raise ValueError("The table beak_used returned no owner.")
    return owner


class SqlPinStore:
    """
    A store in a table of PostgreSQL or SQLite. Create the table first:

        CREATE TABLE beak_pins (
          target TEXT NOT NULL, credential_id TEXT NOT NULL, public_key TEXT NOT NULL, is_first INTEGER NOT NULL,
          PRIMARY KEY (target, credential_id, public_key)
        );
        CREATE UNIQUE INDEX beak_first_pins ON beak_pins (target) WHERE is_first = 1;

    `run` and `placeholders` are those of `SqlUsedStore`.
    """

    def __init__(self, run: RunSql, *, placeholders: Placeholders = "?") -> None:
        self._run = run
        self._get, self._add, self._add_first = (
            _with_places(text, placeholders) for text in (GET_PINS, ADD_PIN, ADD_FIRST_PIN)
        )

    def get(self, target: str) -> Union[Sequence[Pin], Awaitable[Sequence[Pin]]]:
        """Returns the pins of a person. Empty before the first contact."""
        return _then(self._run(self._get, [target]), _pins_in)

    def add(self, target: str, pin: Pin) -> Union[None, Awaitable[None]]:
        """Adds a pin, unless the person has it."""
        return _then(self._run(self._add, [target, pin["credential_id"], pin["public_key"]]), _nothing_in)

    def add_first(self, target: str, pin: Pin) -> Union[None, Awaitable[None]]:
        """Adds a pin if the person has none yet."""
        values: List[object] = [target, pin["credential_id"], pin["public_key"], target]
        return _then(self._run(self._add_first, values), _nothing_in)


def _pins_in(rows: Rows) -> Sequence[Pin]:
    return [{"credential_id": str(row[0]), "public_key": str(row[1])} for row in rows]


def _nothing_in(_rows: Rows) -> None:
    return None


GET_CHECKPOINTS = "SELECT is_proven, size, root, note FROM beak_checkpoints WHERE origin = ?"
#: One statement, so that the largest of simultaneous checkpoints stays.
KEEP_CHECKPOINT = """INSERT INTO beak_checkpoints (origin, is_proven, size, root, note) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (origin, is_proven) DO UPDATE SET size = excluded.size, root = excluded.root, note = excluded.note
WHERE excluded.size > beak_checkpoints.size"""
KEEP_FORK = """INSERT INTO beak_forks (origin, remembered, found) VALUES (?, ?, ?)
ON CONFLICT (origin) DO NOTHING"""


class SqlCheckpointStore:
    """
    A store in two tables of PostgreSQL or SQLite (3.24 or newer). Create the tables first. To begin anew with a log, for instance after its
    key was stolen, delete its rows:

        CREATE TABLE beak_checkpoints (
          origin TEXT NOT NULL, is_proven INTEGER NOT NULL, size BIGINT NOT NULL, root TEXT NOT NULL, note TEXT NOT NULL,
          PRIMARY KEY (origin, is_proven)
        );
        CREATE TABLE beak_forks (origin TEXT PRIMARY KEY, remembered TEXT NOT NULL, found TEXT NOT NULL);

    `run` and `placeholders` are those of `SqlUsedStore`, but `run` must not be asynchronous.
    """

    def __init__(self, run: RunSql, *, placeholders: Placeholders = "?") -> None:
        self._run = run
        self._get, self._keep, self._keep_fork = (
            _with_places(text, placeholders) for text in (GET_CHECKPOINTS, KEEP_CHECKPOINT, KEEP_FORK)
        )

    def get(self, origin: str) -> List[RememberedCheckpoint]:
        """Returns the checkpoints of a log."""
        rows = self._rows(self._get, [origin])
        return [
            RememberedCheckpoint(origin, int(str(row[1])), str(row[2]), str(row[3]), int(str(row[0])) == 1) for row in rows
        ]

    def keep(self, checkpoint: RememberedCheckpoint) -> None:
        """Stores a checkpoint unless the store has one that is as large or larger."""
        size, root, note = checkpoint.size, checkpoint.root, checkpoint.note
        self._rows(self._keep, [checkpoint.origin, int(checkpoint.is_proven), size, root, note])

    def keep_fork(self, fork: CheckpointFork) -> None:
        """Stores the two notes, unless the store has a fork of this log."""
        self._rows(self._keep_fork, [fork.origin, fork.remembered, fork.found])

    def _rows(self, text: str, values: List[object]) -> Rows:
        rows = self._run(text, values)
        if isinstance(rows, Awaitable):
            raise TypeError("The store of checkpoints needs a synchronous run.")
        return rows


class OutcomeVerifier(Protocol):
    """Checks receipts with the keys of a service: `Verifier`, or `AsyncVerifier` when the client is asynchronous."""

    def outcome(
        self, receipt: Mapping[str, object], policy: OutcomePolicy
    ) -> Union[VerifiedOutcome, Awaitable[VerifiedOutcome]]:
        """Checks the receipt of an outcome against a policy."""
        ...

    def load_keys(self, token: str) -> Union[None, Awaitable[None]]:
        """Reads the keys of the service unless they are new enough for a token."""
        ...


@dataclass(frozen=True)
class ChallengeRule:
    """
    How a shop recognizes its own challenges.

    - `secret`: the secret that `shop_challenge` made them with.
    - `max_age`: how old a challenge may be when its permission is used for the first time. A later use of the same permission is not
      limited.
    """

    secret: ChallengeSecret = field(repr=False)
    max_age: timedelta

    def __post_init__(self) -> None:
        _signature(self.secret, "")


@dataclass(frozen=True)
class PermissionTrust:
    """
    What the receipt of a permission must have, so that the shop acts. Every check fails closed.

    - `policy`: who must have confirmed the receipt, and with which keys. It says nothing about `params`, `audience`, `outcome` and `pins`,
      which the use itself says. `pinned` refuses people without a pin: add the first pin yourself. Without an `issuer`, the client
      reads the keys of its service.
    - `used`: where the shop remembers what it accepted. With it, a one-use permission and a challenge are accepted once, whatever the
      service says. A policy that accepts rules needs a `SummingStore`: the shop sums what it accepts, and stops at what the signed rule
      allows.
    - `pins`: where the shop keeps the passkeys of people. The passkey of the first accepted receipt of a person is stored. From then on,
      only the stored passkeys of this person are accepted, and passkeys that they endorse, which are stored too. The service says which
      account a person has: to a shop that accepts anyone, it can show a new account, and that is a first contact again. An approver in the
      policy needs pins. At the first contact, it is the word of the service that the passkey is one of the approver.
    - `challenges`: the receipt must name a challenge of the shop. Needs `used`, because each challenge is accepted once.
    - `read_first`: reads the receipt before the permission is spent, so that a permission whose receipt is refused stays unspent.
    - `verifier`: reads the keys of the service, when its receipts name another address than that of the client. Default: a verifier of
      the client.

    Raises `ValueError` for demands that contradict each other.
    """

    policy: OutcomePolicy
    used: Optional[UsedStore] = None
    pins: Optional[PinStore] = None
    challenges: Optional[ChallengeRule] = None
    read_first: bool = False
    verifier: Optional[OutcomeVerifier] = None

    def __post_init__(self) -> None:
        policy = self.policy
        if policy.require is None:
            raise ValueError("The policy does not say who must have confirmed the receipt (require).")
        if policy.params is not None or policy.audience is not None or policy.pins:
            raise ValueError("The use of a permission says its params and audience, and the store has the pins.")
        if policy.require == "pinned" and self.pins is None:
            raise ValueError('A policy that requires "pinned" needs pins.')
        if policy.approver is not None and self.pins is None:
            raise ValueError(approver_text("a store of pins"))
        if self.challenges is not None and self.used is None:
            raise ValueError("Challenges need a store (used), because each one is accepted once.")
        if policy.rules == "accept" and not isinstance(self.used, SummingStore):
            raise ValueError(
                "A policy that accepts rules needs a SummingStore (used), because the shop itself must sum what it accepts."
            )


@dataclass(frozen=True)
class GuardTrust:
    """
    How far a guard believes Beak.

    - `require`: who must have confirmed the receipt: `signed`, `proven` (needs `vkeys` and `witnesses`, or a `log_policy`) or `pinned` (needs `pins`).
      `service`: Beak is believed, and the guard checks no receipt.
    - `issuer`: the service with keys that you have, or only its address, as its receipts name it. Default: the address of the client.
      Without keys, the guard reads those of the service.
    - `used`: where accepted permissions and challenges are remembered, such as `SqlUsedStore`. All processes of a service share one store.
      Default: the memory of this process, for all guards in it, with a warning.
    - `secret`: secret of the challenges, the same in all processes and after a restart. Needs `used`. Default: `BEAK_SHOP_SECRET` of the
      environment. Without both, 32 random bytes that end with this process, with a warning: an approval that a person gives after a restart
      is then refused.
    - `challenge_age`: how old a challenge may be when its permission is used for the first time. Default: 48 hours, because by default a
      person may take a day to answer, and a one-use permission is valid for another day.
    - `read_first`: reads the receipt before the permission is spent, so that a refused permission stays unspent. Each use then takes two
      calls. Default: True.
    - `pins` is that of `PermissionTrust`, the others are those of `OutcomePolicy`.

    Raises `ValueError` for demands that no receipt can be compared with.
    """

    require: Literal["service", "signed", "proven", "pinned"] = "signed"
    issuer: Union[None, str, Issuer] = None
    vkeys: Sequence[str] = ()
    witnesses: Sequence[str] = ()
    quorum: Optional[int] = None
    log_policy: Optional[LogPolicy] = None
    checkpoints: Optional[CheckpointStore] = None
    approver: Optional[str] = None
    allow_test: Optional[bool] = None
    signed_within: Optional[timedelta] = None
    decided_within: Optional[timedelta] = None
    pins: Optional[PinStore] = None
    used: Optional[UsedStore] = None
    secret: Optional[ChallengeSecret] = field(
        default_factory=lambda: environment_of("BEAK_SHOP_SECRET"), repr=False
    )
    challenge_age: timedelta = timedelta(hours=48)
    read_first: bool = True

    def __post_init__(self) -> None:
        if self.demands_receipt and self.secret is not None and self.used is None:
            raise ValueError(
                "The secret of a shop (secret, BEAK_SHOP_SECRET) needs a store that outlives the process (used), such as SqlUsedStore:"
                " otherwise challenges would be accepted again after a restart."
            )
        self.permission_trust(None)

    @property
    def demands_receipt(self) -> bool:
        """Whether the guard checks the receipt of a permission."""
        return self.require != "service"

    def permission_trust(self, verifier: Optional[OutcomeVerifier]) -> PermissionTrust:
        """Returns what the receipt of each permission must have. `verifier` reads the keys of the service."""
        policy = OutcomePolicy(
            require=self.require,
            issuer=self.issuer if isinstance(self.issuer, Issuer) else None,
            vkeys=self.vkeys,
            witnesses=self.witnesses,
            quorum=self.quorum,
            log_policy=self.log_policy,
            checkpoints=self.checkpoints,
            approver=self.approver,
            allow_test=self.allow_test,
            signed_within=self.signed_within,
            decided_within=self.decided_within,
        )
        return PermissionTrust(
            policy=policy,
            used=_OWN_USED if self.used is None else self.used,
            pins=self.pins,
            challenges=ChallengeRule(self._secret, self.challenge_age),
            read_first=self.read_first,
            verifier=verifier,
        )

    def demands(self) -> Dict[str, str]:
        """Returns what an agent must add to its request. The challenge is new each time."""
        return {"require": "signed", "challenge": shop_challenge(self._secret)} if self.demands_receipt else {}

    def warn_without_memory(self) -> None:
        """Says that approvals end with this process: once, because one process may have many guards."""
        if not self.demands_receipt or self.secret is not None or _WARNED.is_set():
            return
        _WARNED.set()
        store = "" if self.used is not None else " and a store (used)"
        logging.getLogger("beak").warning(
            "beak: A guard of this process has no BEAK_SHOP_SECRET (or secret)%s. Approvals that people give after a restart, or for another"
            " process, are refused.",
            store,
        )

    @property
    def _secret(self) -> ChallengeSecret:
        return _OWN_SECRET if self.secret is None else self.secret


#: What the guards of this process share by default, so that no two of them accept one permission.
_OWN_USED = MemoryUsedStore()
_OWN_SECRET = secrets.token_bytes(32)

#: Set when the process has said that its approvals end with it.
_WARNED = threading.Event()
