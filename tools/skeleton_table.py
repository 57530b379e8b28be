#!/usr/bin/env python3
"""Writes src/text/generated/skeleton_table.cc: what each character looks like.

    tools/skeleton_table.py [/usr/share/unicode]

Needs the Unicode Character Database, as tools/unicode_table.py does, and ICU 72, whose data hold
the confusables of UTS #39; both are of Unicode 15.0.0, and no other version is accepted. On Debian
they are in the packages unicode-data and libicu72.

The table has a string for each character that the analyzer `skeleton` replaces; docs/analyzers.md
has the rules, and this file is their definition. In short: a character is decomposed, and of each
part

  - ignorable characters and marks go; marks of scripts whose words differ by them stay (KEPT);
  - a decimal digit of any script is the ASCII digit of its value;
  - a letter is its compatibility decomposition, then its prototype by UTS #39, in small letters,
    if these are letters; a symbol only if that is one ASCII letter; an ideograph or a letter of a
    script without spaces only within its kind;
  - small capitals and letters in filled circles and squares are their letters, by name;
  - i, l and what looks like one of them are i, and rn is m.

UTS #39 knows capitals and small letters apart: U+0412 looks like B, U+0432 like U+0299. Where only
one of a pair looks like ASCII, both are that (and the other's class with them, if no other letter
claims it); where none does, their classes are one. Where both do and differ, as those of Greek nu
(N, v), they stay apart: case then counts.
"""
import ctypes
import os
import re
import sys

from unicode_table import (EMOJI, HEAD, IGNORABLE, IOTA, KEYCAP, MARK, MODIFIER, OUT,
                           REGIONAL, SEPARATOR, VERSION, Database, classes_of,
                           listing, ranges, staged)

ICU = "72"
TABLE_END = 0x32400  # of unicode_table.h
DROPPED, KEPT_MARK = 0xFFFF, 0xFFFE
JOINS = (MARK, IOTA, KEYCAP)
# Scripts whose marks are accents. Those of others stay: vowel signs make words differ.
ACCENTS = {"Zinh", "Zyyy", "Common", "Inherited", "Latin", "Greek", "Cyrillic"}
VOICING = {0x3099, 0x309A}  # of kana: inherited, and no accents
JAMO = {*range(0x1100, 0x1200), *range(0xA960, 0xA980), *range(0xD7B0, 0xD800)}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BY_NAME = re.compile(r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL "
                     r"LETTER) ([A-Z])")


class Spoof:
    """UTS #39's skeleton(), by ICU."""

    def __init__(self):
        common = ctypes.CDLL(f"libicuuc.so.{ICU}")
        library = ctypes.CDLL(f"libicui18n.so.{ICU}")
        version = (ctypes.c_uint8 * 4)()
        common[f"u_getUnicodeVersion_{ICU}"](version)
        assert ".".join(map(str, version[:3])) == VERSION, list(version)
        open_ = library[f"uspoof_open_{ICU}"]
        open_.restype = ctypes.c_void_p
        self.error = ctypes.c_int(0)
        self.checker = ctypes.c_void_p(open_(ctypes.byref(self.error)))
        assert self.error.value <= 0
        self.function = library[f"uspoof_getSkeletonUTF8_{ICU}"]
        self.buffer = ctypes.create_string_buffer(4096)

    def __call__(self, text):
        data = text.encode()
        size = self.function(self.checker, 0, data, len(data), self.buffer, 4096,
                             ctypes.byref(self.error))
        assert self.error.value <= 0, text
        return self.buffer.raw[:size].decode()


def is_ascii(codes):
    return bool(codes) and all(code < 0x80 for code in codes)


