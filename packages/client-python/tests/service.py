"""A running service for tests: the built server as a process with its own data folder, and its mails."""
import glob
import json
import os
import re
import select
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Callable, Dict, List, Optional, TypeVar

ROOT = Path(__file__).resolve().parents[3]

T = TypeVar("T")


def eventually(look: Callable[[], Optional[T]], seconds: float = 15.0) -> T:
    """Calls `look` until it returns a value, and returns the value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found is not None:
            return found
        time.sleep(0.02)
    raise AssertionError("It did not happen in time.")


class Process:
    """A process that prints a line when it is ready."""

    def __init__(self, command: List[str], ready: str, environment: Dict[str, str]) -> None:
        self._child = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.output = ""
        end = time.monotonic() + 180
        while (match := re.search(ready, self.output)) is None:
            self._read(end)
        self.match = match

    def _read(self, end: float) -> None:
        assert self._child.stdout is not None
        readable, _, _ = select.select([self._child.stdout], [], [], max(0.0, end - time.monotonic()))
        data = os.read(self._child.stdout.fileno(), 65536) if readable else b""
        if data == b"":
            self.stop()
            raise AssertionError(f"The process did not start:\n{self.output}")
        self.output += data.decode()

    def stop(self) -> None:
        """Ends the process and waits for its end."""
        self._child.kill()
        self._child.communicate()


def free_port() -> int:
    """Returns a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Service:
    """The service under test."""

    def __init__(self) -> None:
        port = free_port()
        self.url = f"http://localhost:{port}"
        self.data = tempfile.mkdtemp(prefix="beak-python-")
        groups = ["SIGNUP", "SIGNIN", "OTP", "ANONYMOUS", "AUTHENTICATED", "STATUS", "METRICS", "ASK", "STRANGERS", "CODE"]
        environment = {
            "NODE_ENV": "production",
            "PORT": str(port),
            "BASE_URL": self.url,
            "DATA_DIR": self.data,
            "DATABASE_URL": "",
            # The pages are not needed, so they need not be built.
            "BEAK_ROLES": "api,worker",
            "LOG_LEVEL": "error",
            "WEBHOOK_ALLOW_PRIVATE": "true",
            **{f"LIMIT_{group}": "100000/100000" for group in groups},
        }
        self._process = Process(["node", "build/server.mjs"], "Beak is running", environment)

    def stop(self) -> None:
        """Ends the service and deletes its data."""
        self._process.stop()
        shutil.rmtree(self.data, ignore_errors=True)

    def code_for(self, address: str, after: int = 0) -> str:
        """Waits for a mail to this address beyond the first `after`, and returns its code."""

        def look() -> Optional[str]:
            codes = self._codes(address)
            return codes[-1] if len(codes) > after else None

        return eventually(look)

    def _codes(self, address: str) -> List[str]:
        codes = []
        for path in sorted(glob.glob(f"{self.data}/outbox/*.json")):
            mail = json.loads(Path(path).read_text())
            found = re.search(r"\b\d{6}\b", mail["text"])
            if mail["to"] == address and found:
                codes.append(found.group())
        return codes
