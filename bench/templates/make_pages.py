#!/usr/bin/env python3
"""Writes small pages of many shapes of sites, to see what learning templates costs at its limits.

    python3 bench/templates/make_pages.py --pages 1000000 --hosts 1 > one_site.jsonl
    python3 bench/templates/make_pages.py --pages 1500000 --hosts 500000 > many_sites.jsonl
    python3 bench/templates/make_pages.py --pages 100000 --equal > equal.jsonl
    python3 bench/templates/make_pages.py --pages 100000 --no-url > no_urls.jsonl

A page has its site's menu of ten links, a title and 40 words of its own; the pages of the sites come in turn, so
no two pages in a row are of one site. Fields: id, url, html. Standard library only.
"""

import argparse
import random
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pages", type=int, required=True)
    parser.add_argument("--hosts", type=int, default=1)
    parser.add_argument("--equal", action="store_true", help="all pages of a site are one page")
    parser.add_argument("--no-url", action="store_true", help="the field has words in place of a URL")
    options = parser.parse_args()
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(3, 9))) for _ in range(50_000)]
    for number in range(options.pages):
        host = number % options.hosts
        if options.equal:
            draw.seed(host)
        of_site = random.Random(host) if options.hosts < 1000 or options.equal else draw
        menu = "".join("<li><a href=%d>%s</a>" % (i, " ".join(of_site.choices(words, k=3))) for i in range(10))
        url = "no address" if options.no_url else "https://host%d.example/%d" % (host, number)
        sys.stdout.write('{"id": %d, "url": "%s", "html": "<title>%s</title><ul>%s</ul><p>%s</p>"}\n' % (
            number, url, " ".join(draw.choices(words, k=3)), menu, " ".join(draw.choices(words, k=40))))


main()
