#!/usr/bin/env python3
"""Writes the Unicode tables of src/text/generated from the Unicode Character Database.

    tools/unicode_table.py [/usr/share/unicode]

On Debian the files are in the package unicode-data. Only version 15.0.0 is accepted:
another version gives other tokens, and so needs other versions of the analyzers.

unicode_table.cc: a byte for each code point, its rule, in two stages: a byte for each
block of 128 code points, and the distinct blocks. The rules, which
src/text/unicode_table.h describes:

  word        Alphabetic, or general category N* (numbers)
  mark        general category M* (wins over word), but U+0345, which folds to a letter
  unspaced    a word character of category L* whose Script_Extensions name a script
              written without spaces
  ideograph   Ideographic (wins over word)
  emoji       Extended_Pictographic of the separators, but the signs of writing in SIGNS
  regional    Regional_Indicator
  modifier    Emoji_Modifier
  ignorable   Default_Ignorable_Code_Point but U+200B (wins over all)
  separator   everything else, unassigned code points included

Each is divided by the way to find the canonical form: the code point itself, a number
added to it, or the slow way of src/text/canonical.cc. A third table has the bytes of the
canonical form for each sequence of two bytes.

canonical_table.cc: canonical and compatibility decompositions, canonical combining
classes, full case foldings (statuses C and F), and the pairs that compose.
symbol ranges: general categories P* and S*, for the analyzer `code`.
"""
import os
import re
import sys

VERSION = "15.0.0"
BLOCK = 128
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "text", "generated")

# unicode::Rule, in its order.
(SEPARATOR, WORD, IDEOGRAPH, UNSPACED, IGNORABLE, MARK, ORDERED_MARK, JOINING_MARK, SLOW_MARK,
 SLOW_WORD, SLOW_IDEOGRAPH, SLOW_UNSPACED, IOTA, EMOJI, REGIONAL, MODIFIER, KEYCAP) = range(17)
FIRST_FOLDING = 17

# Pictographic, and signs of writing all the same: Lucene's tokenizers leave them out, too.
SIGNS = {0xA9, 0xAE, 0x2122, 0x3030, 0x303D}

# Line_Break=Complex_Context has most of them; other rules break kana, Javanese and Balinese
# between letters. Names as in ScriptExtensions.txt and in Scripts.txt.
UNSPACED_SCRIPTS = {
    "Thai": "Thai", "Laoo": "Lao", "Khmr": "Khmer", "Mymr": "Myanmar", "Java": "Javanese",
    "Bali": "Balinese", "Hira": "Hiragana", "Kana": "Katakana", "Tale": "Tai_Le",
    "Talu": "New_Tai_Lue", "Lana": "Tai_Tham", "Tavt": "Tai_Viet", "Ahom": "Ahom"}

S_BASE, L_BASE, V_BASE, T_BASE = 0xAC00, 0x1100, 0x1161, 0x11A7
L_COUNT, V_COUNT, T_COUNT = 19, 21, 28
S_COUNT = L_COUNT * V_COUNT * T_COUNT


