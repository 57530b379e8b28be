"""What the pages of paper 004 share: an independent, slow discovery and detection of chunks, the
program's answers to hold against them, and pages to make.

The slow one reads generated pages, whose markup is simple: it cuts before start tags of p and div,
makes white space one, leaves out chunks of at most 100 characters, and names the rest by SHA-1.
"""

import collections
import functools
import hashlib
import json
import math
import random
import re
import statistics

from page import read_lines

SHORT = 100              # characters; chunks of at most so many are stop chunks
MEDIAN, MEAN, LARGEST = 23, 48, 428   # chunks of a page of blog.archive.org (6.2)

_CUT = re.compile(r"(?=<(?:p|div)[\s>/])", re.IGNORECASE)
_SPACE = re.compile(r"[ \n\t\f\r]+")


# --- the slow one

def sha1(text):
    return hashlib.sha1(text.encode("utf-8")).hexdigest()


@functools.lru_cache(1 << 16)
def chunk_hash(piece):
    """Of a piece of a page; None if it is short."""
    text = content(piece)
    return sha1(text) if len(text) > SHORT else None


def chunk_hashes(page):
    """The names of the chunks of a page, in order, without short ones."""
    return [name for name in map(chunk_hash, _CUT.split(page)) if name]


_HIDDEN = re.compile(r"<!--.*?-->|<(script|style|noscript|template|title|textarea)\b.*?</\1\s*>",
                     re.DOTALL | re.IGNORECASE)


def pieces_of_real_page(page):
    """A page of the Web, cut where a browser sees start tags of p and div."""
    seen = _HIDDEN.sub(lambda hidden: " " * len(hidden.group()), page)
    cuts = [0, *(cut.start() for cut in _CUT.finditer(seen)), len(page)]
    return [page[begin:end] for begin, end in zip(cuts, cuts[1:]) if begin < end]


def content(piece):
    return _SPACE.sub(" ", piece).strip(" ")


def count_slowly(pages):
    """Counters of the chunks and of the files of pages."""
    chunks, files = collections.Counter(), collections.Counter()
    for page in pages:
        chunks.update(chunk_hashes(page))
        files[sha1(page)] += 1
    return chunks, files


def over(counter, threshold):
    """Those seen more often, with their counts."""
    return {name: count for name, count in counter.items() if count > threshold}


def neighborhoods(url):
    """The site of a URL and its folders, from the site down."""
    path = url.split("://", 1)[1].split("?", 1)[0]
    ends = [i + 1 for i, c in enumerate(path) if c == "/"]
    return [path[:end] for end in ends]


class Neighborhood:
    def __init__(self):
        self.pages = self.labeled_pages = self.chunks = self.labeled = 0
        self.contains_sum = 0.0

    def add(self, chunks, labeled):
        self.pages += 1
        self.labeled_pages += labeled > 0
        self.chunks += chunks
        self.labeled += labeled
        self.contains_sum += labeled / chunks if chunks else 0

    def by_chunks(self):
        return self.labeled / self.chunks if self.chunks else 0.0

    def by_pages(self):
        return self.contains_sum / self.pages


def named_chunks(records):
    """(URL, names of the chunks) of each page."""
    return [(record["url"], chunk_hashes(record["html"])) for record in records]


def detect_slowly(named, labels):
    """({url: (chunks, labeled)} of all pages of named_chunks(), {prefix: Neighborhood})."""
    pages, found = {}, collections.defaultdict(Neighborhood)
    for url, names in named:
        labeled = sum(name in labels for name in names)
        pages[url] = (len(names), labeled)
        for prefix in neighborhoods(url):
            found[prefix].add(len(names), labeled)
    return pages, dict(found)


def threshold_of(values):
    """The mean and one standard deviation of all values."""
    values = list(values)
    center = math.fsum(values) / len(values)
    return center + math.sqrt(math.fsum((v - center) ** 2 for v in values) / len(values))


# --- the program

HTML = ("--format", "html", "--text", "html")


def discover(page, name, inputs=(), *options):
    """Runs `twinset discover` into a file of that name: its path, its summary, and {hash: count}
    of the labeled chunks and of the labeled files."""
    path = page.folder / f"{name}.labels"
    hashing = () if "--hash" in options else ("--hash", "sha1")
    told = json.loads(page.twinset("discover", *inputs, *HTML, *hashing, "-o", path, "--json",
                                   "--top", 10 ** 7, "--no-progress", *options))
    labels = {"chunk": {}, "file": {}}
    for label in told["top"]:
        labels[label["kind"]][label["hash"]] = label["count"]
    return path, told, labels["chunk"], labels["file"]


