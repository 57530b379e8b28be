#!/usr/bin/env python3
"""Tests what bench/peers judges by: the exact oracle against brute force, its scores, and its results.

    python3 tests/peers_test.py

Needs a C++ compiler. Standard library only.
"""

import argparse
import contextlib
import io
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench/peers"))
import compare
import picture
import truth


def write_texts(path, texts):
    path.write_text("".join(json.dumps({"id": str(i), "text": text}) + "\n"
                            for i, text in enumerate(texts)), encoding="utf-8")


def by_brute_force(texts, least):
    """The lines that truth.py should write, from sets of tuples."""
    sets = []
    for text in texts:
        words = truth.WORD.findall(text.lower())
        length = min(5, len(words))
        sets.append({tuple(words[i:i + length]) for i in range(len(words) - length + 1)} if words else set())
    for (a, x), (b, y) in itertools.combinations(enumerate(sets), 2):
        if x | y and len(x & y) >= least * len(x | y):
            yield a, b, len(x & y), len(x | y)


def edited_texts():
    """Texts of common and of rare words with copies that differ more and more; odd ones at the end."""
    chance = random.Random(7)
    texts = []
    for _ in range(30):
        words = chance.choices(["the", "of", "and", "à", "Straße"], k=30) + [
            f"w{chance.randrange(10**6)}" for _ in range(chance.randrange(60))]
        chance.shuffle(words)
        texts.append(" ".join(words))
        for _ in range(chance.randrange(5)):
            words[chance.randrange(len(words))] = "other"
            words = words[:chance.randrange(len(words) - 3, len(words) + 1)]
            texts.append(", ".join(words))
    chance.shuffle(texts)
    return texts + ["", "...", "one", "One.", "one two three four", "one two three four", "a b c d e", "",
                    "a b c d e a b c d e a b c d e", " ".join(["same"] * 50), "same same same same same"]


class Truth(unittest.TestCase):
    def test_finds_the_pairs_of_brute_force(self):
        texts = edited_texts()
        with tempfile.TemporaryDirectory(prefix="twinset-peers-") as name:
            path, out = pathlib.Path(name) / "texts.jsonl", pathlib.Path(name) / "pairs"
            write_texts(path, texts)
            for least, at_least in ((0.1, 50), (0.5, 30), (0.8, 10), (1.0, 3)):
                expected = sorted(by_brute_force(texts, least))
                self.assertGreaterEqual(len(expected), at_least)
                truth.write_pairs(path, out, least)
                found = sorted(tuple(map(int, line.split())) for line in out.read_text().splitlines())
                self.assertEqual(found, expected, f"at {least}")

    def test_refuses_words_that_are_cut(self):
        with tempfile.TemporaryDirectory(prefix="twinset-peers-") as name:
            done = subprocess.run([truth.compiled(name), "0.5"], input=b"\3\0\0\0\1\0\0\0", check=False,
                                  capture_output=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"must be whole", done.stderr)


class Measured(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="twinset-peers-")
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        (self.work / "sets").mkdir()
        # Resemblance of 0 and 1: 10 / 12; of 1 and 2: 11 / 12; of 0 and 2: 10 / 13.
        words = [f"w{i}" for i in range(16)]
        write_texts(self.work / "sets/low.jsonl",
                    [" ".join(words[:15]), " ".join(words[1:]), " ".join(words[1:] + ["x"]), "quite another"])

    def script(self, code):
        """A way of running: a script that writes its list of kept ids."""
        path = self.work / "with_toy.py"
        path.write_text(f"import pathlib, sys\nout = pathlib.Path(sys.argv[4])\nout.mkdir()\n{code}\n")
        return path

    def compare(self, peer, **options):
        asked = argparse.Namespace(**{"sets": ["low"], "thresholds": [0.8], "repeats": 2, "limit": 60,
                                      "memory": 1, "again": False, **options})
        results = compare.Results(self.work / "results.json")
        with contextlib.redirect_stderr(io.StringIO()):
            compare.compare([peer], asked, self.work, results)
        return compare.Results(self.work / "results.json")

    def test_scores_what_was_kept(self):
        peer = compare.Peer(self.script("(out / 'kept.txt').write_text('1\\n')"), "x", False, sys.executable)
        [got] = self.compare(peer).all["runs"]
        # 0 and 2 went rightly, 3 did not; both pairs have lost one.
        self.assertEqual((got["removed"], got["right"], got["pairs"], got["found"], got["left"], got["same"]),
                         (3, 2, 2, 2, 0, "yes"))

    def test_continues_after_a_stop(self):
        count = self.work / "count"
        count.write_text("")
        code = (f"open({str(count)!r}, 'a').write('run ')\n"
                "(out / 'kept.txt').write_text('0\\n2\\n3\\n')")
        peer = compare.Peer(self.script(code), "x", False, sys.executable)
        self.compare(peer, repeats=1)
        self.compare(peer, repeats=1, thresholds=[0.8, 0.9])
        self.assertEqual(count.read_text(), "run run ")
        # One that knows no threshold runs once for all.
        fixed = compare.Peer(peer.script, "y", True, sys.executable)
        self.compare(fixed, repeats=1, thresholds=[0.8])
        results = self.compare(fixed, repeats=1, thresholds=[0.8, 0.95])
        self.assertEqual(count.read_text(), "run run run ")
        self.assertEqual([(got["peer"], got["threshold"], got["found"], got["pairs"])
                          for got in results.all["runs"]],
                         [("toy x", 0.8, 2, 2), ("toy x", 0.9, 1, 1), ("toy y", 0.8, 2, 2),
                          ("toy y", 0.95, 0, 0)])

    def test_stops_what_takes_too_long_or_too_much(self):
        slow = compare.Peer(self.script("import time\ntime.sleep(60)"), "x", False, sys.executable)
        [got] = self.compare(slow, limit=0.5).all["runs"]
        self.assertEqual(got["failed"], "stopped after 2 s")
        # By a child, as peers do that call a command.
        busy = compare.Peer(self.script("import subprocess\n"
                                        "subprocess.run([sys.executable, '-c', 'while True: pass'])"),
                            "z", False, sys.executable)
        self.assertEqual(self.compare(busy, limit=1.5).of("runs", peer="toy z")["failed"],
                         "stopped after 1.5 CPU s")
        large = compare.Peer(self.script("x = b'x' * 2**28\nimport time\ntime.sleep(60)"), "y", False,
                             sys.executable)
        got = self.compare(large, memory=0.2).of("runs", peer="toy y")
        self.assertEqual(got["failed"], "stopped at 0.2 GB of memory")

    def test_writes_tables_and_a_picture(self):
        peer = compare.Peer(self.script("(out / 'kept.txt').write_text('1\\n3\\n')"), "x", False,
                            sys.executable)
        results = self.compare(peer).all
        said = "\n".join(compare.sections(results))
        self.assertIn("4 texts", said)
        self.assertRegex(said, r"\| toy x \|.*\| 2 \| 0 \| 1 \| 1 \| 0 \| yes \|")
        self.assertIn("| toy |", compare.short_table(results))
        self.assertIn("toy x (1.00)", picture.drawn(compare.dots(results)))


if __name__ == "__main__":
    done = unittest.TextTestRunner(stream=sys.stdout).run(
        unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]))
    wrong = len(done.failures) + len(done.errors)
    print(f"peers_test: {done.testsRun - wrong} passed, {wrong} failed")
    sys.exit(bool(wrong))
