"""
The transparency log: signed checkpoints, and proofs that an entry is in the log (inclusion) and that a log only grew
(consistency). Formats: C2SP signed-note and tlog-checkpoint, RFC 6962 trees, RFC 9162 proofs.
"""
import base64
import hashlib
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ..errors import VerificationError
from ._encoding import base64_bytes, canonical_json, digest_of
from .checkpoints import CheckpointStore, RememberedCheckpoint, remember

#: The largest number of entries: what every language can count exactly.
LARGEST_SIZE = 2**53 - 1

#: The largest note, and the most signatures that it may have.
NOTE_BYTES_MOST = 128 * 1024
SIGNATURES_MOST = 64

#: The types of signatures in verifier keys.
LOG_SIGNATURE = 1
COSIGNATURE = 4


@dataclass(frozen=True)
class LogKey:
    """A verifier key of a log or of a witness. For a log, `name` is the origin of its checkpoints."""

    name: str
    key_id: bytes
    public_key: Ed25519PublicKey


@dataclass(frozen=True)
class Checkpoint:
    """A signed state of a log: that many entries, with that root."""

    origin: str
    size: int
    root: bytes


@dataclass(frozen=True)
class Cosignature:
    """A witness confirmed a checkpoint at this time."""

    witness: str
    time: datetime


@dataclass(frozen=True)
class VerifiedEntry:
    """An entry that is in the log. For a `chain_head`, event `seq` of `duckling_id` had this `hash`."""

    kind: str
    index: int
    duckling_id: str
    seq: Optional[int]
    hash: Optional[str]
    checkpoint: Checkpoint


def read_log_key(vkey: str, *, kind: int = LOG_SIGNATURE) -> LogKey:
    """
    Reads a verifier key of a log, or of a witness (`COSIGNATURE`), such as `beak.example/.well-known/tlog+1a2b3c4d+AZ…`.

    Keep the key yourself: with a key that comes from the host of the log, you must trust the host. Raises
    `VerificationError`.
    """
    name, _, rest = vkey.strip().partition("+")
    key_id, _, encoded = rest.partition("+")
    key = base64_bytes(encoded, "verifier key")
    expected = hashlib.sha256(name.encode("utf-8") + b"\n" + key).digest()[:4]
    if not _is_key_name(name) or len(key) != 33 or key[0] != kind or expected.hex() != key_id:
        what = "log" if kind == LOG_SIGNATURE else "witness"
        raise VerificationError(f"This is not a verifier key of a {what}.")
    return LogKey(name, expected, Ed25519PublicKey.from_public_bytes(key[1:]))


def public_bytes(key: LogKey) -> bytes:
    """Returns the 32 bytes of the public key."""
    return key.public_key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def open_checkpoint(note: str, vkeys: Sequence[str]) -> Checkpoint:
    """
    Reads a checkpoint that one of these keys signed.

    Signatures of other keys, such as those of witnesses, are ignored. A wrong signature of one of the keys is an error.
    Raises `VerificationError`.
    """
    text, lines = _split_note(note)
    keys = [read_log_key(vkey) for vkey in vkeys]
    origin, size, root = _read_checkpoint(text)
    is_signed = False
    for line in lines:
        is_signed = _check_signature(line, text, [key for key in keys if key.name == origin]) or is_signed
    if not is_signed:
        raise VerificationError("None of the trusted keys signed the checkpoint.")
    return Checkpoint(origin, size, root)


def read_cosignatures(note: str, witnesses: Sequence[str]) -> List[Cosignature]:
    """
    Returns the valid cosignatures of these witnesses on a checkpoint, one at most for each witness: the earliest. A witness
    with a wrong signature on it does not count.

    Raises `VerificationError` for a malformed key, and for a checkpoint that cannot be read.
    """
    return [cosignature for _, cosignature in read_cosigners(note, witnesses)]


def read_cosigners(note: str, witnesses: Sequence[str]) -> "List[Tuple[bytes, Cosignature]]":
    """Returns the cosignatures of `read_cosignatures`, each with the public key that made it. Raises `VerificationError`."""
    text, lines = _split_note(note)
    # A cosignature does not cover the name of its key, so one key under two names is one witness.
    found: Dict[bytes, Cosignature] = {}
    for vkey in witnesses:
        key = read_log_key(vkey, kind=COSIGNATURE)
        own = [value[4:] for name, value in lines if name == key.name and value[:4] == key.key_id]
        times = [_cosigned_at(value, text, key) for value in own]
        valid = [time for time in times if time is not None]
        if not valid or len(valid) != len(times):
            continue
        cosignature = Cosignature(key.name, min(valid))
        public = public_bytes(key)
        if public not in found or cosignature.time < found[public].time:
            found[public] = cosignature
    return list(found.items())


