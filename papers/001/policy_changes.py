#!/usr/bin/env python3
"""Section 6.5 (B-28), and 003, section 2.6.1 (S-26): real policies that were rewritten, or broke and came back.

    papers/001/policy_changes.py --binary build/release/twinset
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, data_set, read_lines, read_summary  # noqa: E402


def main():
    page = Page("How policies change over time", __doc__)
    folder = data_set("terms-versions") or page.skip("no terms-versions below TWINSET_DATA")
    out = page.folder / "terms"
    page.twinset("track", folder / "pga.jsonl.zst", "--url", "doc", "--date", "date", "--changes", "-o", out,
                 "-q", "--memory", "1G")
    counts = read_summary(out)["counts"]
    page.text(f"""
Section 6.5 asks how often pages change, and how much; section 2.6.1 of 003 weighs changes by the distance of signatures.

{counts['versions']:,} versions of {counts['pages']} terms and policies of 2022 to 2026, each recorded where it changed
(`--changes`): {counts['small']:,} small changes and {counts['large']:,} large ones, by whether the signatures are within 3 bits;
{counts['small_of_much']:,} small ones are of more than a tenth of the shingles, {counts['large_of_little']:,} large ones of less.
Their mean resemblance is {counts['resemblance']:.3f}, and {counts['days_between_changes']:.1f} days lie between two.

Those that were rewritten: a change of a resemblance below 0.3 that was not taken back.""")
    rewritten, broken = [], []
    for line in read_lines(out / "changes.jsonl.zst"):
        spell = []
        for version in line["versions"]:
            kind = version.get("kind")
            if kind == "broken":
                spell.append(version)
            elif kind == "back":
                broken.append((line["url"], spell[0]["date"][:10], version["date"][:10], len(spell)))
                spell = []
            elif kind == "large" and version["resemblance"] < 0.3:
                rewritten.append((line["url"], version["date"][:10], f"{version['resemblance']:.2f}",
                                  version["distance"]))
    page.table(["document", "date", "resemblance", "distance"], rewritten)
    page.text("Those that broke and came back:")
    page.table(["document", "broken", "back", "versions"], broken)
    page.hold(rewritten and broken, "policies were rewritten, and pages broke and came back")
    page.finish(f"{len(rewritten)} changes of real policies are rewrites, and {len(broken)} times one was broken and came back")


if __name__ == "__main__":
    main()
