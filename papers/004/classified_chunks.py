#!/usr/bin/env python3
"""Section 7.2, tables 2 and 3 (R-23): discovered chunks, the most frequent and a sample, classified.

    papers/004/classified_chunks.py --binary build/release/twinset

The chunks are those that `twinset discover` finds most often in llvm-docs-html, below TWINSET_DATA;
stop_chunks_llvm.jsonl has a verdict on each, with its reason. `twinset judge` draws the samples, shows
the chunks, and is answered from that list.
"""

import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines, wilson  # noqa: E402
from reuse import discover  # noqa: E402

LIST = pathlib.Path(__file__).resolve().parent / "stop_chunks_llvm.jsonl"
SAMPLE = 100
# Reasons of the list begin so; the answers of judge's categories.
ANSWERS = {"layout": "stop", "idiom": "stop", "navigation": "template", "footer": "template",
           "code": "template", "subject": "other"}
TABLE_2 = {"stop": 68, "template": 17, "other": 15}
TABLE_3 = {"commercial": 6, "possibly-commercial": 5, "template": 83, "other": 4 + 2}
CATEGORIES = ["commercial", "possibly-commercial", "template", "stop", "other"]


def judge(page, labels, name, answer_of):
    """Samples and judges: the verdicts by category, {hash: verdict}."""
    def run(judged, answers):
        subprocess.run([str(page.binary), "judge", labels, "--sample", str(SAMPLE), "--judge", "list", "-o",
                        judged], input="".join(f"{answer}\n" for answer in answers), text=True,
                       cwd=page.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return [line["a"]["id"] for line in read_lines(page.folder / judged) if "a" in line]

    # All unclear: in which order they are shown. Then the list's verdicts.
    order = run(f"{name}.order", ["unclear"] * SAMPLE)
    page.hold(len(set(order)) == SAMPLE, f"{name}: {SAMPLE} chunks are judged, each once")
    page.hold(run(f"{name}.judged", [answer_of[chunk] for chunk in order]) == order,
              f"{name}: the same sample again, in the same order")
    told = json.loads(page.twinset("judge", f"{name}.judged", "--table", "--json"))
    of = told["judges"][0]["classes"][0]
    counted = {category: sum(answer_of[chunk] == category for chunk in order) for category in CATEGORIES}
    page.hold(all(of["verdicts"].get(category, 0) == counted[category] for category in CATEGORIES),
              f"{name}: the table counts the verdicts")
    return counted, set(order)


def main():
    page = Page("Discovered chunks, classified", __doc__, room=4 << 30)
    folder = data_set("llvm-docs-html")
    if folder is None:
        page.skip("there is no llvm-docs-html below TWINSET_DATA")
    judged = read_lines(LIST)
    answer_of = {line["hash"]: ANSWERS[line["reason"].split(":")[0]] for line in judged}
    least = min(line["count"] for line in judged)
    site = page.write_records("site.jsonl", (
        {"url": f"http://llvm.example/{line['version']}/{line['doc']}", "html": line["html"]}
        for line in read_lines(folder / "pages.jsonl.zst")))
    path, _, found, _ = discover(page, "found", [site], "--min-chars", 1, "--over-chunks", least - 1,
                                 "--over-files", 10 ** 9)
    ranked = sorted(judged, key=lambda line: -line["count"])
    # Chunks that are as frequent as the last of the list, and not on it, are no part of this page.
    known = page.folder / "known.jsonl"
    lines = page.twinset("labels", "show", path, "--json").splitlines()
    known.write_text("\n".join([lines[0]] + [line for line in lines[1:]
                                             if json.loads(line)["hash"] in answer_of]) + "\n",
                     encoding="utf-8")
    page.twinset("labels", "import", known, "-o", "known.labels", "--quiet")
    top = page.folder / "top.jsonl"
    names = {line["hash"] for line in ranked[:SAMPLE]}
    top.write_text("\n".join([lines[0]] + [line for line in lines[1:]
                                           if json.loads(line)["hash"] in names]) + "\n", encoding="utf-8")
    page.twinset("labels", "import", top, "-o", "top.labels", "--quiet")
    page.hold(answer_of.keys() <= found.keys(), "the chunks of the list are discovered")
    most, judged_most = judge(page, "top.labels", "most", answer_of)
    page.hold(judged_most == names, "of a hundred labels all are in the sample")
    sampled, _ = judge(page, "known.labels", "sampled", answer_of)
    page.text(f"""
The paper classifies the 100 most frequent chunks of Common Crawl (table 2), and 100 drawn from those seen more than
100,000 times (table 3). Here are the 100 most frequent chunks of the LLVM manual, and 100 drawn from its {len(judged)} most
frequent ones, those seen {least:,} times or more. Each has a verdict and a reason in [stop_chunks_llvm.jsonl](stop_chunks_llvm.jsonl);
`twinset judge` draws, shows and counts. *stop*: layout without text, and words, numbers or headings that any
manual has (the paper's "common (benign)"); *template*: navigation, footers, frames of listings; *other*: text on
the subject.""")

    def row(category):
        low, high = wilson(sampled[category], SAMPLE)
        return (category, TABLE_2.get(category, "-"), most[category], TABLE_3.get(category, "-"),
                f"{sampled[category]} ({100 * low:.0f} to {100 * high:.0f})")

    page.table(["of 100", "table 2", "most frequent", "table 3", "sampled, with 95 %"],
               [row(category) for category in CATEGORIES])
    page.hold(sum(TABLE_2.values()) == sum(TABLE_3.values()) == 100, "both tables add to 100")
    shares = {category: sum(answer == category for answer in answer_of.values()) / len(judged)
              for category in CATEGORIES}
    for category in CATEGORIES:
        low, high = wilson(sampled[category], SAMPLE, 5.73)
        page.hold(low <= shares[category] <= high, f"{category}: the sample is like all of the list")
    page.hold(most["commercial"] == 0, "a manual has no commerce")
    page.text(f"""
Table 2 has 8 and 9 templates, of e-commerce and other; table 3 has 4 misc. and 2 of JavaScript under *other*, and adds to
100. One manual is not the Web: it sells nothing, and what it says most often is on its subject, in tables of
thousands of cells. As in the paper, frequency finds what is repeated and benign.""")
    page.finish(f"stop, template, other: {most['stop']}, {most['template']}, {most['other']} of the 100 most frequent (paper 68, "
                f"17, 15), {sampled['stop']}, {sampled['template']}, {sampled['other']} of 100 sampled (paper 0, 83, 6 and 11 commercial)")


if __name__ == "__main__":
    main()
