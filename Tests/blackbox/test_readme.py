"""Replays the pages' tours on a fresh server, as somebody would who pastes them, and compares what comes out."""

import os
import subprocess

import pytest

from harness.tour import PAGES, tour

MARK = "==== end of step ===="


def replay(embedded, folder, steps) -> list[str]:
    """What each step prints, all in one shell."""
    (folder / ".assent").symlink_to(embedded.data)
    base = f"http://localhost:{embedded.server.port}"
    script = "".join(f"{step.command}\nprintf '\\n{MARK}\\n'\n" for step in steps)
    result = subprocess.run(
        ["bash", "-eu", "-c", script.replace("http://localhost:8080", base)], cwd=folder, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=100,
    )
    assert result.returncode == 0, result.stderr
    return [output.strip() for output in result.stdout.split(MARK)[:-1]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tour_prints_what_the_page_says(page, embed, scratch):
    text, steps = tour(page)
    assert len(steps) >= 10
    outputs = replay(embed().start(), scratch, steps)
    if os.environ.get("ASSENT_WRITE_TOUR"):
        write(page, text, steps, outputs)
        return
    for step, output in zip(steps, outputs, strict=True):
        assert step.shown(output) == (step.output or ""), step.command


def write(page, text, steps, outputs) -> None:
    """Puts the outputs of this run into the page: ASSENT_WRITE_TOUR=1."""
    for step, output in reversed(list(zip(steps, outputs, strict=True))):
        text = text[: step.begin] + step.block(output) + text[step.end :]
    page.write_text(text)
