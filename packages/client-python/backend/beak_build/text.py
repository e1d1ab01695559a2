"""Lines of Python source."""
from typing import List, Sequence

WIDTH = 100


def _wrap(text: str, indent: int) -> List[str]:
    """Breaks a text into lines that fit between an indentation and the right margin."""
    lines: List[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if line != "" and indent + len(line) + 1 + len(word) > WIDTH:
                lines.append(line)
                line = word
            else:
                line = word if line == "" else f"{line} {word}"
        lines.append(line)
    return lines


def indented(lines: Sequence[str], spaces: int) -> List[str]:
    """Indents lines. Empty lines stay empty."""
    return ["" if line == "" else " " * spaces + line for line in lines]


def docstring(paragraphs: Sequence[str], spaces: int) -> List[str]:
    """Returns a docstring of paragraphs, for code at that indentation. Without text, no lines."""
    lines: List[str] = []
    for text in filter(None, paragraphs):
        escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        lines += ([""] if lines else []) + _wrap(escaped, spaces + 3)
    if not lines:
        return []
    lines[0] = f'"""{lines[0]}'
    # A quotation mark at the end would end the docstring one character early.
    end = ['"""'] if len(lines) > 1 or lines[0].endswith('"') else []
    if not end:
        lines[0] += '"""'
    return indented(lines + end, spaces)


def file_header(purpose: str) -> List[str]:
    """Returns the first lines of a generated file."""
    return [f'"""{purpose} Generated from operations.json. Do not edit."""', ""]
