#!/usr/bin/env python3
"""Sections 4.4 and 4.5 (R-02, R-06): paragraphs copied into other sites' layouts, by how pages are cut.

    papers/004/across_sites.py --binary build/release/twinset

Makes 30 sites of 60 pages, each site with a layout of its own, and copies articles between them. A copy has the
paragraphs of its source in the markup of the other site: tags, attributes, links as that site writes them.
"""

import collections
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page import Page  # noqa: E402
from reuse import HTML, SHORT, Detected, Paragraphs, content, discover, over, sha1  # noqa: E402

SITES, PAGES = 30, 60
ARTICLES = 150          # that are copied
IN_SITE, OVER_SITES = 10, 10
VARIES = ["no attributes", "of the site", "of the page"]
ENDS = ["end tags", "no end tags"]
SHARED = ('<div class="consent"><span>We and our partners store information on a device and use it to choose '
          "what you see. You may accept all of it, or say which of it you want.</span></div>")


class Layout:
    """How a site writes its pages. Of the 30 ten write tags without attributes, ten with the site's, ten with
    those of each page."""

    def __init__(self, number, paragraphs):
        draw = self.draw = random.Random(f"layout {number}")
        self.number = number
        self.varies = VARIES[number % 3]
        self.closes = number // 3 % 3 != 0
        self.around = draw.choice(["article", "section", "main", "div", "td"])
        self.after = draw.choice(["ul", "footer", "aside", "div"])
        self.links = ["as they are", "as they are", "rewritten", "taken out"][number // 3 % 4]
        self.shares = number % 5 < 2
        words = paragraphs.take()[3:].split()
        self.menu, self.foot = words[:12], " ".join(words)
        self.names = [f"{draw.choice(words)}-{draw.choice(words)}" for _ in range(8)]

    def attributes(self, page, place):
        if self.varies == "no attributes":
            return ""
        of_site = f' class="{self.names[place % 8]} {self.names[(place + 3) % 8]}"'
        if self.varies == "of the site":
            return of_site
        names = [self.names[place % 8], f"n{page.randrange(10 ** 6)}"]
        page.shuffle(names)
        return page.choice([f' id="b{page.randrange(10 ** 8)}"', f' class="{" ".join(names)}"',
                            f' data-seen="{page.randrange(10 ** 9)}"{of_site}'])

    def tag(self, name, page, place):
        return f"<{name}{self.attributes(page, place)}>"

    def paragraph(self, text, page, place):
        def link(found):
            if self.links == "taken out":
                return found.group(2)
            if self.links == "rewritten":
                return f'<a href="/out?to={found.group(1)}&from={self.number}">{found.group(2)}</a>'
            return found.group()

        text = re.sub(r'<a href="([^"]*)">(.*?)</a>', link, text)
        return f"{self.tag('p', page, place)}{text}{'</p>' if self.closes else ''}\n"

    def page(self, number, texts):
        page = random.Random(f"page {self.number} {number}")
        out = [f"<!DOCTYPE html><title>{self.names[0]} {number}</title>\n"]
        items = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in self.menu)
        out.append(f"{self.tag('div', page, 0)}<ul>{items}</ul></div>\n")
        if self.shares:
            out.append(SHARED + "\n")
        out.append(("<table><tr>" if self.around == "td" else "") + self.tag(self.around, page, 1) +
                   f"<h1>{page.choice(self.names)} {number}</h1>\n")
        out += [self.paragraph(text, page, 2 + i) for i, text in enumerate(texts)]
        if number % 10 == 0:  # A gallery: a paragraph of nothing but pictures.
            out.append(self.tag("p", page, 1) + "".join(
                f'<img src="/{self.number}/{number}/{i}.jpg" alt="">' for i in range(page.randint(20, 30))) + "</p>\n")
            out[-2], out[-1] = out[-1], out[-2]
        out.append(f"</{self.around}>" + ("</table>" if self.around == "td" else "") + "\n")
        related = page.sample(self.menu, 6)
        inner = "".join(f'<li><a href="/{self.number}/{word}/{number}">{word}</a></li>' for word in related)
        out.append(f"{self.tag(self.after, page, 3)}{inner} {self.foot}</{self.after}>\n")
        return "".join(out)


