#!/usr/bin/env python3
"""Section 7.2, tables 2 and 3 (R-23): discovered chunks, the most frequent and a sample, classified.

    papers/004/classified_chunks.py --binary build/release/twinset

Needs article-html, warc-samples, llvm-docs-html and cppreference-html below TWINSET_DATA. crawl_chunks.jsonl and
stop_chunks_llvm.jsonl have a verdict on each chunk, with its reason. `twinset judge` draws the samples, shows the
chunks, and is answered from these lists.
"""

import collections
import gzip
import hashlib
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines, wilson  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
MANUAL = HERE / "stop_chunks_llvm.jsonl"
CRAWL = HERE / "crawl_chunks.jsonl"
MOST = 100               # most frequent chunks, as table 2
SAMPLES = {"crawl": 200, "manual": 100}
OF_A_MANUAL = 10         # pages in the crawl, so that it has many sites and none outweighs all
OVER = 2                 # chunks that the crawl has more often are labels
# Reasons of the manual's list begin so; the answers of judge's categories.
ANSWERS = {"layout": "stop", "idiom": "stop", "navigation": "template", "footer": "template",
           "code": "template", "subject": "other"}
TABLE_2 = {"stop": 68, "template": 17, "other": 15}
TABLE_3 = {"commercial": 6, "possibly-commercial": 5, "template": 83, "javascript": 2, "other": 4}
KINDS_3 = {("template", "navigation"): 17, ("template", "form"): 32, ("template", "social"): 4, ("template", "other"): 30,
           ("commercial", "advertising"): 3, ("commercial", "tracking"): 2, ("commercial", "spam"): 1}
CATEGORIES = ["commercial", "possibly-commercial", "template", "javascript", "stop", "other"]
ARCHIVES = ["chatnoir-eu_chatnoir-copycat/*.arc", "webrecorder_pywb/iana.warc.gz",
            "commoncrawl_ia-web-commons/IAH*.warc", "commoncrawl_whirlwind-python/whirlwind.warc.gz"]


# --- two collections

def manual_pages(folders, host, versions=None):
    for line in read_lines(folders[host] / "pages.jsonl.zst"):
        if versions is None or str(line["version"]) in versions:
            yield {"url": f"http://{host.split('-')[0]}.example/{line.get('doc', line['id'])}", "html": line["html"]}


def crawl(page, folders):
    """The inputs: pages of articles, some of each manual, and web archives."""
    articles = json.loads((folders["article-html"] / "ground-truth.json").read_text(encoding="utf-8"))
    records = []
    for name, article in sorted(articles.items()):
        with gzip.open(folders["article-html"] / "html" / f"{name}.html.gz") as file:
            records.append({"url": article["url"], "html": file.read().decode("utf-8", "replace")})
    for host, versions in (("llvm-docs-html", {"16"}), ("cppreference-html", None)):
        records += sorted(manual_pages(folders, host, versions),
                          key=lambda record: hashlib.sha1(record["url"].encode()).digest())[:OF_A_MANUAL]
    archives = [path for glob in ARCHIVES for path in sorted(folders["warc-samples"].glob(glob))]
    return [page.write_records("crawl.jsonl", records), *archives]


def manual(page, folders):
    return [page.write_records("site.jsonl", (
        {"url": f"http://llvm.example/{line['version']}/{line['doc']}", "html": line["html"]}
        for line in read_lines(folders["llvm-docs-html"] / "pages.jsonl.zst")))]


# --- discovered and judged

