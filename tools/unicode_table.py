#!/usr/bin/env python3
"""Writes src/text/unicode_table.cc from the Unicode Character Database.

    tools/unicode_table.py [/usr/share/unicode] > src/text/unicode_table.cc

On Debian the files come with the package unicode-data. The rules, which
src/text/unicode_table.h tells in words:

  word        Alphabetic, or general category N* (numbers) or M* (marks)
  ideograph   Ideographic (wins over word)
  ignorable   Default_Ignorable_Code_Point but U+200B (wins over both)
  separator   everything else, unassigned code points included
  folding     CaseFolding.txt, statuses C and S: one code point to one

The table has two stages: a byte a block of 128 code points, and the distinct
blocks, a byte a code point. That byte is a rule: 0 to 3 are the classes above
without folding, from 4 on a word character with a difference to its folding. A third
table answers for sequences of two bytes at once: what they fold to, as bytes.
"""
import os
import re
import sys

BLOCK = 128
SEPARATOR, WORD, IDEOGRAPH, IGNORABLE = range(4)


def ranges(path, wanted):
    """The code points whose property (second column) satisfies `wanted`."""
    found = set()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if len(fields) < 2 or not wanted(fields[1]):
                continue
            first, _, last = fields[0].partition("..")
            found.update(range(int(first, 16), int(last or first, 16) + 1))
    return found


def foldings(path):
    """Code point to folded code point, and the database's version."""
    folded = {}
    with open(path, encoding="utf-8") as lines:
        version = re.match(r"# CaseFolding-([0-9.]+)\.txt", next(lines)).group(1)
        for line in lines:
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if len(fields) >= 3 and fields[1] in ("C", "S"):
                folded[int(fields[0], 16)] = int(fields[2], 16)
    return folded, version


def rules_of(folder):
    """The rule of each code point, the difference of each rule, the version."""
    derived = os.path.join(folder, "DerivedCoreProperties.txt")
    folded, version = foldings(os.path.join(folder, "CaseFolding.txt"))
    category = os.path.join(folder, "extracted", "DerivedGeneralCategory.txt")
    word = ranges(derived, lambda name: name == "Alphabetic")
    word |= ranges(category, lambda name: name[0] in "NM")
    ideograph = ranges(os.path.join(folder, "PropList.txt"), lambda name: name == "Ideographic")
    ignorable = ranges(derived, lambda name: name == "Default_Ignorable_Code_Point") - {0x200B}

    classes = [SEPARATOR] * 0x110000
    for members, value in ((word, WORD), (ideograph, IDEOGRAPH), (ignorable, IGNORABLE)):
        for code in members:
            classes[code] = value
    for code, target in folded.items():
        assert classes[code] == WORD and classes[target] == WORD and target not in folded

    differences = sorted({target - code for code, target in folded.items()})
    assert len(differences) <= 252
    rule_of = {difference: 4 + i for i, difference in enumerate(differences)}
    rules = list(classes)
    for code, target in folded.items():
        rules[code] = rule_of[target - code]
    return rules, differences, version


def table_end(rules):
    """The first block from which on all is separator, but one ignorable range."""
    tags = [code for code in range(0x40000, 0x110000) if rules[code] != SEPARATOR]
    assert {rules[code] for code in tags} == {IGNORABLE}
    assert len(tags) == tags[-1] - tags[0] + 1
    end = 1 + max(code for code in range(0x40000) if rules[code] != SEPARATOR)
    return -(-end // BLOCK) * BLOCK, tags[0], tags[-1] + 1


WORD_FLAG, APART_FLAG = 1 << 16, 1 << 17


def two_byte_entry(code, rules, differences):
    """See unicode::two_bytes."""
    rule = rules[code]
    if code < 0x80 or rule in (IDEOGRAPH, IGNORABLE):
        return APART_FLAG
    folded = code + (differences[rule - 4] if rule >= 4 else 0)
    if not 0x80 <= folded < 0x800:
        return APART_FLAG
    first, second = chr(folded).encode()
    return first | second << 8 | (0 if rule == SEPARATOR else WORD_FLAG)


def plain_pairs(entries):
    """See unicode::plain_pairs."""
    masks = [0] * 16
    for code in range(0, 0x800, 16):
        # 16 code points that share the first byte and the second's high half.
        first, second = 0xC0 | code >> 6, 0x80 | code & 0x3F
        same = [first | (second + i) << 8 | WORD_FLAG for i in range(16)]
        if entries[code : code + 16] == same:
            masks[first & 0xF] |= 1 << ((second >> 4) - 8 + (4 if first & 0x10 else 0))
    return masks


def listing(values, columns):
    lines = []
    for i in range(0, len(values), columns):
        lines.append("    " + ", ".join(str(v) for v in values[i : i + columns]) + ",")
    return "\n".join(lines)


def main():
    rules, differences, version = rules_of(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    end, tags_begin, tags_end = table_end(rules)
    stage1, blocks, numbers = [], [], {}
    for start in range(0, end, BLOCK):
        block = tuple(rules[start : start + BLOCK])
        if block not in numbers:
            numbers[block] = len(blocks)
            blocks.append(block)
        stage1.append(numbers[block])
    assert len(blocks) <= 256
    stage2 = [rule for block in blocks for rule in block]
    two_bytes = [two_byte_entry(code, rules, differences) for code in range(0x800)]
    size = 16 + len(stage1) + len(stage2) + 4 * (256 + len(two_bytes))
    print(f"""\
// Generated by tools/unicode_table.py from the Unicode Character Database {version};
// {len(blocks)} blocks of {BLOCK} code points, {len(differences)} folding differences, {size} bytes.
// The database is Unicode, Inc.'s: https://www.unicode.org/terms_of_use.html.
//
// This file's interface is text/unicode_table.h; the rest is private.
#include "text/unicode_table.h"

namespace twinset::unicode {{

static_assert(version == "{version}");
static_assert(table_end == {end:#x} && tags_begin == {tags_begin:#x} && tags_end == {tags_end:#x});

// clang-format off
const std::int32_t fold_differences[256] = {{
{listing([0] * 4 + differences, 12)}
}};

const std::uint8_t stage1[table_end / block_size] = {{
{listing(stage1, 24)}
}};

const std::uint8_t stage2[] = {{
{listing(stage2, 32)}
}};

const std::uint32_t two_bytes[0x800] = {{
{listing(two_bytes, 12)}
}};

alignas(16) const std::uint8_t plain_pairs[16] = {{
{listing(plain_pairs(two_bytes), 16)}
}};
// clang-format on

}}  // namespace twinset::unicode""")


if __name__ == "__main__":
    main()
