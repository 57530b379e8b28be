#!/usr/bin/env python3
"""Section 5.2 (I-16): a stream of mails held against prototypes, which come and go.

    papers/002/stream_filter.py --binary build/release/twinset

Needs the collection spamassassin below TWINSET_DATA.
"""

import collections
import json
import pathlib
import random
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines  # noqa: E402

MAIL_WORDS = "words(min_chars=4, max_digits=1, min_different=5)"
# Name, options. I-Match has the papers' preparation of mails.
FILTERS = [("fss, resemblance 0.8", ["--scheme", "fss"]),
           ("fss, resemblance 0.5", ["--scheme", "fss", "-r", "0.5"]),
           ("simhash, 3 bits", ["--scheme", "simhash"]),
           ("I-Match, K = 0", ["--scheme", "imatch(signatures=0)", "--analyzer", MAIL_WORDS]),
           ("I-Match, K = 10", ["--scheme", "imatch(signatures=10)", "--analyzer", MAIL_WORDS])]
LIVE = FILTERS[0]
KILLED_AFTER = (1000, 2500, 4000)  # messages


class Live:
    """A filter at a socket."""

    def __init__(self, page, name, options):
        self.path = page.folder / f"{name}.sock"
        self.process = subprocess.Popen(
            [page.binary, "filter", "--set", page.folder / name, "--listen", self.path, "-q", *options],
            stdout=subprocess.DEVNULL)
        for _ in range(1000):
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(str(self.path))
                break
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.01)
        self.lines = client.makefile("rw")

    def ask(self, **request):
        self.lines.write(json.dumps(request) + "\n")
        self.lines.flush()
        return json.loads(self.lines.readline())

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.terminate()
        return self.process.wait()


def share(part, whole):
    return f"{part:,} of {whole:,}"


def first_words(text):
    words = " ".join(text.split())
    return words[:60].replace("|", "/") + ("..." if len(words) > 60 else "")


def learn(page, name, stream, killed_after, latencies):
    """Every spam that passes is reported, and is a prototype from then on. The verdicts, in order."""
    live = Live(page, name, LIVE[1])
    verdicts = []
    for number, mail in enumerate(stream):
        if number in killed_after:
            live.kill()
            live = Live(page, name, LIVE[1])
        begun = time.perf_counter()
        answer = live.ask(op="check", text=mail["text"])
        latencies.append(time.perf_counter() - begun)
        verdicts.append((answer["verdict"], answer.get("prototype")))
        if answer["verdict"] == "pass" and mail["label"] == "spam":
            added = live.ask(op="add", id=mail["id"], text=mail["text"])
            page.hold(added["ok"], f"{mail['id']} is added")
    removed = [prototype for verdict, prototype in verdicts if verdict == "match"][:50]
    again = {}
    for prototype in sorted(set(removed)):
        live.ask(op="remove", id=prototype)
    for mail in stream:
        if mail["id"] in set(removed):
            again[mail["id"]] = live.ask(op="check", text=mail["text"]).get("prototype")
    page.hold(all(found != each for each, found in again.items()), "what is removed matches nothing")
    page.hold(live.end() == 0, "the filter ends well")
    return verdicts


def main():
    page = Page("A stream of mails and prototypes", __doc__)
    folder = data_set("spamassassin")
    if folder is None:
        page.skip("there is no spamassassin below TWINSET_DATA")
    mails = [{"id": mail["id"], "label": mail["label"], "text": mail["subject"] + "\n" + mail["text"]}
             for mail in read_lines(folder / "messages.jsonl.zst")]
    text_of = {mail["id"]: mail["text"] for mail in mails}
    spam = [mail for mail in mails if mail["label"] == "spam"]
    ham = [mail for mail in mails if mail["label"] == "ham"]
    random.Random(5).shuffle(spam)
    prototypes = page.write_records("prototypes.jsonl", spam[::2])
    stream = page.write_records("stream.jsonl", ham + spam[1::2])
    page.text(f"""
The mails of SpamAssassin's public corpus, subject and body: {len(spam[::2]):,} spam mails, drawn at random, are the prototypes, the
other {len(spam[1::2]):,} and all {len(ham):,} legitimate ones the stream. A spam is found only if it is like a prototype: the other campaigns of the corpus cannot be.""")
    rows, hits = [], collections.OrderedDict()
    for name, options in FILTERS:
        verdicts = page.folder / "verdicts.jsonl"
        verdicts.unlink(missing_ok=True)
        page.twinset("filter", stream, "--prototypes", prototypes, "-o", verdicts, "-q", *options)
        lines = [json.loads(line) for line in verdicts.read_text().splitlines()]
        legitimate, others = lines[:len(ham)], lines[len(ham):]
        found = [line for line in legitimate if line["verdict"] == "match"]
        for line in found:
            hits.setdefault(line["id"], []).append((name, line))
        unknown = sum(line["verdict"] == "unknown" for line in lines)
        rows.append((name, share(sum(line["verdict"] == "match" for line in others), len(others)), len(found), unknown))
    page.table(["filter", "spam found", "legitimate found", "unknown"], rows)
    page.hold(rows[0][2] == 0, "at resemblance 0.8 no legitimate mail is found")
    page.text("## Each legitimate mail that is found")
    if hits:
        page.table(["mail", "found by", "its words", "the words of the prototype"],
                   [(mail, ", ".join(name for name, _ in by), first_words(text_of[mail]),
                     first_words(text_of[by[0][1]["prototype"]])) for mail, by in hits.items()])
    page.text(f"{len(hits)} in all, of any filter of the table.")
    live(page, ham + spam)


def live(page, mails):
    stream = list(mails)
    random.Random(16).shuffle(stream)
    latencies = []
    calm = learn(page, "calm", stream, (), latencies)
    killed = learn(page, "killed", stream, KILLED_AFTER, [])
    found = sum(verdict == "match" and mail["label"] == "spam" for (verdict, _), mail in zip(calm, stream))
    wrong = sum(verdict == "match" and mail["label"] == "ham" for (verdict, _), mail in zip(calm, stream))
    spam = sum(mail["label"] == "spam" for mail in stream)
    page.text(f"""
## Prototypes that come and go

All {len(stream):,} mails in an order drawn at random, at a socket ({LIVE[0]}). The set is empty at first. Each spam that passes is reported, and is a
prototype from then on: {share(found, spam)} spam mails match an earlier one, and {wrong} legitimate mails do. The same stream again, with the
filter killed (SIGKILL) and started again {len(KILLED_AFTER)} times: {'the same' if calm == killed else 'OTHER'} answers. What is removed at the end
matches nothing.""")
    page.hold(calm == killed, "kills change no answer")
    page.hold(wrong == 0, "no legitimate mail matches a reported one")
    page.of_this_machine()
    latencies.sort()
    page.text(f"A message in line is answered in {1e3 * latencies[len(latencies) // 2]:.2f} ms, 99 of 100 in "
              f"{1e3 * latencies[len(latencies) * 99 // 100]:.2f} ms, the socket and the client's JSON included.")
    page.of_any_machine()
    page.finish(f"{found} of {spam} spam mails are like an earlier one, {wrong} legitimate ones are")


if __name__ == "__main__":
    main()
