"""The Python in README.md and docs/ does what it says."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import support
import twinset.__main__

HOUSE = pathlib.Path(__file__).resolve().parent.parent.parent


# Blocks that import a library that is not installed are skipped.
DOCUMENTS = ("README.md", "docs/python.md", "docs/compat.md", "docs/recipes.md", "docs/shards.md")


class Documents(unittest.TestCase):
    def test_blocks_run(self):
        for name in DOCUMENTS:
            blocks = re.findall(r"```python\n(.*?)```", (HOUSE / name).read_text(), re.S)
            self.assertTrue(blocks, name)
            for block in blocks:
                modules = re.findall(r"^ *(?:import|from) (\w+)", block, re.M)
                missing = [module for module in modules if not support.has(module)]
                with self.subTest(name, block=block[:60]), tempfile.TemporaryDirectory() as folder:
                    if missing:
                        self.skipTest(f"not installed: {', '.join(missing)}")
                    before = os.getcwd()
                    os.chdir(folder)
                    try:
                        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), \
                                contextlib.redirect_stderr(io.StringIO()):
                            warnings.simplefilter("ignore")
                            exec(compile(block, name, "exec"), {})  # pylint: disable=exec-used
                    finally:
                        os.chdir(before)


    @unittest.skipUnless(support.has("polars"), "polars is not installed")
    def test_the_tutorial_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, HOUSE / "docs/tutorial.py"], cwd=folder, capture_output=True,
                                  text=True, env=dict(os.environ, MPLBACKEND="Agg"), check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("identical", done.stdout)
            self.assertEqual(pathlib.Path(folder, "clusters.svg").exists(), support.has("matplotlib"))

    def test_the_notebook_is_that_of_the_tutorial(self):
        """Its cells in turn are the script, which runs above."""
        done = subprocess.run([sys.executable, HOUSE / "tools/notebook.py", "--check"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        notebook = json.loads((HOUSE / "docs/tutorial.ipynb").read_text())
        code = "".join("".join(cell["source"]) + "\n\n" for cell in notebook["cells"]
                       if cell["cell_type"] == "code")
        for line in code.split("\n"):
            self.assertIn(line, (HOUSE / "docs/tutorial.py").read_text())
        compile(code, "tutorial.ipynb", "exec")

    def test_scripts_for_slurm_run_in_turn(self):
        def scripts(name):
            return re.findall(r"```sh\n(#!/bin/sh\n.*?)```", (HOUSE / name).read_text(), re.S)
        sketch, join = scripts("docs/recipes.md")
        shard, merge = scripts("docs/shards.md")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for made in ("shards", "parts"):
                (folder / made).mkdir()
            texts = support.many(300)
            for part in range(12):
                (folder / f"shards/shard{part}.jsonl").write_text("".join(
                    json.dumps({"id": i, "text": texts[i]}) + "\n" for i in range(part, 300, 12)))
            (folder / "crawl").symlink_to("shards")
            path = f"{pathlib.Path(twinset.__main__.program()).parent}:{os.environ['PATH']}"

            def run(script, task=0, tasks=1):
                # The machine is smaller than that of the script.
                script = re.sub(r"--memory \w+", "--memory 200MiB", script)
                subprocess.run(["sh", "-c", script], cwd=folder, check=True, capture_output=True,
                               env=dict(os.environ, PATH=path, SLURM_ARRAY_TASK_ID=str(task),
                                        SLURM_ARRAY_TASK_COUNT=str(tasks)))
            for task in range(12):
                run(sketch, task)
            run(join)
            self.assertGreater(len((folder / "pairs.jsonl").read_text().splitlines()), 0)
            for task in (5, 8, 2, 1, 7, 3, 4, 6):
                run(shard, task, 8)
            run(merge)
            run("twinset dedup crawl -r 0.8 -o once")
            for file in (folder / "once").iterdir():
                if file.name != "summary.json":
                    self.assertEqual(file.read_bytes(), (folder / "clean" / file.name).read_bytes(), file.name)
            self.assertLess(json.loads((folder / "clean/summary.json").read_text())["kept"], 290)
            self.assertTrue((folder / "clean.html").exists())


if __name__ == "__main__":
    unittest.main()
