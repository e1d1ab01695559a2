"""What the fake answers at each path. Other paths are `path_not_found`."""
import re
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Mapping, Optional

from ._failures import Refused
from ._pecks import Account, AgentAccount, Asker, FakePeck, Pecks, Question, owner_of
from ._signing import Signer, iso

_HOUR = 3600
_ACTION = re.compile(r"[a-z][a-z0-9_-]{0,31}:[a-z][a-z0-9_.*/-]{0,63}")
_DEFAULT_GRANT_SECONDS: Dict[str, Optional[float]] = {"limited": 24 * _HOUR, "timed": _HOUR, "standing": None}


@dataclass
class World:
    """The parts of a fake that its routes use."""

    issuer: str
    pecks: Pecks
    signer: Signer
    people: List[Account] = field(default_factory=list)
    agents: List[AgentAccount] = field(default_factory=list)
    #: The pecks of the grant tokens that were handed out.
    tokens: Dict[str, FakePeck] = field(default_factory=dict)


@dataclass
class Call:
    """What a route answers."""

    #: None without a credential.
    caller: Optional[Asker]
    input: Mapping[str, object]


class _Input:
    """Reads the fields of a call, and collects what is wrong with them."""

    def __init__(self, given: Mapping[str, object], *known: str) -> None:
        self._given = given
        self._errors = [
            {"field": name, "message": "is not a known field"} for name in given if name not in known
        ]

    def _wrong(self, name: str, message: str) -> None:
        self._errors.append({"field": name, "message": message})

    def text(self, name: str, form: "Optional[re.Pattern[str]]" = None, most: int = 100_000) -> str:
        """Returns a required text."""
        value = self._given.get(name)
        if not isinstance(value, str) or not 0 < len(value) <= most:
            self._wrong(name, "is required" if value is None else f"must be a text of 1 to {most} characters")
            return ""
        if form is not None and not form.fullmatch(value):
            self._wrong(name, "must have the form verb:object, for instance read:profile")
        return value

    def optional_text(self, name: str, most: int = 280) -> Optional[str]:
        """Returns a text, or None when it is not there."""
        return None if self._given.get(name) is None else self.text(name, most=most)

    def choice(self, name: str, choices: "tuple[str, ...]") -> str:
        """Returns one of the choices."""
        value = self._given.get(name)
        if value not in choices:
            self._wrong(name, f"must be one of {', '.join(choices)}")
            return choices[0]
        return str(value)

    def seconds(self, name: str) -> Optional[int]:
        """Returns a lifetime in seconds, or None when it is not there."""
        value = self._given.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 60 <= value <= 2_592_000:
            self._wrong(name, "must be a whole number of 60 to 2592000")
            return None
        return value

    def params(self) -> Dict[str, object]:
        """Returns the params. Default: none."""
        value = self._given.get("params", {})
        if not isinstance(value, dict):
            self._wrong("params", "must be an object")
            return {}
        return value

    def check(self) -> None:
        """Raises `invalid_request`, which names the fields."""
        if self._errors:
            raise Refused("invalid_request", errors=self._errors)


def _asker(call: Call) -> Asker:
    if call.caller is None:
        raise Refused("session_invalid")
    return call.caller


def _person(call: Call) -> Account:
    caller = _asker(call)
    if isinstance(caller, AgentAccount):
        raise Refused("agent_not_allowed")
    return caller


def _peck_id(call: Call, *others: str) -> str:
    given = _Input(call.input, "peck_id", *others)
    peck_id = given.text("peck_id")
    given.check()
    return peck_id


def _visible(world: World, caller: Asker, peck_id: str) -> FakePeck:
    """Returns a peck that the caller may see. Raises `peck_not_found`."""
    peck = world.pecks.find(peck_id)
    if caller not in (peck.asker, owner_of(peck.asker), peck.target):
        raise Refused("peck_not_found")
    return peck


def _own_decision(world: World, call: Call, *others: str) -> FakePeck:
    caller = _person(call)
    peck = _visible(world, caller, _peck_id(call, *others))
    if peck.target is not caller:
        raise Refused("not_the_target")
    return peck


def _requester(asker: Asker) -> Dict[str, object]:
    owner = owner_of(asker)
    is_agent = isinstance(asker, AgentAccount)
    requester: Dict[str, object] = {
        "type": "agent" if is_agent else "duckling",
        "duckling_id": owner.id,
        "display_name": owner.handle,
        "trust_tier": "T2",
    }
    if isinstance(asker, AgentAccount):
        requester.update(agent_id=asker.id, agent_name=asker.name)
    return requester


