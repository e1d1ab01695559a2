"""The generated modules of the package."""
import os
from pathlib import Path
from typing import Dict

from .description import Description, read_description
from .methods import methods_source
from .models import Models
from .synchronous import to_synchronous
from .table import table_source
from .text import file_header
from .webhook_events import webhook_events_source

#: The folder of the package, below the folder of the project.
PACKAGE = "src/beak"

#: Modules that are written by hand, for asynchronous callers.
TEMPLATES = ("client", "guard", "require", "verifier")


def described_sources(description: Description) -> Dict[str, str]:
    """Returns the modules that follow from the description: name of the file → text."""
    models = Models(description.schemas)
    methods = methods_source(description.operations, models)
    events = webhook_events_source(description.webhooks, description.schemas, models)
    version = [*file_header("The version of the service and of this client."), f'VERSION = "{description.version}"', ""]
    return {
        "_version.py": "\n".join(version),
        "_operations.py": table_source(description.operations, models),
        "_async_methods.py": methods,
        "_methods.py": to_synchronous(methods, "_async_methods.py"),
        "_webhook_events.py": events,
        "models.py": models.source(),
    }


def generated_sources(folder: Path) -> Dict[str, str]:
    """Returns all generated modules of the project in a folder: name of the file → text."""
    sources = described_sources(read_description(folder))
    for name in TEMPLATES:
        template = (folder / PACKAGE / f"_async_{name}.py").read_text("utf-8")
        sources[f"_{name}.py"] = to_synchronous(template, f"_async_{name}.py")
    return sources


def package_sources(folder: Path) -> Dict[str, bytes]:
    """Returns every file of the package, with the generated ones: path below src → content."""
    package = folder / PACKAGE
    written = [path for path in package.rglob("*") if path.suffix == ".py" or path.name == "py.typed"]
    files = {path.relative_to(package.parent).as_posix(): path.read_bytes() for path in written}
    generated = {f"beak/{name}": text.encode("utf-8") for name, text in generated_sources(folder).items()}
    return {**files, **generated}


def write_sources(folder: Path) -> None:
    """Writes the generated modules beside the others. A module that is already right is not touched."""
    for name, text in generated_sources(folder).items():
        path = folder / PACKAGE / name
        if not path.is_file() or path.read_text("utf-8") != text:
            # In one step, because tests of several processes may do this at the same time.
            part = path.with_name(f".{name}.{os.getpid()}")
            part.write_text(text, "utf-8")
            part.replace(path)
