"""What the scripts beside this one share. A peer is a file with_NAME.py here: its docstring says what it
runs and whose settings these are; a line "# requires:" pins its packages; SETTINGS names its ways of
running, and FIXED those that know no threshold, if any. It is called

    with_NAME.py IN.jsonl THRESHOLD SETTING OUT

and writes OUT/kept.txt, the id of each record that it keeps. Standard library only.
"""

import json
import pathlib
import re
import sys

WORD = re.compile(r"[^\W_]+")


def texts(path):
    """Pairs of an id and a text. Stops at a bad line, as a loop without more does."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield record["id"], record["text"]


def shingles(text, size=5):
    """The distinct runs of five words; of a shorter text, all of its words."""
    words = WORD.findall(text.lower())
    return {" ".join(words[i:i + size]) for i in range(max(1, len(words) - size + 1))}


def bands(values, threshold, found=0.97):
    """(bands, rows) of at most `values` in all, with the most rows that find a pair at the threshold
    with that chance."""
    for rows in range(values, 0, -1):
        count = values // rows
        if 1 - (1 - threshold ** rows) ** count >= found:
            return count, rows
    return values, 1


def main(settings):
    """`settings`: name -> function of a path, a threshold and a folder, which yields the ids it keeps."""
    path, threshold, setting, out = sys.argv[1:]
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    kept = settings[setting](path, float(threshold), out)
    (out / "kept.txt").write_text("".join(f"{name}\n" for name in kept))


class Unions:
    """Union-find over places: the component's first stands for it."""

    def __init__(self, count):
        self.parent = list(range(count))

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        self.parent[max(a, b)] = min(a, b)