def rows(path):
    """Each line's range and its other fields."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if len(fields) < 2:
                continue
            first, _, last = fields[0].partition("..")
            yield range(int(first, 16), int(last or first, 16) + 1), fields[1:]


def ranges(path, wanted):
    """The code points whose property (second column) satisfies `wanted`."""
    found = set()
    for codes, fields in rows(path):
        if wanted(fields[0]):
            found.update(codes)
    return found


class Database:
    """The properties needed from the database, by code point."""

    def __init__(self, folder):
        file = lambda *name: os.path.join(folder, *name)
        with open(file("CaseFolding.txt"), encoding="utf-8") as lines:
            version = re.match(r"# CaseFolding-([0-9.]+)\.txt", next(lines)).group(1)
        if version != VERSION:
            sys.exit(f"{folder} holds Unicode {version}; the tables are of {VERSION}")
        codes = lambda text: tuple(int(code, 16) for code in text.split())
        self.folding = {}  # full case folding
        for at, fields in rows(file("CaseFolding.txt")):
            if fields[0] in ("C", "F"):
                self.folding[at[0]] = codes(fields[1])
        self.combining, self.canonical, self.compatible = {}, {}, {}
        for at, fields in rows(file("UnicodeData.txt")):
            if int(fields[2]):
                self.combining[at[0]] = int(fields[2])
            if not fields[4]:
                continue
            if fields[4].startswith("<"):
                self.compatible[at[0]] = codes(fields[4].partition(">")[2])
            else:
                self.canonical[at[0]] = codes(fields[4])
        normalization = file("DerivedNormalizationProps.txt")
        excluded = ranges(normalization, lambda name: name == "Full_Composition_Exclusion")
        self.composition = {pair: code for code, pair in self.canonical.items()
                            if code not in excluded}
        self.quick_check = {}
        for at, fields in rows(normalization):
            if fields[0] == "NFC_QC":
                self.quick_check.update((code, fields[1]) for code in at)
        derived = file("DerivedCoreProperties.txt")
        category = file("extracted", "DerivedGeneralCategory.txt")
        self.alphabetic = ranges(derived, lambda name: name == "Alphabetic")
        self.ignorable = ranges(derived, lambda n: n == "Default_Ignorable_Code_Point") - {0x200B}
        self.ideographic = ranges(file("PropList.txt"), lambda name: name == "Ideographic")
        with open(file("emoji", "emoji-data.txt"), encoding="utf-8") as lines:
            if f"Emoji Version {VERSION[:4]}" not in lines.read():
                sys.exit(f"{folder}/emoji is not of Unicode {VERSION}")
        emoji = file("emoji", "emoji-data.txt")
        self.pictographic = ranges(emoji, lambda name: name == "Extended_Pictographic") - SIGNS
        self.modifiers = ranges(emoji, lambda name: name == "Emoji_Modifier")
        self.regional = ranges(file("PropList.txt"), lambda name: name == "Regional_Indicator")
        self.letters = ranges(category, lambda name: name[0] == "L")
        self.numbers = ranges(category, lambda name: name[0] == "N")
        self.marks = ranges(category, lambda name: name[0] == "M")
        self.symbols = ranges(category, lambda name: name[0] in "PS")
        extended = {code: set(fields[0].split())
                    for at, fields in rows(file("ScriptExtensions.txt")) for code in at}
        self.unspaced = {code for code, scripts in extended.items()
                         if scripts & UNSPACED_SCRIPTS.keys()}
        self.unspaced |= ranges(file("Scripts.txt"),
                                lambda name: name in UNSPACED_SCRIPTS.values()) - extended.keys()

    def decomposed(self, code, compatible=False):
        """The full decomposition of one code point, not yet ordered."""
        if S_BASE <= code < S_BASE + S_COUNT:
            index = code - S_BASE
            last = index % T_COUNT
            return (L_BASE + index // (V_COUNT * T_COUNT),
                    V_BASE + index % (V_COUNT * T_COUNT) // T_COUNT) + (
                        (T_BASE + last,) if last else ())
        parts = self.canonical.get(code) or (compatible and self.compatible.get(code))
        if not parts:
            return (code,)
        return tuple(end for part in parts for end in self.decomposed(part, compatible))

    def ordered(self, codes):
        codes = list(codes)
        for i in range(1, len(codes)):
            j = i
            while j and 0 < self.combining.get(codes[j], 0) < self.combining.get(codes[j - 1], 0):
                codes[j - 1], codes[j] = codes[j], codes[j - 1]
                j -= 1
        return tuple(codes)

    def normalized(self, codes, compatible=False):
        """NFD, or NFKD."""
        return self.ordered(end for code in codes for end in self.decomposed(code, compatible))

    def folded(self, codes):
        return tuple(end for code in codes for end in self.folding.get(code, (code,)))

    def composed(self, codes):
        """NFC of a text in NFD."""
        out, starter, last = [], None, 0
        for code in codes:
            combining = self.combining.get(code, 0)
            whole = None
            if starter is not None and (last < combining or starter == len(out) - 1):
                whole = self.composite(out[starter], code)
            if whole is not None:
                out[starter] = whole
                continue
            if combining == 0:
                starter = len(out)
            last = combining
            out.append(code)
        return tuple(out)

    def composite(self, first, second):
        if L_BASE <= first < L_BASE + L_COUNT and V_BASE <= second < V_BASE + V_COUNT:
            return S_BASE + ((first - L_BASE) * V_COUNT + second - V_BASE) * T_COUNT
        if (S_BASE <= first < S_BASE + S_COUNT and (first - S_BASE) % T_COUNT == 0
                and T_BASE < second < T_BASE + T_COUNT):
            return first + second - T_BASE
        return self.composition.get((first, second))

    def caseless(self, code):
        """NFC of Unicode's canonical caseless form (D145) of one code point."""
        folded = self.folded(self.normalized((code,)))
        assert self.normalized(folded) == folded, hex(code)
        return self.composed(folded)

    def compatibly_caseless(self, code):
        """The form of D146, in NFKD."""
        step = self.folded(self.normalized((code,)))
        step = self.folded(self.normalized(step, True))
        return self.normalized(step, True)


