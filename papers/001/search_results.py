#!/usr/bin/env python3
"""Section 6.3 (B-26), and 003, sections 1.1 (S-27) and 7.1.3 (S-28): the hits of a word search, in groups.

    papers/001/search_results.py --binary build/release/twinset
"""

import collections
import json
import math
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, mean, read_lines  # noqa: E402

SEED = 63
QUERIES = ["redistribution in binary form", "without warranty of any kind", "patent grant contributor", "public domain",
           "attribution noncommercial", "lesser general public", "advertising materials acknowledgment", "font name reserved",
           "mozilla public license", "apache license version"]
HITS = 1000
PAGE = 10
SHARES_HIDDEN = [0.1, 0.5, 0.9]


class Search:
    """The usual search by words: tf-idf, as BM25 weighs it."""

    def __init__(self, records):
        self.postings = collections.defaultdict(list)
        self.lengths = []
        for i, record in enumerate(records):
            words = re.findall(r"[a-z]+", record["text"].lower())
            self.lengths.append(len(words))
            for word, count in collections.Counter(words).items():
                self.postings[word].append((i, count))
        self.mean = mean(self.lengths)

    def hits(self, query):
        scores = collections.Counter()
        for word in query.split():
            found = self.postings[word]
            idf = math.log(1 + (len(self.lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for i, count in found:
                scores[i] += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * self.lengths[i] / self.mean))
        return sorted(scores, key=lambda i: (-scores[i], i))[:HITS]


def main():
    page = Page("The hits of a word search, in groups", __doc__)
    folder = data_set("scancode-licences") or page.skip("no scancode-licences below TWINSET_DATA")
    records = list(read_lines(folder / "licences.jsonl.zst"))
    draw = random.Random(SEED)
    for record in records:
        record["readers"] = draw.sample(["all", "staff", "board"], draw.randrange(1, 3))
    page.write_records("licences.jsonl", records)
    index = page.folder / "x"
    page.twinset("index", "create", index, "--texts", "-q")
    page.twinset("index", "add", index, "licences.jsonl", "--field", "readers", "--field", "kind", "-q")
    search = Search(records)
    lists = [[records[i]["id"] for i in search.hits(query)] for query in QUERIES]

    def told(asked, *options):
        (page.folder / "asked.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
        return page.twinset("group", index, "asked.jsonl", "-q", *options)

    def grouped(asked, *options):
        return [json.loads(line) for line in told(asked, *options).splitlines()]

    page.text(f"""
Section 6.3: a search returns several similar versions of a document as separate entries; clusters present the results more compactly,
and the user selects the version. 003, section 1.1: of ten results that are near copies of three documents a user sees three.

{len(QUERIES)} searches by words (BM25) over {len(records):,} license texts and notices, their first {HITS:,} hits at most, given to `twinset group` over an
index with the texts. *Different* counts the groups that the first {PAGE} results are of.""")
    answers = grouped([{"hits": hits} for hits in lists])
    rows, kept, shown, before_all = [], True, True, []
    for query, hits, answer in zip(QUERIES, lists, answers):
        group_of = {member["id"]: n for n, group in enumerate(answer["groups"]) for member in group["members"]}
        before = len({group_of[hit] for hit in hits[:PAGE]})
        after = len({group_of[hit] for hit in answer["order"][:PAGE]})
        before_all.append(before)
        place = {hit: n for n, hit in enumerate(hits)}
        heads = [place[group["members"][0]["id"]] for group in answer["groups"]]
        members = [[place[member["id"]] for member in group["members"]] for group in answer["groups"]]
        kept = kept and heads == sorted(heads) and all(of == sorted(of) for of in members)
        kept = kept and sorted(sum(members, [])) == list(range(len(hits))) and sorted(answer["order"]) == sorted(hits)
        shown = shown and after == min(PAGE, len(heads))
        rows.append((query, f"{len(hits):,}", f"{len(heads):,}", max(map(len, members)), before, after))
    page.table(["search", "hits", "groups", "largest", f"different of {PAGE}, as found", "grouped"], rows)
    page.hold(kept, "each hit is in one group, and groups and members are in the order of the search")
    page.hold(shown, f"no two of the first {PAGE} results are of one group")
    similar = sum(member["resemblance"]["value"] >= 0.5 or member["same"] != "no"
                  for answer in answers for group in answer["groups"] for member in group["members"] if "best" not in member)
    count = sum(len(group["members"]) - 1 for answer in answers for group in answer["groups"])
    page.hold(similar == count, "every member resembles the best of its group by 0.5")
    page.text(f"All {count:,} members resemble the one that is shown for them by 0.5 or more, by their texts.")

    page.text("""
The user selects the version by a rule (`--best`); of 003, section 7.1.3, each document has readers, one or two of three, and an asker is one of
them. Each answer is held, byte for byte, against that to the list without what he may not see:""")
    longest = grouped([{"hits": hits} for hits in lists], "--best", "longest", "--rest", "skip")
    words = {record["id"]: len(re.findall(r"\w+", record["text"])) for record in records}
    better = sum(words[group["best"]] > words[group["members"][0]["id"]] for answer in longest for group in answer["groups"])
    page.text(f"With `--best longest` a longer version takes the place of the first one in {better:,} groups.")
    readers = {record["id"]: set(record["readers"]) for record in records}
    rows, same, saved_all = [], True, 0
    for asker in ("all", "staff", "board"):
        whole = told([{"hits": hits, "access": [asker]} for hits in lists], "--access", "readers")
        seen = told([{"hits": [hit for hit in hits if asker in readers[hit]]} for hits in lists])
        same = same and whole == seen
        # Groups whose first member he may not see, and of which he sees another.
        saved = sum(any(asker in readers[m["id"]] for m in group["members"]) and asker not in readers[group["best"]]
                    for answer in answers for group in answer["groups"])
        saved_all += saved
        rows.append((asker, f"{sum(map(len, lists)):,}", f"{sum(asker in readers[hit] for hits in lists for hit in hits):,}",
                     f"{saved:,}", page.hold(whole == seen, f"what {asker} may not see changes nothing")))
    page.table(["asker", "hits", "seen", "groups saved", "the same"], rows)
    for share in SHARES_HIDDEN:
        hidden = [[draw.random() < share for _ in hits] for hits in lists]
        whole = told([{"hits": [{"id": hit, "hidden": hide} for hit, hide in zip(hits, hides)]}
                      for hits, hides in zip(lists, hidden)])
        seen = told([{"hits": [hit for hit, hide in zip(hits, hides) if not hide]} for hits, hides in zip(lists, hidden)])
        same = same and whole == seen
    page.hold(same, "hits that are marked as hidden change nothing")
    page.text("""
*Groups saved* are those whose best one he may not see, and which a decision before the question would have hidden from him whole. The same holds
where a tenth, a half and nine tenths of the hits are marked as hidden.""")
    page.finish(f"of the first {PAGE} results of a word search {mean(before_all):.1f} are different, grouped {PAGE}; "
                f"{saved_all:,} groups have a version for an asker who may not see their best")


if __name__ == "__main__":
    main()
