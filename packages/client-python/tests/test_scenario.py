"""The main job, as packages/contract/scenario.json describes it for every client."""
import asyncio
import inspect
import json
import re
from typing import Any, Awaitable, Dict, Optional

from beak import AsyncBeak, Beak, _operations
from beak._operation import Operation
from beak.testing import FakeBeak
from beak.testing._routes import ROUTES
from scenario import Run, fill
from service import ROOT, Service

SCENARIO = json.loads((ROOT / "packages/contract/scenario.json").read_text())


def credential(run: Run, actor: str) -> Dict[str, str]:
    made: Dict[str, str] = fill(SCENARIO["actors"][actor], run.variables)
    return made


def test_works_from_sign_up_to_sign_out_with_the_synchronous_client(service: Service, anybody: Beak) -> None:
    def call(actor: Optional[str], method: str, values: Dict[str, Any]) -> Any:
        beak = anybody if actor is None else anybody.with_credential(**credential(run, actor))
        return getattr(beak, method)(**values)

    run = Run(service, call)
    run.steps(SCENARIO["steps"])


def test_works_from_sign_up_to_sign_out_with_the_asynchronous_client(service: Service) -> None:
    async def answer(actor: Optional[str], method: str, values: Dict[str, Any]) -> Any:
        async with AsyncBeak(service.url, **({} if actor is None else credential(run, actor))) as beak:  # type: ignore[arg-type]
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
