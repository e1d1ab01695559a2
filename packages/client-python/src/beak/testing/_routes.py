"""What the fake answers at each path. Other paths are `path_not_found`."""
from dataclasses import dataclass, field
from functools import partial
from typing import Callable, Dict, List, Mapping, Optional

from ._failures import Refused
from ._input import Input
from ._invitations import Invitations
from ._pecks import FREE_TEXT, Account, AgentAccount, Asker, FakePeck, Pecks, Question, owner_of
from ._signing import Signer, iso

_HOUR = 3600
_DEFAULT_GRANT_SECONDS: Dict[str, Optional[float]] = {"limited": 24 * _HOUR, "timed": _HOUR, "standing": None}


@dataclass
class World:
    """The parts of a fake that its routes use."""

    issuer: str
    pecks: Pecks
    invitations: Invitations
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
    given = Input(call.input, "peck_id", *others)
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
    if peck.rule_id is not None:
        answer["decided_by"] = {"type": "rule", "rule_id": peck.rule_id}
    if peck.superseded_by is not None:
        answer["superseded_by"] = peck.superseded_by
    if peck.supersedes is not None:
        answer["supersedes"] = peck.supersedes
    if answer["grant_status"] == "active" and peck.asker is caller:
        if peck.token is None:
            peck.token = world.signer.grant_token(peck, pecks.now())
            world.tokens[peck.token] = peck
        answer["grant_token"] = peck.token
    return answer


def _request(world: World, call: Call) -> Dict[str, object]:
    caller = _asker(call)
    given = Input(
        call.input,
        *("target_duckling_id", "target", "action", "scope", "params", "message"),
        *("expires_in", "grant_expires_in", "audience"),
    )
    ref, link = given.target()
    scope = given.choice("scope", ("limited", "timed", "standing"))
    lifetime = given.seconds("grant_expires_in")
    question = Question(
        action=given.action(),
        scope=scope,
        params=given.params(),
        message=given.optional_text("message"),
        audience=given.optional_text("audience", 255),
        expires_in=given.seconds("expires_in") or 24 * _HOUR,
        grant_seconds=_DEFAULT_GRANT_SECONDS[scope] if lifetime is None else lifetime,
    )
    if question.action == FREE_TEXT:
        given.require_free_text()
    given.check()
    invitation = None if link is None else world.invitations.find(link)
    if invitation is None:
        target = next((one for one in world.people if ref in (one.id, f"@{one.handle}")), None)
        if target is None:
            raise Refused("duckling_not_found")
    else:
        world.invitations.require_match(invitation, caller, question.action)
        target = invitation.owner
    spend = None if invitation is None else partial(world.invitations.spend, invitation)
    peck, is_repeated = world.pecks.ask(caller, target, question, spend)
    answer = _present(world, peck, caller)
    return {**answer, "repeated": True} if is_repeated else answer


def _status(world: World, call: Call) -> Dict[str, object]:
    caller = _asker(call)
    return _present(world, _visible(world, caller, _peck_id(call, "wait")), caller)


def _approve(world: World, call: Call) -> Dict[str, object]:
    peck = _own_decision(world, call, "grant_expires_in")
    given = Input(call.input, "peck_id", "grant_expires_in")
    lifetime = given.seconds("grant_expires_in")
    given.check()
    world.pecks.decide(peck, "approved", grant_seconds=lifetime)
    return _present(world, peck, peck.target)


def _reject(world: World, call: Call) -> Dict[str, object]:
    given = Input(call.input, "peck_id", "reason")
    reason = given.text("reason", most=280)
    given.check()
    peck = _own_decision(world, call, "reason")
    world.pecks.decide(peck, "rejected", reason=reason)
    return _present(world, peck, peck.target)


def _undo(world: World, call: Call) -> Dict[str, object]:
    peck = _own_decision(world, call)
    world.pecks.undo(peck)
    return _present(world, peck, peck.target)


def _cancel(world: World, call: Call) -> Dict[str, object]:
    caller = _asker(call)
    peck = _visible(world, caller, _peck_id(call))
    if caller not in (peck.asker, owner_of(peck.asker)):
        raise Refused("not_the_asker")
    world.pecks.decide(peck, "cancelled")
    return _present(world, peck, caller)


def _outcome(world: World, call: Call) -> Dict[str, object]:
    peck = _visible(world, _asker(call), _peck_id(call))
    return world.signer.receipt(peck, world.pecks.outcome_of(peck), world.pecks.now())


def _use(world: World, call: Call, *, spend: bool) -> Dict[str, object]:
    given = Input(call.input, "grant_token", "params", "audience")
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


def _pause(_: World, call: Call) -> Dict[str, object]:
    caller = _person(call)
    given = Input(call.input, "all")
    given.true("all")
    given.check()
    caller.is_paused = True
    return {"paused": True}


def _invite(world: World, call: Call) -> Dict[str, object]:
    owner = _person(call)
    given = Input(call.input, "agent_id", "action", "uses", "expires_in", "note")
    agent_id = given.optional_text("agent_id")
    action = None if call.input.get("action") is None else given.action()
    uses, expires_in = given.number("uses", 1, 100_000), given.number("expires_in", 60, 366 * 24 * _HOUR)
    note = given.optional_text("note")
    given.check()
    if agent_id is not None and all(one.id != agent_id for one in world.agents):
        raise Refused("agent_not_registered")
    made = world.invitations.create(
        owner, agent_id=agent_id, action=action, uses=uses, expires_in=expires_in, note=note
    )
    return world.invitations.present(made)


def _revoke_invitation(world: World, call: Call) -> Dict[str, object]:
    owner = _person(call)
    given = Input(call.input, "invitation_id")
    invitation_id = given.text("invitation_id")
    given.check()
    return world.invitations.present(world.invitations.revoke(owner, invitation_id))


ROUTES: Dict[str, Callable[[World, Call], Dict[str, object]]] = {
    "GET /.well-known/jwks.json": lambda world, _: world.signer.jwks(),
    "POST /beak/peck/request": _request,
    "GET /beak/peck/status": _status,
    "POST /beak/peck/approve": _approve,
    "POST /beak/peck/reject": _reject,
    "POST /beak/peck/undo": _undo,
    "POST /beak/peck/cancel": _cancel,
    "GET /beak/peck/outcome": _outcome,
    "POST /beak/rule/pause": _pause,
    "POST /beak/invitation/create": _invite,
    "POST /beak/invitation/revoke": _revoke_invitation,
    "POST /beak/peck/check": lambda world, call: _use(world, call, spend=False),
    "POST /beak/peck/consume": lambda world, call: _use(world, call, spend=True),
}
