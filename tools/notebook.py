#!/usr/bin/env python3
"""Makes the notebook docs/tutorial.ipynb of docs/tutorial.py, whose `# %%` lines begin its cells.

    python3 tools/notebook.py              # writes it
    python3 tools/notebook.py --check      # says whether it is up to date

Without outputs, so that a change of the script is a change of the same lines here. Standard library only.
"""

import json
import pathlib
import re
import sys

HOUSE = pathlib.Path(__file__).resolve().parent.parent
SCRIPT = HOUSE / "docs/tutorial.py"
NOTEBOOK = HOUSE / "docs/tutorial.ipynb"


def cells_of(script):
    """(kind, text) of each cell. Words after `# %%` are a heading of their own."""
    for part in re.split(r"^# %%", script, flags=re.M)[1:]:
        first, _, body = part.partition("\n")
        body = body.strip("\n")
        if first.strip() == "[markdown]":
            yield "markdown", re.sub(r"^# ?", "", body, flags=re.M)
            continue
        if first.strip():
            yield "markdown", first.strip()
        yield "code", body


def notebook_of(script):
    cells = []
    for number, (kind, text) in enumerate(cells_of(script)):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {},
                "source": text.splitlines(keepends=True)}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4,
                       "nbformat_minor": 5}, indent=1, ensure_ascii=False) + "\n"


def main():
    wanted = notebook_of(SCRIPT.read_text())
    if sys.argv[1:] != ["--check"]:
        NOTEBOOK.write_text(wanted)
        return 0
    if NOTEBOOK.read_text() == wanted:
        return 0
    print(f"{NOTEBOOK.relative_to(HOUSE)} is not that of {SCRIPT.name}: python3 tools/notebook.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
