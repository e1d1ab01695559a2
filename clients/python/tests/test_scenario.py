"""The main job, as clients/scenario.json describes it for every client."""
import asyncio
import inspect
import json
import re
import threading
import uuid
from typing import Any, Awaitable, Callable, Dict, List, Optional

import pytest
from beak import AsyncBeak, Beak, BeakError, _operations
from beak._operation import Operation
from beak.testing import FakeBeak
from beak.testing._routes import ROUTES
from service import ROOT, Service

SCENARIO = json.loads((ROOT / "clients/scenario.json").read_text())


def snake_case(name: str) -> str:
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def fill(value: Any, variables: Dict[str, Any]) -> Any:
    """Replaces `${variable}` in every text of a value."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{(\w+)\}", value)
        if whole:
            return variables[whole.group(1)]
        return re.sub(r"\$\{(\w+)\}", lambda match: str(variables[match.group(1)]), value)
    if isinstance(value, list):
        return [fill(item, variables) for item in value]
    if isinstance(value, dict):
        return {name: fill(item, variables) for name, item in value.items()}
    return value


def part_of(value: Any, expected: Any) -> Any:
    """Returns the part of a value that `expected` names: its members, and the first items of its lists."""
    if isinstance(expected, list) and isinstance(value, list):
        return [part_of(one, item) for one, item in zip(value, expected)]
    if isinstance(expected, dict) and isinstance(value, dict):
        return {name: part_of(value.get(name), item) for name, item in expected.items()}
    return value


class Run:
    """One run of the scenario. `call` calls a method by its name and returns its answer."""

    def __init__(self, service: Optional[Service], call: Callable[[Optional[str], str, Dict[str, Any]], Any]) -> None:
        self.service = service
        self.call = call
        self.variables: Dict[str, Any] = {"run": uuid.uuid4().hex[:12]}
        self.mails: Dict[str, int] = {}

    def credential(self, actor: str) -> Dict[str, str]:
        made: Dict[str, str] = fill(SCENARIO["actors"][actor], self.variables)
        return made

    def steps(self, steps: List[Dict[str, Any]]) -> None:
        for step in steps:
            self.step(step)

    def step(self, step: Dict[str, Any]) -> None:
        answer: Any
        if "mail" in step:
            assert self.service is not None
            address = fill(step["mail"]["to"], self.variables)
            answer = {"code": self.service.code_for(address, self.mails.get(address, 0))}
            self.mails[address] = self.mails.get(address, 0) + 1
        elif "error" in step:
            with pytest.raises(BeakError) as caught:
                self.answer(step)
            answer = vars(caught.value)
        else:
            answer = self.answer(step)
        expected = fill(step.get("expect", step.get("error", {})), self.variables)
        assert part_of(answer, expected) == expected, step["name"]
        for name, path in step.get("save", {}).items():
            value = answer
            for key in path.split("."):
                value = value[int(key)] if isinstance(value, list) else value[key]
            self.variables[name] = value

    def answer(self, step: Dict[str, Any]) -> Any:
        meanwhile = threading.Thread(target=self.steps, args=(step.get("meanwhile", []),))
        meanwhile.start()
        try:
            return self.call(step["as"], snake_case(step["call"]), fill(step["input"], self.variables))
        finally:
            meanwhile.join()


def test_works_from_sign_up_to_sign_out_with_the_synchronous_client(service: Service, anybody: Beak) -> None:
    def call(actor: Optional[str], method: str, values: Dict[str, Any]) -> Any:
        beak = anybody if actor is None else anybody.with_credential(**run.credential(actor))
        return getattr(beak, method)(**values)

    run = Run(service, call)
    run.steps(SCENARIO["steps"])


def test_works_from_sign_up_to_sign_out_with_the_asynchronous_client(service: Service) -> None:
    async def answer(actor: Optional[str], method: str, values: Dict[str, Any]) -> Any:
        async with AsyncBeak(service.url, **({} if actor is None else run.credential(actor))) as beak:  # type: ignore[arg-type]
            return await getattr(beak, method)(**values)

    run = Run(service, lambda actor, method, values: asyncio.run(answer(actor, method, values)))
    run.steps(SCENARIO["steps"])


def test_goes_the_same_way_on_the_fake_as_far_as_it_has_the_operations() -> None:
    fake = FakeBeak()
    teal, scout = fake.person("teal"), fake.agent("Scout")
    clients: Dict[Optional[str], Beak] = {"scout": scout, "teal": teal.beak, None: fake.shop()}
    run = Run(None, lambda actor, method, values: getattr(clients[actor], method)(**values))
    asked = scout.request_peck(target_duckling_id="@never-answers", action="see:who-asks", scope="limited")
    run.variables.update(teal_id=teal.id, scout_id=asked["requester"]["agent_id"])
    known = {
        operation.name
        for operation in vars(_operations).values()
        if isinstance(operation, Operation) and f"{operation.method} {operation.path}" in ROUTES
    }
    steps = [step for step in SCENARIO["steps"] if step.get("call") in known]
    assert len(steps) == 12
    run.steps(steps)


def methods_of(client: type) -> Dict[str, str]:
    """Returns the names and signatures of the public methods of a client."""
    members = inspect.getmembers(client, inspect.isfunction)
    return {
        name: re.sub(r"Async(?=[A-Z])", "", str(inspect.signature(member)))
        for name, member in members
        if not name.startswith("_")
    }


def test_both_clients_have_the_same_methods_with_the_same_arguments() -> None:
    asynchronous = methods_of(AsyncBeak)
    asynchronous["close"] = asynchronous.pop("aclose")
    assert asynchronous == methods_of(Beak)
    assert len(asynchronous) > 90


def test_asynchronous_methods_are_awaitable() -> None:
    beak = AsyncBeak("http://localhost")
    pending: Awaitable[object] = beak.get_service()
    assert inspect.iscoroutine(pending)
    pending.close()
