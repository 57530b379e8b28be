#!/usr/bin/env python3
"""Section 6.5: spam whose words are disguised, and what an analyzer joins that sees through it.

    papers/002/skeleton.py --binary build/release/twinset

The paper's attacker guesses words of the lexicon. One who disguises words needs no guess: a word with a
look-alike of another script, an invisible character or a digit is another word, whatever the lexicon.
The analyzer `skeleton` takes both for one. Disguises are planted in spam, and the false joins counted
in texts that have none. Needs the collections spamassassin, gesetze-de and scancode-licences.
"""

import collections
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines  # noqa: E402

ANALYZERS = ["words", "skeleton", "skeleton(digits=letters)", "skeleton(digits=letters, spaced=join)"]
WORD = re.compile(r"[^\W_]+")
# Four letters and more on a line, with the same separator between each two.
APART = re.compile(r"(?<![^\W_])[A-Za-z](?=([^0-9A-Za-z\n\x80-\U0010ffff]))"
                   r"(?:\1[A-Za-z](?![0-9A-Za-z\x80-\U0010ffff])){3,}")
LEAST_WORDS = 60
ORIGINALS = 120
SHARES = (.05, .1, .2)

LOOKS = {"a": "\u0430\u03b1", "c": "\u0441", "d": "\u0501", "e": "\u0435", "g": "\u0261", "h": "\u04bb",
         "i": "\u0456\u03b9", "j": "\u0458", "k": "\u043a\u03ba", "l": "\u04cf", "m": "\u043c", "n": "\u0578",
         "o": "\u043e\u03bf", "p": "\u0440\u03c1", "q": "\u051b", "s": "\u0455", "t": "\u0442\u03c4",
         "u": "\u03c5", "v": "\u03bd\u0475", "w": "\u051d", "x": "\u0445", "y": "\u0443",
         "A": "\u0410\u0391", "B": "\u0412\u0392", "C": "\u0421", "E": "\u0415\u0395", "H": "\u041d\u0397",
         "I": "\u0406l", "K": "\u041a\u039a", "M": "\u041c\u039c", "N": "\u039d", "O": "\u041e\u039f",
         "P": "\u0420\u03a1", "S": "\u0405", "T": "\u0422\u03a4", "X": "\u0425\u03a7", "Y": "\u03a5",
         "Z": "\u0396"}
HIDDEN = "\u200b\u200c\u200d\u2060\u00ad\ufeff"
LEET = {"a": "4@", "b": "8", "e": "3", "g": "9", "i": "1!", "l": "1|", "o": "0", "s": "5$", "t": "7"}


def look_alikes(word, rng):
    """One letter, or more, of another script."""
    places = [i for i, c in enumerate(word) if c in LOOKS]
    for i in rng.sample(places, min(len(places), rng.randint(1, 2))):
        word = word[:i] + rng.choice(LOOKS[word[i]]) + word[i + 1:]
    return word


def hidden(word, rng):
    i = rng.randrange(1, len(word))
    return word[:i] + rng.choice(HIDDEN) + word[i:]


def digits(word, rng):
    """A sign, which counts inside a word alone, or a digit for a letter."""
    places = [i for i, c in enumerate(word.lower()[:-1]) if i > 0 and c in LEET]
    for i in rng.sample(places, min(len(places), rng.randint(1, 2))):
        word = word[:i] + rng.choice(LEET[word[i].lower()]) + word[i + 1:]
    return word


def spaced(word, rng):
    return rng.choice(".-* ").join(word)


DISGUISES = {"letters of other scripts": look_alikes, "invisible characters": hidden,
             "digits and signs": digits, "letters apart": spaced}


def disguised(text, share, disguise, rng):
    """`text` with this share of its words of four letters and more disguised."""
    places = [m.span() for m in re.finditer(r"(?<![^\W_])[A-Za-z]{4,}(?![^\W_])", text)]
    for begin, end in sorted(rng.sample(places, round(share * len(places))), reverse=True):
        text = text[:begin] + disguise(text[begin:end], rng) + text[end:]
    return text


def collections_of(page):
    """{name: texts as records with an id}; every third law, in its last version."""
    paths = [data_set(name) for name in ("spamassassin", "gesetze-de", "scancode-licences")]
    if None in paths:
        page.skip("needs TWINSET_DATA with spamassassin, gesetze-de and scancode-licences")
    mails = list(read_lines(paths[0] / "messages.jsonl.zst"))
    of = lambda label: [{"id": mail["id"], "text": mail["subject"] + "\n" + mail["text"]}
                        for mail in mails if mail["label"] == label]
    laws = {law["doc"]: {"id": law["doc"], "text": law["text"]}
            for law in read_lines(paths[1] / "versions.jsonl.zst")}
    licences = [{"id": str(i), "text": one["text"]}
                for i, one in enumerate(read_lines(paths[2] / "licences.jsonl.zst"))]
    return {"mails": of("ham"), "German laws": [*laws.values()][::3], "licenses": licences[::4]}, of("spam")