class Skeletons:
    """The skeleton of each character, as tuples of code points."""

    def __init__(self, data, folder):
        self.data, self.classes = data, classes_of(data)
        spoof = Spoof()
        file = lambda name: os.path.join(folder, name)
        self.digits, self.names = {}, {}
        with open(file("UnicodeData.txt"), encoding="utf-8") as lines:
            for line in lines:
                fields = line.split(";")
                code = int(fields[0], 16)
                if fields[6]:
                    self.digits[code] = (ord("0") + int(fields[6]),)
                if named := BY_NAME.fullmatch(fields[1]):
                    self.names[code] = (ord(named[1].lower()),)
        self.accents = ranges(file("Scripts.txt"), lambda name: name in ACCENTS) - VOICING
        self.looks = {}
        for code in range(0x80, 0x110000):
            if 0xD800 <= code < 0xE000 or data.decomposed(code) != (code,):
                continue
            look = self.look(code, spoof)
            if look is not None:
                self.looks[code] = look
        self.join_cases()
        self.settle()

    def shown(self, codes):
        """Without marks that are accents."""
        return tuple(c for c in codes if self.classes[c] not in JOINS or c not in self.accents)

    def folded(self, codes):
        return tuple(ord("i") if c == ord("l") else c for c in self.data.folded(codes))

    def look(self, code, spoof):
        """Of one character without decomposition, before pairs of cases are joined; None: itself."""
        kind = self.classes[code]
        if kind == IGNORABLE or code == 0x200B:
            return ()
        if kind in JOINS:
            return () if code in self.accents else None
        if code in self.digits:
            return self.digits[code]
        if code in self.names:
            return self.folded(self.names[code])
        if kind in (EMOJI, REGIONAL, MODIFIER) or code in JAMO:
            return None
        if is_ascii(self.data.folding.get(code, ())):
            return self.folded((code,))
        compatible = self.shown(self.data.normalized((code,), True))
        alike = lambda codes: bool(codes) and all(self.classes[c] == kind for c in codes)
        seen = self.shown(map(ord, spoof(chr(code))))
        if kind == SEPARATOR:
            letter = len(seen) == 1 and chr(seen[0]).isascii() and chr(seen[0]).isalpha()
            return self.folded(seen) if letter else None
        if is_ascii(seen) and alike(seen):
            return self.folded(seen)
        parts = []
        for part in compatible if alike(compatible) else (code,):
            if part in self.digits:
                parts += self.digits[part]
                continue
            seen = (part,) if part < 0x80 else self.shown(map(ord, spoof(chr(part))))
            parts += seen if alike(seen) else (part,)
        return self.folded(parts)

    def join_cases(self):
        """Makes letters equal whose case alone differs, where that joins no two ASCII letters."""
        self.apart, parent = [], {}

        def root(codes):
            while codes in parent:
                codes = parent[codes]
            return codes

        pairs = [(code, fold[0]) for code, fold in sorted(self.data.folding.items())
                 if code >= 0x80 and len(fold) == 1 and fold[0] >= 0x80
                 and self.looks.get(code) and self.looks.get(fold[0])]
        mixed = []
        for pair in pairs:
            one, other = (self.looks[code] for code in pair)
            if one == other:
                continue
            letter = [look for look in (one, other) if len(look) == 1 and chr(look[0]) in LETTERS]
            if is_ascii(one) and is_ascii(other):
                if len(letter) == 1:
                    for code in pair:
                        self.looks[code] = letter[0]
                else:
                    self.apart.append(pair)
            elif is_ascii(one) or is_ascii(other):
                mixed.append(pair)
            elif root(one) != root(other):
                first, second = sorted((root(one), root(other)), key=lambda c: (len(c), c))
                parent[second] = first
        claims = {}
        for pair in mixed:
            one, other = (self.looks[code] for code in pair)
            plain, odd = (one, other) if is_ascii(one) else (other, one)
            claims.setdefault(root(odd), set()).add(plain)
            for code in pair:
                self.looks[code] = plain
        self.contested = {codes for codes, plain in claims.items() if len(plain) > 1}
        for code, look in self.looks.items():
            look = root(look)
            plain = claims.get(look, ())
            self.looks[code] = next(iter(plain)) if len(plain) == 1 else look

    def settle(self):
        """Replaces the parts of looks until nothing changes."""
        for _ in range(8):
            before = dict(self.looks)
            for code, look in before.items():
                new = tuple(c for part in look for c in before.get(part, (part,)))
                self.looks[code] = new
            if before == self.looks:
                return
        raise AssertionError("looks that never settle")

    def skeleton(self, code):
        """The string of one character, or None if it stays; composed."""
        out = []
        for part in self.data.normalized((code,)):
            if part < 0x80:
                look = self.folded((part,))
            else:
                look = self.looks.get(part, (part,))
            for seen in look:
                if out and out[-1] < 0x80 and self.classes[seen] in JOINS:
                    continue
                out.append(seen)
        text = "".join(map(chr, out)).replace("rn", "m")
        out = self.data.composed(tuple(map(ord, text)))
        return None if out == self.data.caseless(code) else out


def skeletons(folder):
    """What the table holds: a tuple of code points for each character that does not stay."""
    made = Skeletons(Database(folder), folder)
    strings = {}
    for code in range(0x80, TABLE_END):
        if 0xD800 <= code < 0xE000 or 0xAC00 <= code < 0xD7A4:
            continue
        out = made.skeleton(code)
        # A separator and a mark on it separate in any case.
        if out is not None and (not out or {made.classes[c] for c in (code, *out)} != {SEPARATOR}):
            strings[code] = out
    return made, strings


def main():
    made, strings = skeletons(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    pool, places, values = [0], {(): 0}, [0] * TABLE_END
    for code, out in strings.items():
        if out not in places:
            data = "".join(map(chr, out)).encode()
            places[out] = len(pool)
            pool += [len(data), *data]
        values[code] = DROPPED if not out else places[out]
    for code in range(TABLE_END):
        if made.classes[code] in JOINS and code not in strings:
            values[code] = KEPT_MARK
    assert len(pool) < KEPT_MARK
    stage1, stage2 = staged(values)
    text = f"""\
{HEAD.replace("unicode_table.py", "skeleton_table.py")}\
// With the confusables of UTS #39, Unicode {VERSION}, as ICU {ICU} has them.
//
// This file's interface is text/skeleton_table.h; the rest is private.
#include "text/skeleton_table.h"

namespace twinset::unicode {{

static_assert(version == "{VERSION}" && skeleton_end == {TABLE_END:#x});

// clang-format off
const std::uint8_t skeleton_stage1[skeleton_end / block_size] = {{
{listing(stage1, 24)}
}};

const std::uint16_t skeleton_stage2[] = {{
{listing(stage2, 20)}
}};

const std::uint8_t skeleton_strings[] = {{
{listing(pool, 24)}
}};
// clang-format on

}}  // namespace twinset::unicode
"""
    with open(os.path.join(OUT, "skeleton_table.cc"), "w", encoding="ascii") as file:
        file.write(text)
    apart = ", ".join(f"U+{one:04X} and U+{other:04X}" for one, other in made.apart)
    print(f"{len(strings)} characters, {len(places)} strings; apart: {apart}")


if __name__ == "__main__":
    main()
