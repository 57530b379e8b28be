"""The collections that peers are compared on, as JSON Lines: {"id": "7", "text": ..., "planted": ...}.

    terms    all versions of terms of service: long texts, most of them near-duplicates
    low      news, encyclopedia articles, one version of each law: real texts with few near-duplicates
    planted  60,000 passages of 100 to 400 words from distinct lines of these and of more terms, and one
             edited copy of each of half of them: {"of": "3", "edit": "header"}
    million  the same of 666,667 passages of 90 to 145 words. There isn't as much text: each run of 25
             words of distinct lines is in three or four passages, among other runs in each

All need the folder TWINSET_DATA. Standard library only.
"""

import html
import itertools
import json
import os
import pathlib
import random
import re
import subprocess

PASSAGES = 60_000
SHORT_PASSAGES = 666_667
RUN_WORDS = 25
NAMES = ("terms", "low", "planted", "million")


class Missing(Exception):
    """A collection cannot be made here, and why."""


def data():
    folder = os.environ.get("TWINSET_DATA")
    if not folder:
        raise Missing("TWINSET_DATA is not set")
    return pathlib.Path(folder)


def unpacked(path):
    """Lines of a .zst file, as bytes."""
    command = ["zstd", "-dcq", "--long=27", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        yield from process.stdout
    if process.returncode:
        raise Missing(f"{path} cannot be unpacked")


def texts_of(name):
    """Texts of the JSON Lines of a folder, with their records."""
    for path in sorted((data() / name).glob("*.jsonl.zst")):
        for line in unpacked(path):
            yield json.loads(line)


def stories():
    for path in sorted((data() / "reuters-21578").glob("*.sgm.zst")):
        text = b"".join(unpacked(path)).decode("latin-1")
        for body in re.findall(r"<BODY>(.*?)</BODY>", text, re.S):
            yield html.unescape(body)


def terms():
    for record in texts_of("terms-versions"):
        yield record["text"]


def low():
    yield from stories()
    for record in texts_of("wiki-articles"):
        yield record["text"]
    seen = set()
    for record in texts_of("gesetze-de"):
        if record["doc"] not in seen:
            seen.add(record["doc"])
            yield record["text"]


def distinct_lines(texts):
    """The words of each line that nothing before had."""
    seen = set()
    for text in texts:
        for line in text.splitlines():
            key = hash(line.strip())
            if key not in seen:
                seen.add(key)
                yield line.split()


def passages(lines, chance, shortest, longest):
    """Each begins where the one before ended."""
    words = []
    wanted = chance.randint(shortest, longest)
    for line in lines:
        words += line
        while len(words) >= wanted:
            yield " ".join(words[:wanted])
            words = words[wanted:]
            wanted = chance.randint(shortest, longest)


def mixed_runs(lines, chance):
    """Runs of RUN_WORDS words, all of them again and again, each time in another order."""
    runs = [text.split() for text in passages(lines, chance, RUN_WORDS, RUN_WORDS)]
    while True:
        chance.shuffle(runs)
        yield from runs


def replaced(words, chance, vocabulary, count):
    for place in chance.sample(range(len(words)), min(count, len(words))):
        words[place] = chance.choice(vocabulary)
    return words


EDITS = {
    "exact": lambda words, chance, vocabulary: words,
    "1 word": lambda words, chance, vocabulary: replaced(words, chance, vocabulary, 1),
    "3 words": lambda words, chance, vocabulary: replaced(words, chance, vocabulary, 3),
    "10 words": lambda words, chance, vocabulary: replaced(words, chance, vocabulary, 10),
    # A tenth of the words, of elsewhere, before the text: every later word is shifted.
    "header": lambda words, chance, vocabulary:
        chance.choices(vocabulary, k=max(1, len(words) // 10)) + words,
    "tail cut": lambda words, chance, vocabulary: words[:len(words) - len(words) // 8],
    # The first third goes to the end.
    "moved": lambda words, chance, vocabulary: words[len(words) // 3:] + words[:len(words) // 3],
}


def originals(name):
    chance = random.Random(1)
    more = (record["text"] for folder in ("terms-versions-large", "gesetze-de") for record in texts_of(folder))
    lines = distinct_lines(itertools.chain(low(), terms(), more))
    if name == "planted":
        return itertools.islice(passages(lines, chance, 100, 400), PASSAGES)
    return itertools.islice(passages(mixed_runs(lines, chance), chance, 90, 145), SHORT_PASSAGES)


def planted(originals):
    """Pairs of a text and what it is an edited copy of: None, or (place, edit)."""
    chance = random.Random(2)
    originals = list(originals)
    vocabulary = [word for text in originals[::50] for word in text.split()]
    copied = sorted(chance.sample(range(len(originals)), len(originals) // 2))
    edits = itertools.cycle(EDITS)
    out = [(text, None) for text in originals]
    for place in copied:
        edit = next(edits)
        words = EDITS[edit](originals[place].split(), chance, vocabulary)
        out.append((" ".join(words), (place, edit)))
    # Copies stand anywhere, some before what they were made of.
    order = list(range(len(out)))
    chance.shuffle(order)
    now = {before: after for after, before in enumerate(order)}
    for before in order:
        text, made = out[before]
        yield text, made and (now[made[0]], made[1])


def write(name, path):
    real = {"terms": terms, "low": low}.get(name)
    pairs = ((text, None) for text in real()) if real else planted(originals(name))
    with open(path, "w", encoding="utf-8") as out:
        for number, (text, made) in enumerate(pairs):
            record = {"id": str(number), "text": text}
            if made:
                record["planted"] = {"of": str(made[0]), "edit": made[1]}
            print(json.dumps(record, ensure_ascii=False), file=out)