class Web:
    """The pages, and the paragraphs that are copied: {name: number of occurrences}."""

    def __init__(self):
        draw, paragraphs = random.Random(1), Paragraphs(2)
        layouts = [Layout(number, paragraphs) for number in range(SITES)]

        def take():
            words = paragraphs.take()[3:].split()
            if draw.random() < .3:
                at = draw.randrange(3, len(words) - 2)
                words[at] = f'<a href="http://{words[at]}.example/{draw.randrange(1000)}">{words[at]}</a>'
            if draw.random() < .2:
                at = draw.randrange(1, 3)
                words[at] = f"<em>{words[at]}</em>"
            return " ".join(words)

        planted = collections.defaultdict(list)
        for _ in range(ARTICLES):
            article = [take() for _ in range(draw.randint(3, 8))]
            for site in draw.sample(range(SITES), draw.randint(2, 6)):
                planted[site, draw.randrange(PAGES)].append(article)
        self.records, self.copied, self.layouts = [], collections.Counter(), layouts
        self.last, self.sites = set(), collections.defaultdict(set)
        for site, layout in enumerate(layouts):
            for number in range(PAGES):
                texts = [take() for _ in range(draw.randint(3, 10))]
                for article in planted[site, number]:
                    at = draw.choice([0, len(texts)])
                    texts[at:at] = article
                    self.copied.update(text.split()[0] for text in article)
                url = f"http://site{site}.example/{number}.html"
                self.last.add((url, texts[-1].split()[0]))
                for text in texts:
                    self.sites[text.split()[0]].add(site)
                self.records.append({"url": url, "html": layout.page(number, texts)})
        # An article that one page has twice is no copy in another site.
        self.copied = {name for name in self.copied if len(self.sites[name]) > 1}

    def occurrences(self):
        """{(url, name): where the paragraph stands, in bytes} of copied paragraphs."""
        found = {}
        for record in self.records:
            for match in re.finditer(r"<p[^>]*>(\w+) ", record["html"]):
                if match.group(1) in self.copied:
                    found[record["url"], match.group(1)] = match.start(1)
        return found


# --- the slow one

_TAG = re.compile(r"<(/?)(\w+)[^>]*>")
_ENDS_P = {"article", "section", "main", "div", "ul", "footer", "aside", "li", "h1", "p", "table"}


def pieces(text, ends):
    cuts, in_paragraph = [0], False
    for tag in _TAG.finditer(text):
        is_end, name = tag.group(1) == "/", tag.group(2)
        leaves = in_paragraph and (name in _ENDS_P or (is_end and name == "td"))
        if name in ("p", "div") and (ends or not is_end) or leaves and ends:
            cuts.append(tag.start())
        in_paragraph = name == "p" and not is_end or in_paragraph and not leaves
    return [text[begin:end] for begin, end in zip(cuts, [*cuts[1:], len(text)])]


def compared(piece, ends, ignores):
    if ends:
        piece = re.sub(r"^(\s*</\w+>)+", "", piece)
    if ignores:
        piece = re.sub(r"<(\w+)\s[^>]*>", r"<\1>", piece)
    return content(piece)


def count_slowly(records, ends, ignores):
    return collections.Counter(
        sha1(text) for record in records for piece in pieces(record["html"], ends)
        for text in [compared(piece, ends, ignores)] if len(text) > SHORT)


# --- what a run finds

Found = collections.namedtuple("Found", "recall by_varies last labels right copies")


def found_with(page, web, places, name, options):
    path, _, labels, _ = discover(page, f"{name}.l", [page.folder / "web.jsonl"], "--over-chunks", 1,
                                  "--over-files", 10 ** 9, *options)
    detected = Detected(page, f"{name}.d", [page.folder / "web.jsonl"], path)
    matches = collections.defaultdict(list)
    for match in detected.matches():
        if match["kind"] == "chunk":
            matches[match["url"]].append((match["offset"], match["offset"] + match["length"], match["hash"]))
    held, right, right_matches = set(), set(), 0
    by_url = collections.defaultdict(list)
    for (url, paragraph), at in places.items():
        by_url[url].append((at, paragraph))
    count = 0
    for url, ranges in matches.items():
        for begin, end, label in ranges:
            count += 1
            inside = [(url, paragraph) for at, paragraph in by_url[url] if begin <= at < end]
            held.update(inside)
            right_matches += bool(inside)
            if inside:
                right.add(label)

    def recall(of):
        wanted = [place for place in places if of(place)]
        return sum(place in held for place in wanted) / len(wanted)

    kind = {f"http://site{layout.number}.example": layout.varies for layout in web.layouts}
    return labels, Found(
        recall(lambda _: True), [recall(lambda place, v=v: kind[place[0].rsplit("/", 1)[0]] == v) for v in VARIES],
        recall(lambda place: place in web.last), len(labels), len(right) / max(1, len(labels)),
        right_matches / max(1, count))


CUTS = {
    "`--chunks hadoop`": ("--chunks", "hadoop", "--min-chars", SHORT + 1),
    "markup": (),
    "markup, ends": ("--at", "p,div,ends"),
    "markup without attributes": ("--chunk-attributes", "ignore"),
    "markup without attributes, ends": ("--chunk-attributes", "ignore", "--at", "p,div,ends"),
    "text": ("--content", "text"),
    "text, ends": ("--content", "text", "--at", "p,div,ends"),
}
STOPS = {
    "short ones": (),
    "in a site": ("--stop-in-site", IN_SITE),
    "in a site, over sites": ("--stop-in-site", IN_SITE, "--stop-over-sites", OVER_SITES),
}


