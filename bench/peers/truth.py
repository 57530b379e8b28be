"""Every pair of similar documents of a collection, found exactly.

    truth.py IN.jsonl OUT.pairs 0.5

Resemblance is that of the sets of five-word shingles: words are runs of letters and digits, in lower
case; a text of fewer than five words has one shingle, of all of them, and one without words has none
and resembles nothing. Nothing here is twinset's. The words are made here, the shingles and the pairs by
truth.cc, which is compiled first, beside OUT.pairs.

OUT.pairs has a line "a b common union" for each pair whose common / union is the last argument or more;
a < b are places in the input, from 0. One thread. Standard library and a C++20 compiler.
"""

import array
import json
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().with_suffix(".cc")
WORD = re.compile(r"[^\W_]+")


def documents(path):
    """The words of each text as numbers, a different one for each different word."""
    numbers = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = WORD.findall(json.loads(line)["text"].lower())
            yield array.array("I", [numbers.setdefault(word, len(numbers)) for word in words])


def compiled(folder):
    program = pathlib.Path(folder) / "truth"
    if not program.exists() or program.stat().st_mtime < SOURCE.stat().st_mtime:
        subprocess.run([os.environ.get("CXX", "c++"), "-O2", "-std=c++20", str(SOURCE), "-o", str(program)],
                       check=True)
    return program


def write_pairs(path, out, least):
    program = compiled(pathlib.Path(out).resolve().parent)
    with (open(out, "wb") as pairs,
          subprocess.Popen([program, str(least)], stdin=subprocess.PIPE, stdout=pairs) as process):
        for words in documents(path):
            process.stdin.write(array.array("I", [len(words)]).tobytes() + words.tobytes())
        process.stdin.close()
    if process.returncode:
        raise OSError(f"{program} ended with {process.returncode}")


if __name__ == "__main__":
    write_pairs(sys.argv[1], sys.argv[2], float(sys.argv[3]))
