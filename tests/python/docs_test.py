"""The Python in README.md and docs/ does what it says."""

import contextlib
import io
import os
import pathlib
import re
import tempfile
import unittest
import warnings

import support

HOUSE = pathlib.Path(__file__).resolve().parent.parent.parent


# Blocks that import a library that is not installed are skipped.
DOCUMENTS = ("README.md", "docs/python.md", "docs/compat.md")


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


if __name__ == "__main__":
    unittest.main()
