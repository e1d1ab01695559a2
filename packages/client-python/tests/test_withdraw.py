"""Requests that nobody waits for any more are withdrawn: after an exception, a cancelled task, and the end of the process."""
import asyncio
import os
import signal
import subprocess
import sys
import threading
from datetime import datetime
from pathlib import Path
from typing import Any, List, Optional, Tuple

import pytest
from beak import AsyncBeak, Beak, PermissionPending, models
from beak.guard import ToolRefusal, guarded
from conftest import Agent, Person
from service import Service, eventually

PROGRAM = Path(__file__).with_name("asking_program.py")


def found(person: Person, mode: str) -> Optional[models.Peck]:
    """Returns the request of one test."""
    items = person.beak.list_pecks(direction="received", limit=100)["items"]
    return next((peck for peck in items if peck["params"].get("mode") == mode), None)


def status_of(person: Person, mode: str) -> Optional[str]:
    peck = found(person, mode)
    return None if peck is None else peck["status"]


def lifetime_of(peck: models.Peck) -> int:
    ends = [datetime.fromisoformat(peck[name].replace("Z", "+00:00")) for name in ("created_at", "expires_at")]
    return round((ends[1] - ends[0]).total_seconds())


def ended(service: Service, scout: Agent, person: Person, mode: str, by: int) -> Tuple[int, str]:
    """Runs the program, sends it a signal when its request is there, and returns how it ended and what it printed."""
    environment = {
        **os.environ,
        **{"BEAK_URL": service.url, "BEAK_KEY": scout.key, "TARGET": person.id, "MODE": mode},
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    child = subprocess.Popen([sys.executable, str(PROGRAM)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    eventually(lambda: found(person, mode))
    child.send_signal(by)
    output, errors = child.communicate(timeout=30)
    sys.stderr.write(errors.decode())
    return child.returncode, output.decode()


@pytest.mark.parametrize("mode", ["plain term", "async term", "guard term"])
def test_sigterm_withdraws_and_ends_the_process_as_before(service: Service, scout: Agent, mallard: Person, mode: str) -> None:
    assert ended(service, scout, mallard, mode, signal.SIGTERM) == (-signal.SIGTERM, "")
    assert status_of(mallard, mode) == "cancelled"


@pytest.mark.parametrize("mode", ["plain int", "async int"])
def test_sigint_withdraws_and_ends_the_process_as_before(service: Service, scout: Agent, mallard: Person, mode: str) -> None:
    as_before = ended(service, scout, mallard, f"{mode} keep", signal.SIGINT)
    assert ended(service, scout, mallard, mode, signal.SIGINT) == as_before
    assert (as_before[0] != 0, as_before[1]) == (True, "")
    assert [status_of(mallard, one) for one in (mode, f"{mode} keep")] == ["cancelled", "pending"]


def test_leaves_the_end_to_the_handler_of_the_program(service: Service, scout: Agent, mallard: Person) -> None:
    assert ended(service, scout, mallard, "plain handler", signal.SIGTERM) == (7, "handler\n")
    assert status_of(mallard, "plain handler") == "cancelled"


def test_keeps_the_request_with_keep(service: Service, scout: Agent, mallard: Person) -> None:
    assert ended(service, scout, mallard, "plain keep", signal.SIGTERM) == (-signal.SIGTERM, "")
    assert status_of(mallard, "plain keep") == "pending"


def test_leaves_no_handler_behind(scout: Agent, mallard: Person) -> None:
    before = signal.getsignal(signal.SIGTERM)
    seen: List[Any] = []

    def decide() -> None:
        peck = eventually(lambda: found(mallard, "handlers"))
        seen.append(signal.getsignal(signal.SIGTERM))
        mallard.beak.approve_peck(peck_id=peck["peck_id"])

    person = threading.Thread(target=decide)
    person.start()
    scout.beak.request_permission(target=mallard.id, action="send:mail", params={"mode": "handlers"})
    person.join()
    assert before is signal.SIG_DFL and callable(seen[0])
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_cancelled_task_withdraws(service: Service, scout: Agent, mallard: Person) -> None:
    async def run() -> None:
        async with AsyncBeak(service.url, key=scout.key) as beak:
            await asyncio.wait_for(
                beak.request_permission(target=mallard.id, action="send:mail", params={"mode": "task"}), timeout=2
            )

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(run())
    assert status_of(mallard, "task") == "cancelled"


class InterruptedBeak(Beak):
    """A client that is interrupted before it reads the answer to its first request."""

    interrupted = False

    def request_peck(self, **values: Any) -> models.Peck:
        answer = super().request_peck(**values)
        if not self.interrupted:
            self.interrupted = True
            raise KeyboardInterrupt
        return answer


def test_withdraws_a_request_whose_answer_was_on_its_way(service: Service, scout: Agent, mallard: Person) -> None:
    with InterruptedBeak(service.url, key=scout.key) as beak, pytest.raises(KeyboardInterrupt):
        beak.request_permission(target=mallard.id, action="send:mail", params={"mode": "early"})
    assert status_of(mallard, "early") == "cancelled"


@pytest.mark.parametrize(
    "options, seconds",
    [
        ({"wait": 0.01}, 60),
        ({"wait": 0.01, "expires_in": 600}, 600),
        ({"wait": 0.01, "keep": True}, 86_400),
        ({"wait": 0.01, "idempotency_key": "job-withdraw"}, 86_400),
        ({"wait": 0}, 86_400),
    ],
)
def test_the_time_to_wait_is_how_long_the_request_lasts(
    scout: Agent, mallard: Person, options: Any, seconds: int
) -> None:
    params = {"mode": f"wait {options}"}
    with pytest.raises(PermissionPending) as pending:
        scout.beak.request_permission(target=mallard.id, action="send:mail", params=params, **options)
    assert lifetime_of(pending.value.peck) == seconds


def test_a_guard_leaves_the_request_because_the_same_call_finds_it_again(scout: Agent, mallard: Person) -> None:
    @guarded(beak=scout.beak, target=mallard.id, action="send:mail", wait=0.01)
    def send(mode: str) -> str:
        return "sent"

    refusal = send("guard wait")
    assert isinstance(refusal, ToolRefusal) and refusal.refusal == "pending"
    peck = found(mallard, "guard wait")
    assert peck is not None and (peck["status"], lifetime_of(peck)) == ("pending", 86_400)
    mallard.beak.approve_peck(peck_id=peck["peck_id"])
    assert send("guard wait") == "sent"
