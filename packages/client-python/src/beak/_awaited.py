"""Values that may be ready, or still have to be awaited: what stores and verifiers of a program answer."""
from typing import Awaitable, TypeVar, Union

T = TypeVar("T")


async def awaited(value: Union[T, Awaitable[T]]) -> T:
    """Returns the value, and awaits it first when that is needed. For `AsyncBeak`."""
    if isinstance(value, Awaitable):
        result: T = await value
        return result
    return value


def immediate(value: Union[T, Awaitable[T]]) -> T:
    """Returns the value. For `Beak`, which cannot wait: raises `TypeError` for an asynchronous store or verifier."""
    if isinstance(value, Awaitable):
        raise TypeError("Beak needs synchronous stores and verifiers. Use AsyncBeak with asynchronous ones.")
    return value
