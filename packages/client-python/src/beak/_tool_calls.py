"""What a call of a coding agent concerns. The twin of `hook/rules.ts` of the TypeScript client."""
import re
from typing import Iterator, List, Mapping, Optional

__all__ = ["changes_settings", "command_of", "spellings_of"]

#: Tools that only read.
_READERS = frozenset(
    ("Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch", "ToolSearch", "view_image", "web_search")
)

#: Files from which a coding agent reads its hooks, and words that switch hooks off.
_SETTINGS = re.compile(
    r"\.claude/+(?:\./+)*(?:settings|hooks)"
    r"|\.codex/+(?:\./+)*(?:\S*config\.toml|hooks|requirements)"
    r"|\bmanaged[-_](?:settings|config)\b"
    r"|/etc/(?:claude-code|codex)\b"
    r"|/beak/+(?:hook|credentials)\.json"
    r"|disableallhooks"
    r"|\bhooks[\"'\]]*\s*[:=]\s*[\"']?false"
    r"|--disable[\s=]+[\"']?hooks"
    r"|--dangerously-bypass-hook-trust"
)

#: What only a command line can do: replace the whole folder, name another one, or start an agent without hooks.
_COMMANDS = re.compile(
    r"\.(?:claude|codex)(?:/+\S*[*?\[{]|/*(?=$|[\s\"'`;&|()<>]))"
    r"|\b(?:claude_config_dir|codex_home|claude_code_simple)\b"
    r"|\bclaude\b.*\s--bare\b"
)

_INSIDE = re.compile(r"\.(?:claude|codex)(?:/|$)")
_FILE_NAMES = re.compile(r"\b(?:settings(?:\.local)?\.json|config\.toml|hooks\.json|requirements\.toml)\b")


def spellings_of(text: str) -> List[str]:
    """Returns a text as it is, with single blanks and without continued lines, and without quotes and escapes as well."""
    blank = re.sub(r"\s+", " ", re.sub(r"\$\{?IFS\}?", " ", re.sub(r"\\\r?\n", "", text)))
    return [text, blank, re.sub(r"\$?[\"']|\\(?=\S)", "", blank)]


def command_of(given: Mapping[str, object]) -> Optional[str]:
    """Returns the command line that a call runs, or None for tools that run none. Some tools have its words in a list."""
    command = given.get("command")
    words = " ".join(map(str, command)) if isinstance(command, list) else command
    return words if isinstance(words, str) else None


def _texts_in(value: object) -> Iterator[str]:
    """Yields all texts in a value, also names of members."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _texts_in(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts_in(inner)


def changes_settings(tool: str, given: Mapping[str, object], cwd: str) -> bool:
    """Tells whether a call may write settings that start the hook of a coding agent. A script that hides its words is not found."""
    if tool in _READERS:
        return False
    command = command_of(given)
    is_inside = _INSIDE.search(_slashed(cwd)) is not None
    texts = [*_texts_in(given), *([] if command is None else [command])]
    for text in (_slashed(spelling) for one in texts for spelling in spellings_of(one)):
        if _SETTINGS.search(text) or (command is not None and _COMMANDS.search(text)):
            return True
        if is_inside and _FILE_NAMES.search(text):
            return True
    return False


def _slashed(text: str) -> str:
    return re.sub(r"\\+", "/", text).lower()
