"""Reads variables of the environment."""
import os
from typing import Optional


def environment_of(name: str) -> Optional[str]:
    """Returns a variable of the environment, or None. An empty one counts as none."""
    return os.environ.get(name) or None
