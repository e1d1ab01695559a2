"""Wheels and sdists. The same files give the same bytes, so that anybody can build a published file again and compare."""
import base64
import gzip
import hashlib
import io
import os
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Dict

#: The first second of 1980, the earliest time of a file in a wheel. Every file has it, unless SOURCE_DATE_EPOCH names a later one.
EARLIEST_TIME = 315532800

PERMISSIONS = 0o100644


def _time() -> int:
    return max(EARLIEST_TIME, int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST_TIME)))


def _record(files: Dict[str, bytes], name: str) -> bytes:
    """Returns the list of the files in a wheel with their digests. The list itself has none."""
    lines = []
    for path, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{name},,\n"]).encode("utf-8")


def write_wheel(path: Path, files: Dict[str, bytes], record: str) -> None:
    """Writes a wheel of these files, and the file `record` that lists them."""
    listed = {**files, record: _record(files, record)}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in listed.items():
            entry = zipfile.ZipInfo(name, time.gmtime(_time())[:6])
            # Not compressed: other versions of zlib compress to other bytes, and people compare digests of wheels that others built.
            entry.compress_type = zipfile.ZIP_STORED
            entry.external_attr = PERMISSIONS << 16
            # The same on every system.
            entry.create_system = 3
            archive.writestr(entry, content)


def write_sdist(path: Path, files: Dict[str, bytes]) -> None:
    """Writes an sdist of these files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            entry.mtime = _time()
            entry.mode = PERMISSIONS & 0o777
            archive.addfile(entry, io.BytesIO(content))
    # Without a time and a name, the compressed bytes follow from the content alone.
    path.write_bytes(gzip.compress(buffer.getvalue(), mtime=0))
