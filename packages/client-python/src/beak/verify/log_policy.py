"""
Log policies (C2SP tlog-policy): which logs and witnesses somebody trusts, and which of the witnesses together are enough. Test vectors are in
docs/audit/vectors/policy-files.json of the service.
"""
import json
import re
from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Optional, Sequence, Set, Tuple, Union

from ..errors import VerificationError
from .log import COSIGNATURE, LOG_SIGNATURE, public_bytes, read_log_key

#: The specification asks for at least 32 logs, 32 witnesses and 32 groups. A note has at most 64 signatures.
DEFINED_MOST = 64

BYTES_MOST = 64 * 1024


@dataclass(frozen=True)
class PolicyLog:
    """A log in a policy. The name in its verifier key (`vkey`) is the origin of the log."""

    vkey: str
    url: Optional[str] = None


@dataclass(frozen=True)
class PolicyWitness:
    """A witness in a policy. `name` is its name in the file. The name in its verifier key (`vkey`) can be another."""

    name: str
    vkey: str
    url: Optional[str] = None


@dataclass(frozen=True)
class PolicyGroup:
    """A group of witnesses and groups. It is enough when at least `threshold` of its members are."""

    name: str
    threshold: int
    members: "Tuple[Union[PolicyWitness, PolicyGroup], ...]"


@dataclass(frozen=True)
class LogPolicy:
    """
    What a log policy says. `parse_log_policy` makes it.

    - `logs`: a checkpoint must be signed by one of them.
    - `witnesses`: all witnesses in the file.
    - `quorum`: which witnesses must have cosigned. None: no witness (`quorum none`).
    """

    logs: Tuple[PolicyLog, ...]
    witnesses: Tuple[PolicyWitness, ...]
    quorum: Union[None, PolicyWitness, PolicyGroup]


def parse_log_policy(text: str) -> LogPolicy:
    """
    Returns the policy in a file. Raises `ValueError` with the line and what to do when the file is not a log policy that can be
    used.
    """
    if len(text.encode("utf-8", "surrogatepass")) > BYTES_MOST:
        raise ValueError(f"A log policy has at most {BYTES_MOST} bytes. Remove what you do not need.")
    draft = _Draft()
    for number, line in enumerate(text.split("\n"), 1):
        try:
            draft.read(line)
        except _LineFault as error:
            raise ValueError(f"Line {number}: {error}") from None
    if not draft.has_quorum:
        raise ValueError("The log policy has no quorum. Add the line: quorum <name>, or: quorum none")
    return LogPolicy(tuple(draft.logs), tuple(draft.witnesses), draft.quorum)


def is_quorum_reached(quorum: Union[PolicyWitness, PolicyGroup], cosigners: Iterable[bytes]) -> bool:
    """
    Tells whether the witnesses with these public keys are enough. A cosignature does not cover the name of its key, so one key under
    two names is one witness.
    """
    keys = frozenset(cosigners)

    def is_reached(one: Union[PolicyWitness, PolicyGroup]) -> bool:
        """Tells whether a witness or a group is enough."""
        if isinstance(one, PolicyWitness):
            return public_bytes(read_log_key(one.vkey, kind=COSIGNATURE)) in keys
        return sum(map(is_reached, one.members)) >= max(one.threshold, 1)

    return is_reached(quorum)


class _LineFault(Exception):
    """A fault of one line. `parse_log_policy` adds the number of the line."""


