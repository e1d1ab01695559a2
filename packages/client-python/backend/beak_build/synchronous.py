"""Translates the asynchronous client to the synchronous one, so that the two cannot differ."""
import re

WORDS = [
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(Beak|Methods|Iterator|Verifier|Client)\b", r"\1"),
    (r"\b__aenter__\b", "__enter__"),
    (r"\b__aexit__\b", "__exit__"),
    (r"\baclose\b", "close"),
    (r"\baread\b", "read"),
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"(?m)^import asyncio$", "import time"),
    (r"\b_async_(client|guard|methods|require|verifier)\b", r"_\1"),
    (r"\basynchronous\b", "synchronous"),
    # What may be awaitable. Without `await`, it must be there at once.
    (r"\bawaited\b", "immediate"),
]


def to_synchronous(source: str, origin: str) -> str:
    """Returns the synchronous form of the module `origin`."""
    for pattern, replacement in WORDS:
        source = re.sub(pattern, replacement, source)
    # `import asyncio` becomes `import time`, which the module may have too.
    source = re.sub(r"(?m)^(import \w+)\n\1$", r"\1", source)
    return f"# Translated from {origin}. Do not edit.\n{source}"
