"""
The functions for the Claude Agent SDK. The SDK is not installed here: its two result classes are written from its documentation, and the
events of hooks are dictionaries there too.
"""
import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, Optional

import pytest
from beak import AsyncBeak
from beak._tool_calls import changes_settings
from beak.claude_agent import ToolRule, can_use_tool, pre_tool_use
from conftest import Agent, Person
from service import Service
from test_guard import decide


@dataclass
class PermissionResultAllow:
    updated_input: Optional[Dict[str, Any]] = None
    behavior: str = "allow"


@dataclass
class PermissionResultDeny:
    message: str = ""
    behavior: str = "deny"


@pytest.fixture(autouse=True)
def sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("claude_agent_sdk")
    module.PermissionResultAllow, module.PermissionResultDeny = PermissionResultAllow, PermissionResultDeny
    monkeypatch.setitem(sys.modules, "claude_agent_sdk", module)


#: Calls that the TypeScript client reads in the same way.
CASES = json.loads((Path(__file__).parents[2] / "contract/tool-calls.json").read_text())

RULES = [ToolRule(action="run:git-push", command=r"\bgit push\b")]
CALL = {"command": "git push origin main", "description": "Publish the work"}


def event(**changes: Any) -> Dict[str, Any]:
    return {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": CALL, "cwd": "/home/me", **changes}


def hook(url: str, scout: Agent, teal: Person, given: Any) -> Any:
    async def run() -> Any:
        async with AsyncBeak(url, key=scout.key, retries=0) as beak:
            return await pre_tool_use(beak, target=teal.id, rules=RULES)(given, "toolu_1", None)

    return asyncio.run(run())


def ask(url: str, scout: Agent, teal: Person, given: Dict[str, Any]) -> Any:
    async def run() -> Any:
        async with AsyncBeak(url, key=scout.key, retries=0) as beak:
            return await can_use_tool(beak, target=teal.id, rules=RULES, cwd="/home/me")("Bash", given, None)

    return asyncio.run(run())


def test_hook_allows_an_approved_call_and_is_silent_without_a_rule(service: Service, scout: Agent, teal: Person) -> None:
    thread = decide(teal)
    output = hook(service.url, scout, teal, event())
    thread.join()
    assert output["hookSpecificOutput"]["permissionDecision"] == "allow"
    [peck] = teal.beak.list_pecks(direction="received")["items"]
    assert peck["params"] == {"tool": "Bash", "input": {"command": CALL["command"]}, "cwd": "/home/me"}
    assert hook(service.url, scout, teal, event(tool_input={"command": "ls"})) == {}


@pytest.mark.parametrize("given", [None, {}, event(hook_event_name="Stop"), event(tool_input="git push"), event(tool_input={**CALL, "x": {1}})])
def test_hook_denies_what_it_cannot_read(service: Service, scout: Agent, teal: Person, given: Any) -> None:
    assert hook(service.url, scout, teal, given)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_can_use_tool_runs_with_the_approved_input(service: Service, scout: Agent, teal: Person) -> None:
    given = dict(CALL)
    thread = decide(teal, before=lambda: given.update(command="git push --force"))
    assert ask(service.url, scout, teal, given) == PermissionResultAllow(updated_input=CALL)
    thread.join()


def test_can_use_tool_denies_after_a_rejection_without_a_rule_and_without_beak(service: Service, scout: Agent, teal: Person) -> None:
    thread = decide(teal, reject="Not today.")
    refused = ask(service.url, scout, teal, CALL)
    thread.join()
    assert "Do not try to reach the same effect in another way." in refused.message
    assert ask(service.url, scout, teal, {"command": "ls"}) == PermissionResultDeny(message="No rule of Beak allows Bash.")
    assert isinstance(ask("http://127.0.0.1:9", scout, teal, CALL), PermissionResultDeny)


def test_refuses_a_rule_that_matches_everything() -> None:
    with pytest.raises(ValueError):
        ToolRule(action="run:anything")


@pytest.mark.parametrize("command", CASES["spellings"])
def test_rule_concerns_a_command_in_each_way_to_write_it(command: str) -> None:
    assert RULES[0].concerns("Bash", {"command": command})


@pytest.mark.parametrize("call", CASES["settings"])
# security: agent-24
def test_settings_of_coding_agents_are_asked_about(call: Any) -> None:
    tool, given, cwd = [*call, "/home/me/project"][:3]
    assert changes_settings(tool, given, cwd)


@pytest.mark.parametrize("call", CASES["others"])
def test_other_calls_are_not_asked_about(call: Any) -> None:
    tool, given = call
    assert not changes_settings(tool, given, "/home/me/project")


def test_hook_asks_about_settings_whatever_the_rules_say(service: Service, scout: Agent, teal: Person) -> None:
    thread = decide(teal)
    output = hook(service.url, scout, teal, event(tool_input={"command": "git push; rm ~/.claude/settings.json"}))
    thread.join()
    assert output["hookSpecificOutput"]["permissionDecision"] == "allow"
    [peck] = teal.beak.list_pecks(direction="received")["items"]
    assert peck["action"] == "change:agent-settings"
