#!/usr/bin/env python3
"""Section 5.2 (R-32): linear time.

    papers/004/linear.py --binary build/release/twinset

Discovery and detection over 1, 2, 4 and 8 GB of made pages; needs 12 GB of disk and some minutes.
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, mean  # noqa: E402
from timed import cpu_seconds, write_web  # noqa: E402

GIGABYTES = (1, 2, 4, 8)
RUNS = 2
LABELED = 10 ** 6            # bytes of pages whose chunks are the labels of detection
# Student's t of 95 %, by degrees of freedom.
T = {2: 4.303, 6: 2.447, 10: 2.228}
PAPER = "5 GB to 5 TB"


def slope(points):
    """Of a line through (log size, log seconds), with half its interval of 95 %."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x_mean, y_mean = mean(xs), mean(ys)
    spread = math.fsum((x - x_mean) ** 2 for x in xs)
    value = math.fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / spread
    rest = math.fsum((y - y_mean - value * (x - x_mean)) ** 2 for x, y in zip(xs, ys))
    freedom = len(points) - 2
    return value, T[freedom] * math.sqrt(rest / freedom / spread)


def main():
    # On a disk: 8 GB in memory would leave none for the program.
    page = Page("Linear in the size of the collection", __doc__, room=1 << 60)
    files, sizes = [], []
    for i in range(GIGABYTES[-1]):
        files.append(page.folder / f"web{i}.jsonl")
        sizes.append(write_web(files[-1], 10 ** 9, i))
    known = page.folder / "known.jsonl"
    write_web(known, LABELED, 0)          # the first pages of the first file
    labels = page.folder / "known.labels"
    html = ("--format", "html", "--text", "html", "-q", "-j", 1)
    page.twinset("discover", "--from", known, "-o", labels, *html)
    times = {"discover": [], "detect": []}
    rows = []
    for count in GIGABYTES:
        taken = {"discover": [], "detect": []}
        for _ in range(RUNS):
            out = page.folder / "web.labels"
            taken["discover"].append(cpu_seconds(lambda: page.twinset(
                "discover", *files[:count], "-o", out, "--over-chunks", 1, *html)))
            out.unlink()
            taken["detect"].append(cpu_seconds(lambda: page.twinset(
                "detect", *files[:count], "-L", labels, *html)))
        for verb, seconds in taken.items():
            times[verb] += [(sum(sizes[:count]), each) for each in seconds]
        rows.append((count, *(f"{mean(taken[verb]):.1f}" for verb in times),
                     *(f"{sum(sizes[:count]) / 1e6 / mean(taken[verb]):.0f}" for verb in times)))
    page.text(f"""
"We see linear runtime on uncompressed dataset size ranges from {PAPER}" (5.2, R-32; the graph is omitted). Here pages of new chunks,
40 a page, about 7 million chunks a gigabyte, in JSON Lines; {RUNS} runs each, one thread, CPU seconds. All chunks differ, which is
the most that counting has to do. A slope of 1 in log-log is linear.""")
    slopes = {verb: slope(points) for verb, points in times.items()}
    page.of_this_machine()
    page.table(["GB", "discover, s", "detect, s", "discover, MB/s", "detect, MB/s"], rows)
    page.table(["", "slope", "interval of 95 %"], [
        (verb, f"{value:.3f}", f"{value - reach:.3f} to {value + reach:.3f}")
        for verb, (value, reach) in slopes.items()])
    page.of_any_machine()
    for verb, (value, reach) in slopes.items():
        page.hold(value - reach < 1.1 and .8 < value < 1.2, f"{verb} is linear: slope {value:.3f}")
    page.finish("discovery and detection are linear from 1 to 8 GB, slopes within 0.2 of 1")


if __name__ == "__main__":
    main()
