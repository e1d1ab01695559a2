"""The metadata of the package, from the table `project` of pyproject.toml (PEP 621)."""
import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Union, cast

from .description import read_description

Value = Union[str, List[str]]


@dataclass(frozen=True)
class Metadata:
    """What pip and an index read about the package."""

    #: Name and version as they are in the names of files.
    stem: str
    #: The text of METADATA and PKG-INFO.
    text: str


def read_project(text: str) -> Dict[str, Dict[str, Value]]:
    """
    Returns the tables of a pyproject.toml whose names begin with `project`.

    Python 3.9 and 3.10 have no reader of TOML. The strings and lists of strings in these tables are written the same in Python.
    """
    tables: Dict[str, Dict[str, Value]] = {}
    for name, body in re.findall(r"^\[(project[\w.-]*)\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL):
        entries = re.findall(r"^([\w-]+) = (\"[^\n]*\"|\[.*?\])$", body, re.MULTILINE | re.DOTALL)
        tables[name] = {key: ast.literal_eval(value) for key, value in entries}
    return tables


def read_metadata(folder: Path) -> Metadata:
    """Returns the metadata of the project in a folder."""
    tables = read_project((folder / "pyproject.toml").read_text("utf-8"))
    project, lists = cast(Dict[str, str], tables["project"]), cast(Dict[str, List[str]], tables["project"])
    version = read_description(folder).version
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        f"Keywords: {','.join(lists['keywords'])}",
        *(f"Classifier: {classifier}" for classifier in lists["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {requirement}" for requirement in lists["dependencies"]),
    ]
    for extra, requirements in tables["project.optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {one}; extra == "{extra}"' for one in requirements)]
    lines += ["Description-Content-Type: text/markdown", "", (folder / project["readme"]).read_text("utf-8")]
    return Metadata(stem=f"{project['name'].replace('-', '_')}-{version}", text="\n".join(lines))