def main():
    page = Page("Paragraphs copied to other sites", __doc__)
    web = Web()
    page.write_records("web.jsonl", web.records)
    places = web.occurrences()
    found = {}
    for c, (cut, options) in enumerate(CUTS.items()):
        for s, (stop, more) in enumerate(STOPS.items()):
            labels, found[cut, stop] = found_with(page, web, places, f"{c}{s}", (*options, *more))
            if cut.startswith("markup") and not more:
                slow = over(count_slowly(web.records, "ends" in cut, "without" in cut), 1)
                page.hold(labels == slow, f"{cut}: labels and counts are those of a slow discovery")
    tell(page, web, places, found)
    page.finish("found of copied paragraphs, and right of what was found: " + "; ".join(
        f"{cut} {found[cut, stop].recall:.2f} {found[cut, stop].copies:.2f}" for cut, stop in (
            ("markup", "short ones"), ("markup without attributes, ends", "in a site"),
            ("text", "in a site"), ("text, ends", "in a site"))))


def tell(page, web, places, found):
    sites = collections.Counter(len(web.sites[name]) for name in web.copied)
    written = collections.Counter(layout.links for layout in web.layouts)
    page.text(f"""
Pages are cut before the start tags of `p` and `div` (4.5), and what is hashed is the markup from cut to cut. Two
sites that show one paragraph write it in layouts of their own. Here are {SITES} sites of {PAGES} pages, and {ARTICLES} articles,
copied to pages of {min(sites)} to {max(sites)} of them: {len(web.copied):,} paragraphs at {len(places):,} places. Ten sites write tags without
attributes, ten with classes of their own, ten with ids, classes or numbers that differ from page to page;
{sum(not layout.closes for layout in web.layouts)} leave out the end tags of paragraphs; {written["rewritten"]} rewrite the addresses of links, {written["taken out"]} take links out;
{sum(layout.shares for layout in web.layouts)} have the same notice. A tenth of all pages have a paragraph of nothing but pictures. `twinset discover --over-chunks 1` labels what is there twice, and `twinset
detect` finds the labels.

*Found* is the share of the places with a chunk that is a label, *last* of those that are the last paragraph of a page's
text. *Right* is the share of labels, and of their places in pages, that hold a copied paragraph.""")
    page.table(["content, and where it is cut", "stop chunks", "found", *VARIES, "last", "labels", "right", "right places"],
               [(cut, stop, f"{of.recall:.3f}", *(f"{share:.3f}" for share in of.by_varies), f"{of.last:.3f}", of.labels,
                 f"{of.right:.3f}", f"{of.copies:.3f}") for (cut, stop), of in found.items()])
    page.text(f"""
*In a site* is `--stop-in-site {IN_SITE}`, *over sites* `--stop-over-sites {OVER_SITES}`; *ends* is `--at p,div,ends`, *without attributes*
`--chunk-attributes ignore`, *text* `--content text`. All leave out chunks of at most {SHORT} characters. Labels and counts of
the four rows of markup are those of a slow discovery in Python.

- **With markup attributes hide copies**: those of the site are in the tag of each paragraph. Where they differ nothing is found.
- **The last paragraph of a text goes on** into whatever stands before the next start tag, of the site's own: an end tag ends no
  chunk. The paper says "breaking at the HTML delimiters" and its programs cut at start tags; cutting where paragraphs and
  divisions end, with or without an end tag, is the other reading.
- **Text finds all, if cut at ends.** Without attributes, markup still has the tags of links that a site took out.
- **Pictures alone have no text.** Their markup without attributes is equal if they are equally many: wrong labels.
- **`--stop-in-site`** takes out menus and footers: in all rows what is found stays, and what is wrong goes.""")
    page.hold(all(found[cut, stop].recall == found[cut, "short ones"].recall for cut, stop in found),
              "stop chunks of sites lose no copy")
    page.hold(found["markup", "short ones"].by_varies[1:] == [0, 0], "with attributes of their own no copy is found")
    page.hold(found["text, ends", "in a site"][0:1] == (1,) and found["text, ends", "in a site"].copies == 1,
              "text, cut at ends, in a site: all copies and nothing else")
    page.hold(found["markup without attributes, ends", "in a site"].recall > .95 >
              found["markup without attributes", "in a site"].recall, "without attributes most are found")
    page.hold(.05 < 1 - found["text", "in a site"].recall < .1 and found["text", "in a site"].last < .2,
              "text without ends loses last paragraphs")
    page.hold(all(found[cut, "in a site"].copies >= found[cut, "short ones"].copies for cut in CUTS),
              "stop chunks of sites make it more precise")


if __name__ == "__main__":
    main()