def classes_of(data):
    """The class of each code point: one of the rules SEPARATOR to MARK, or IOTA to KEYCAP."""
    classes = [SEPARATOR] * 0x110000
    # With those that are composed of one, an arrow, and a mark.
    pictographic = data.pictographic | {code for code in data.canonical
                                        if data.decomposed(code)[0] in data.pictographic}
    for members, value in ((pictographic, EMOJI), (data.regional, REGIONAL),
                           (data.modifiers, MODIFIER)):
        for code in members:
            classes[code] = value
    word = data.alphabetic | data.numbers
    for members, value in ((word, WORD), (word & data.letters & data.unspaced, UNSPACED),
                           (data.marks, MARK), (data.ideographic, IDEOGRAPH),
                           (data.ignorable, IGNORABLE), ({0x345}, IOTA), ({0x20E3}, KEYCAP)):
        for code in members:
            classes[code] = value
    return classes


def check_forms(data, classes):
    """Checks the properties that src/text/canonical.cc and the kernel rely on."""
    joins = (MARK, IOTA, KEYCAP)
    for code in range(0x110000):
        if 0xD800 <= code < 0xE000:
            continue
        normal = data.normalized((code,))
        kinds = [classes[part] for part in normal]
        kind = classes[code]
        # The two normal forms of a text have the same tokens in the same places.
        if kind in joins:
            assert all(part in joins for part in kinds), hex(code)
        elif kind == WORD:
            assert kinds[0] == WORD and all(part in (WORD, *joins) for part in kinds), hex(code)
        else:
            assert kinds[0] == kind and all(part in joins for part in kinds[1:]), hex(code)
        if kind == IGNORABLE:
            assert normal == (code,) and data.combining.get(code, 0) == 0, hex(code)
        # Folding keeps the class; its result needs no reordering or decomposition.
        folded = data.folded((code,))
        if folded != (code,) and len(normal) == 1:
            assert all(classes[part] == WORD for part in folded), hex(code)
            assert all(data.combining.get(part, 0) == 0 for part in folded), hex(code)
            assert kind in (WORD, IOTA), hex(code)
        if data.combining.get(code, 0):
            assert kind in joins, hex(code)
        # D146 is D145 of the compatibility decomposition.
        form = data.normalized(data.folded(data.normalized((code,), True)))
        assert form == data.compatibly_caseless(code), hex(code)