class Judged:
    """The chunks of a collection that were seen more often than `over`, with the verdicts of a list."""

    def __init__(self, page, name, inputs, over, verdicts):
        self.page, self.name, self.verdicts = page, name, verdicts
        told = json.loads(page.twinset(
            "discover", *inputs, "--format", "auto", "--text", "html", "--hash", "sha1", "--min-chars", 1,
            "--over-chunks", over, "--over-files", 10 ** 9, "--top", 10 ** 7, "--json", "--quiet", "--no-progress",
            "-o", f"{name}.all"))
        self.pages, self.sites = told["pages"], told["sites"]
        self.found = {label["hash"]: label for label in told["top"] if label["kind"] == "chunk"}
        self.lines = page.twinset("labels", "show", f"{name}.all", "--json").splitlines()
        ranked = sorted(self.found.values(), key=lambda label: (-label["count"], label["hash"]))
        self.most = [label["hash"] for label in ranked if label["hash"] in verdicts][:MOST]
        page.hold([label["count"] for label in ranked[:MOST]] == [self.found[chunk]["count"] for chunk in self.most],
                  f"{name}: the list has the most frequent chunks")

    def labels_of(self, names, file):
        """A file of labels of these chunks alone: those as frequent as the last one may not be on the list."""
        lines = [self.lines[0], *(line for line in self.lines[1:] if json.loads(line)["hash"] in names)]
        (self.page.folder / "some.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.page.twinset("labels", "import", "some.jsonl", "-o", file, "--quiet")
        return file

    def judge(self, labels, name, sample):
        """The hashes that `twinset judge` samples, answered from the list."""
        def run(judged, answers):
            subprocess.run([str(self.page.binary), "judge", labels, "--sample", str(sample), "--judge", "list",
                            "--categories", ",".join([*CATEGORIES, "unclear"]), "-o", judged],
                           input="".join(f"{answer}\n" for answer in answers), text=True, cwd=self.page.folder,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            return [line["a"]["id"] for line in read_lines(self.page.folder / judged) if "a" in line]

        # All unclear: in which order they are shown. Then the list's verdicts.
        order = run(f"{name}.order", ["unclear"] * sample)
        self.page.hold(len(set(order)) == sample, f"{name}: {sample} chunks are judged, each once")
        answers = [self.verdicts[chunk]["category"] for chunk in order]
        self.page.hold(run(f"{name}.judged", answers) == order, f"{name}: the same sample again, in the same order")
        told = json.loads(self.page.twinset("judge", f"{name}.judged", "--table", "--json"))
        counted = collections.Counter(answers)
        told = told["judges"][0]["classes"][0]["verdicts"]
        self.page.hold(all(told.get(category, 0) == counted[category] for category in CATEGORIES),
                       f"{name}: the table counts the verdicts")
        return order


def share(count, of):
    low, high = wilson(count, of)
    return f"{count} ({100 * low:.0f} to {100 * high:.0f} %)"


def main():
    page = Page("Discovered chunks, classified", __doc__, room=4 << 30)
    folders = {name: data_set(name) for name in ("article-html", "warc-samples", "llvm-docs-html", "cppreference-html")}
    for name, folder in folders.items():
        if folder is None:
            page.skip(f"there is no {name} below TWINSET_DATA")
    of_manual = {line["hash"]: {**line, "category": ANSWERS[line["reason"].split(":")[0]]} for line in read_lines(MANUAL)}
    of_crawl = {line["hash"]: line for line in read_lines(CRAWL)}
    least = min(line["count"] for line in of_manual.values())
    ours = {"crawl": Judged(page, "crawl", crawl(page, folders), OVER, of_crawl),
            "manual": Judged(page, "manual", manual(page, folders), least - 1, of_manual)}
    most, sampled, kinds = {}, {}, collections.Counter()
    for name, judged in ours.items():
        page.hold(all((judged.found[chunk]["count"], judged.found[chunk]["documents"]) ==
                      (line["count"], line["documents"]) for chunk, line in judged.verdicts.items()),
                  f"{name}: the chunks of the list are discovered, with its counts")
        order = judged.judge(judged.labels_of(set(judged.most), f"{name}.most"), f"{name}-most", MOST)
        page.hold(set(order) == set(judged.most), f"{name}: of a hundred labels all are in the sample")
        most[name] = collections.Counter(judged.verdicts[chunk]["category"] for chunk in order)
        every = judged.found if name == "crawl" else judged.verdicts
        order = judged.judge(judged.labels_of(every, f"{name}.every"), f"{name}-sample", SAMPLES[name])
        sampled[name] = collections.Counter(judged.verdicts[chunk]["category"] for chunk in order)
        if name == "crawl":
            kinds = collections.Counter((of_crawl[chunk]["category"], of_crawl[chunk]["kind"]) for chunk in order)
    tell(page, ours, most, sampled, kinds, least)


def tell(page, ours, most, sampled, kinds, least):
    in_crawl = ours["crawl"]
    page.text(f"""
The paper classifies the 100 most frequent chunks of Common Crawl (table 2), and 100 drawn from those seen more than
100,000 times (table 3). Its crawl is not at hand. Here is a small one of real pages, {in_crawl.pages} of {in_crawl.sites} sites: 90 articles of
news and blogs, web archives, of which one has a page each of 133 sites, and {OF_A_MANUAL} pages of each of two manuals. `twinset
discover --min-chars 1` finds {len(in_crawl.found)} chunks that are there more than {OVER} times. The {MOST} most frequent and {SAMPLES["crawl"]} that `twinset
judge` drew with seed 1 ({len(in_crawl.verdicts)} in all) were read, text and markup, by one judge. The verdicts, with the reason of each, are in
[crawl_chunks.jsonl](crawl_chunks.jsonl). Beside it are the {MOST} most frequent chunks of one manual, and {SAMPLES["manual"]} drawn from its
{len(ours["manual"].verdicts)} most frequent ones, those seen {least:,} times or more ([stop_chunks_llvm.jsonl](stop_chunks_llvm.jsonl)).

*stop*: layout without text, a tag or class that any site may have (the paper's "common (benign)"); *template*: tags and
texts of a site's or program's own frame; *commercial*: places and labels of advertisements; *possibly-commercial*: praise
of what the site sells; *other*: text on the subject.""")

    def row(category):
        return (category, TABLE_2.get(category, "-"), most["crawl"][category], most["manual"][category],
                TABLE_3.get(category, "-"), share(sampled["crawl"][category], SAMPLES["crawl"]),
                share(sampled["manual"][category], SAMPLES["manual"]))

    page.table(["", "table 2, of 100", "crawl, of 100", "manual, of 100", "table 3, of 100",
                f"crawl, of {SAMPLES['crawl']}, with 95 %", f"manual, of {SAMPLES['manual']}, with 95 %"],
               [row(category) for category in CATEGORIES])
    page.hold(sum(TABLE_2.values()) == sum(TABLE_3.values()) == 100, "both tables add to 100")
    page.hold(sum(KINDS_3[kind] for kind in KINDS_3 if kind[0] == "template") == TABLE_3["template"] and
              sum(KINDS_3[kind] for kind in KINDS_3 if kind[0] == "commercial") == TABLE_3["commercial"],
              "the kinds of table 3 add to its categories")
    page.table(["kind", "table 3, of 100", f"crawl, of {SAMPLES['crawl']}, with 95 %"],
               [(f"{category}: {kind}", KINDS_3.get((category, kind), "-"),
                 share(kinds[category, kind], SAMPLES["crawl"]))
                for category, kind in sorted({*kinds, *KINDS_3})])
    every = ours["manual"].verdicts.values()
    for category in CATEGORIES:
        low, high = wilson(sampled["manual"][category], SAMPLES["manual"], 5.73)
        among = sum(line["category"] == category for line in every) / len(every)
        page.hold(low <= among <= high, f"manual: {category}: the sample is like all of the list")
    page.hold(most["manual"]["commercial"] == most["manual"]["possibly-commercial"] == 0, "a manual has no commerce")
    page.hold(sampled["crawl"]["template"] == max(sampled["crawl"].values()), "most sampled chunks are of templates")
    page.hold(most["crawl"]["stop"] > sampled["crawl"]["stop"] / 2, "the most frequent ones are stop chunks more often")
    low, high = wilson(sampled["crawl"]["commercial"] + sampled["crawl"]["possibly-commercial"], SAMPLES["crawl"])
    page.hold(low < .11 < high, "the share of commerce is like the paper's")
    page.text(f"""
## As in the paper, and not

- **Most of what is sampled is template**, here as there, and nearly all of it is benign. {sampled["crawl"]["commercial"] + sampled["crawl"]["possibly-commercial"]} of {SAMPLES["crawl"]} are commercial or
  possibly so, {low:.0%} to {high:.0%}; the paper has 11 of 100.
- **Of the most frequent chunks {most["crawl"]["stop"]} are stop chunks; the paper has 68.** A threshold of 100,000 leaves what the whole Web
  has. With one of {OVER} a page that repeats a tag of its own thirty times is enough, and that is template. Classes with
  names of one site are counted so, though they say as little as a bare `<div>`.
- **No spam and no tracking were met**, and one script: {SAMPLES["crawl"]} of {len(in_crawl.found)} chunks of {in_crawl.pages} pages are few. Forms are {share(kinds["template", "form"], SAMPLES["crawl"])}, where
  the paper has 32 of 100: most pages here are articles.
- Table 2 has 8 and 9 templates, of e-commerce and other, and 15 misc. here under *other*. Table 3 has 4 misc. and 2 of
  JavaScript, and adds to 100.
- One manual is not the Web: it sells nothing, and what it says most often is on its subject, in tables of thousands of
  cells. As in the paper, frequency finds what is repeated and benign.
- One judge read the chunks, and no second one. A chunk without its page may be read otherwise.""")

    def told(counts):
        return ", ".join(str(counts[category]) for category in ("stop", "template", "other"))

    page.finish(f"stop, template, other: {told(most['crawl'])} of the 100 most frequent of a crawl, {told(most['manual'])} of a manual "
                f"(paper 68, 17, 15); commercial or possibly so {sampled['crawl']['commercial'] + sampled['crawl']['possibly-commercial']} of {SAMPLES['crawl']} sampled (paper 11 of 100), "
                f"template {sampled['crawl']['template']} (paper 83 of 100)")


if __name__ == "__main__":
    main()
