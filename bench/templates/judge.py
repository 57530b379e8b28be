#!/usr/bin/env python3
"""Judges what dedup removed from a set of sites (make_set.py).

  twinset dedup set.jsonl --format html --text html -o whole
  twinset dedup set.jsonl --format html --text html --url url --templates drop -o own
  judge.py set.jsonl whole own

For each site and folder: pages; removals; wrong ones, whose main content resembles that of the page they went
behind below 0.5 (distinct shingles of 5 words), with the 95 % interval of their share (Wilson); of the wrong ones,
those that name the same thing, by the last part of the path; and of the pages in two releases, the share found
again: both in one cluster. Main content is what the generator's own container holds: a proxy, no human.
"""
import argparse
import collections
import json
import math
import re
import subprocess

WORD = re.compile(r"\w+")


def shingles(text):
    words = WORD.findall(text.lower())
    return {tuple(words[i:i + 5]) for i in range(max(1, len(words) - 4))}


def wilson(part, whole):
    """The 95 % interval of a share, in percent."""
    if whole == 0:
        return 0.0, 100.0
    z = 1.96
    share = part / whole
    middle = share + z * z / 2 / whole
    half = z * math.sqrt(share * (1 - share) / whole + z * z / 4 / whole / whole)
    scale = 100 / (1 + z * z / whole)
    return max(0.0, (middle - half) * scale), min(100.0, (middle + half) * scale)


class Pages:
    def __init__(self, path):
        self.main, self.site, self.doc = {}, {}, {}
        self.releases = collections.defaultdict(list)
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                page = json.loads(line)
                name = page["id"]
                self.main[name] = page["main"]
                self.site[name] = page["site"]
                self.doc[name] = page["doc"]
                self.releases[page["site"], page["doc"]].append(name)
        self.shingles = {}

    def resemblance(self, a, b):
        for name in (a, b):
            if name not in self.shingles:
                self.shingles[name] = shingles(self.main[name])
        one, other = self.shingles[a], self.shingles[b]
        return len(one & other) / len(one | other)


def removals(folder):
    """(removed, survivor) of each line."""
    command = ["zstd", "-dcq", folder + "/removed.jsonl.zst"]
    for line in subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines():
        removal = json.loads(line)
        yield removal["id"], removal["survivor_id"]


def last_part(path):
    return path.rsplit("/", 1)[-1]


def judge(pages, folder):
    survivor = dict(removals(folder))
    rows = {site: collections.Counter() for site in sorted(set(pages.site.values()))}
    for name, site in pages.site.items():
        rows[site]["pages"] += 1
        if name not in survivor:
            continue
        rows[site]["removed"] += 1
        if pages.resemblance(name, survivor[name]) < 0.5:
            rows[site]["wrong"] += 1
            same = last_part(pages.doc[name]) == last_part(pages.doc[survivor[name]])
            rows[site]["of_one_name"] += same
    for (site, _), names in pages.releases.items():
        if len(names) != 2:
            continue
        rows[site]["in_both"] += 1
        one, other = (survivor.get(name, name) for name in names)
        rows[site]["found"] += one == other
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("set")
    parser.add_argument("folders", nargs="+", metavar="folder")
    given = parser.parse_args()
    pages = Pages(given.set)
    for folder in given.folders:
        print(f"{folder}\n\n| site | pages | removed | wrong | 95 % | of one name | found again |")
        print("|---|--:|--:|--:|---|--:|--:|")
        for site, row in judge(pages, folder).items():
            low, high = wilson(row["wrong"], row["removed"])
            found = f"{row['found']:,} of {row['in_both']:,}" if row["in_both"] else "-"
            print(f"| {site} | {row['pages']:,} | {row['removed']:,} | {row['wrong']} | "
                  f"{low:.1f} to {high:.1f} | {row['of_one_name']} | {found} |")
        print()


if __name__ == "__main__":
    main()
