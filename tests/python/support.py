"""What the tests of the package share."""

import importlib.util
import json
import pathlib
import random
import subprocess

import twinset.__main__

TEXTS = ["one two three four five six seven eight nine ten",
         "one two three four five six seven eight nine ten eleven",
         "all of these words stand in another text, which is not short either",
         "all of these words stand in another text, which is not short either, or is it",
         "nobody has ever written this sentence before, or will write it again"]


def program(*arguments):
    """The program of this package, run to its end."""
    return subprocess.run([twinset.__main__.program(), *map(str, arguments)], capture_output=True,
                          text=True, check=True)


def collection(folder):
    """The texts as a file of JSON Lines; their ids are t0, t1, ..."""
    path = pathlib.Path(folder, "texts.jsonl")
    path.write_text("".join(json.dumps({"id": f"t{i}", "text": text}) + "\n"
                            for i, text in enumerate(TEXTS)))
    return str(path)


def many(count, words=60):
    """Random texts, a tenth of them near copies."""
    random.seed(1)
    vocabulary = [f"word{i}" for i in range(5000)]
    texts = []
    for i in range(count):
        if texts and i % 10 == 0:
            texts.append(texts[-1] + " more")
        else:
            texts.append(" ".join(random.choices(vocabulary, k=words)))
    return texts


def has(*modules):
    return all(importlib.util.find_spec(module) for module in modules)
