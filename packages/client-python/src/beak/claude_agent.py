"""
Asks a person before the Claude Agent SDK (`claude-agent-sdk`) runs a tool. Needs the SDK only for `can_use_tool`.

Every fault refuses the call, because the SDK may let a call through after an error.
"""
import copy
import os
import re
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, Literal, Mapping, Optional, Sequence

from ._async_client import AsyncBeak
from ._async_guard import permission_for
from ._tool_calls import changes_settings, command_of, spellings_of
from ._tool_request import ToolRequest, json_value, printable, refusal_of
from .errors import BeakException

__all__ = ["ToolRule", "can_use_tool", "pre_tool_use"]

#: The answer of a hook.
HookOutput = Dict[str, Any]


@dataclass(frozen=True)
class ToolRule:
    """
    Which calls need a permission. The permission covers the whole input and the folder.

    - `action`: as verb:object. `tool`: regular expression for the name of the tool, such as `^Bash$`. `command`: regular expression for the
      command line; such a rule concerns only tools that run commands. At least one of the two.
    """

    action: str
    tool: Optional[str] = None
    command: Optional[str] = None
    scope: Literal["limited", "timed", "standing"] = "limited"
    expires_in: Optional[int] = None
    grant_expires_in: Optional[int] = None
    message: Optional[str] = None

    def __post_init__(self) -> None:
        if self.tool is None and self.command is None:
            raise ValueError("A rule needs a tool or a command.")
        for pattern in (self.tool, self.command):
            re.compile(pattern or "")

    def concerns(self, tool: str, given: Mapping[str, object]) -> bool:
        """Tells whether the rule concerns a call."""
        if self.tool is not None and re.search(self.tool, tool) is None:
            return False
        if self.command is None:
            return True
        command = command_of(given)
        return command is not None and any(re.search(self.command, one) for one in spellings_of(command))


#: Asks about a call that can switch the hook off, whatever the rules say.
_SETTINGS_RULE = ToolRule(
    action="change:agent-settings", tool="", message="This can switch off the hook that asks you before commands."
)


class _Decider:
    """Decides about calls by rules, of which the first that matches counts."""

    def __init__(self, beak: AsyncBeak, target: str, rules: Sequence[ToolRule], wait: float) -> None:
        self._beak = beak
        self._target = target
        self._rules = tuple(rules)
        self._wait = wait

    async def refusal(self, tool: str, given: Mapping[str, object], cwd: str) -> "tuple[bool, Optional[str]]":
        """Returns whether a rule concerns the call, and why it is refused: None after an approval."""
        found = next((one for one in self._rules if one.concerns(tool, given)), None)
        rule = _SETTINGS_RULE if changes_settings(tool, given, cwd) else found
        if rule is None:
            return False, f"No rule of Beak allows {tool}."
        described = given.get("description")
        # A shell describes the same command in other words each time.
        covered = {key: value for key, value in given.items() if not (tool == "Bash" and key == "description")}
        message = rule.message or (printable(described) if isinstance(described, str) else None)
        request = ToolRequest(
            target=self._target,
            action=rule.action,
            params={"tool": tool, "input": json_value("input", covered), "cwd": cwd},
            scope=rule.scope,
            message=message,
            expires_in=rule.expires_in,
            grant_expires_in=rule.grant_expires_in,
            param_types=None,
            audience=None,
            require=None,
            challenge=None,
            code_hash=None,
            wait=self._wait,
            used_by="tool",
        )
        try:
            await permission_for(self._beak, request)
        except BeakException as error:
            refused = refusal_of(error)
            if refused is None:
                raise
            return True, f"{refused.message} {refused.next}"
        return True, None


def pre_tool_use(
    beak: AsyncBeak, *, target: str, rules: Sequence[ToolRule], wait: float = 540
) -> Callable[[Any, Optional[str], Any], Awaitable[HookOutput]]:
    """
    Returns a hook for `PreToolUse`, which the SDK calls before every tool. A call that no rule concerns gets no answer. Set the `timeout`
    of the `HookMatcher` to 60 seconds more than `wait`: after it, the SDK runs the tool.
    """
    decider = _Decider(beak, target, rules, wait)

    async def hook(event: Any, tool_use_id: Optional[str], context: Any) -> HookOutput:
        try:
            if event["hook_event_name"] != "PreToolUse":
                raise ValueError("This is not an event of the kind PreToolUse.")
            call = copy.deepcopy(event)
            concerned, refused = await decider.refusal(call["tool_name"], call["tool_input"], call["cwd"])
        except Exception as error:
            concerned, refused = True, _fault(error)
        if not concerned:
            return {}
        decision = {"permissionDecision": "deny", "permissionDecisionReason": refused}
        if refused is None:
            decision = {"permissionDecision": "allow", "permissionDecisionReason": "Approved with Beak."}
        return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}

    return hook


def can_use_tool(
    beak: AsyncBeak, *, target: str, rules: Sequence[ToolRule], wait: float = 540, cwd: Optional[str] = None
) -> Callable[[str, Dict[str, Any], Any], Awaitable[Any]]:
    """
    Returns a function for `can_use_tool` of `ClaudeAgentOptions`, which the SDK calls for tools that its own permission rules leave open. A
    call that no rule concerns is refused. The tool runs with exactly the approved input. `cwd`: the folder of the agent.

    Raises `ImportError` without the SDK.
    """
    from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny

    decider = _Decider(beak, target, rules, wait)
    folder = os.getcwd() if cwd is None else cwd

    async def decide(tool_name: str, tool_input: Dict[str, Any], context: Any) -> Any:
        try:
            given = copy.deepcopy(tool_input)
            _, refused = await decider.refusal(tool_name, given, folder)
        except Exception as error:
            refused = _fault(error)
        if refused is not None:
            return PermissionResultDeny(message=refused)
        return PermissionResultAllow(updated_input=given)

    return decide


def _fault(error: Exception) -> str:
    return f"Beak could not ask, so the tool was not run. {error}"
