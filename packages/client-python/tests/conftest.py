"""Fixtures: a running service, people, and bonded agents."""
import uuid
from dataclasses import dataclass
from typing import Iterator, Sequence

import pytest
from beak import Beak
from service import ROOT, Process, Service



@dataclass
class Person:
    """A duckling, with a client of its session."""

    id: str
    email: str
    token: str
    beak: Beak


@dataclass
class Agent:
    """A bonded agent, with a client of its key."""

    id: str
    key: str
    beak: Beak
    owner: Person


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    running = Service()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def anybody(service: Service) -> Iterator[Beak]:
    """A client without a credential."""
    with Beak(service.url) as beak:
        yield beak


@pytest.fixture(scope="session")
def faults(service: Service) -> Iterator[str]:
    """The address of a fault server that passes good requests on to the service."""
    server = Process(["node", str(ROOT / "packages/contract/faults/server.mjs"), service.url], r"http://\S+", {})
    yield server.match.group()
    server.stop()


def new_person(anybody: Beak, name: str) -> Person:
    """Returns a duckling whose address is not proven, at tier T0."""
    email = f"{name.lower()}-{uuid.uuid4().hex[:12]}@example.com"
    signed_up = anybody.sign_up(email=email, display_name=name)
    token = signed_up["token"]
    return Person(signed_up["duckling_id"], email, token, anybody.with_credential(token=token))


def new_agent(
    owner: Person, capabilities: Sequence[str] = ("request:peck", "read:peck", "read:profile")
) -> Agent:
    made = owner.beak.register_agent(agent_name="Scout", agent_type="assistant", capabilities=capabilities)
    beak = owner.beak.with_credential(key=made["beak_key"])
    beak.bond_agent(agent_id=made["agent_id"], handshake_token=made["handshake_token"])
    return Agent(made["agent_id"], made["beak_key"], beak, owner)


@pytest.fixture(scope="session")
def mallard(service: Service, anybody: Beak) -> Person:
    """The owner of the agent, at tier T1."""
    person = new_person(anybody, "Mallard")
    person.beak.verify_email(otp=service.code_for(person.email))
    return person


@pytest.fixture(scope="session")
def scout(mallard: Person) -> Agent:
    return new_agent(mallard)


@pytest.fixture
def teal(anybody: Beak) -> Person:
    """Somebody who is asked. Each test has another Teal, so tests share no requests."""
    return new_person(anybody, "Teal")


@pytest.fixture
def run() -> str:
    """A word that names one run at the fault server."""
    return uuid.uuid4().hex