def _split_note(note: str) -> "Tuple[str, List[Tuple[str, bytes]]]":
    """Returns the text of a note (C2SP signed-note) and its signature lines. Raises `VerificationError`."""
    text, separator, signatures = note.rpartition("\n\n")
    if separator == "" or not signatures.endswith("\n"):
        raise VerificationError("The checkpoint has no signature.")
    is_plain = not any(character < " " and character != "\n" for character in note)
    lines = signatures[:-1].split("\n")
    if not is_plain or len(note.encode("utf-8", "replace")) > NOTE_BYTES_MOST or len(lines) > SIGNATURES_MOST:
        raise VerificationError("The checkpoint is not a note that can be read.")
    return text + "\n", [_signature_line(line) for line in lines]


def _cosigned_at(value: bytes, text: str, key: LogKey) -> Optional[datetime]:
    """Returns the time of a valid cosignature (C2SP tlog-cosignature), else None."""
    seconds = int.from_bytes(value[:8], "big")
    try:
        if len(value) != 72:
            raise ValueError
        key.public_key.verify(value[8:], f"cosignature/v1\ntime {seconds}\n{text}".encode("utf-8"))
        return datetime.fromtimestamp(seconds, timezone.utc)
    except (InvalidSignature, ValueError, OverflowError, OSError):
        return None


def _read_checkpoint(text: str) -> Tuple[str, int, bytes]:
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] != "" or "" in lines[:-1]:
        raise VerificationError("The checkpoint is not complete.")
    origin, size, root = lines[:3]
    # At most 16 digits: Python refuses to read thousands of them.
    if not re.fullmatch(r"0|[1-9][0-9]{0,15}", size) or int(size) > LARGEST_SIZE:
        raise VerificationError("The checkpoint does not say how many entries the log has.")
    return origin, int(size), _hash(root)


def _check_signature(line: Tuple[str, bytes], text: str, keys: Sequence[LogKey]) -> bool:
    """Returns whether one of the keys made this signature. Raises `VerificationError` when its signature is wrong."""
    name, value = line
    key = next((key for key in keys if key.name == name and key.key_id == value[:4]), None)
    if key is None:
        return False
    try:
        key.public_key.verify(value[4:], text.encode("utf-8"))
    except InvalidSignature as error:
        raise VerificationError("The signature of the checkpoint is wrong.") from error
    return True


def _signature_line(line: str) -> Tuple[str, bytes]:
    """Returns the name of the signer, and the key id together with the signature. Raises `VerificationError`."""
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    data = base64_bytes(encoded, "signature of the checkpoint")
    if dash != "\u2014" or not _is_key_name(name) or len(data) < 5:
        raise VerificationError("The checkpoint has a line that is not a signature.")
    return name, data


def _is_key_name(name: str) -> bool:
    """Tells whether a text can be the name of a key: without spaces, controls and plus signs."""
    odd = (character in "+\ufeff" or unicodedata.category(character)[0] == "Z" for character in name)
    return name != "" and not any(odd) and not any(unicodedata.category(character) == "Cc" for character in name)


def _hash(text: object) -> bytes:
    data = base64_bytes(text, "hash") if isinstance(text, str) else b""
    if len(data) != 32:
        raise VerificationError("A hash of the log has a wrong length.")
    return data


def leaf_hash(entry: bytes) -> bytes:
    """Returns the hash of an entry."""
    return hashlib.sha256(b"\x00" + entry).digest()


def _node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def verify_inclusion(leaf: bytes, index: int, checkpoint: Checkpoint, proof: Sequence[bytes]) -> None:
    """Checks that the entry with this leaf hash is number `index` (RFC 9162, 2.1.3.2). Raises `VerificationError`."""
    if not 0 <= index < checkpoint.size:
        raise VerificationError("The log of the checkpoint has no entry with this number.")
    node, last, root = index, checkpoint.size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise VerificationError("The inclusion proof is too long.")
        if node % 2 == 1 or node == last:
            root = _node_hash(sibling, root)
            while node % 2 == 0 and node != 0:
                node, last = node // 2, last // 2
        else:
            root = _node_hash(root, sibling)
        node, last = node // 2, last // 2
    if last != 0 or root != checkpoint.root:
        raise VerificationError("The entry is not in the log of the checkpoint.")


def verify_consistency(first: Checkpoint, second: Checkpoint, proof: Sequence[bytes]) -> None:
    """
    Checks that the log of the first checkpoint is the beginning of the log of the second (RFC 9162, 2.1.4.2).

    Raises `VerificationError`: then somebody rewrote the log, and both checkpoints together prove it.
    """
    if first.origin != second.origin:
        raise VerificationError("The checkpoints are of different logs.")
    if first.size > second.size:
        raise VerificationError("The log has become shorter.")
    if first.size == second.size or first.size == 0:
        empty = hashlib.sha256(b"").digest()
        expected = second.root if first.size == second.size else empty
        if len(proof) > 0 or first.root != expected:
            raise VerificationError("The log was rewritten.")
        return
    node, last = first.size - 1, second.size - 1
    while node % 2 == 1:
        node, last = node // 2, last // 2
    # The proof leaves out the root of a first log that is a whole part of the second.
    hashes: List[bytes] = list(proof) if node > 0 else [first.root, *proof]
    if not hashes:
        raise VerificationError("The consistency proof is too short.")
    old = new = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            raise VerificationError("The consistency proof is too long.")
        if node % 2 == 1 or node == last:
            old, new = _node_hash(sibling, old), _node_hash(sibling, new)
            while node % 2 == 0 and node != 0:
                node, last = node // 2, last // 2
        else:
            new = _node_hash(new, sibling)
        node, last = node // 2, last // 2
    if last != 0 or old != first.root or new != second.root:
        raise VerificationError("The log was rewritten.")