class Detected:
    """What `twinset detect` wrote into a folder of that name."""

    def __init__(self, page, name, inputs, labels, *options):
        self.folder = page.folder / name
        page.twinset("detect", *inputs, "-L", labels, "-o", self.folder, "--quiet", *HTML, *options)
        self.page_lines = read_lines(self.folder / "pages.jsonl.zst")
        self.neighborhood_lines = read_lines(self.folder / "neighborhoods.jsonl.zst")
        self.summary = json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))
        self.pages = {line["url"]: (line["chunks"], line["labeled"]) for line in self.page_lines}
        self.whole_files = {line["url"] for line in self.page_lines if line["file_label"]}
        self.neighborhoods = {line["prefix"]: line for line in self.neighborhood_lines}

    def matches(self):
        return read_lines(self.folder / "matches.jsonl.zst")

    def like(self, pages, found):
        """Whether pages and neighborhoods are those of detect_slowly(): counts exactly, contains
        and both badnesses to the last written digit."""
        if self.pages != {url: counts for url, counts in pages.items() if counts[1]}:
            return False
        if any(not close(line["contains"], line["labeled"] / line["chunks"])
               for line in self.page_lines):
            return False
        if self.neighborhoods.keys() != found.keys():
            return False
        return all((line["pages"], line["labeled_pages"], line["chunks"], line["labeled"]) ==
                   (of.pages, of.labeled_pages, of.chunks, of.labeled) and
                   close(line["badness"], of.by_chunks()) and
                   close(line["badness_pages"], of.by_pages())
                   for line in self.neighborhood_lines for of in [found[line["prefix"]]])


def close(a, b):
    return abs(a - b) < 2e-6


# --- pages

class Paragraphs:
    """Chunks of more than 100 characters, no two alike."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self._words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(4, 9)))
                       for _ in range(4000)]
        self._draw = draw
        self._next = 0

    def take(self):
        number, self._next = self._next, self._next + 1
        name = "".join(chr(ord("a") + number // 26 ** i % 26) for i in range(6))
        words = " ".join(self._draw.choices(self._words, k=19))
        return f"<p>{name} {words}"


def page_sizes(count):
    """Chunks of so many pages, rising: the quantiles of the log-normal distribution with the
    median and mean of blog.archive.org, without larger pages than its largest, and that one."""
    spread = math.sqrt(2 * math.log(MEAN / MEDIAN))
    normal = statistics.NormalDist()
    most = normal.cdf(math.log((LARGEST + .5) / MEDIAN) / spread)
    return [max(1, round(MEDIAN * math.exp(spread * normal.inv_cdf((i + .5) / count * most))))
            for i in range(count - 1)] + [LARGEST]


def random_page_sizes(count, draw):
    """The same, drawn."""
    spread = math.sqrt(2 * math.log(MEAN / MEDIAN))
    sizes = []
    while len(sizes) < count:
        size = max(1, round(MEDIAN * math.exp(draw.gauss(0, spread))))
        if size <= LARGEST:
            sizes.append(size)
    return sizes


OFTEN = 20          # a threshold of 100,000 and 5,000 copies: chunks more often in the site
FREQUENT_SHARE = .78  # of the site's chunks, each counted as often as it stands there (6.2)
FREQUENT = 43       # times in the site, on average: 78 % of 242,000 chunks are 4,400 distinct ones
RARE = 3            # likewise the others, 16,600


def blog(count, seed, prefix="<!DOCTYPE html><title>blog</title>\n"):
    """A site like blog.archive.org: so many pages, each a list of chunks. 78 % of all chunks are of
    those that stand in the site more than 20 times."""
    draw, paragraphs = random.Random(seed), Paragraphs(seed)
    sizes = page_sizes(count)
    total = sum(sizes)
    frequent = round(FREQUENT_SHARE * total)
    pool, rare = [], []
    while frequent - len(pool) > 2 * FREQUENT:
        pool += [paragraphs.take()] * draw.randint(OFTEN + 1, 2 * FREQUENT - OFTEN - 1)
    pool += [paragraphs.take()] * (frequent - len(pool))
    while len(pool) + len(rare) < total:
        rare += [paragraphs.take()] * min(draw.randint(1, 2 * RARE - 1),
                                          total - len(pool) - len(rare))
    pool += rare
    draw.shuffle(pool)
    pages, at = [], 0
    draw.shuffle(sizes)
    for size in sizes:
        pages.append(pool[at:at + size])
        at += size
    return pages


def html(chunks):
    return "\n".join(chunks)
