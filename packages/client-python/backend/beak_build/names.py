"""Names and literals of Python, from the names of the API reference."""
import json
import keyword
import re


def snake_case(name: str) -> str:
    """Returns `request_peck` for `requestPeck`, and `x_peck_grant` for `X-Peck-Grant`."""
    return re.sub(r"[^A-Za-z0-9_]", "_", re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)).lower()


def pascal_case(name: str) -> str:
    """Returns `AgentKey` for `agent_key`, `agentKey` and `AgentKey`."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name))


def is_identifier(name: str) -> bool:
    """Returns whether a name can be an argument or a member of a class."""
    return name.isidentifier() and not keyword.iskeyword(name)


def literal(value: object) -> str:
    """Returns a literal of a JSON scalar."""
    return repr(value) if value is None or isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def name_of(reference: str) -> str:
    """Returns the last part of a reference such as `#/components/schemas/Peck`."""
    return reference.rsplit("/", 1)[-1]