def verify_log_entry(
    proof: Mapping[str, object],
    *,
    vkeys: Sequence[str],
    checkpoints: Optional[CheckpointStore] = None,
) -> VerifiedEntry:
    """
    Checks an answer of `get_audit_proof`: the checkpoint, and that its entry is in the log.

    Compare `duckling_id`, `seq` and `hash` with the event that you have: another hash means that the audit log was
    rewritten after the entry was made. `vkeys` are the keys of the log that you trust. `checkpoints` remembers the newest checkpoint. Raises
    `VerificationError`, and `LogForkError` for a checkpoint that contradicts a remembered one.
    """
    note = _text(proof, "checkpoint")
    checkpoint = open_checkpoint(note, vkeys)
    entry, inclusion = proof.get("entry"), proof.get("inclusion")
    if not isinstance(entry, dict) or not isinstance(inclusion, list):
        raise VerificationError("The proof has no entry.")
    index = entry.get("index")
    if isinstance(index, bool) or not isinstance(index, int):
        raise VerificationError("The entry has no number.")
    data = canonical_json({"digest": _entry_digest(entry), "kind": _text(entry, "kind")})
    leaf = leaf_hash(data.encode("utf-8"))
    if entry.get("data", data) != data or _hash(entry.get("leaf_hash")) != leaf:
        raise VerificationError("The entry is not about what it names.")
    verify_inclusion(leaf, index, checkpoint, [_hash(one) for one in inclusion])
    if checkpoints is not None:
        remember(checkpoints, to_remember(checkpoint, note), "The checkpoint of the proof")
    seq, digest = entry.get("seq"), entry.get("hash")
    return VerifiedEntry(
        kind=_text(entry, "kind"),
        index=index,
        duckling_id=_text(entry, "duckling_id"),
        seq=seq if isinstance(seq, int) else None,
        hash=digest if isinstance(digest, str) else None,
        checkpoint=checkpoint,
    )


def _entry_digest(entry: Dict[str, object]) -> str:
    """Returns the digest of what the entry is about. For a passkey, the answer has only the digest."""
    if entry.get("kind") != "chain_head":
        return _text(entry, "digest")
    digest = digest_of({name: entry.get(name) for name in ("duckling_id", "hash", "seq")})
    if digest != entry.get("digest"):
        raise VerificationError("The entry is not about what it names.")
    return digest


def verify_log_growth(
    older: str,
    proof: Mapping[str, object],
    *,
    vkeys: Sequence[str],
    checkpoints: Optional[CheckpointStore] = None,
) -> Checkpoint:
    """
    Checks an answer of `get_audit_proof(first=…, second=…)` against a checkpoint that you kept, and returns the newer one.

    `first` is the size of the kept checkpoint, `second` the size of the checkpoint in the answer. `checkpoints` remembers the newer
    one: as proven, when the store has nothing else of this log than the kept one. Raises `VerificationError`, and `LogForkError` for a
    checkpoint that contradicts a remembered one.
    """
    note = _text(proof, "checkpoint")
    first = open_checkpoint(older, vkeys)
    second = open_checkpoint(note, vkeys)
    consistency = proof.get("consistency")
    hashes = consistency.get("proof") if isinstance(consistency, dict) else None
    if not isinstance(consistency, dict) or not isinstance(hashes, list):
        raise VerificationError("The answer has no consistency proof.")
    if (consistency.get("first"), consistency.get("second")) != (first.size, second.size):
        raise VerificationError("The consistency proof is for other sizes of the log.")
    verify_consistency(first, second, [_hash(one) for one in hashes])
    if checkpoints is not None:
        remember(checkpoints, to_remember(first, older), "The kept checkpoint")
        covered = {(one.size, base64.b64encode(one.root).decode("ascii")) for one in (first, second)}
        is_proven = all((one.size, one.root) in covered for one in checkpoints.get(second.origin))
        remember(checkpoints, to_remember(second, note, is_proven), "The checkpoint of the proof")
    return second


def to_remember(checkpoint: Checkpoint, note: str, is_proven: bool = False) -> RememberedCheckpoint:
    """Returns the checkpoint in the form of a store."""
    root = base64.b64encode(checkpoint.root).decode("ascii")
    return RememberedCheckpoint(checkpoint.origin, checkpoint.size, root, note, is_proven)


def _text(members: Mapping[str, object], name: str) -> str:
    value = members.get(name)
    if not isinstance(value, str):
        raise VerificationError(f"{name} is missing.")
    return value