def joined_words(page, name, texts):
    """{analyzer: the words of the texts that are others' under it, as [(times, word, other)], the most
    frequent first}, without those that are one under `words`; and how many words there are."""
    times = collections.Counter(word for text in texts for word in WORD.findall(text["text"].lower()))
    left, joined = [{"id": word, "text": word} for word, _ in times.most_common()], {}
    for analyzer in ANALYZERS[:3]:
        path = page.write_records("words.jsonl", left)
        out = page.folder / f"{name} {analyzer} words"
        page.twinset("dedup", path, "-o", out, "--analyzer", analyzer, "--scheme", "exact", "-r", "1", "-q")
        gone = {line["id"]: line["survivor_id"] for line in read_lines(out / "removed.jsonl.zst")}
        if analyzer == "words":
            left = [word for word in left if word["id"] not in gone]
        else:
            joined[analyzer] = sorted(((times[word], word, other) for word, other in gone.items()),
                                      key=lambda pair: (-pair[0], pair[1]))
    return joined, len(left)


def letters_apart(texts):
    """{letters that one separator each keeps apart: times}."""
    return collections.Counter(found[0] for text in texts for found in APART.finditer(text["text"]))


def clustered_pairs(page, name, texts, analyzer, resemblance):
    """The pairs of texts in one cluster."""
    path = page.write_records(f"{name}.jsonl", texts)
    out = page.cluster(f"{name} {analyzer} {resemblance}", [path], "--analyzer", analyzer,
                       "--resemblance", resemblance)
    pairs = set()
    for cluster in read_lines(out / "clusters.jsonl.zst"):
        members = sorted(member["id"] for member in [cluster["representative"], *cluster["members"]])
        pairs.update((a, b) for i, a in enumerate(members) for b in members[i + 1:])
    return pairs


def planted(spam):
    """The originals and their copies, whose ids are the original's, the disguise and the share."""
    rng = random.Random(1)
    long = [mail for mail in spam if len(WORD.findall(mail["text"])) >= LEAST_WORDS]
    originals = rng.sample(long, ORIGINALS)
    copies = [{"id": f"{mail['id']}|{name}|{share}", "text": disguised(mail["text"], share, disguise, rng)}
              for mail in originals for name, disguise in DISGUISES.items() for share in SHARES]
    return originals, copies


def shares(copies, found):
    """{(disguise, share): part of the copies that are found}."""
    of, all_of = collections.Counter(), collections.Counter()
    for copy in copies:
        _, name, share = copy["id"].split("|")
        all_of[name, share] += 1
        of[name, share] += copy["id"] in found
    return {key: of[key] / all_of[key] for key in all_of}


def by_resemblance(page, path, copies, analyzer):
    """The copies in a cluster with their originals, by shares()."""
    out = page.cluster(f"planted {analyzer}", [path], "--analyzer", analyzer, "--resemblance", "0.8")
    found = set()
    for cluster in read_lines(out / "clusters.jsonl.zst"):
        members = {member["id"] for member in [cluster["representative"], *cluster["members"]]}
        found.update(member for member in members if member.partition("|")[0] in members)
    return shares(copies, found)


def signatures(page, inputs, analyzer, scheme):
    out = page.folder / "signatures.jsonl"
    page.twinset("sketch", inputs, "--analyzer", analyzer, "--scheme", scheme, "-o", out, "-q")
    of = {line["id"]: line["signature"] for line in read_lines(out)}
    out.unlink()
    return of


def by_imatch(page, path, ham, copies, analyzer):
    """The copies with a signature of their original's, by shares(), of those whose original has one; and
    the pairs of ham with one. The lexicon is ham's."""
    lexicon = f"{ANALYZERS.index(analyzer)}.lexicon"
    page.twinset("lexicon", "build", ham, "--analyzer", analyzer, "-o", lexicon, "-q")
    scheme = f"imatch(lexicon={lexicon})"
    of = signatures(page, path, analyzer, scheme)
    meet = lambda a, b: any(x == y and x is not None for x, y in zip(a or (), b or ()))
    original = lambda copy: of[copy["id"].partition("|")[0]]
    found = {copy["id"] for copy in copies if meet(of[copy["id"]], original(copy))}
    ids = collections.defaultdict(list)
    for mail, coordinates in signatures(page, ham, analyzer, scheme).items():
        for place, coordinate in enumerate(coordinates or ()):
            if coordinate is not None:
                ids[place, coordinate].append(mail)
    pairs = {(a, b) for members in ids.values() for i, a in enumerate(members) for b in members[i + 1:]}
    return shares([copy for copy in copies if original(copy)], found), len(pairs)


