"""The package as its users get it: the README, the docstrings, and the supported versions of Python."""
import ast
import base64
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

import pytest
from beak import Beak
from conftest import Person
from service import Service, eventually

PACKAGE = Path(__file__).resolve().parents[1]
README = (PACKAGE / "README.md").read_text("utf-8")
BLOCKS: List[str] = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
SETUP, AGENT, *OTHERS = BLOCKS


def start(code: str, **environment: str) -> "subprocess.Popen[str]":
    """Runs code in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", code],
        env={**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "PYTHONUNBUFFERED": "1", **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_runs_the_quickstart_as_pasted(service: Service, anybody: Beak, run: str) -> None:
    email = f"reader-{run}@example.com"
    setup = start(SETUP, BEAK_URL=service.url)
    assert setup.stdin is not None
    setup.stdin.write(f"{email}\n")
    setup.stdin.flush()
    output, _ = setup.communicate(f"{service.code_for(email)}\n")
    exported: Dict[str, str] = dict(re.findall(r"export (\w+)=(\S+)", output))
    assert set(exported) == {"BEAK_KEY", "BEAK_TARGET"}, output

    agent = start(AGENT, BEAK_URL=service.url, **exported)
    anybody.request_sign_in_code(email=email)
    token = anybody.sign_in(email=email, otp=service.code_for(email, after=1))["token"]
    person = anybody.with_credential(token=token)

    def pending() -> "str | None":
        items = person.list_pecks(direction="received", status="pending")["items"]
        return items[0]["peck_id"] if items else None

    person.approve_peck(peck_id=eventually(pending))
    output, _ = agent.communicate()
    assert output == "Approved: send:mail {'to': 'pond@example.com'}\nUsed. Uses left: 0\n"
    assert agent.returncode == 0


OUTPUTS = ["refused: invalid\n", "refused: invalid\n", "", "Not valid: ", "Not valid: ", "400\n", "not done: ", "", "", "book:table\n"]


@pytest.mark.parametrize(("code", "expected"), list(zip(OTHERS, OUTPUTS)), ids=[f"example-{number}" for number in range(len(OTHERS))])
def test_runs_every_other_example(service: Service, teal: Person, code: str, expected: str) -> None:
    secret = "whsec_" + base64.b64encode(bytes(32)).decode()
    process = start(code, BEAK_URL=service.url, BEAK_TOKEN=teal.token, WEBHOOK_SECRET=secret)
    output, _ = process.communicate()
    assert (process.returncode, output[: len(expected)]) == (0, expected), output


def test_has_an_output_for_each_example() -> None:
    assert len(OUTPUTS) == len(OTHERS)


def test_examples_have_correct_types(tmp_path: Path) -> None:
    for number, block in enumerate(BLOCKS):
        (tmp_path / f"example_{number}.py").write_text(block, "utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(PACKAGE / "pyproject.toml"), str(tmp_path)]
    process = subprocess.run(
        command, cwd=PACKAGE, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PACKAGE / "src")}
    )
    assert process.returncode == 0, process.stdout


SOURCES = sorted((PACKAGE / "src/beak").rglob("*.py"))
BACKEND = sorted([*(PACKAGE / "backend").rglob("*.py"), PACKAGE / "make.py"])


@pytest.mark.parametrize("path", [*SOURCES, *BACKEND], ids=lambda path: path.name)
def test_uses_only_syntax_of_python_3_9(path: Path) -> None:
    ast.parse(path.read_text("utf-8"), feature_version=(3, 9))


def test_every_public_function_and_class_has_a_docstring() -> None:
    missing = [
        f"{path.name}: {node.name}"
        for path in SOURCES
        if path.name != "models.py"
        for parent in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(parent, (ast.Module, ast.ClassDef))
        for node in parent.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        if not node.name.startswith("_") and ast.get_docstring(node) is None
    ]
    assert missing == []


def test_imports_neither_the_checks_nor_fastapi_unless_asked() -> None:
    code = "import sys, beak, beak.webhooks; print({'jwt', 'cryptography', 'fastapi'} & set(sys.modules))"
    output, _ = start(code).communicate()
    assert output == "set()\n"
