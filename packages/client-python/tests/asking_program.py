"""A program that asks for permission and waits, and that the tests end. The words of `MODE` say how."""
import asyncio
import os
import signal
import sys
from typing import Any

from beak import AsyncBeak, Beak, PermissionRefused
from beak.guard import guarded

MODE = os.environ["MODE"].split()
TARGET = os.environ["TARGET"]
QUESTION: Any = {"target": TARGET, "action": "send:mail", "params": {"mode": os.environ["MODE"]}}
KEEP: Any = {"keep": True} if "keep" in MODE else {}


def handle(*_: object) -> None:
    print("handler", flush=True)
    sys.exit(7)


if "handler" in MODE:
    signal.signal(signal.SIGTERM, handle)


async def ask_async() -> None:
    async with AsyncBeak() as beak:
        await beak.request_permission(**QUESTION, **KEEP)


def ask() -> None:
    with Beak() as beak:
        beak.request_permission(**QUESTION, **KEEP)


def send_guarded() -> None:
    beak = Beak()

    @guarded(beak=beak, target=TARGET, action="send:mail")
    def send_mail(mode: str) -> str:
        return "sent"

    print(send_mail(os.environ["MODE"]))


try:
    if "async" in MODE:
        asyncio.run(ask_async())
    elif "guard" in MODE:
        send_guarded()
    else:
        ask()
except PermissionRefused as refused:
    print(refused.status, flush=True)