def rules_of(data):
    """The rule of each code point, and the difference of each folding rule."""
    classes = classes_of(data)
    check_forms(data, classes)
    seconds = {second for _, second in data.composition}
    rules, shifts = list(classes), {}
    for code, kind in enumerate(classes):
        if kind in (SEPARATOR, IGNORABLE, IOTA):
            continue
        form = data.caseless(code)
        if kind in (EMOJI, REGIONAL, MODIFIER, KEYCAP):
            assert form == (code,) and code not in data.quick_check, hex(code)
            continue
        quick = len(form) == 1 and form[0] not in data.quick_check
        if kind == MARK:
            combining = data.combining.get(code, 0)
            if quick and form == (code,):
                rules[code] = ORDERED_MARK if combining else MARK
            elif form == (code,) and combining == 0 and data.quick_check.get(code) == "M":
                assert code in seconds, hex(code)
                rules[code] = JOINING_MARK
            else:
                rules[code] = SLOW_MARK
        elif not quick or form != (code,):
            rules[code] = {WORD: SLOW_WORD, IDEOGRAPH: SLOW_IDEOGRAPH,
                           UNSPACED: SLOW_UNSPACED}[kind]
            if quick and kind == WORD:
                assert data.combining.get(form[0], 0) == 0
                shifts[code] = form[0] - code
    differences = sorted(set(shifts.values()))
    assert FIRST_FOLDING + len(differences) <= 256
    rule_of = {difference: FIRST_FOLDING + i for i, difference in enumerate(differences)}
    for code, difference in shifts.items():
        rules[code] = rule_of[difference]
    return rules, differences


