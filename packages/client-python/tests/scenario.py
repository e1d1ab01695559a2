"""Runs the steps of packages/contract/scenario.json and packages/contract/permissions.json with a client."""
import re
import threading
import uuid
from typing import Any, Callable, Dict, List, Optional

import pytest
from beak import BeakError
from service import Service


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
    """One run of steps. `call` calls a method by its name and returns its answer."""

    def __init__(self, service: Optional[Service], call: Callable[[Optional[str], str, Dict[str, Any]], Any]) -> None:
        self.service = service
        self.call = call
        self.variables: Dict[str, Any] = {"run": uuid.uuid4().hex[:12]}
        self.mails: Dict[str, int] = {}

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
        assert part_of(answer, expected) == expected, step
        for name in step.get("absent", []):
            assert name not in answer, step
        for name, path in step.get("save", {}).items():
            value = answer
            for key in path.split("."):
                value = value[int(key)] if isinstance(value, list) else value[key]
            self.variables[name] = value

    def answer(self, step: Dict[str, Any]) -> Any:
        meanwhile = threading.Thread(target=self.steps, args=(step.get("meanwhile", []),))
        meanwhile.start()
        try:
            key = {"idempotency_key": step["key"]} if "key" in step else {}
            return self.call(step["as"], snake_case(step["call"]), {**fill(step["input"], self.variables), **key})
        finally:
            meanwhile.join()
