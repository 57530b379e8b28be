"""The site of the documentation is made without a network, loads nothing, and has the whole API."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import twinset

HOUSE = pathlib.Path(__file__).resolve().parent.parent.parent


def make_site(out, *more):
    return subprocess.run([sys.executable, HOUSE / "tools/site.py", "--out", out, *more],
                          capture_output=True, text=True, check=False)


@unittest.skipUnless(importlib.util.find_spec("mkdocs"), "mkdocs is not installed")
class Site(unittest.TestCase):
    def test_has_every_page_and_loads_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "site"
            done = make_site(out)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            listed = subprocess.run(["git", "-C", HOUSE, "ls-files", "*.md"], capture_output=True, text=True,
                                    check=True).stdout.split()
            for page in listed:
                made = pathlib.PurePosixPath(page).with_suffix(".html")
                name = str(made).replace("README.html", "index.html")
                self.assertTrue((out / name).exists(), page)
            for page in out.rglob("*.html"):
                loaded = re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"(?:https?:)?//[^\"]+\"",
                                    page.read_text())
                self.assertEqual([tag for tag in loaded if "canonical" not in tag], [], page)
            api = (out / "api_python.html").read_text()
            for verb in ("dedup", "cluster", "spans", "Signer", "resemblance"):
                self.assertIn(f">{verb}<", api)
                self.assertTrue(hasattr(twinset, verb))
            self.assertIn("resemblance=", api)

    def test_a_link_that_leads_nowhere_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            house = pathlib.Path(folder) / "house"
            (house / "docs").mkdir(parents=True)
            (house / "README.md").write_text("# A house\n\n[a room](docs/room.md)\n")
            (house / "docs/room.md").write_text("# A room\n\n[the house](../README.md)\n")
            for words in (["init", "-q"], ["add", "."]):
                subprocess.run(["git", "-C", house, *words], check=True)
            self.assertEqual(make_site(house / "site", "--house", house).returncode, 0)
            (house / "docs/room.md").write_text("# A room\n\n[gone](gone.md)\n")
            done = make_site(house / "site", "--house", house)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("gone.md", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
