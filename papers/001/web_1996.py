#!/usr/bin/env python3
"""Section 7 (B-15, B-30, B-31): the quantities and the costs of 1996 beside those of a run today.

    papers/001/web_1996.py --binary build/release/twinset --collection build/bench/bench/collection

The collection is generated (bench/collection.cc), with texts as long as the paper's. If it
does not fit on the disk uncompressed, make it before, in any number of files:

    collection write --documents 20000000 --mean-words 800 --first 0 --count 1000000 |
        zstd -o made/00.jsonl.zst
    papers/001/web_1996.py ... --documents 20000000 --made made --figures papers/001
"""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from figures import shares  # noqa: E402
from page import Page, read_summary  # noqa: E402

DOCUMENTS = 200_000
MEAN_WORDS = 800  # of a generated text: 5 kB, as in the paper
MODULUS = 25
DAY = 86_400

# Section 7, table: CPU-days.
PHASES = {"Sketching": 4.6, "Duplicate elimination": 0.3, "Shingle merging": 1.7,
          "ID-ID pair formation": 0.7, "ID-ID merging": 2.6, "Cluster formation": 0.5}
# twinset's stages, by the paper's phases. twinset counts a document's pairs as it forms them,
# and writes names and pairs at the end, which the paper counts elsewhere.
STAGES = {"read": "Sketching", "fold": "Duplicate elimination", "group": "Shingle merging",
          "count": "ID-ID formation and merging", "cluster": "Cluster formation",
          "write": "Writing"}

THEIR_DOCUMENTS = 30e6
THEIR_SHINGLES = 600e6


def find_generator(options):
    build = options.binary.resolve().parent
    places = [options.collection] if options.collection else [
        build / "bench" / "collection", build.parent / "bench" / "bench" / "collection"]
    for place in places:
        if os.access(place, os.X_OK):
            return place
    return None


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().split("\n"):
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    except OSError:
        pass
    return "an unnamed processor"


def quantities(page, summary, out):
    clusters, counting = summary["clusters"], summary["counting"]
    documents = summary["read"]
    pairs = (out / "pairs.jsonl.zst").stat().st_size
    lines = (out / "clusters.jsonl.zst").stat().st_size
    rows = []

    def row(what, theirs, ours, unit=1.0):
        """In total and per document; `unit` is the unit of the totals."""
        their_text = "-" if theirs is None else f"{theirs / unit:,.4g}"
        their_share = "-" if theirs is None else f"{theirs / THEIR_DOCUMENTS:.4g}"
        ours_text = "-" if ours is None else f"{ours / unit:,.4g}"
        ours_share = "-" if ours is None else f"{ours / documents:.4g}"
        rows.append((what, their_text, ours_text, their_share, ours_share))

    row("documents, millions", THEIR_DOCUMENTS, documents, 1e6)
    row("text, GB", 150e9, counting["text_bytes"], 1e9)
    row("shingles kept, millions (ours: copies left out)", THEIR_SHINGLES, counting["keys"], 1e6)
    row("sketches, GB (5 bytes a shingle; 8)", 3e9, 8 * counting["keys"], 1e9)
    row("shingle-document pairs, GB (9 bytes; 16)", 5.5e9, 16 * counting["keys"], 1e9)
    row("most storage while shingles are merged, GB", 10e9, None, 1e9)
    row("most storage while pairs are formed, GB", 20e9, None, 1e9)
    row("meetings of two documents under a shingle, millions", None, counting["meetings"], 1e6)
    row("pairs that share a shingle, millions", None, counting["kept_pairs"], 1e6)
    row("file of pairs and counts, GB", 6e9, pairs, 1e9)
    row("file of clusters, MB (theirs: less than)", 100e6, lines, 1e6)
    row("clusters at 50 %, millions", 3.6e6, clusters["all"]["clusters"], 1e6)
    row("documents in them", 12.3e6, clusters["all"]["documents"], 1e6)
    row("clusters of identical documents only", 2.1e6, clusters["identical_only"]["clusters"], 1e6)
    row("documents in them", 5.3e6, clusters["identical_only"]["documents"], 1e6)
    row("other clusters", 1.5e6, clusters["mixed"]["clusters"], 1e6)
    row("documents in them", 7e6, clusters["mixed"]["documents"], 1e6)
    page.table(["", "1996", "ours", "1996, a document", "ours, a document"], rows)
    page.hold(clusters["all"]["documents"] == clusters["identical_only"]["documents"]
              + clusters["mixed"]["documents"], "our clusters add up")
    page.hold(documents == page.options.documents, "every document is read")
    words = counting["text_bytes"] / documents / 6  # some 5 letters and a space
    page.hold(0.5 < counting["keys"] * MODULUS / (documents * words) < 1.5,
              "one shingle in 25 is kept")


