"""Remembered checkpoints: a log that shows two histories is found, in proofs and in receipts."""
import json
import sqlite3
import threading
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence

import pytest
from beak.errors import VerificationError
from beak.trust import SqlCheckpointStore
from beak.verify import (
    CheckpointFork,
    CheckpointStore,
    Issuer,
    KeySet,
    LogForkError,
    MemoryCheckpointStore,
    OutcomePolicy,
    RememberedCheckpoint,
    verify_log_entry,
    verify_log_growth,
    verify_outcome,
)
from beak.verify.checkpoints import remember
from service import ROOT
from test_verify import OwnLog

KEYS: Dict[str, Any] = json.loads((ROOT / "docs/receipts/vectors/keys.json").read_text(encoding="utf-8"))
RECEIPTS: List[Dict[str, Any]] = json.loads((ROOT / "docs/receipts/vectors/valid.json").read_text(encoding="utf-8"))

#: As the docstring of `SqlCheckpointStore` says.
TABLES = """
    CREATE TABLE beak_checkpoints (
      origin TEXT NOT NULL, is_proven INTEGER NOT NULL, size BIGINT NOT NULL, root TEXT NOT NULL, note TEXT NOT NULL,
      PRIMARY KEY (origin, is_proven)
    );
    CREATE TABLE beak_forks (origin TEXT PRIMARY KEY, remembered TEXT NOT NULL, found TEXT NOT NULL);
"""


