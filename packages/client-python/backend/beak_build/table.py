"""The table of operations: what the client needs to know for a call."""
from typing import List, Sequence

from .arguments import arguments_of
from .description import Operation
from .models import Models
from .names import literal, snake_case
from .text import file_header


def _tuple(values: Sequence[str]) -> str:
    return f"({', '.join(map(literal, values))}{',' if len(values) == 1 else ''})"


def _entry(operation: Operation, models: Models) -> List[str]:
    arguments = arguments_of(operation, models)
    places = {
        f"in_{place}": [argument.field for argument in arguments if argument.place == place]
        for place in ("path", "query", "header", "body")
    }
    nullable = [argument.field for argument in arguments if argument.is_nullable]
    tuples = {"credentials": operation.credentials, **places, "nullable": nullable}
    return [
        f"{snake_case(operation.name).upper()} = Operation(",
        *(f"    {name}={literal(getattr(operation, name))}," for name in ("name", "method", "path")),
        *(f"    {name}={_tuple(values)}," for name, values in tuples.items() if values),
        *(["    takes_idempotency_key=True,"] if operation.takes_idempotency_key else []),
        f"    answer={literal(operation.answer_kind)},",
        ")",
    ]


def table_source(operations: Sequence[Operation], models: Models) -> str:
    """Returns the source of the table of operations."""
    lines = [*file_header("How each operation of the service is called."), "from ._operation import Operation", ""]
    for operation in operations:
        lines += _entry(operation, models)
    return "\n".join([*lines, ""])
