"""
Makes what the repository does not have: `python3 make.py` writes the generated modules of the package beside the others.

`python3 make.py reference` also writes docs/reference.md, and `python3 make.py dist` the wheel and the sdist in dist/. `python3 make.py
wheel <folder>` writes only the wheel, there.
"""
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER / "backend"))

from beak_build.hooks import build_sdist, build_wheel  # noqa: E402
from beak_build.reference import reference  # noqa: E402
from beak_build.sources import write_sources  # noqa: E402

if sys.argv[1:2] == ["wheel"]:
    build_wheel(sys.argv[2])
    sys.exit()

write_sources(FOLDER)
if "reference" in sys.argv[1:]:
    (FOLDER / "docs").mkdir(exist_ok=True)
    (FOLDER / "docs/reference.md").write_text(reference(FOLDER), "utf-8")
if "dist" in sys.argv[1:]:
    (FOLDER / "dist").mkdir(exist_ok=True)
    for build in (build_wheel, build_sdist):
        build(str(FOLDER / "dist"))
