"""Remembered checkpoints of logs, so that a log that shows different people different histories contradicts itself."""
import threading
from dataclasses import dataclass
from typing import Dict, List, Optional, Protocol, Sequence, Tuple

from ..errors import VerificationError


@dataclass(frozen=True)
class RememberedCheckpoint:
    """
    A checkpoint that a trusted key of the log signed.

    - `size`: the number of entries. `root`: the root hash in base64. `note`: the signed note, which is the evidence.
    - `is_proven`: True when the log was shown to continue everything that was remembered of it before. False when the checkpoint was only
      seen, for instance in a receipt, which has no proof of that.
    """

    origin: str
    size: int
    root: str
    note: str
    is_proven: bool


@dataclass(frozen=True)
class CheckpointFork:
    """
    Two signed notes of one log that cannot both be true. Their signatures prove to everybody that the log showed two histories.
    """

    origin: str
    remembered: str
    found: str


class LogForkError(VerificationError):
    """
    A checkpoint contradicts one that was remembered. Keep both notes in `fork`: their signatures prove it.
    """

    def __init__(self, message: str, fork: CheckpointFork) -> None:
        super().__init__(message)
        self.fork = fork


class CheckpointStore(Protocol):
    """
    Where checkpoints are remembered. Of each log, the store has the largest proven and the largest unproven checkpoint, and the first
    fork.

    They are apart because a receipt is checked without the log, and then nothing shows that its checkpoint continues the earlier ones.
    An unproven checkpoint never replaces a proven one. Otherwise the service could sign a huge made-up checkpoint, and every real
    checkpoint after that would be a smaller one, which is accepted. A check that reads the log, such as `beak audit verify`, compares it
    with both.

    Only keys that you trust get checkpoints into the store, so no stranger can lock you out: when the log contradicts the store, the
    holder of its key lied, or the key was stolen. Delete the rows of a log to begin anew. The methods must be synchronous, also for
    `AsyncBeak`.
    """

    def get(self, origin: str) -> Sequence[RememberedCheckpoint]:
        """Returns the checkpoints of a log: at most one with `is_proven` and one without."""
        ...

    def keep(self, checkpoint: RememberedCheckpoint) -> None:
        """
        Stores a checkpoint in one step, unless the store has one of this log with the same `is_proven` that is as large or larger. So
        the largest of simultaneous ones stays.
        """
        ...

    def keep_fork(self, fork: CheckpointFork) -> None:
        """Stores the two notes, unless the store has a fork of this log."""
        ...


class MemoryCheckpointStore:
    """A store in the memory of this process, for any number of threads. It is empty after a restart."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._checkpoints: Dict[Tuple[str, bool], RememberedCheckpoint] = {}
        self._forks: Dict[str, CheckpointFork] = {}

    def get(self, origin: str) -> List[RememberedCheckpoint]:
        """Returns the checkpoints of a log."""
        with self._lock:
            found = (self._checkpoints.get((origin, is_proven)) for is_proven in (True, False))
            return [one for one in found if one is not None]

    def keep(self, checkpoint: RememberedCheckpoint) -> None:
        """Stores a checkpoint unless the store has one that is as large or larger."""
        key = (checkpoint.origin, checkpoint.is_proven)
        with self._lock:
            known = self._checkpoints.get(key)
            if known is None or checkpoint.size > known.size:
                self._checkpoints[key] = checkpoint

    def keep_fork(self, fork: CheckpointFork) -> None:
        """Stores the two notes, unless the store has a fork of this log."""
        with self._lock:
            self._forks.setdefault(fork.origin, fork)


def remember(store: CheckpointStore, checkpoint: RememberedCheckpoint, name: str) -> None:
    """
    Remembers a checkpoint if it is the largest one. Call it only for checkpoints that a key signed which the caller trusts.

    Raises `LogForkError` when the log has signed another root for the same size. A smaller checkpoint says nothing without the log:
    receipts and proofs may be old. Messages call the checkpoint `name`.
    """
    before = store.get(checkpoint.origin)
    _refuse_fork(store, before, checkpoint, name)
    covered = (one for one in before if one.is_proven or not checkpoint.is_proven)
    if any(one.size >= checkpoint.size for one in covered):
        return
    store.keep(checkpoint)
    # Another check may have stored a checkpoint at the same time.
    _refuse_fork(store, store.get(checkpoint.origin), checkpoint, name)


def _refuse_fork(
    store: CheckpointStore, remembered: Sequence[RememberedCheckpoint], found: RememberedCheckpoint, name: str
) -> None:
    other: Optional[RememberedCheckpoint] = next(
        (one for one in remembered if one.size == found.size and one.root != found.root), None
    )
    if other is None:
        return
    fork = CheckpointFork(found.origin, other.note, found.note)
    store.keep_fork(fork)
    raise LogForkError(
        f"{name} has {found.size} entries and another root than the checkpoint of {found.size} entries that you remembered: "
        f"the log {found.origin} shows different people different histories. Both checkpoints are signed with a key that you "
        "trust. Keep both: they prove it.",
        fork,
    )
