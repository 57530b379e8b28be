"""Shared by the pages on I-Match (papers 000 and 002): lexicons of made words, pairs of documents
that differ in so many of their words, and the pairs whose signatures match."""

import json
import random

from page import Words


class Edited:
    """Pairs of documents of `length` lexicon words, in which n words were added or taken away.

    The lexicon has `terms` words. Documents hold nothing else, so that every edit is one of the
    lexicon; it is the n of the papers."""

    def __init__(self, page, terms, length, seed):
        self._page = page
        self._length = length
        self._random = random.Random(seed)
        self.terms = Words().take(terms)
        # A collection in which each word is in ten documents.
        texts = []
        for _ in range(10):
            self._random.shuffle(self.terms)
            texts += [self.terms[i:i + 100] for i in range(0, terms, 100)]
        learned = page.write_records(f"learned_{seed}.jsonl", [{"text": " ".join(text)} for text in texts])
        self.lexicon = page.folder / f"words_{seed}.lexicon"
        page.twinset("lexicon", "build", learned, "-o", self.lexicon, "--nidf", "0:1", "--quiet")

    def write(self, edits, pairs, replaced=False):
        """Writes `pairs` documents and, for each n in `edits`, a copy of each with n edits: each
        takes a word away or adds one, with equal chances; or if they are `replaced` does both.
        Returns the file."""
        records = []
        for pair in range(pairs):
            words = self._random.sample(self.terms, self._length + max(edits))
            text, spare = words[:self._length], words[self._length:]
            records.append({"id": f"{pair} 0", "text": " ".join(text)})
            for n in edits:
                taken = n if replaced else sum(self._random.random() < .5 for _ in range(n))
                copy = text[taken:] + spare[:n if replaced else n - taken]
                self._random.shuffle(copy)
                records.append({"id": f"{pair} {n}", "text": " ".join(copy)})
        return self._page.write_records("pairs.jsonl", records)

    def spec(self, parameters):
        return f'imatch(lexicon="{self.lexicon}", share=0, least=1, {parameters})'

    def signatures(self, documents, specs):
        """By spec, by n, pair by pair: the signatures of the document and of its copy."""
        out = self._page.folder / "signatures.jsonl"
        options = [option for spec in specs for option in ("--scheme", spec)]
        self._page.twinset("sketch", documents, *options, "-o", out, "--quiet")
        found = [{} for _ in specs]
        with open(out, encoding="utf-8") as lines:
            for i, line in enumerate(lines):
                line = json.loads(line)
                pair, n = line["id"].split()
                by_n = found[i % len(specs)]
                if n == "0":
                    by_n["whole"] = line["signature"]
                else:
                    by_n.setdefault(int(n), []).append((by_n["whole"], line["signature"]))
        out.unlink()
        return found


def first_match(a, b):
    """The first coordinate at which two documents have one signature, or None."""
    for coordinate, (one, other) in enumerate(zip(a, b)):
        if one is not None and one == other:
            return coordinate
    return None


def stability(dropped, n, lexicons):
    """000 Eq. 1."""
    return 1 - (1 - dropped ** n) ** lexicons
