#!/usr/bin/env python3
"""The analyzer skeleton against a second implementation, on random strings.

    python3 tests/cli/skeleton_test.py --binary build/release/twinset [--seed N]

The rules of docs/analyzers.md are written again here, over Python's own Unicode data and ICU's
skeletons of UTS #39, and not over the table that twinset has. Random strings of letters of many
scripts, accents, invisible characters, digits and signs are put into a collection, and the groups
of equal ones that dedup makes of it must be those of this implementation: no pair more, none less.
Skipped without ICU 72, whose confusables are of the Unicode that twinset has.
"""

import argparse
import ctypes
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unicodedata

STRINGS = 6000
INVISIBLE = "\u200b\u200c\u200d\u2060\u00ad\ufeff\u202e\u200f\u034f\ufe0f"
ACCENTS = [chr(code) for code in range(0x300, 0x370) if code != 0x34F]
SIGNS = " .,-_@$!|'\"\u2013\u2019\u00d7\u222a\u212e\u2223"
BLOCKS = ((0x41, 0x5B), (0x61, 0x7B), (0x30, 0x3A), (0xC0, 0x250), (0x250, 0x2B0), (0x370, 0x400),
          (0x400, 0x530), (0x531, 0x588), (0x660, 0x66A), (0x6F0, 0x6FA), (0x10A0, 0x10F0), (0x13A0, 0x13FE),
          (0x1D00, 0x1D80), (0x1E00, 0x2000), (0x2100, 0x2190), (0x2460, 0x24EA), (0xA640, 0xA670),
          (0xA720, 0xA7C0), (0xFB00, 0xFB07), (0xFF10, 0xFF5B), (0x10400, 0x10450), (0x1D400, 0x1D800),
          (0x1F130, 0x1F150), (0x1F150, 0x1F16A))
NAMED = re.compile(r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER) ([A-Z])")
LEET = str.maketrans("0123456789@$!|", "oizeasbtbgasii")


def icu_skeleton():
    """UTS #39's skeleton() of a string, or None without the right ICU."""
    try:
        library = ctypes.CDLL("libicui18n.so.72")
    except OSError:
        return None
    library.uspoof_open_72.restype = ctypes.c_void_p
    error = ctypes.c_int(0)
    checker = ctypes.c_void_p(library.uspoof_open_72(ctypes.byref(error)))
    buffer = ctypes.create_string_buffer(1024)

    def skeleton(text):
        data = text.encode()
        size = library.uspoof_getSkeletonUTF8_72(checker, 0, data, len(data), buffer, 1024,
                                                 ctypes.byref(error))
        assert error.value <= 0, text
        return buffer.raw[:size].decode()

    return skeleton


def is_accent(c):
    return unicodedata.category(c)[0] == "M"  # in these blocks all are


def is_word(c):
    """A letter or number of these blocks; letters in circles and squares are letters."""
    return (unicodedata.category(c)[0] in "LN" or 0x24B6 <= ord(c) < 0x24EA
            or 0x1F130 <= ord(c) < 0x1F14A or 0x1F150 <= ord(c) < 0x1F16A)


def plain(text):
    return "".join(c for c in text if not is_accent(c))


class Looks:
    def __init__(self, skeleton):
        self.skeleton = skeleton
        characters = [chr(code) for code in range(0x80, 0x1F200)
                      if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")
                      and not 0xAC00 <= code < 0xD7A4 and len(unicodedata.normalize("NFD", chr(code))) == 1]
        self.looks = {c: self.first_look(c) for c in characters if is_word(c)}
        self.make_cases_equal()
        for _ in range(4):
            self.looks = {c: "".join(self.looks.get(part, part) for part in look)
                          for c, look in self.looks.items()}

    def first_look(self, c):
        value = unicodedata.decimal(c, None)
        if value is not None:
            return str(value)
        if named := NAMED.fullmatch(unicodedata.name(c, "")):
            return named[1].lower().replace("l", "i")
        if c.casefold().isascii():
            return c.casefold().replace("l", "i")
        seen = plain(self.skeleton(c))
        if not (seen and seen.isascii() and seen.isalnum()):
            apart = plain(unicodedata.normalize("NFKD", c))
            parts = apart if apart and all(map(is_word, apart)) else c
            seen = ""
            for part in parts:
                digit = unicodedata.decimal(part, None)
                if digit is not None:
                    seen += str(digit)
                    continue
                look = part if part.isascii() else plain(self.skeleton(part))
                seen += look if look and all(map(is_word, look)) else part
        return seen.casefold().replace("l", "i")

    def make_cases_equal(self):
        pairs = [(c, c.casefold()) for c in self.looks if c.casefold() != c and c.casefold() in self.looks]
        group = {look: {look} for look in self.looks.values()}
        for pair in pairs:
            one, other = (self.looks[c] for c in pair)
            if not one.isascii() and not other.isascii() and group[one] is not group[other]:
                both = group[one] | group[other]
                for look in both:
                    group[look] = both
        claims, own = {}, {}
        for pair in pairs:
            one, other = (own.get(c, self.looks[c]) for c in pair)
            if one != other and one.isascii() and other.isascii():
                letters = [look for look in (one, other) if look.isalpha() and len(look) == 1]
                if len(letters) == 1:
                    own.update(dict.fromkeys(pair, letters[0]))
            elif one.isascii() != other.isascii():
                ascii_one, odd = (one, other) if one.isascii() else (other, one)
                claims.setdefault(min(group[odd]), set()).add(ascii_one)
                own.update(dict.fromkeys(pair, ascii_one))
        for c, look in self.looks.items():
            if c in own:
                self.looks[c] = own[c]
            elif not look.isascii():
                claimed = claims.get(min(group[look]), set())
                self.looks[c] = min(claimed) if len(claimed) == 1 else min(group[look], key=lambda s: (len(s), s))

    def symbol(self, c):
        seen = plain(self.skeleton(c))
        return seen.lower().replace("l", "i") if len(seen) == 1 and seen.isascii() and seen.isalpha() else c

    def of(self, text):
        """What the text looks like."""
        out = ""
        for c in unicodedata.normalize("NFD", text):
            if c in INVISIBLE or is_accent(c):
                continue
            if c.isascii():
                c = c.lower().replace("l", "i")
            elif c in self.looks:
                c = self.looks[c]
            elif not is_word(c):
                c = self.symbol(c)
            out += c
        return re.sub("rn", "m", out)