@dataclass
class _Draft:
    """What the lines so far define."""

    logs: List[PolicyLog] = field(default_factory=list)
    witnesses: List[PolicyWitness] = field(default_factory=list)
    groups: int = 0
    named: Dict[str, Union[PolicyWitness, PolicyGroup]] = field(default_factory=dict)
    members: Set[str] = field(default_factory=set)
    keys: Set[Tuple[int, bytes]] = field(default_factory=set)
    quorum: Union[None, PolicyWitness, PolicyGroup] = None
    has_quorum: bool = False

    def read(self, line: str) -> None:
        """Reads a line. Raises `_LineFault`."""
        _check_characters(line)
        # Other spaces are ordinary characters of names.
        items = [item for item in re.split(r"[\t ]+", line) if item != ""]
        if not items or items[0].startswith("#"):
            return
        readers = {"log": self._log, "witness": self._witness, "group": self._group, "quorum": self._quorum}
        if items[0] not in readers:
            raise _LineFault(f"{_shown(items[0])} is not known. Begin with log, witness, group, quorum or #.")
        readers[items[0]](items[1:])

    def _log(self, items: Sequence[str]) -> None:
        if not 1 <= len(items) <= 2:
            raise _LineFault("Write: log <vkey> [<url>]")
        self._add_key(items[0], LOG_SIGNATURE)
        self.logs.append(PolicyLog(*items))
        _check_count(len(self.logs), "logs")

    def _witness(self, items: Sequence[str]) -> None:
        if not 2 <= len(items) <= 3:
            raise _LineFault("Write: witness <name> <vkey> [<url>]")
        self._add_key(items[1], COSIGNATURE)
        witness = PolicyWitness(*items)
        self._define(witness)
        self.witnesses.append(witness)
        _check_count(len(self.witnesses), "witnesses")

    def _group(self, items: Sequence[str]) -> None:
        if len(items) < 3:
            raise _LineFault("Write: group <name> <all, any or a number> <member>...")
        name, count, *members = items
        found = []
        for member in members:
            found.append(self._defined(member))
            if member in self.members:
                raise _LineFault(f"{_shown(member)} is a member of a group already. Name each member only once.")
            self.members.add(member)
        self._define(PolicyGroup(name, _threshold(count, len(members)), tuple(found)))
        self.groups += 1
        _check_count(self.groups, "groups")

    def _quorum(self, items: Sequence[str]) -> None:
        if len(items) != 1:
            raise _LineFault("Write: quorum <name>, or: quorum none")
        if self.has_quorum:
            raise _LineFault("This is the second quorum. Remove one of them.")
        self.quorum = None if items[0] == "none" else self._defined(items[0])
        self.has_quorum = True

    def _defined(self, name: str) -> Union[PolicyWitness, PolicyGroup]:
        if name not in self.named:
            raise _LineFault(f"No line above defines {_shown(name)}. Define the witness or the group first.")
        return self.named[name]

    def _define(self, what: Union[PolicyWitness, PolicyGroup]) -> None:
        if what.name == "none":
            raise _LineFault('"none" has a meaning of its own. Choose another name.')
        if what.name in self.named:
            raise _LineFault(f"{_shown(what.name)} is defined already. Choose another name.")
        self.named[what.name] = what

    def _add_key(self, vkey: str, kind: int) -> None:
        """Two names of one key would be two witnesses that one program controls, so a key can be used once."""
        what = "log" if kind == LOG_SIGNATURE else "witness"
        try:
            # A copied key may have spaces around it elsewhere. In this format, other spaces are part of the key.
            if vkey != vkey.strip():
                raise VerificationError("The key has a space.")
            key = read_log_key(vkey, kind=kind)
        except VerificationError:
            raise _LineFault(
                f"{_shown(vkey)} is not the Ed25519 verifier key of a {what}. "
                "Copy the whole key, as in name+1a2b3c4d+AZ..."
            ) from None
        if (kind, public_bytes(key)) in self.keys:
            raise _LineFault(f"A {what} above has the same public key. Name each key only once.")
        self.keys.add((kind, public_bytes(key)))


def _check_characters(line: str) -> None:
    if line.endswith("\r"):
        raise _LineFault("It ends with a carriage return. Save the file with line feeds only (as on Unix).")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line):
        raise _LineFault("It has a control character. Remove all of them but tabs and line feeds.")


def _threshold(count: str, most: int) -> int:
    if count in ("all", "any"):
        return most if count == "all" else 1
    number = int(count) if re.fullmatch(r"[1-9][0-9]{0,4}", count) else 0
    if 1 <= number <= most:
        return number
    raise _LineFault(
        f"{_shown(count)} of {most} members is not possible. Write all, any or a number from 1 to {most}."
    )


def _check_count(count: int, what: str) -> None:
    if count > DEFINED_MOST:
        raise _LineFault(f"A log policy has at most {DEFINED_MOST} {what}. Remove those that you do not need.")


def _shown(text: str) -> str:
    """Returns a text of the file for a message."""
    return json.dumps(f"{text[:100]}..." if len(text) > 100 else text, ensure_ascii=False)
