"""The mails of the collection spamassassin, prepared as 002 section 6.3 prepares its mails.

Each mail is as it was sent, in a mailbox, with its id and label as header fields; twinset reads subject and body. All
else is its analyzer's: runs of letters and digits in lower case, without those of fewer than four characters or with more than one
digit; a mail of fewer than five different words has none. Of mails with the same words in the same
order one is kept: "removal of trivial duplicates".
"""

import collections
import json
import re

from page import data_set, read_lines

PREPARATION = ("--analyzer", "words(min_chars=4, max_digits=1, min_different=5)")
LEAST_RUNS = 20  # of letters and digits in a whole body
WORD = re.compile(r"[^\W_]+")

READING = ("--id", "x-id")
# path: a mailbox whose mails have the fields x-id and x-label ("spam" or "ham"), to be read with READING.
# left: {label: mails}; short: mails of few words; copies: {label: removed mails};
# equal_pairs: {label: pairs of mails with the same words}.
Mails = collections.namedtuple("Mails", "path left short copies equal_pairs")


def written(page, name, mails):
    """A mailbox of mails of the collection."""
    path = page.folder / name
    with open(path, "wb") as box:
        for mail in mails:
            raw = mail["raw"].encode("latin-1")
            if raw.startswith(b"From "):
                raw = raw.partition(b"\n")[2]
            quoted = re.sub(rb"^(>*From )", rb">\1", raw, flags=re.M)
            box.write(f"From - Thu Jan  1 00:00:00 1970\nX-Id: {mail['id']}\nX-Label: {mail['label']}\n".encode() +
                      quoted + b"\n\n")
    return path


def prepared(page):
    """The mails of the page, which is skipped if there are none."""
    folder = data_set("spamassassin")
    if folder is None:
        page.skip("there is no spamassassin below TWINSET_DATA")
    mails = list(read_lines(folder / "messages.jsonl.zst"))
    read = written(page, "all.mbox", mails)
    signatures = page.folder / "signatures.jsonl"
    page.twinset("sketch", read, *READING, *PREPARATION, "--scheme", "simhash", "-o", signatures, "--quiet")
    short = {line["id"] for line in read_lines(signatures) if line["signature"] is None}
    signatures.unlink()
    copies_in = page.cluster("copies", [read], *READING, *PREPARATION, "--scheme", "exact", "--resemblance", "1")
    first_of = {line["id"]: mails[(line.get("identical") or line.get("lexical"))[1] - 1]["id"]
                for line in read_lines(copies_in / "pairs.jsonl.zst")
                if "identical" in line or "lexical" in line}
    kept, times, counted = [], collections.Counter(), collections.Counter()
    for mail in mails:
        if mail["id"] in short:
            continue
        counted[mail["label"]] += 1
        times[mail["label"], first_of.get(mail["id"], mail["id"])] += 1
        if mail["id"] not in first_of:
            kept.append(mail)
    equal_pairs = collections.Counter()
    for (label, _), count in times.items():
        equal_pairs[label] += count * (count - 1) // 2
    left = collections.Counter(mail["label"] for mail in kept)
    return Mails(written(page, "mails.mbox", kept), left, len(short), counted - left, equal_pairs)


def whole_copies(page):
    """(mails, pairs, copies) of spam with whole bodies of LEAST_RUNS words and more: the pairs with
    equal sets of 5-word shingles, and the mails that have an earlier one."""
    spam = [{"id": mail["id"], "text": mail["text"]}
            for mail in read_lines(data_set("spamassassin") / "messages.jsonl.zst")
            if mail["label"] == "spam" and len(WORD.findall(mail["text"])) >= LEAST_RUNS]
    out = page.cluster("whole", [page.write_records("spam.jsonl", spam)], "--resemblance", "1")
    members = [len(cluster["members"]) for cluster in read_lines(out / "clusters.jsonl.zst")]
    return len(spam), sum(count * (count + 1) // 2 for count in members), sum(members)


def described(mails):
    """What was done with them, in words."""
    copies = sum(mails.copies.values())
    return f"""
Mails are those of SpamAssassin's public corpus, read as they were sent from a mailbox, and prepared as in section 6.3: words of subject and body in
lower case, without those of fewer than four characters or with more than one digit (`--analyzer '{PREPARATION[1]}'`); {mails.short} mails of
fewer than five different words are left out. The ideographs of a mail are words, however many. Exact copies are removed first: {copies} mails have the same words
in the same order as an earlier one ({mails.copies["spam"]} spam, {mails.copies["ham"]} legitimate;
{mails.equal_pairs["spam"]} and {mails.equal_pairs["ham"]} equal pairs). {mails.left["spam"]:,} spam and
{mails.left["ham"]:,} legitimate mails are left. The papers' removal took 10,039 mails to 5,328 and 8,703 to 6,389."""


def asked(page, mails, schemes, *options):
    """The answer of evaluate, as JSON, with spam as queries, and due pairs by cosine."""
    return json.loads(page.twinset(
        "evaluate", mails.path, *READING, "--truth", "cosine:0.9", "--labels", "x-label", "--utility", "spam",
        "--cost", "100", "--schemes", ",".join(schemes), "--json", "--quiet", *PREPARATION, *options))