class Database:
    """A database of SQLite in a file, with a connection for each statement."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with sqlite3.connect(self._path) as connection:
            connection.executescript(TABLES)
        connection.close()

    def run(self, text: str, values: List[object]) -> Sequence[Sequence[object]]:
        connection = sqlite3.connect(self._path, timeout=30)
        try:
            with connection:
                return connection.execute(text, values).fetchall()
        finally:
            connection.close()


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "checkpoints.db")


@pytest.fixture(params=["memory", "sql"])
def store(request: pytest.FixtureRequest, database: Database) -> CheckpointStore:
    return MemoryCheckpointStore() if request.param == "memory" else SqlCheckpointStore(database.run)


def sizes(store: CheckpointStore, origin: str = OwnLog.NAME) -> List[str]:
    return sorted(f"{'proven' if one.is_proven else 'seen'} {one.size}" for one in store.get(origin))


def checkpoint(size: int, is_proven: bool = True, root: str = "root") -> RememberedCheckpoint:
    return RememberedCheckpoint("log", size, root, f"note {size}", is_proven)


def simultaneously(works: Sequence[Callable[[], Any]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def part_of(log: OwnLog, size: int) -> OwnLog:
    """Returns the log when it had this many entries."""
    part = OwnLog(0)
    part.private, part.key_id, part.vkey = log.private, log.key_id, log.vkey
    part.heads, part.entries = log.heads[:size], log.entries[:size]
    return part


def rewritten(log: OwnLog) -> OwnLog:
    """Returns another history under the same key."""
    other = part_of(log, 0)
    fresh = OwnLog(len(log.entries))
    other.heads = list(reversed(fresh.heads))
    other.entries = list(reversed(fresh.entries))
    return other


def test_keeps_the_largest_of_simultaneous_checkpoints_of_each_kind(store: CheckpointStore) -> None:
    simultaneously([lambda size=size: store.keep(checkpoint(size)) for size in range(30)])  # type: ignore[misc]
    store.keep(checkpoint(2**53 - 1, False))
    store.keep(checkpoint(2**53 - 1, False, "another root"))
    assert sorted(store.get("log"), key=lambda one: one.size) == [checkpoint(29), checkpoint(2**53 - 1, False)]
    assert list(store.get("another log")) == []


def test_keeps_the_first_fork(database: Database) -> None:
    store = SqlCheckpointStore(database.run)
    store.keep_fork(CheckpointFork("log", "a", "b"))
    store.keep_fork(CheckpointFork("log", "c", "d"))
    assert database.run("SELECT * FROM beak_forks", []) == [("log", "a", "b")]


def test_finds_a_fork_although_both_checkpoints_are_stored_at_the_same_time(store: CheckpointStore) -> None:
    both = threading.Barrier(2)
    faults: List[LogForkError] = []

    class SlowStore:
        """Both callers read the store before one of them writes."""

        get, keep_fork = store.get, store.keep_fork

        def keep(self, found: RememberedCheckpoint) -> None:
            both.wait(10)
            store.keep(found)

    def work(root: str) -> None:
        try:
            remember(SlowStore(), checkpoint(5, False, root), "One")
        except LogForkError as error:
            faults.append(error)

    simultaneously([lambda: work("a"), lambda: work("b")])
    assert len(faults) == 1


def test_remembers_proofs_and_accepts_smaller_ones(store: CheckpointStore) -> None:
    log = OwnLog(7)
    for size in (5, 3, 7):
        verify_log_entry(part_of(log, size).proof(1), vkeys=[log.vkey], checkpoints=store)
    assert sizes(store) == ["seen 7"]


def test_refuses_a_proof_of_another_history_and_keeps_both_notes(store: CheckpointStore) -> None:
    log = OwnLog(7)
    first, second = log.proof(1), rewritten(log).proof(1)
    verify_log_entry(first, vkeys=[log.vkey], checkpoints=store)
    with pytest.raises(LogForkError, match="Keep both: they prove it.") as refused:
        verify_log_entry(second, vkeys=[log.vkey], checkpoints=store)
    assert refused.value.fork == CheckpointFork(OwnLog.NAME, first["checkpoint"], second["checkpoint"])
    assert sizes(store) == ["seen 7"]


def test_remembers_growth_as_proven_when_it_continues_everything(store: CheckpointStore) -> None:
    log = OwnLog(7)
    verify_log_growth(log.checkpoint(4), log.growth(4), vkeys=[log.vkey], checkpoints=store)
    assert sizes(store) == ["proven 7", "seen 4"]


def test_does_not_call_growth_proven_that_skips_a_remembered_checkpoint(store: CheckpointStore) -> None:
    log = OwnLog(7)
    verify_log_entry(part_of(log, 5).proof(1), vkeys=[log.vkey], checkpoints=store)
    verify_log_growth(log.checkpoint(4), log.growth(4), vkeys=[log.vkey], checkpoints=store)
    assert sizes(store) == ["seen 7"]


def test_never_replaces_a_proven_checkpoint_with_an_unproven_one(store: CheckpointStore) -> None:
    store.keep(checkpoint(5))
    remember(store, checkpoint(9, False), "One")
    assert sizes(store, "log") == ["proven 5", "seen 9"]
    with pytest.raises(LogForkError):
        remember(store, checkpoint(5, False, "another root"), "One")
    with pytest.raises(LogForkError):
        remember(store, checkpoint(9, True, "another root"), "One")


def test_remembers_nothing_that_no_trusted_key_signed(store: CheckpointStore) -> None:
    with pytest.raises(VerificationError):
        verify_log_entry(OwnLog(7).proof(1), vkeys=[OwnLog(7).vkey], checkpoints=store)
    assert sizes(store) == []


def check(name: str, store: CheckpointStore) -> None:
    receipt = next(one["receipt"] for one in RECEIPTS if one["name"] == name)
    issuer = Issuer(KEYS["issuer"], KeySet(KEYS["jwks"]))
    verify_outcome(receipt, OutcomePolicy(issuer=issuer, require="signed", vkeys=KEYS["vkeys"], checkpoints=store))


def test_refuses_a_receipt_whose_checkpoint_contradicts_that_of_another_receipt(store: CheckpointStore) -> None:
    # Their logs have the same size, and another passkey as the last entry.
    check("approved-es256", store)
    check("approved-eddsa", store)
    with pytest.raises(LogForkError, match="different people different histories") as refused:
        check("approved-rs256", store)
    assert refused.value.fork.origin in refused.value.fork.found
    check("approved-es256", store)


def test_tells_logs_apart_by_their_names(store: CheckpointStore) -> None:
    for origin in ("one", "two"):
        remember(store, RememberedCheckpoint(origin, 5, origin, "note", False), "One")
    assert sizes(store, "one") == sizes(store, "two") == ["seen 5"]


def test_refuses_a_policy_that_remembers_without_a_key_of_the_log() -> None:
    with pytest.raises(ValueError, match="only with a key of the log"):
        OutcomePolicy(checkpoints=MemoryCheckpointStore())


def test_refuses_an_asynchronous_database() -> None:
    async def run(text: str, values: List[object]) -> Sequence[Sequence[object]]:
        return []

    pending: List[Any] = []

    def record(text: str, values: List[object]) -> Any:
        pending.append(run(text, values))
        return pending[-1]

    with pytest.raises(TypeError, match="synchronous run"):
        SqlCheckpointStore(record).get("log")
    pending[0].close()