def main():
    page = Page("Disguised words", __doc__)
    plain, spam = collections_of(page)
    rows, most = [], []
    new_pairs, few = [], []
    for name, texts in plain.items():
        joined, words = joined_words(page, name, texts)
        rows.append((f"{name}, {len(texts):,}", f"{words:,}", *(f"{len(pairs):,}" for pairs in joined.values())))
        for analyzer, pairs in joined.items():
            seen = {(word, other) for _, word, other in joined[ANALYZERS[1]]} if analyzer != ANALYZERS[1] else set()
            top = [pair for pair in pairs if pair[1:] not in seen][:10]
            most.append((name, f"`{analyzer}`", ", ".join(f"{word} = {other} ({times})" for times, word, other in top)))
        apart = letters_apart(texts)
        most.append((name, "`spaced=join`", f"{sum(apart.values())} in all: " + ", ".join(
            f"{letters} ({count})" for letters, count in sorted(apart.items(), key=lambda at: (-at[1], at[0]))[:10])))
        few.append(len(joined[ANALYZERS[1]]) < .02 * words)
        if name != "German laws":
            base = clustered_pairs(page, name, texts, "words", "0.5")
            counts = [(len(pairs - base), len(base - pairs)) for pairs in (
                clustered_pairs(page, name, texts, analyzer, "0.5") for analyzer in ANALYZERS[1:])]
            new_pairs.append((name, f"{len(base):,}", *(f"{more} more, {less} fewer" for more, less in counts)))
            page.hold(max(more for more, _ in counts) <= len(base) / 1000,
                      f"the analyzers put no other {name} into one cluster than words does, but for one in 1,000")
    page.hold(all(few), "fewer than 2 % of the words are another one by skeleton")
    page.text(f"""
Different words that are one. Each word of a collection (a run of letters and digits, regardless of case) is a text by
itself, and the texts with equal tokens are counted: those that `words` keeps apart.""")
    page.table(["collection, texts", "different words", *(f"`{analyzer}`" for analyzer in ANALYZERS[1:3])], rows)
    page.text("""
The most frequent that are another one, with how often they stand there; of `digits=letters`
those that digits make, and of `spaced=join` the letters that it makes one word of:""")
    page.table(["collection", "analyzer", "words"], most)
    page.text("""
Different texts that are one. Pairs of texts in one cluster at a resemblance of 0.5, which `words` keeps apart ("more") or
has ("fewer"); the mails are all legitimate, and of the licenses every fourth is taken:""")
    page.table(["collection", "pairs by `words`", *(f"`{analyzer}`" for analyzer in ANALYZERS[1:])], new_pairs)

    originals, copies = planted(spam)
    path = page.write_records("planted.jsonl", originals + copies)
    ham = page.write_records("ham.jsonl", plain["mails"])
    near = [by_resemblance(page, path, copies, analyzer) for analyzer in ANALYZERS]
    signed = [by_imatch(page, path, ham, copies, analyzer) for analyzer in ANALYZERS]
    page.text(f"""
Disguises. Of {len(originals)} mails of spam of {LEAST_WORDS} words and more, copies in which a share of the words of four letters and
more is disguised: by one or two letters of Cyrillic, Greek or Latin ones that look alike; by one invisible character; by one
or two digits or signs inside; or by a dot, hyphen, asterisk or space between all letters. The part of the copies that
`cluster` puts with their original (fss, resemblance 0.8):""")
    head = ["disguise", "words disguised", *(f"`{analyzer}`" for analyzer in ANALYZERS)]
    table = lambda found: [(name, f"{float(share):.0%}", *(f"{one[name, share]:.2f}" for one in found))
                           for name, share in near[0]]
    page.table(head, table(near))
    page.text("""
The part that shares one of I-Match's eleven signatures with it, by lexicons of the legitimate mails, of the copies whose
original has signatures:""")
    page.table(head, table([found for found, _ in signed]))
    pairs = [count for _, count in signed]
    page.text(f"""
Under these lexicons {", ".join(f"{count:,}" for count in pairs)} pairs of legitimate mails share a signature: equal words give other
random sub-lexicons, and as many pairs. `words` drops most invisible characters, too, but takes U+200B, one of the six here, for a
space. What is disguised in a way that an analyzer knows it finds by resemblance; by I-Match too, but for words side by side
that have spaces between all letters, which `spaced=join` makes one.""")
    for name, knows in (("letters of other scripts", 1), ("invisible characters", 1), ("digits and signs", 2),
                        ("letters apart", 3)):
        for share in map(str, SHARES):
            page.hold(all(one[name, share] >= .97 for one in near[knows:]),
                      f"of {name} ({share}) those who know them find .97 by resemblance")
            page.hold(all(one[name, share] >= .8 for one, _ in signed[knows:]),
                      f"of {name} ({share}) those who know them find .8 by I-Match")
        page.hold(near[0][name, "0.2"] < .1 or name == "invisible characters",
                  f"words finds fewer than a tenth of {name} in a fifth of the words")
    page.hold(max(pairs) <= 1.2 * pairs[0], "the signatures of ham meet no more often")
    page.finish(f"with a tenth of the words in letters of other scripts words finds {near[0]['letters of other scripts', '0.1']:.2f} of "
                f"the copies, skeleton {near[1]['letters of other scripts', '0.1']:.2f}; no legitimate mail meets another that words keeps apart")


if __name__ == "__main__":
    main()