def table_end(rules):
    """The first block from which on every code point is a separator, except one ignorable range."""
    tags = [code for code in range(0x40000, 0x110000) if rules[code] != SEPARATOR]
    assert {rules[code] for code in tags} == {IGNORABLE}
    assert len(tags) == tags[-1] - tags[0] + 1
    end = 1 + max(code for code in range(0x40000) if rules[code] != SEPARATOR)
    return -(-end // BLOCK) * BLOCK, tags[0], tags[-1] + 1


WORD_FLAG, APART_FLAG = 1 << 16, 1 << 17


def two_byte_entry(data, code, rules):
    """See unicode::two_bytes."""
    rule = rules[code]
    if code < 0x80:
        return APART_FLAG
    if rule == SEPARATOR:
        first, second = chr(code).encode()
        return first | second << 8
    form = data.caseless(code)
    bytes_ = "".join(map(chr, form)).encode()
    word = rule == WORD or rule == SLOW_WORD or rule >= FIRST_FOLDING
    if not word or len(bytes_) != 2 or any(part in data.quick_check for part in form):
        return APART_FLAG
    return bytes_[0] | bytes_[1] << 8 | WORD_FLAG


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


def staged(values):
    """Two stages: the number of each block, and the distinct blocks in order."""
    stage1, blocks, numbers = [], [], {}
    for start in range(0, len(values), BLOCK):
        block = tuple(values[start : start + BLOCK])
        if block not in numbers:
            numbers[block] = len(blocks)
            blocks.append(block)
        stage1.append(numbers[block])
    assert len(blocks) <= 256
    return stage1, [value for block in blocks for value in block]


def listing(values, columns):
    lines = []
    for i in range(0, len(values), columns):
        lines.append("    " + ", ".join(str(v) for v in values[i : i + columns]) + ",")
    return "\n".join(lines)


HEAD = f"""\
// Generated by tools/unicode_table.py from the Unicode Character Database {VERSION}.
// The database is Unicode, Inc.'s: https://www.unicode.org/terms_of_use.html.
//
"""


def unicode_table(data):
    rules, differences = rules_of(data)
    end, tags_begin, tags_end = table_end(rules)
    stage1, stage2 = staged(rules[:end])
    two_bytes = [two_byte_entry(data, code, rules) for code in range(0x800)]
    return f"""\
{HEAD}// This file's interface is text/unicode_table.h; the rest is private.
#include "text/unicode_table.h"

namespace twinset::unicode {{

static_assert(version == "{VERSION}");
static_assert(table_end == {end:#x} && tags_begin == {tags_begin:#x} && tags_end == {tags_end:#x});
static_assert(first_folding_rule == {FIRST_FOLDING});

// clang-format off
const std::int32_t fold_differences[256] = {{
{listing([0] * FIRST_FOLDING + differences, 12)}
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

}}  // namespace twinset::unicode"""


class Pool:
    """A pool of code point sequences, each after its length; equal sequences are stored once."""

    def __init__(self):
        self.values, self.places = [0], {}

    def place(self, sequence):
        """The place of a sequence; 0 for None."""
        if sequence is None:
            return 0
        if sequence not in self.places:
            self.places[sequence] = len(self.values)
            self.values += [len(sequence), *sequence]
        return self.places[sequence]


def canonical_table(data):
    pool, records, numbers = Pool(), [(0, 0, 0, 0, 0)], {(0, 0, 0, 0, 0): 0}
    seconds = {second for _, second in data.composition}
    seconds.update(range(V_BASE, V_BASE + V_COUNT))
    seconds.update(range(T_BASE + 1, T_BASE + T_COUNT))
    end = 0x30000
    of_code = []
    for code in range(end):
        hangul = S_BASE <= code < S_BASE + S_COUNT
        normal = None if hangul else data.normalized((code,))
        compatible = None if hangul else data.normalized((code,), True)
        record = (pool.place(normal if normal != (code,) else None),
                  pool.place(data.folding.get(code)),
                  pool.place(compatible if compatible != normal else None),
                  data.combining.get(code, 0), int(code in seconds))
        if record not in numbers:
            numbers[record] = len(records)
            records.append(record)
        of_code.append(numbers[record])
    assert all(code < end for code in (*data.combining, *data.canonical, *data.compatible,
                                       *data.folding, *seconds))
    assert len(pool.values) < 1 << 16 and len(records) < 1 << 16
    stage1, stage2 = staged(of_code)
    pairs = sorted(((first, second), code) for (first, second), code in data.composition.items())
    symbols = []
    for code in sorted(data.symbols):
        if symbols and symbols[-1][1] == code:
            symbols[-1][1] = code + 1
        else:
            symbols.append([code, code + 1])
    joined = lambda row: "{" + ", ".join(map(str, row)) + "}"
    return f"""\
{HEAD}// This file's interface is text/canonical_table.h; the rest is private.
#include "text/canonical_table.h"

namespace twinset::unicode {{

static_assert(version == "{VERSION}");
static_assert(canonical_end == {end:#x});

// clang-format off
const std::uint8_t canonical_stage1[canonical_end / block_size] = {{
{listing(stage1, 24)}
}};

const std::uint16_t canonical_stage2[] = {{
{listing(stage2, 20)}
}};

const CanonicalRecord canonical_records[] = {{
{listing([joined(record) for record in records], 6)}
}};

const std::uint32_t canonical_sequences[] = {{
{listing(pool.values, 14)}
}};

const Composition compositions[composition_count] = {{
{listing([joined((*pair, code)) for pair, code in pairs], 5)}
}};

const SymbolRange symbol_ranges[symbol_range_count] = {{
{listing([joined(symbol) for symbol in symbols], 8)}
}};
// clang-format on

}}  // namespace twinset::unicode""", len(pairs), len(symbols)


def main():
    data = Database(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    canonical, pairs, symbols = canonical_table(data)
    for name, text in (("unicode_table.cc", unicode_table(data)),
                       ("canonical_table.cc", canonical)):
        with open(os.path.join(OUT, name), "w", encoding="ascii") as file:
            file.write(text + "\n")
    print(f"{pairs} compositions, {symbols} ranges of symbols")


if __name__ == "__main__":
    main()
