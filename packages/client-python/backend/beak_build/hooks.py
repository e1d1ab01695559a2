"""What pip and other programs call to build the package (PEP 517 and PEP 660)."""
from pathlib import Path
from typing import Dict, List, Mapping, Optional

from .archives import write_sdist, write_wheel
from .description import find_file
from .metadata import read_metadata
from .reference import reference
from .sources import package_sources, write_sources

FOLDER = Path(__file__).resolve().parents[2]

WHEEL = b"Wheel-Version: 1.0\nGenerator: beak_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"

Settings = Optional[Mapping[str, object]]


def get_requires_for_build_wheel(config_settings: Settings = None) -> List[str]:
    """Returns what a build needs besides Python: nothing."""
    return []


get_requires_for_build_editable = get_requires_for_build_wheel
get_requires_for_build_sdist = get_requires_for_build_wheel


def _dist_info() -> Dict[str, bytes]:
    """Returns the files of a wheel that describe it."""
    metadata = read_metadata(FOLDER)
    folder = f"{metadata.stem}.dist-info"
    return {
        f"{folder}/licenses/LICENSE": find_file(FOLDER, "LICENSE").read_bytes(),
        f"{folder}/METADATA": metadata.text.encode("utf-8"),
        f"{folder}/WHEEL": WHEEL,
    }


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """Writes the description of the wheel without building it. Returns the name of its folder."""
    for name, content in _dist_info().items():
        path = Path(metadata_directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return f"{read_metadata(FOLDER).stem}.dist-info"


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def _build_wheel(wheel_directory: str, files: Dict[str, bytes]) -> str:
    stem = read_metadata(FOLDER).stem
    name = f"{stem}-py3-none-any.whl"
    # The description comes last, as the specification of wheels recommends.
    write_wheel(Path(wheel_directory, name), {**dict(sorted(files.items())), **_dist_info()}, f"{stem}.dist-info/RECORD")
    return name


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    """Builds the wheel. Returns the name of its file. Writes nothing in the folder of the sources."""
    return _build_wheel(wheel_directory, package_sources(FOLDER))


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    """Builds a wheel that refers to the sources in this folder, and writes the generated modules there."""
    write_sources(FOLDER)
    return _build_wheel(wheel_directory, {"_beak_client.pth": f"{FOLDER / 'src'}\n".encode("utf-8")})


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Builds the sdist, from which a wheel can be built anywhere. Returns the name of its file."""
    metadata = read_metadata(FOLDER)
    files = {f"src/{name}": content for name, content in package_sources(FOLDER).items()}
    for path in (FOLDER / "backend").rglob("*.py"):
        files[path.relative_to(FOLDER).as_posix()] = path.read_bytes()
    for name in ("pyproject.toml", "make.py", "README.md", "CHANGELOG.md", "LICENSE", "operations.json"):
        files[name] = find_file(FOLDER, name).read_bytes()
    files["docs/reference.md"] = reference(FOLDER).encode("utf-8")
    files["PKG-INFO"] = metadata.text.encode("utf-8")
    name = f"{metadata.stem}.tar.gz"
    write_sdist(Path(sdist_directory, name), {f"{metadata.stem}/{path}": content for path, content in files.items()})
    return name
