"""The package as pip builds it: from a copy of the repository's files, with nothing but Python."""
import base64
import hashlib
import os
import subprocess
import sys
import tarfile
import zipfile
from email.parser import BytesParser
from pathlib import Path
from typing import Dict, List

import httpx
import pytest
from beak_build.description import read_description
from beak_build.metadata import read_metadata, read_project

PACKAGE = Path(__file__).resolve().parents[1]
VERSION = read_description(PACKAGE).version
WHEEL = f"beak_client-{VERSION}-py3-none-any.whl"
#: Where the packages that the client needs are.
PACKAGES = str(Path(httpx.__file__).parents[1])

#: The modules that Git does not have.
GENERATED = [
    *("_version", "_webhook_events", "_operations", "_async_methods", "_methods", "models"),
    *("_client", "_guard", "_require", "_verifier"),
]


def run(*command: str, **environment: str) -> str:
    process = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def build(project: Path, hook: str, folder: Path, **environment: str) -> Path:
    """Calls a hook as pip does: in a process whose only path is that of the backend. Returns the built file."""
    folder.mkdir(exist_ok=True)
    code = f"import sys; sys.path.insert(0, 'backend'); from beak_build import hooks; print(hooks.{hook}({str(folder)!r}))"
    command = [sys.executable, "-I", "-S", "-c", code]
    process = subprocess.run(command, cwd=project, capture_output=True, text=True, env={**os.environ, **environment})
    assert process.returncode == 0, process.stderr
    return folder / process.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The package in a copy of the files that Git has. Returns its folder."""
    listed = run("git", "-C", str(PACKAGE), "ls-files", "-z", "--cached", "--others", "--exclude-standard", ".")
    copy = tmp_path / "packages/client-python"
    for name in filter(None, listed.split("\0")):
        source, target = PACKAGE / name, copy / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    contract = tmp_path / "packages/contract"
    contract.mkdir()
    (contract / "operations.json").write_bytes((PACKAGE.parent / "contract/operations.json").read_bytes())
    (tmp_path / "LICENSE").write_bytes((PACKAGE.parents[1] / "LICENSE").read_bytes())
    return copy


def written(project: Path) -> List[str]:
    """The paths of a project, without what Python writes when it imports a module."""
    return sorted(str(path) for path in project.rglob("*") if "__pycache__" not in path.parts)


def contents(wheel: Path) -> Dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_git_has_no_generated_module(checkout: Path) -> None:
    names = {path.stem for path in (checkout / "src/beak").glob("*.py")}
    assert names & set(GENERATED) == set()


def test_builds_a_wheel_with_every_module_from_a_fresh_clone_and_writes_nothing_there(checkout: Path, tmp_path: Path) -> None:
    before = written(checkout)
    files = contents(build(checkout, "build_wheel", tmp_path / "out"))
    assert written(checkout) == before
    modules = {path.relative_to(checkout / "src").as_posix() for path in (checkout / "src").rglob("*.py")}
    assert {name for name in files if not name.startswith("beak_client-")} == {
        *modules,
        *(f"beak/{name}.py" for name in GENERATED),
        "beak/py.typed",
    }


def test_lists_every_file_of_the_wheel_with_its_digest(checkout: Path, tmp_path: Path) -> None:
    files = contents(build(checkout, "build_wheel", tmp_path / "out"))
    name = f"beak_client-{VERSION}.dist-info/RECORD"
    lines = [line.rsplit(",", 2) for line in files[name].decode().splitlines()]
    assert sorted(path for path, _, _ in lines) == sorted(files)
    for path, digest, size in lines:
        if path != name:
            expected = base64.urlsafe_b64encode(hashlib.sha256(files[path]).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={expected}", str(len(files[path])))


def test_describes_the_package(checkout: Path, tmp_path: Path) -> None:
    files = contents(build(checkout, "build_wheel", tmp_path / "out"))
    folder = f"beak_client-{VERSION}.dist-info"
    metadata = BytesParser().parsebytes(files[f"{folder}/METADATA"])
    assert (metadata["Name"], metadata["Version"], metadata["Metadata-Version"]) == ("beak-client", VERSION, "2.4")
    assert (metadata["License-Expression"], metadata["Requires-Python"]) == ("MIT", ">=3.9")
    assert metadata.get_all("Provides-Extra") == ["verify", "fastapi", "flask", "django"]
    assert metadata.get_all("Requires-Dist") == [
        "httpx>=0.23",
        "typing-extensions>=4.4",
        'PyJWT>=2.6; extra == "verify"',
        'cryptography>=38; extra == "verify"',
        'fastapi>=0.92; extra == "fastapi"',
        'PyJWT>=2.6; extra == "fastapi"',
        'cryptography>=38; extra == "fastapi"',
        'flask>=2.2; extra == "flask"',
        'PyJWT>=2.6; extra == "flask"',
        'cryptography>=38; extra == "flask"',
        'django>=3.2; extra == "django"',
        'PyJWT>=2.6; extra == "django"',
        'cryptography>=38; extra == "django"',
    ]
    assert str(metadata.get_payload()).startswith("# Beak for Python")
    assert files[f"{folder}/licenses/LICENSE"] == (PACKAGE.parents[1] / "LICENSE").read_bytes()


def test_reads_pyproject_as_a_reader_of_toml_does() -> None:
    tomllib = pytest.importorskip("tomllib")
    text = (PACKAGE / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(text)["project"]
    extras = project.pop("optional-dependencies")
    assert read_project(text) == {"project": project, "project.optional-dependencies": extras}


def test_builds_the_same_bytes_at_any_time_and_the_same_wheel_from_the_sdist(checkout: Path, tmp_path: Path) -> None:
    first, second = (build(checkout, "build_wheel", tmp_path / name) for name in ("first", "second"))
    sdists = [build(checkout, "build_sdist", tmp_path / name) for name in ("first", "second")]
    assert first.read_bytes() == second.read_bytes()
    assert sdists[0].read_bytes() == sdists[1].read_bytes()
    with tarfile.open(sdists[0]) as archive:
        names = set(archive.getnames())
        archive.extractall(tmp_path / "unpacked")
    unpacked = tmp_path / f"unpacked/beak_client-{VERSION}"
    expected = ["PKG-INFO", "LICENSE", "operations.json", "docs/reference.md", "src/beak/_methods.py"]
    assert {f"{unpacked.name}/{name}" for name in expected} <= names
    assert not [name for name in names if "/tests/" in name or "__pycache__" in name]
    assert build(unpacked, "build_wheel", tmp_path / "again").read_bytes() == first.read_bytes()


def test_gives_the_files_the_time_that_the_builder_names(checkout: Path, tmp_path: Path) -> None:
    wheel = build(checkout, "build_wheel", tmp_path / "late", SOURCE_DATE_EPOCH="1700000000")
    with zipfile.ZipFile(wheel) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(2023, 11, 14, 22, 13, 20)}
    assert build(checkout, "build_wheel", tmp_path / "early", SOURCE_DATE_EPOCH="0").is_file()


@pytest.mark.parametrize("options", [[], ["--no-build-isolation"], ["--editable"]], ids=["isolated", "in place", "editable"])
def test_pip_installs_the_folder_without_an_index(checkout: Path, tmp_path: Path, options: List[str]) -> None:
    pytest.importorskip("pip")
    run(sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "site"))
    python = str(tmp_path / "site/bin/python")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", python]
    run(*pip, "install", "--no-index", "--no-deps", *options, str(checkout))
    code = "import beak, importlib.metadata as m; print(beak.__file__, m.version('beak-client'), beak.Beak.sign_up.__name__)"
    file, version, method = run(python, "-c", code, PYTHONPATH=PACKAGES).split()
    assert Path(file).is_relative_to(checkout if options == ["--editable"] else tmp_path / "site")
    assert (version, method) == (VERSION, "sign_up")


def test_says_what_is_missing_when_the_folder_was_copied_alone(checkout: Path) -> None:
    (checkout.parent / "contract/operations.json").unlink()
    with pytest.raises(FileNotFoundError, match="operations.json is missing"):
        read_metadata(checkout)


def test_the_reference_has_every_operation_and_the_helpers(checkout: Path) -> None:
    run(sys.executable, "-B", str(checkout / "make.py"), "reference")
    text = (checkout / "docs/reference.md").read_text("utf-8")
    assert "#### request_permission" in text
    assert "#### request_peck" in text
    assert "Asks a duckling for permission, waits for the decision, and returns the permission." in text
