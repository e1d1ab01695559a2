"""The clock of a fake."""
import re
from datetime import datetime, timezone
from typing import Callable

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class FakeClock:
    """The clock of a fake. Nothing but `advance` moves it."""

    def __init__(self, now: datetime, moved: Callable[[], None]) -> None:
        self._seconds = now.timestamp()
        self._moved = moved

    def now(self) -> datetime:
        """Returns the time of the fake, in UTC."""
        return datetime.fromtimestamp(self._seconds, timezone.utc)

    def seconds(self) -> float:
        """Returns the time in seconds since 1970."""
        return self._seconds

    def advance(self, time: str) -> None:
        """Moves the clock forward by `5s`, `5m`, `5h` or `5d`."""
        match = re.fullmatch(r"(\d+)([smhd])", time)
        if match is None:
            raise ValueError(f"Not a time such as 5m: {time}")
        self._seconds += int(match[1]) * _UNITS[match[2]]
        self._moved()