def with_letters(text):
    """Digits and signs as letters, by the rules of digits=letters; addresses are not in these texts."""
    def fold(run):
        run = run[0]
        last = max((i for i, c in enumerate(run) if c.isalpha() or not c.isascii()), default=-1)
        if last < 0:
            return run
        end = last + 1
        while end < len(run) and run[end].isdigit() and run[end].isascii():
            end += 1
        run, tail = run[:end], run[end:]
        head = re.match(r"[!|]*", run)[0]
        return head + run[len(head):].translate(LEET) + tail

    word = "".join(sorted({re.escape(c) for c in text if is_word(c) and not c.isascii()}))
    return re.sub(f"[A-Za-z0-9@$!|{word}]+", fold, text)


def words(text):
    """The tokens of a text without ideographs and the like."""
    return tuple("".join(c if is_word(c) else " " for c in text).split())


def random_text(chance, characters):
    some = [chance.choice(characters) for _ in range(3)]
    text = ""
    for _ in range(chance.randrange(1, 7)):
        text += chance.choice((
            chance.choice(some), chance.choice(characters), chance.choice("rnlI10aeos"), chance.choice(INVISIBLE),
            chance.choice(ACCENTS), chance.choice(SIGNS), chance.choice(("rn", "m", "r\u200bn", "\u0433n", "a", "o"))))
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    skeleton = icu_skeleton()
    if skeleton is None:
        print("skeleton_test: 0 passed, 0 failed; skipped: no ICU 72 here, whose skeletons judge")
        return 0
    looks = Looks(skeleton)
    characters = [chr(code) for begin, end in BLOCKS for code in range(begin, end)
                  if unicodedata.category(chr(code)) not in ("Cn", "Mn", "Mc", "Me")]
    chance = random.Random(options.seed)
    # Each character by itself, and strings, half of them the look of another.
    texts = characters + [random_text(chance, characters) for _ in range(STRINGS)]
    texts += [looks.of(text) for text in texts]
    passed = failed = 0
    for analyzer, judge in (("skeleton", lambda text: words(looks.of(text))),
                            ("skeleton(digits=letters)", lambda text: words(with_letters(looks.of(text))))):
        # A dot after @ may make an address of it.
        judged = [(text, judge(text)) for text in texts if "@" not in text or "." not in text]
        judged = [(text, tokens) for text, tokens in judged if tokens]
        with tempfile.TemporaryDirectory() as folder:
            path, out = pathlib.Path(folder, "texts.jsonl"), pathlib.Path(folder, "out")
            path.write_text("".join(json.dumps({"id": i, "text": text}) + "\n"
                                    for i, (text, _) in enumerate(judged)))
            subprocess.run([options.binary, "dedup", path, "-o", out, "--analyzer", analyzer, "--scheme", "exact",
                            "-r", "1", "-q"], check=True, stdout=subprocess.DEVNULL)
            removed = subprocess.run(["zstd", "-q", "-dc", out / "removed.jsonl.zst"], check=True,
                                     stdout=subprocess.PIPE).stdout
        first = list(range(len(judged)))
        for line in map(json.loads, removed.splitlines()):
            first[line["id"]] = line["survivor_id"]
        tokens_of, first_of = {}, {}
        for i, (text, tokens) in enumerate(judged):
            same = tokens_of.setdefault(first[i], tokens)
            other = first_of.setdefault(tokens, first[i])
            if same != tokens or other != first[i]:
                failed += 1
                if failed <= 20:
                    print(f"{analyzer}: {text!a} is {tokens!a}; twinset has it with "
                          f"{judged[first[i]][0]!a} {same!a}, not {judged[other][0]!a}")
        passed += len(judged)
        print(f"{analyzer}: {len(judged):,} texts, {len(first_of):,} different")
    print(f"skeleton_test: {passed - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
