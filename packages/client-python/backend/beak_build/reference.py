"""The reference of the package, from its docstrings."""
import ast
import textwrap
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple, Union

from .sources import package_sources

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]

#: The chapters: title, module, and the names of the module in their order. None: all of them.
CHAPTERS: List[Tuple[str, str, Optional[List[str]]]] = [
    ("Client", "_client", ["Beak"]),
    ("Operations", "_methods", ["Methods"]),
    ("Permissions", "permissions", ["Permission"]),
    (
        "Errors",
        "errors",
        [
            "BeakException",
            "BeakError",
            "BeakAnswerError",
            "BeakConnectionError",
            "BeakTimeout",
            "PermissionRefused",
            "PermissionPending",
            "VerificationError",
        ],
    ),
    ("Events of a stream", "events", ["StreamReady", "PeckChanged", "PasskeyRecoveryChanged", "BlockChanged"]),
    ("beak.verify: checks of a service", "_verifier", ["Verifier"]),
    ("beak.verify: the issuer and its keys", "verify/keys", ["Issuer", "KeySet", "UnknownKeyError"]),
    (
        "beak.verify: certificates",
        "verify/certificates",
        ["verify_certificate", "VerifiedCertificate", "status_place", "list_number"],
    ),
    ("beak.verify: agent tokens", "verify/agents", ["verify_agent_token", "VerifiedAgent"]),
    ("beak.verify: receipts", "verify/receipts", ["verify_receipt", "VerifiedReceipt"]),
    ("beak.verify: audit logs", "verify/audit", ["verify_audit_log"]),
    (
        "beak.verify: the transparency log",
        "verify/log",
        [
            "verify_log_entry",
            "VerifiedEntry",
            "verify_log_growth",
            "open_checkpoint",
            "Checkpoint",
            "verify_inclusion",
            "verify_consistency",
        ],
    ),
    (
        "beak.webhooks",
        "webhooks",
        [
            "verify_webhook",
            "OtherEvent",
        ],
    ),
    ("beak.webhooks: the events", "_webhook_events", None),
    ("beak.fastapi", "fastapi", ["require_permission"]),
]


def text_of(node: Union[ast.ClassDef, Function]) -> List[str]:
    """Returns the docstring as Markdown."""
    return textwrap.dedent(ast.get_docstring(node) or "").strip().splitlines()


def fields_of(node: ast.ClassDef) -> str:
    """Returns the fields of a dataclass as the arguments of a call."""
    fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
    return "\n".join(f"    {ast.unparse(item.target)}: {ast.unparse(item.annotation)}" for item in fields)


def signature(node: Function) -> str:
    """Returns a function without its body, on several lines when it is long."""
    arguments = [argument for argument in node.args.args if argument.arg != "self"]
    parts = [ast.unparse(argument) for argument in arguments]
    for at, default in enumerate(reversed(node.args.defaults), 1):
        parts[-at] += f" = {ast.unparse(default)}"
    if node.args.kwonlyargs:
        parts.append("*")
    for argument, value in zip(node.args.kwonlyargs, node.args.kw_defaults):
        parts.append(ast.unparse(argument) + ("" if value is None else f" = {ast.unparse(value)}"))
    answer = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    line = f"{node.name}({', '.join(parts)}){answer}"
    if len(line) <= 100:
        return line
    return f"{node.name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){answer}"


def code(text: str) -> List[str]:
    return ["```python", text, "```", ""]


def is_public(node: Function) -> bool:
    is_property = any(isinstance(item, ast.Name) and item.id == "property" for item in node.decorator_list)
    return not node.name.startswith("_") and not is_property


def class_lines(node: ast.ClassDef) -> Iterator[str]:
    yield f"### {node.name}"
    yield ""
    functions = [item for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]
    constructor = next((item for item in functions if item.name == "__init__"), None)
    is_exception = node.name.endswith(("Error", "Refused", "Pending", "Timeout"))
    if constructor is not None and not is_exception:
        yield from code(signature(constructor).replace("__init__", node.name).replace(" -> None", ""))
    elif fields_of(node):
        yield from code(f"class {node.name}:\n{fields_of(node)}")
    yield from text_of(node)
    yield ""
    for function in filter(is_public, functions):
        yield from function_lines(function, "####")


def function_lines(node: Function, level: str) -> Iterator[str]:
    yield f"{level} {node.name}"
    yield ""
    yield from code(signature(node))
    yield from text_of(node)
    yield ""


def reference(folder: Path) -> str:
    """Returns the whole reference of the project in a folder."""
    sources = package_sources(folder)
    lines = [
        "# Reference",
        "",
        "Generated from the docstrings. `AsyncBeak` has the methods of `Beak` as",
        "coroutines and asynchronous iterators, `aclose` instead of `close`, and works with `async with`. `AsyncVerifier` is",
        "the same for `Verifier`. The types of answers are TypedDicts in `beak.models`.",
        "",
    ]
    for title, module, names in CHAPTERS:
        tree = ast.parse(sources[f"beak/{module}.py"])
        nodes: Dict[str, Union[ast.ClassDef, Function]] = {
            node.name: node
            for node in tree.body
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        }
        lines += [f"## {title}", ""]
        for name in nodes if names is None else names:
            node = nodes[name]
            lines += class_lines(node) if isinstance(node, ast.ClassDef) else function_lines(node, "###")
    return "\n".join(lines).rstrip() + "\n"