def costs(page, summary, again):
    run, documents = summary["run"], summary["read"]
    ours = {name: run["stages"][stage]["cpu_seconds"] for stage, name in STAGES.items()}
    total = sum(ours.values())
    their_total = sum(PHASES.values())
    rows = []
    theirs = dict(PHASES)
    joined = theirs.pop("ID-ID pair formation") + theirs.pop("ID-ID merging")
    for name, seconds in ours.items():
        days = joined if name.startswith("ID-ID") else theirs.get(name)
        rows.append((name, "-" if days is None else f"{days:.1f}",
                     "-" if days is None else f"{100 * days / their_total:.0f} %",
                     "-" if days is None else f"{days * DAY / THEIR_DOCUMENTS * 1e6:,.0f}",
                     f"{100 * seconds / total:.0f} %", f"{seconds / documents * 1e6:,.1f}"))
    rows.append(("Total", f"{their_total:.1f}", "100 %",
                 f"{their_total * DAY / THEIR_DOCUMENTS * 1e6:,.0f}", "100 %",
                 f"{total / documents * 1e6:,.1f}"))
    page.of_this_machine()
    page.text(f"Measured on {os.cpu_count()} cores of {processor()}, {documents:,} documents, "
              f"{summary['counting']['text_bytes'] / 1e9:.2f} GB, "
              + ("from files on disk; what unpacks them, if they are compressed, is part of sketching."
                 if page.options.made else "from a file in memory where there is room."))
    page.table(["phase", "CPU-days, 1996", "share", "microseconds a document", "share, ours",
                "microseconds a document"], rows)
    page.figure("web_1996.svg", shares(
        "Shares of the phases",
        [("1996", [(name if not name.startswith("ID-ID") else "ID-ID formation and merging", days)
                   for name, days in [*theirs.items()][:3] + [("ID-ID", joined)]
                   + [*theirs.items()][3:]]),
         ("ours", list(ours.items()))]), "Shares of CPU time by phase, 1996 and ours")
    speed = documents / total
    sketching = documents / ours["Sketching"]
    page.table(["of one processor", "1996", "ours", "times"], [
        ("documents a second, all phases", "33", f"{speed:,.0f}", f"{speed / 33.4:,.0f}"),
        ("documents a second, sketching", "75", f"{sketching:,.0f}", f"{sketching / 75.5:,.0f}"),
        ("MB of text a second, sketching", "0.38",
         f"{summary['counting']['text_bytes'] / ours['Sketching'] / 1e6:,.0f}",
         f"{summary['counting']['text_bytes'] / ours['Sketching'] / 0.377e6:,.0f}")])
    page.text(f"""
The run took {run['seconds']:.2f} s, {run['cpu_seconds']:.2f} s of CPU, {run['peak_memory_bytes'] / 1e6:.0f} MB of
memory, and spilled {run['spilled_bytes'] / 1e6:.0f} MB. The final phase again, `twinset recut` at 70 %, took
{again['cpu_seconds']:.2f} s of CPU, {100 * again['cpu_seconds'] / run['cpu_seconds']:.0f} % of the whole; theirs 0.5 of 10.4 CPU-days, 5 %. These are one
run's: times vary with what else a machine does.""")
    page.of_any_machine()


def main():
    page = Page("The Web of April 1996", __doc__, {
        "--collection": {"type": pathlib.Path, "help": "the generator, of make bench"},
        "--documents": {"type": int, "default": DOCUMENTS, "help": "as many as fit"},
        "--made": {"type": pathlib.Path, "help": "a folder with the collection, made before"}},
        room=lambda options: 40_000 * options.documents)
    collection = page.options.made and page.options.made.resolve()
    if not page.options.made:
        generator = find_generator(page.options)
        if not generator:
            page.skip("the generator is not built: cmake --preset bench && "
                      "cmake --build --preset bench --target collection")
        collection = page.folder / "generated.jsonl"
        subprocess.run([generator.resolve(), "write", "--documents", str(page.options.documents),
                        "--mean-words", str(MEAN_WORDS), "-o", collection], check=True)
    out = page.cluster("out", [collection], "--scheme", f"mod(shingle=10, modulus={MODULUS})",
                       "--resemblance", "0.5", "--max-group", "1000", "--floor", "0",
                       "--verify", "sketch", "--memory", "8G")
    if not page.options.made:
        collection.unlink()
    page.twinset("recut", out, "-o", page.folder / "again", "--resemblance", "0.7",
                 "--memory", "8G")
    again = read_summary(page.folder / "again")["run"]
    page.text(f"""
Section 7 reports a run over 30,000,000 documents, 150 GB, of a walk by AltaVista in April 1996: 10-word
shingles, one in {MODULUS} kept, 50 %. Here the same settings run over as many generated texts of about
the same length as fit one machine. Their copies are planted: how many lie in clusters says nothing of
any Web, then or now. What compares is the work for each document.""")
    page.text("## Quantities\n\nTotals, and for each document.")
    page.of_this_machine()
    quantities(page, read_summary(out), out)
    page.of_any_machine()
    page.text(f"""
The paper's figures agree with each other but for roundings: 600 million shingles of 5 bytes are 3 GB,
of 9 bytes {THEIR_SHINGLES * 9 / 1e9:.1f} GB (printed: 5.5); its phases sum to {sum(PHASES.values()):.1f} CPU-days (printed:
"~10.5"); 2.1 and 1.5 million clusters are 3.6, 5.3 and 7 million documents are 12.3. Computed from
them: 33 documents a second and processor in all, 75 in sketching, which is 0.38 MB of text.

What differs: the list of all <document, document, 1> is never written here. Each document adds up
whom it meets under its shingles, so pair formation and merging are one stage, and there is no file
of 20 GB. Pairs lie compressed, with the sizes of both samples. Text has no HTML to remove.""")
    page.hold(round(sum(PHASES.values()), 1) == 10.4, "their phases sum to 10.4")
    page.hold(round(THEIR_DOCUMENTS / (10.4 * DAY)) == 33, "33 documents a second")
    page.hold(int(THEIR_DOCUMENTS / (4.6 * DAY)) == 75, "75 documents a second in sketching")
    page.text("## Costs")
    costs(page, read_summary(out), again)
    page.finish("their quantities hold together; ours are printed beside them, and the costs of "
                "one machine")


if __name__ == "__main__":
    main()
