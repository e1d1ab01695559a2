"""
A decorator for the tools of an agent: it asks a person before the function runs.

Every path to the function needs a permission. Without an answer, or without Beak, the function does not run. The decorator works with
plain functions, so put it between `def` and the decorator of a framework.
"""
import copy
import functools
import inspect
import typing
from contextvars import ContextVar
from typing import Any, Callable, Coroutine, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, TypeVar, Union, overload

from typing_extensions import ParamSpec, Protocol

from . import models
from ._async_client import AsyncBeak
from ._async_guard import permission_for as permission_for_async
from ._client import Beak
from ._guard import permission_for
from ._tool_request import ToolRefusal, ToolRequest, json_value, not_json, refusal_of
from .errors import BeakException
from .permissions import Permission

__all__ = ["ToolRefusal", "ToolRefused", "current_permission", "guarded"]

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

#: A value, or a function that returns the value for the arguments of a call.
OfArguments = Union[T, Callable[[Dict[str, object]], T]]


class ToolRefused(BeakException):
    """A guarded function did not run, and has `on_refusal="raise"`. `refusal` is what a model should read."""

    def __init__(self, refusal: ToolRefusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


class Guard(Protocol):
    """Guards a function. The guarded one returns what the function returns, or a `ToolRefusal`."""

    @overload
    def __call__(
        self, function: Callable[P, Coroutine[Any, Any, R]]
    ) -> Callable[P, Coroutine[Any, Any, Union[R, ToolRefusal]]]: ...

    @overload
    def __call__(self, function: Callable[P, R]) -> Callable[P, Union[R, ToolRefusal]]: ...


_running: "ContextVar[Permission]" = ContextVar("beak_permission")


def current_permission() -> Permission:
    """Returns the permission of the guarded function that runs now. Raises `LookupError` outside of one."""
    try:
        return _running.get()
    except LookupError:
        raise LookupError("No guarded function runs here.") from None


def guarded(
    *,
    beak: Union[Beak, AsyncBeak],
    target: OfArguments[str],
    action: OfArguments[str],
    params: Optional[Sequence[str]] = None,
    message: OfArguments[Optional[str]] = None,
    scope: Literal["limited", "timed", "standing"] = "limited",
    expires_in: Optional[int] = None,
    grant_expires_in: Optional[int] = None,
    param_types: Optional[models.ParamTypes] = None,
    audience: Optional[str] = None,
    require: Optional[Literal["signed"]] = None,
    challenge: OfArguments[Optional[str]] = None,
    code_hash: OfArguments[Optional[str]] = None,
    wait: Optional[float] = None,
    used_by: Literal["tool", "service"] = "tool",
    on_refusal: Literal["return", "raise"] = "return",
) -> Guard:
    """
    Returns a decorator that asks a person before a function runs. An active permission for the same target, action and arguments is
    reused; otherwise the person is asked.

    - `beak`: a client with the beak key of the agent, which needs the capabilities `request:peck` and `read:peck`: `Beak` for a plain
      function, `AsyncBeak` for an `async` one.
    - `target`: the duckling to ask: its `duckling_id`, `@` and its handle, or an invitation link, with which each call asks. `action`: what the function does, as verb:object.
    - `params`: names of the arguments that the permission covers. Default: all, without `self` and `cls`. They must be JSON. The function
      gets copies of them, so it runs with exactly what was approved. Arguments that you leave out are not covered: the model may choose
      them freely.
    - `message`: why the agent asks, in its own words. `target`, `action`, `message`, `challenge` and `code_hash` may be functions that
      get the covered arguments.
    - `wait`: seconds to wait for the decision. Default: until the request expires.
    - `used_by`: `tool` (default): the function acts itself, so one use is spent before it runs, even when it fails afterwards. `service`: the
      function calls a service that requires the permission, and sends the `grant_token` of `current_permission()` in `X-Peck-Grant`.
    - `on_refusal`: `return` (default): the call returns a `ToolRefusal`, a text that the model reads instead of a result. `raise`: the
      call raises `ToolRefused`, for functions whose callers expect another type.
    - The others are those of `request_permission`.

    The guarded function keeps name, docstring, annotations and signature. It raises `TypeError` for an argument that is not JSON.
    """

    def request_of(covered: Dict[str, object]) -> ToolRequest:
        # Each function gets a copy, so that none of them changes what is asked for.
        def value(given: OfArguments[T]) -> T:
            return given(copy.deepcopy(covered)) if callable(given) else given

        return ToolRequest(
            target=value(target),
            action=value(action),
            params=covered,
            message=value(message),
            scope=scope,
            expires_in=expires_in,
            grant_expires_in=grant_expires_in,
            param_types=param_types,
            audience=audience,
            require=require,
            challenge=value(challenge),
            code_hash=value(code_hash),
            wait=wait,
            used_by=used_by,
        )

    def refuse(error: BeakException) -> ToolRefusal:
        refusal = refusal_of(error)
        if refusal is None:
            raise error
        if on_refusal == "raise":
            raise ToolRefused(refusal) from error
        return refusal

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        arguments = _Arguments(function, params)
        if inspect.iscoroutinefunction(function):
            if not isinstance(beak, AsyncBeak):
                raise TypeError("An async function needs AsyncBeak: Beak would stop the whole program while it waits.")
            asynchronous = beak

            async def run_async(*args: Any, **kwargs: Any) -> Any:
                bound, covered = arguments.bind(args, kwargs)
                request = request_of(covered)
                try:
                    permission = await permission_for_async(asynchronous, request)
                except BeakException as error:
                    return refuse(error)
                token = _running.set(permission)
                try:
                    return await function(*bound.args, **bound.kwargs)
                finally:
                    _running.reset(token)

            return _like(run_async, function)
        if not isinstance(beak, Beak):
            raise TypeError("A function that is not async needs Beak instead of AsyncBeak.")
        synchronous = beak

        def run(*args: Any, **kwargs: Any) -> Any:
            bound, covered = arguments.bind(args, kwargs)
            request = request_of(covered)
            try:
                permission = permission_for(synchronous, request)
            except BeakException as error:
                return refuse(error)
            token = _running.set(permission)
            try:
                return function(*bound.args, **bound.kwargs)
            finally:
                _running.reset(token)

        return _like(run, function)

    return typing.cast(Guard, decorate)


class _Arguments:
    """The arguments of a function that a permission covers."""

    def __init__(self, function: Callable[..., Any], names: Optional[Sequence[str]]) -> None:
        if not inspect.isfunction(function):
            raise TypeError("Only a function can be guarded. Put @guarded(…) directly above def, below other decorators.")
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError("A generator cannot be guarded, because it runs after its call. Return a list instead.")
        self._signature = inspect.signature(function)
        own = list(self._signature.parameters)
        if names is None:
            names = own[1:] if own[:1] in (["self"], ["cls"]) else own
        unknown = [name for name in names if name not in own]
        if isinstance(names, str) or unknown:
            raise TypeError(f"params must be names of arguments: {', '.join(own)}.")
        self._names = tuple(names)

    def bind(self, args: Tuple[Any, ...], kwargs: Mapping[str, Any]) -> Tuple[inspect.BoundArguments, Dict[str, object]]:
        """Returns the arguments for the function and the params of its permission. Both are copies of what the caller gave."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        covered: Dict[str, object] = {}
        for name in self._names:
            # One copy, from which the params are made: the caller may change its objects at any time.
            given = _copied(name, bound.arguments[name])
            bound.arguments[name] = given
            covered[name] = json_value(name, given)
        return bound, covered


def _copied(name: str, value: object) -> object:
    try:
        return copy.deepcopy(value)
    except Exception as error:
        raise not_json(name) from error


def _like(guard: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a guard the name, the docstring, the annotations and the signature of its function."""
    functools.update_wrapper(guard, function)
    # Frameworks unwrap decorators, and would then call the function without a permission.
    del guard.__wrapped__  # type: ignore[attr-defined]
    signature = inspect.signature(function)
    try:
        # Here, because the names in annotations are those of the module of the function.
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception:
        hints = dict(function.__annotations__)
    parameters: List[inspect.Parameter] = [
        one.replace(annotation=hints.get(one.name, one.annotation)) for one in signature.parameters.values()
    ]
    returned = hints.get("return", signature.return_annotation)
    guard.__annotations__ = hints
    guard.__signature__ = signature.replace(parameters=parameters, return_annotation=returned)  # type: ignore[attr-defined]
    return guard
