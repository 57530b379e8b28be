#!/usr/bin/env python3
"""Section 6.5 (B-28): how pages change, move, live and die, on a made web.

    papers/001/page_changes.py --binary build/release/twinset
"""

import collections
import datetime
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, Words, read_summary  # noqa: E402

SEED = 65
SWEEPS = 10
DAYS = 10             # from one sweep to the next
HOSTS = 30
PAGES = 60            # of a host in the first sweep
WORDS = 150
# Of a page, from one sweep to the next:
MOVED_WITHIN, MOVED_BETWEEN, DIED = 0.03, 0.02, 0.04
CHANGED = 0.2         # of the pages that stay
BROKEN = 0.01         # of these, for one or two sweeps
BORN = 0.05           # new pages, for each page


def make_versions():
    """Lines of all sweeps, and how often each thing happened."""
    generator, words = random.Random(SEED), Words()
    planted, records = collections.Counter(), []
    pages = {}                     # URL -> [words, sweeps that it is still broken]
    numbers = collections.Counter()

    def new_url(host):
        numbers[host] += 1
        return f"http://h{host}.example/{numbers[host]}"

    for host in range(HOSTS):
        for _ in range(PAGES):
            pages[new_url(host)] = [words.take(WORDS), 0]
    start = datetime.date(2026, 1, 1)
    for sweep in range(SWEEPS):
        if sweep > 0:
            before, pages = pages, {}
            for url, (text, broken) in before.items():
                planted["chances"] += 1
                host = int(url.split(".")[0][8:])
                if broken:                         # comes back before anything else happens
                    pages[url] = [text, broken - 1]
                    planted["broken" if broken > 1 else "back"] += 1
                    continue
                drawn = generator.random()
                if drawn < DIED:
                    planted["died"] += 1
                elif drawn < DIED + MOVED_WITHIN:
                    planted["moved_within"] += 1
                    pages[new_url(host)] = [text, 0]
                elif drawn < DIED + MOVED_WITHIN + MOVED_BETWEEN:
                    planted["moved_between"] += 1
                    pages[new_url((host + generator.randrange(1, HOSTS)) % HOSTS)] = [text, 0]
                elif generator.random() < CHANGED:
                    planted["changed"] += 1
                    text = list(text)
                    for _ in range(generator.choice((1, 3, 10))):
                        text[generator.randrange(WORDS)] = words.take(1)[0]
                    pages[url] = [text, 0]
                elif sweep < SWEEPS - 3 and generator.random() < BROKEN:
                    pages[url] = [text, generator.choice((1, 2))]
                    planted["broken"] += 1
                else:
                    planted["same"] += 1
                    pages[url] = [text, 0]
                if generator.random() < BORN:
                    planted["born"] += 1
                    pages[new_url(host)] = [words.take(WORDS), 0]
        date = (start + datetime.timedelta(DAYS * sweep)).isoformat()
        for url, (text, broken) in pages.items():
            shown = "this page is not available now please try again later" if broken else " ".join(text)
            records.append({"id": f"{url} {date}", "url": url, "date": date, "text": shown})
    return records, planted


def planted_web(page):
    records, planted = make_versions()
    collection = page.write_records("web.jsonl", records)
    out = page.folder / "web"
    page.twinset("track", collection, "--url", "url", "--date", "date", "-o", out, "-q")
    counts = read_summary(out)["counts"]
    rows = []
    for name in ("same", "changed", "broken", "back", "moved_within", "moved_between", "born", "died"):
        found = counts["small"] + counts["large"] if name == "changed" else counts[name]
        rows.append((name.replace("_", " "), planted[name], found))
        page.hold(planted[name] == found, f"{name} is counted as planted")
    page.text(f"""
Section 6.5 asks: "How often do pages change? How much do they change per time interval? How often do pages move? Within a server?
Between servers? How long do pages live? How many are created? How many die?" The paper prints no figure.

A web of {HOSTS} hosts with {PAGES} pages each, seen {SWEEPS} times, every {DAYS} days: {len(records):,} versions. `twinset track` counted
what was planted:""")
    page.table(["", "planted", "found"], rows)
    chances = planted["chances"]
    far = math.sqrt(math.log(2e8) / (2 * chances))
    rates = [("moves within", MOVED_WITHIN, counts["moves_within"]),
             ("moves between", MOVED_BETWEEN, counts["moves_between"]),
             ("deaths", DIED, counts["deaths"]), ("births", BORN, counts["births"])]
    for name, rate, found in rates:
        page.hold(abs(rate - found) <= far, f"{name} has its rate")
    expected = DAYS / DIED
    page.hold(abs(1 / counts["lifetime_days"] - 1 / expected) * DAYS <= far, "lifetimes")
    page.text(f"""
The rates that these were drawn at, and those found in {chances:,} chances, of which no share may be off by more than
{far:.4f} (Hoeffding, 10^-8):""")
    page.table(["", "rate", "found"], [(name, rate, f"{found:.4f}") for name, rate, found in rates] +
               [("days that a page lives", f"{expected:g}", f"{counts['lifetime_days']:.1f}")])


def main():
    page = Page("How pages change over time", __doc__)
    planted_web(page)
    page.finish("all that was planted is counted, and its rates are found")


if __name__ == "__main__":
    main()
