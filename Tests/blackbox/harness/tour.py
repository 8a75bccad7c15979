"""The pages that are tours, as commands and the outputs they claim for them."""

import dataclasses
import json
import pathlib
import re

from . import places

PAGES = [places.CHECKOUT / name for name in ("README.md", "docs/tutorial.md", "docs/integration.md")]
BLOCK = re.compile(r"```sh\n(?P<command>.*?)```\n(?:\n```(?:json|text)\n(?P<output>.*?)```\n)?", re.DOTALL)
UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z")
WIDTH = 110


@dataclasses.dataclass
class Step:
    command: str
    # As the page shows it; None where it shows none.
    output: str | None
    begin: int
    end: int

    def shown(self, output: str) -> str:
        """What came out, laid out as on the page, with the page's own ids and times where they differ from run to run."""
        laid_out = layout(output)
        for pattern in (UUID, TIME):
            claimed = iter(pattern.findall(self.output or ""))
            laid_out = pattern.sub(lambda match: next(claimed, match[0]), laid_out)
        return laid_out

    def block(self, output: str) -> str:
        """The step as the page has it, with this output."""
        text = f"```sh\n{self.command}```\n"
        if output:
            language = "json" if output.startswith("{") else "text"
            text += f"\n```{language}\n{layout(output)}```\n"
        return text


def tour(page: pathlib.Path) -> tuple[str, list[Step]]:
    """The page's text and the tour's steps."""
    text = page.read_text()
    start, stop = text.index("<!-- tour -->"), text.index("<!-- /tour -->")
    found = BLOCK.finditer(text, start, stop)
    return text, [Step(match["command"], match["output"], match.start(), match.end()) for match in found]


def layout(output: str) -> str:
    """JSON set out over lines that fit the page; other text as it is."""
    if not output:
        return ""
    return (arrange(json.loads(output), "") if output.startswith("{") else output) + "\n"


def arrange(value, indent: str) -> str:
    """As many members on a line as fit."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= WIDTH or not isinstance(value, (dict, list)):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {arrange(member, inner)}" for name, member in value.items()]
    else:
        parts = [arrange(member, inner) for member in value]
    lines, line = [], ""
    for part in parts:
        if line and (len(inner) + len(line) + len(part) > WIDTH or "\n" in part):
            lines.append(line.rstrip())
            line = ""
        line += part + ", "
    lines.append(line.rstrip(", "))
    brackets = "{}" if isinstance(value, dict) else "[]"
    return brackets[0] + "\n" + "\n".join(inner + line for line in lines) + "\n" + indent + brackets[1]