def _present(world: World, peck: FakePeck, caller: Asker) -> Dict[str, object]:
    pecks, question = world.pecks, peck.question
    name = peck.asker.name if isinstance(peck.asker, AgentAccount) else peck.asker.handle
    answer: Dict[str, object] = {
        "peck_id": peck.id,
        "status": pecks.status_of(peck),
        "grant_status": pecks.grant_status_of(peck),
        "action": question.action,
        "scope": question.scope,
        "params": question.params,
        "params_hash": peck.params_hash,
        "message": question.message,
        "summary": f"{name} asks {peck.target.handle} for {question.action}.",
        "reason": peck.reason,
        "target_duckling_id": peck.target.id,
        "target_display_name": peck.target.handle,
        "requester": _requester(peck.asker),
        "created_at": iso(peck.created_at),
        "expires_at": iso(peck.expires_at),
        "decided_at": iso(peck.decided_at),
        "grant_expires_at": iso(peck.grant_expires_at),
        "uses": peck.uses,
        "max_uses": 1 if question.scope == "limited" else None,
        "last_used_at": iso(peck.last_used_at),
    }
    if question.audience is not None:
        answer["audience"] = question.audience
    if answer["grant_status"] == "active" and peck.asker is caller:
        if peck.token is None:
            peck.token = world.signer.grant_token(peck, pecks.now())
            world.tokens[peck.token] = peck
        answer["grant_token"] = peck.token
    return answer


def _request(world: World, call: Call) -> Dict[str, object]:
    caller = _asker(call)
    given = _Input(
        call.input,
        *("target_duckling_id", "action", "scope", "params", "message", "expires_in", "grant_expires_in", "audience"),
    )
    target_id = given.text("target_duckling_id")
    scope = given.choice("scope", ("limited", "timed", "standing"))
    lifetime = given.seconds("grant_expires_in")
    question = Question(
        action=given.text("action", _ACTION),
        scope=scope,
        params=given.params(),
        message=given.optional_text("message"),
        audience=given.optional_text("audience", 255),
        expires_in=given.seconds("expires_in") or 24 * _HOUR,
        grant_seconds=_DEFAULT_GRANT_SECONDS[scope] if lifetime is None else lifetime,
    )
    given.check()
    target = next((one for one in world.people if target_id in (one.id, f"@{one.handle}")), None)
    if target is None:
        raise Refused("duckling_not_found")
    peck, is_repeated = world.pecks.ask(caller, target, question)
    answer = _present(world, peck, caller)
    return {**answer, "repeated": True} if is_repeated else answer


def _status(world: World, call: Call) -> Dict[str, object]:
    caller = _asker(call)
    return _present(world, _visible(world, caller, _peck_id(call, "wait")), caller)


def _approve(world: World, call: Call) -> Dict[str, object]:
    peck = _own_decision(world, call, "grant_expires_in")
    given = _Input(call.input, "peck_id", "grant_expires_in")
    lifetime = given.seconds("grant_expires_in")
    given.check()
    world.pecks.decide(peck, "approved", grant_seconds=lifetime)
    return _present(world, peck, peck.target)


def _reject(world: World, call: Call) -> Dict[str, object]:
    given = _Input(call.input, "peck_id", "reason")
    reason = given.text("reason", most=280)
    given.check()
    peck = _own_decision(world, call, "reason")
    world.pecks.decide(peck, "rejected", reason=reason)
    return _present(world, peck, peck.target)


def _outcome(world: World, call: Call) -> Dict[str, object]:
    peck = _visible(world, _asker(call), _peck_id(call))
    return world.signer.receipt(peck, world.pecks.outcome_of(peck), world.pecks.now())


def _use(world: World, call: Call, *, spend: bool) -> Dict[str, object]:
    given = _Input(call.input, "grant_token", "params", "audience")
    token, params, audience = given.text("grant_token"), given.params(), given.optional_text("audience", 255)
    given.check()
    peck = world.tokens.get(token)
    if peck is None:
        raise Refused("grant_token_invalid")
    world.pecks.use(peck, params, audience, spend=spend)
    return {
        "active": True,
        "peck_id": peck.id,
        "action": peck.question.action,
        "target_duckling_id": peck.target.id,
        "requester": _requester(peck.asker),
        "uses_left": 1 - peck.uses if peck.question.scope == "limited" else None,
        "receipt": world.signer.receipt(peck, world.pecks.outcome_of(peck), world.pecks.now()),
    }


ROUTES: Dict[str, Callable[[World, Call], Dict[str, object]]] = {
    "GET /.well-known/jwks.json": lambda world, _: world.signer.jwks(),
    "POST /beak/peck/request": _request,
    "GET /beak/peck/status": _status,
    "POST /beak/peck/approve": _approve,
    "POST /beak/peck/reject": _reject,
    "GET /beak/peck/outcome": _outcome,
    "POST /beak/peck/check": lambda world, call: _use(world, call, spend=False),
    "POST /beak/peck/consume": lambda world, call: _use(world, call, spend=True),
}
