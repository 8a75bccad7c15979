"""Replays the README's tour on a fresh server, as somebody would who pastes it, and compares what comes out."""

import os
import subprocess

from readme import README, tour

MARK = "==== end of step ===="


def replay(folder, server, steps) -> list[str]:
    """What each step prints, all in one shell."""
    (folder.path / ".assent").symlink_to(folder.data)
    base = server.base.replace("127.0.0.1", "localhost")
    script = "".join(f"{step.command}\nprintf '\\n{MARK}\\n'\n" for step in steps)
    result = subprocess.run(
        ["bash", "-eu", "-c", script.replace("http://localhost:8080", base)], cwd=folder.path, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=100,
    )
    assert result.returncode == 0, result.stderr
    return [output.strip() for output in result.stdout.split(MARK)[:-1]]


def test_the_tour_prints_what_the_readme_says(start, folder):
    text, steps = tour()
    assert len(steps) >= 10
    outputs = replay(folder, start(folder), steps)
    if os.environ.get("ASSENT_WRITE_TOUR"):
        write(text, steps, outputs)
        return
    for step, output in zip(steps, outputs, strict=True):
        assert step.shown(output) == (step.output or ""), step.command


def write(text, steps, outputs) -> None:
    """Puts the outputs of this run into the page: ASSENT_WRITE_TOUR=1."""
    for step, output in reversed(list(zip(steps, outputs, strict=True))):
        text = text[: step.begin] + step.block(output) + text[step.end :]
    README.write_text(text)
