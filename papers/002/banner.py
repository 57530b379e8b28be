#!/usr/bin/env python3
"""Section 3, figure 1 (I-06 to I-08): two letters in a foreign language below one banner.

    papers/002/banner.py --binary build/release/twinset

The lexicon knows the banner's language and not the letters'. The original I-Match takes them for
one; the modified one gives none of them a signature, or two different ones where a secondary
lexicon has rarer words of the letters.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page, read_lines, word  # noqa: E402

BANNER = """This message was sent through the free mail service of the network. Messages may be delayed
while the server is busy. To read more about available options, storage limits and attached files, or to
configure another address, please visit the help section, where changes to the license are listed."""

HATS = """Liebe Kundin, unsere neuen Hüte für den Herbst sind eingetroffen. Wählen Sie zwischen Filz, Wolle
und Leder, mit breiter oder schmaler Krempe, in Braun, Grau und Dunkelgrün. Jeder Hut wird in unserer
Werkstatt von Hand gefertigt und sorgfältig verpackt geliefert. Bestellungen bis Freitag erhalten eine
Bürste geschenkt. Besuchen Sie uns auch im Laden am Marktplatz, wo wir Ihnen gern die passende Größe
ausmessen und bei einer Tasse Tee alle Fragen zur Pflege beantworten."""

COMPUTERS = """Sehr geehrter Herr, Ihr Rechner läuft zu heiß? Unsere Kühler senken die Temperatur des
Prozessors um zwanzig Grad, ganz ohne Lärm. Der Einbau gelingt in wenigen Minuten mit einem einzigen
Schraubenzieher, die Anleitung liegt bei. Wir prüfen jedes Stück vor dem Versand drei Stunden lang unter
Volllast. Sollte dennoch etwas fehlen oder klappern, tauschen wir kostenlos um. Fragen Sie nach
Sonderpreisen für Schulen, Vereine und Händler in der Schweiz."""


def letter(text):
    return BANNER + "\n" + text


def collection():
    """Texts to learn from: the banner's words are in most of a window, the letters' words in two
    texts of a thousand, beside words that are in no other text."""
    english = [text.strip(".,?") for text in BANNER.split()]
    texts = []
    for i in range(1000):
        # The first word of the list is in 60 texts, the last in 20.
        texts.append([text for j, text in enumerate(english) if (i + 7 * j) % 17 == 0])
        texts[-1] += [word(10 * i + j) for j in range(10)]
    for i in (100, 600):
        texts[i] += HATS.split()
    for i in (300, 900):
        texts[i] += COMPUTERS.split()
    return [{"text": " ".join(text)} for text in texts]


def main():
    page = Page("Letters below one banner", __doc__)
    letters = page.write_records("letters.jsonl", [
        {"id": "hats", "text": letter(HATS)}, {"id": "coolers", "text": letter(COMPUTERS)},
        {"id": "hats again", "text": letter(HATS)}])
    learned = page.write_records("learned.jsonl", collection())
    lexicon = page.folder / "both.lexicon"
    page.twinset("lexicon", "build", learned, "-o", lexicon, "--nidf", "0.3:0.6", "--secondary",
                 "0.8:1.0", "--quiet")
    without_b = page.folder / "english.lexicon"
    page.twinset("lexicon", "build", learned, "-o", without_b, "--nidf", "0.3:0.6", "--quiet")
    variants = [("as in 1: S of L alone, no threshold", without_b, "share=0"),
                ("step 5: S at least .4 of U, no B", without_b, "share=0.4"),
                ("step 4: rarer words of B reach .4", lexicon, "share=0.4")]
    rows, results = [], {}
    for name, path, parameters in variants:
        out = page.folder / f"{len(rows)}.jsonl"
        page.twinset("sketch", letters, "--scheme",
                     f'imatch(lexicon="{path}", signatures=0, {parameters})', "-o", out, "--quiet")
        hats, coolers, again = [line["signature"][0] if line["signature"] else None
                                for line in read_lines(out)]
        said = ("none" if hats is None and coolers is None else
                "one" if hats == coolers else "two different ones")
        results[name] = said
        page.hold(hats == again, f"{name}: a letter and its copy have one signature, or none")
        rows.append((name, said, "none" if again is None else "matches"))
    page.hold(list(results.values()) == ["one", "none", "two different ones"],
              "one signature, then none, then two")
    page.text("""
Two German letters, on hats and on coolers, below the same English banner. No word of the letters is in
the window of the lexicon. "The signatures of the two documents would be either null, or different, provided
sufficient vocabulary existed in the secondary lexicon." A third letter is a copy of the first.""")
    page.table(["imatch", "signatures of the two letters", "the copy of the first"], rows)
    page.text("""
As the paper says. Step 4 prints "top-ranking terms (L and U)"; these are in S already, and B and U is meant. The
paper's letters are not printed in full; ours are made up, and so is the collection that the lexicons are
of: 1,000 texts in which each word of the banner is in about sixty and each of the letters in two.""")
    page.finish("without the secondary lexicon and thresholds the two letters have one signature; with a "
                "threshold none, with rarer words two")


if __name__ == "__main__":
    main()
