"""The examples run, and print what they should."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["own_game.py", "4", "3"], "black has won"),
        (["network.py", "4", "2"], "games of 2"),
        (["self_play.py", "6", "10"], "6 games, "),
        (["best_arm.py"], "shuss(t=0.2)"),
        (["phantom_go_book.py"], "plays matches"),
        (["table1_row.py", "domineering:8", "2"], "published, %"),
        (["openspiel_match.py", "tic_tac_toe", "--games", "2", "--budget", "50"], "simulations per second"),
    ],
)
def test_the_example_runs(words: list[str], said: str, tmp_path: Path) -> None:
    command = [sys.executable, "-P", str(EXAMPLES / words[0]), *words[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_a_missing_package_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "pyspiel.py").write_text("raise ImportError('there is none')")
    command = [sys.executable, "-P", str(EXAMPLES / "openspiel_match.py"), "tic_tac_toe"]
    surroundings = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, env=surroundings)
    assert done.returncode == 1
    assert done.stderr == "This example needs OpenSpiel: pip install './python[openspiel]'\n"


# What takes long in the guide, and less of it.
SHORTER = {
    'only="hex:11", games=20': 'only="domineering:8 t=0", games=2',
    '100, store="seeds.db"': '6, store="seeds.db"',
    '["best-seed", "nash"])': '["best-seed", "nash"], opponents=[1])',
    "games=100, budget=1000": "games=4, budget=100",
}


def test_the_code_of_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (EXAMPLES.parents[1] / "docs" / "python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, object] = {
        "sample": lambda arm, n: [0.5] * n,
        "run": lambda arm, n: [0.5] * n,
        "prior": [0.1] * 20,
    }
    for long, short in SHORTER.items():
        assert any(long in block for block in blocks), long
        blocks = [block.replace(long, short) for block in blocks]
    for block in blocks:
        exec(block, names)
    assert len(blocks) >= 6


def test_the_notebook_runs() -> None:
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text())
    names: dict[str, object] = {"__name__": "__main__"}
    n_cells = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {n_cells}", "exec"), names)
            n_cells += 1
            # What is committed was run, in this order, without an error.
            assert cell["execution_count"] == n_cells
            assert all(output["output_type"] != "error" for output in cell["outputs"])
    assert n_cells >= 6
