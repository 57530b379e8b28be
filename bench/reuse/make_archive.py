#!/usr/bin/env python3
"""Makes web archives of two manuals, and one of sites that copy them, with the truth beside it.

    bench/reuse/make_archive.py --llvm llvm.jsonl.zst --cppreference cppreference.jsonl.zst -o archives/

Inputs are JSON Lines (.zst or plain) of {"id", "html"}. It writes

    llvm.warc.gz          http://llvm.example/16/...
    cppreference.warc.gz  http://cppreference.example/en/...
    copies.warc.gz        the pages of the planted sites
    truth.jsonl           {"url", "origin", "share", "chunks", "copied"} for each of these

with a gzip member a record; equal arguments make equal bytes. A planted site is
HOST=ORIGIN:COPIES:OWN:SHARE: so many copies of pages of `llvm` or `cppreference`, so many pages of
its own among them, and the share of a copy's chunks that are taken; own paragraphs stand in for
the others. A share of 1 is the page, byte for byte. Without --plant:

    mirror.example=llvm:400:0:1         a whole mirror
    scraper.example=llvm:200:200:0.5    half of its pages, half of their chunks
    blog.example=llvm:10:190:0.3        quotes now and then
    answers.example=cppreference:300:100:0.8
    own.example=llvm:0:200:0            copies nothing

Standard library, and zstd.
"""

import argparse
import gzip
import json
import pathlib
import random
import re
import subprocess
import sys

PLANTS = ("mirror.example=llvm:400:0:1", "scraper.example=llvm:200:200:0.5",
          "blog.example=llvm:10:190:0.3", "answers.example=cppreference:300:100:0.8",
          "own.example=llvm:0:200:0")
OWN_PARAGRAPHS = 12   # of a page that copies nothing
OWN_WORDS = 30        # of a paragraph: more than 100 characters
DATE = "2026-01-01T00:00:00Z"

HIDDEN = re.compile(r"<!--.*?-->|<(script|style|noscript|template|title|textarea)\b.*?</\1\s*>",
                    re.DOTALL | re.IGNORECASE)
CUT = re.compile(r"<(?:p|div)(?=[\s>/])", re.IGNORECASE)


def read_pages(path):
    """The pages of a manual: (id, html)."""
    if str(path).endswith(".zst"):
        data = subprocess.run(["zstd", "-q", "-dc", "--long=27", str(path)],
                              stdout=subprocess.PIPE, check=True).stdout
    else:
        data = path.read_bytes()
    for line in data.splitlines():
        page = json.loads(line)
        yield page["id"], page["html"]


def url_of(site, page_id):
    """http://llvm.example/16/LangRef.html of "llvm-16/LangRef.html"."""
    path = page_id.removeprefix("llvm-").replace(" ", "%20").replace("?", "%3F").replace("#", "%23")
    return f"http://{site}.example/{path}"


def warc_record(url, page):
    """A gzip member with a response."""
    body = page.encode("utf-8")
    http = (b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
            % len(body)) + body
    number = random.Random(url)
    head = ("WARC/1.1\r\nWARC-Type: response\r\n"
            f"WARC-Record-ID: <urn:uuid:{number.getrandbits(32):08x}-0000-4000-8000-"
            f"{number.getrandbits(48):012x}>\r\nWARC-Date: {DATE}\r\nWARC-Target-URI: {url}\r\n"
            "Content-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n")
    return gzip.compress(head.encode("utf-8") + http + b"\r\n\r\n", 6, mtime=0)


def pieces(page):
    """A page, cut before the start tags of p and div that a browser sees."""
    seen = HIDDEN.sub(lambda hidden: " " * len(hidden.group()), page)
    cuts = [0, *(cut.start() for cut in CUT.finditer(seen)), len(page)]
    return [page[begin:end] for begin, end in zip(cuts, cuts[1:]) if begin < end]


class Words:
    """Paragraphs that stand nowhere else."""

    def __init__(self, seed):
        self._draw = random.Random(seed)
        self._words = ["".join(self._draw.choices("abcdefghijklmnopqrstuvwxyz",
                                                  k=self._draw.randint(3, 9)))
                       for _ in range(50_000)]

    def paragraph(self):
        return "<p>" + " ".join(self._draw.choices(self._words, k=OWN_WORDS)) + "\n"

    def page(self):
        return ("<!DOCTYPE html>\n<title>" + " ".join(self._draw.choices(self._words, k=5)) +
                "</title>\n" + "".join(self.paragraph() for _ in range(OWN_PARAGRAPHS)))


class Plant:
    def __init__(self, text):
        found = re.fullmatch(r"([a-z0-9.-]+)=(llvm|cppreference):(\d+):(\d+):([01]?\.?\d*)", text)
        if not found:
            sys.exit(f"{text}: a plant is HOST=llvm|cppreference:COPIES:OWN:SHARE")
        self.host, self.origin = found[1], found[2]
        self.copies, self.own, self.share = int(found[3]), int(found[4]), float(found[5])

    def pages(self, originals, words, draw):
        """(url, page, truth) of each page."""
        kinds = ["copy"] * self.copies + ["own"] * self.own
        draw.shuffle(kinds)
        chosen = iter(draw.sample(originals, self.copies))
        for number, kind in enumerate(kinds):
            url = f"http://{self.host}/{number // 50}/{number}.html"
            if kind == "own":
                page = words.page()
                yield url, page, {"url": url, "origin": "", "share": 0, "chunks": len(pieces(page)),
                                  "copied": 0}
                continue
            page_id, original = next(chosen)
            parts = pieces(original)
            taken = range(len(parts))
            if self.share < 1:
                taken = set(draw.sample(taken, round(self.share * len(parts))))
                parts = [part if i in taken else words.paragraph() for i, part in enumerate(parts)]
            yield url, "".join(parts), {"url": url, "origin": url_of(self.origin, page_id),
                                        "share": self.share, "chunks": len(parts),
                                        "copied": len(taken)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--llvm", required=True, type=pathlib.Path)
    parser.add_argument("--cppreference", required=True, type=pathlib.Path)
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, help="folder to make")
    parser.add_argument("--plant", action="append", help="HOST=ORIGIN:COPIES:OWN:SHARE")
    parser.add_argument("--limit", type=int, help="pages of each manual; all if not given")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plants = [Plant(text) for text in options.plant or PLANTS]
    options.output.mkdir(parents=True)
    originals = {}
    for site, path in (("llvm", options.llvm), ("cppreference", options.cppreference)):
        pages = list(read_pages(path))[:options.limit]
        originals[site] = pages
        with open(options.output / f"{site}.warc.gz", "wb") as file:
            for page_id, page in pages:
                file.write(warc_record(url_of(site, page_id), page))
        print(f"{site}.warc.gz: {len(pages):,} pages")
    draw, words = random.Random(options.seed), Words(options.seed)
    with open(options.output / "copies.warc.gz", "wb") as file, \
         open(options.output / "truth.jsonl", "w", encoding="utf-8") as truth_file:
        for plant in plants:
            if plant.copies > len(originals[plant.origin]):
                sys.exit(f"{plant.host} wants {plant.copies} pages; {plant.origin} has "
                         f"{len(originals[plant.origin])}")
            for url, page, truth in plant.pages(originals[plant.origin], words, draw):
                file.write(warc_record(url, page))
                truth_file.write(json.dumps(truth) + "\n")
            print(f"{plant.host}: {plant.copies} copies, {plant.own} of its own")


if __name__ == "__main__":
    main()
