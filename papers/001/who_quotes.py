#!/usr/bin/env python3
"""Section 6.4 (B-27): everybody who has a part of a text is found, and the hosts to tell.

    papers/001/who_quotes.py --binary build/release/twinset
"""

import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, word  # noqa: E402

HOSTS = 200
PAGES = 4000
SOURCE = 20_000
QUOTES = (20, 30, 40, 50, 60, 100)
EACH = 100
SCHEMES = {"mod(samples=64)": ["-r", "0.000001", "-c", "0.000001"],
           "mod(modulus=25)": ["-r", "0.000001", "-c", "0.000001"],
           "winnow": ["--passages"],
           "winnow(run=30)": ["--passages"]}


def made_web():
    """The text, the pages, and the planted quotes: their words by the id of their page."""
    chance = random.Random(64)

    def some(count):
        return [word(chance.randrange(30_000)) for _ in range(count)]

    source = some(SOURCE)
    planted, records = {}, []
    for number in range(PAGES):
        url = f"http://host{chance.randrange(HOSTS)}.org/{number}"
        text = some(chance.randrange(300, 1500))
        if number < EACH * len(QUOTES):
            length = QUOTES[number % len(QUOTES)]
            begin = chance.randrange(SOURCE - length)
            text += source[begin:begin + length] + some(chance.randrange(300))
            planted[url] = length
        records.append({"id": url, "url": url, "text": " ".join(text)})
    return source, records, planted


def main():
    page = Page("Who quotes this", __doc__)
    source, records, planted = made_web()
    web = page.write_records("web.jsonl", records)
    asked = page.write_records("source.jsonl", [{"text": " ".join(source)}])
    found, wrong, size, listed = {}, {}, {}, {}
    for number, (scheme, options) in enumerate(SCHEMES.items()):
        index = page.folder / f"{number}.index"
        texts = ["--texts"] if "--passages" in options else []
        page.twinset("index", "create", index, "--scheme", scheme, *texts, "-q")
        page.twinset("index", "add", index, web, "--url", "url", "-q")
        answer = json.loads(page.twinset("query", index, asked, "--top", "0", "-q", *options))
        hits = {hit["id"] for hit in answer["hits"]}
        found[scheme] = [sum(url in hits for url, length in planted.items() if length == each)
                         for each in QUOTES]
        wrong[scheme] = len(hits - set(planted))
        listed[scheme] = {each["host"]: each["documents"] for each in answer.get("hosts", [])}
        plain = page.folder / f"{number}.plain"
        page.twinset("index", "create", plain, "--scheme", scheme, "-q")
        page.twinset("index", "add", plain, web, "--url", "url", "-q")
        stats = json.loads(page.twinset("index", "stats", plain, "--json"))
        size[scheme] = stats["bytes"] / stats["documents"]
    for scheme, least in (("winnow", 50), ("winnow(run=30)", 30)):
        told = {}
        for url, length in planted.items():
            if length >= least:
                host = url.split("/")[2]
                told[host] = told.get(host, 0) + 1
        page.hold(listed[scheme] == told,
                  f"{scheme} lists the hosts of all quotes of {least} words and more, and no other")
    page.text(f"""
Section 6.4: a text that was given to many - a form, a manual, a ruling - has changed, and those with "related copies of
the information" are to be told. Copies are parts, as a rule. Here {PAGES:,} pages of 300 to 1,500
words at {HOSTS} hosts, of which {EACH * len(QUOTES)} quote a text of {SOURCE:,} words, each a passage of it in words of its own;
`twinset query` is asked with that text. Found of {EACH} pages each, by the words that they quote:""")
    page.table(["scheme of the index", *(f"{length} words" for length in QUOTES), "others found",
                "bytes a page, without texts"],
               [(f"`{scheme}`", *found[scheme], wrong[scheme], f"{size[scheme]:,.0f}")
                for scheme in SCHEMES])
    page.text("""
A sample of a long text has nothing of most quotes from it, and one in 25 shingles some of many. `winnow(run=N)` keeps a shingle of each
N words in a row, so a quote of N words is never missed ([docs/index.md](../../docs/index.md#who-quotes-this)). With texts in the
index each hit has its passages with their places, no shorter than N, and the answer ends with the list of hosts: here it is
exactly that of the planted quotes of N words and more.""")
    sure = found["winnow"][3:] + found["winnow(run=30)"][1:]
    page.hold(sure == [EACH] * len(sure), "no quote of a run is missed")
    page.finish(f"all {sum(found['winnow'][3:])} quotes of 50 words and more are found among {PAGES:,} pages, and "
                f"their hosts are listed; with samples of 64 {sum(found['mod(samples=64)'][3:])}")


if __name__ == "__main__":
    main()
