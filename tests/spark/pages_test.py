"""discover and detect of twinset.spark against the program: the same answers, whatever the partitions.

Run by spark_test.py, in its session.
"""

import json
import pathlib
import random
import subprocess
import tempfile
import unittest

import pyarrow
from pyspark.sql import SparkSession

import support
import twinset
from kills import kill_executor_after
from twinset import spark


def crawl(count, seed=7):
    """Pages {url, text}: chunks that many sites have, templates of sites, whole copies, crawlers' loops."""
    chance = random.Random(seed)

    def chunk(name):
        words = " ".join(f"{name}{i}" for i in range(chance.randrange(18, 30)))
        return f"<p class=\"{name}\">{words}"
    common = [chunk(f"common{i}x") for i in range(40)]
    pages = []
    for i in range(count):
        site = chance.randrange(25)
        url = f"http://site{site}.example/{'abc'[i % 3]}/page{i}.html"
        if i % 97 == 0:
            url = f"http://site{site}.example/loop/loop/loop/loop/{i}"
        if i % 11 == 0 and pages:
            pages.append({"url": url, "text": chance.choice(pages)["text"]})
            continue
        chunks = [f"<div>menu of site {site} " + "home news about contact " * 6] if i % 4 else []
        chunks += chance.sample(common, chance.randrange(4)) + [chunk(f"own{i}y{j}z") for j in range(chance.randrange(4))]
        chance.shuffle(chunks)
        pages.append({"url": url, "text": f"<title>Page \u00e9 {i}</title>" + "".join(chunks) + "<p>short"})
    return sorted(pages + [{"url": "http://[", "text": common[0]}, {"url": "http://none.example/", "text": None}],
                  key=lambda page: page["url"].encode())


def lines_of(folder, name):
    told = subprocess.run(["zstd", "-dc", folder / f"{name}.jsonl.zst"], capture_output=True, check=True).stdout
    return [json.loads(line) for line in told.splitlines()]


def as_lines(rows):
    """Rows as sorted lines of JSON, which are compared byte for byte; shares as the program writes them."""
    def written(value):
        if not isinstance(value, float):
            return value
        return int(value) if value.is_integer() else round(value, 6)
    return sorted(json.dumps({name: written(value) for name, value in row.items() if value is not None}, sort_keys=True)
                  for row in rows)


def flat(lines, leave_out=()):
    """Lines of the program, an object in them as columns, without what names a place in a file."""
    for line in lines:
        row = {}
        for name, value in line.items():
            row.update({f"{name}_{inner}": each for inner, each in value.items()} if isinstance(value, dict) else {name: value})
        yield {name: value for name, value in row.items() if name not in ("file", "record", *leave_out)}


class Pages(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.session = SparkSession.active()
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.folder = pathlib.Path(made.name)
        cls.pages = crawl(1500)
        cls.file = cls.folder / "pages.jsonl"
        cls.file.write_text("".join(json.dumps(page) + "\n" for page in cls.pages))
        cls.labels = cls.folder / "known.labels"
        support.program("discover", cls.file, "-o", cls.labels, "--over-chunks", 30, "--over-files", 1, "--format", "html")
        cls.frame = cls.session.createDataFrame(pyarrow.Table.from_pylist(cls.pages).rename_columns(["address", "body"]))

    def check_summary(self, found, expected):
        """Each count that both have is the same."""
        for name, value in found.items():
            if isinstance(value, dict):
                self.check_summary(value, expected[name])
            elif isinstance(value, float):
                # Those that are written with two digits are far below 1.
                self.assertAlmostEqual(value, expected[name], None, name, 5e-7 if value > 0.001 else 0.05 * value)
            else:
                self.assertEqual(value, expected[name], name)

    def check_lines(self, found, expected, name):
        """The difference of long lists would take minutes."""
        if found != expected:
            self.fail(f"{name}: {len(found)} and {len(expected)} lines; " + str(next(
                (pair for pair in zip(found, expected) if pair[0] != pair[1]), "one list begins as the other")))

    def check_detected(self, found, folder):
        for name, frame in (("pages", found.pages), ("matches", found.matches), ("recursion", found.recursion),
                            ("neighborhoods", found.neighborhoods)):
            self.check_lines(as_lines(row.asDict() for row in frame.collect()),
                             as_lines(flat(lines_of(folder, name), ["contains_sum"])), name)
        self.check_summary(found.summary.to_dict(), json.loads((folder / "summary.json").read_text()))

    # R-13, B-32: neighborhoods are added up by Spark, and no order of its work shows.
    def test_detect(self):
        support.program("detect", self.file, "-L", self.labels, "-o", self.folder / "found", "--format", "html")
        dead = kill_executor_after(self, 0.5)
        found = spark.detect(self.frame.repartition(7), self.labels, url="address", text="body", format="html")
        dead()
        self.check_detected(found, self.folder / "found")
        self.assertGreater(found.summary.labeled_files, 20)
        self.assertEqual([tuple(row) for row in found.quarantined.collect()], [("http://none.example/", "no text")])
        found.unpersist()

    def test_detect_by_pages_without_stop_chunks(self):
        stop = self.folder / "stop.labels"
        support.program("discover", self.file, "-o", stop, "--over-chunks", 45, "--over-files", 1000, "--format", "html")
        options = {"badness": "pages", "threshold": 0.25, "page_threshold": "auto", "repeats": 0}
        typed = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
        support.program("detect", self.file, "-L", self.labels, "-o", self.folder / "by_pages", "--format", "html",
                        "--stop", stop, *typed)
        found = spark.detect(self.frame.repartition(2), self.labels, url="address", text="body", format="html", stop=stop,
                             **options)
        self.check_detected(found, self.folder / "by_pages")
        self.assertGreater(found.summary.stop_chunks, 0)
        found.unpersist()

    # B-32: thresholds are of the whole collection, whoever holds its parts.
    def test_discover_writes_the_same_file(self):
        cases = (({"over_chunks": 30, "over_files": 1}, 7),
                 ({"over_chunks": 8, "over_files": 2, "stop_in_site": 35, "stop_over_sites": 22, "hash": "sha256",
                   "chunk_attributes": "ignore", "stop": self.labels_without_attributes()}, 2))
        for options, partitions in cases:
            with self.subTest(partitions=partitions, **options):
                dead = kill_executor_after(self, 0.7) if partitions == 7 else None
                files = [self.folder / f"{who}{len(options)}{partitions}.labels" for who in ("program", "spark")]
                told = twinset.discover(self.file, output=files[0], format="html", **options)
                found = spark.discover(self.frame.repartition(partitions), files[1], url="address", text="body", format="html",
                                       **options)
                if dead:
                    dead()
                self.assertEqual(files[1].read_bytes(), files[0].read_bytes())
                self.check_summary(found.summary.to_dict(), told.summary.to_dict())
                self.assertEqual(found.labels.count(), told.chunks.labels + told.files.labels)
                self.assertGreater(told.chunks.labels, 5)
                if "stop_in_site" in options:
                    self.assertGreater(min(told.chunks.in_site, told.chunks.over_sites, told.chunks.stop_seen), 0)
                found.unpersist()

    def labels_without_attributes(self):
        stop = self.folder / "common.labels"
        support.program("discover", self.file, "-o", stop, "--over-chunks", 60, "--over-files", 1000, "--format", "html",
                        "--hash", "sha256", "--chunk-attributes", "ignore")
        return stop

    def test_discover_refuses(self):
        with self.assertRaisesRegex(twinset.UsageError, "known.labels exists"):
            spark.discover(self.frame, self.labels, url="address", text="body")
        for words, options in (("from_= is not done on Spark", {"from_": "a.warc"}), ("min_chars=", {"min_chars": "few"}),
                               ("at=", {"at": "span"}), ("repeats=", {"repeats": 1})):
            with self.assertRaisesRegex(twinset.UsageError, words):
                spark.discover(self.frame, self.folder / "refused.labels", url="address", text="body", **options)

    def test_detect_refuses(self):
        def refused(words, labels=self.labels, kind=twinset.UsageError, frame=self.frame, **options):
            with self.assertRaises(kind) as caught:
                spark.detect(frame, labels, **{"url": "address", "text": "body", **options})
            self.assertIn(words, str(caught.exception))
        refused("no column 'url' for url=", url="url")
        refused("none.labels", self.folder / "none.labels", twinset.FileError)
        refused("pages.jsonl", self.file, twinset.Error)
        refused("report= is not done on Spark", report="page.html")
        refused("threshold=", threshold="1.5")
        refused("format=", format="csv")
        refused("'body' of url= holds bigint", frame=self.session.createDataFrame([("a", 1)], "text string, body long"),
                url="body", text="text")
        refused("a row has no URL", frame=self.session.createDataFrame([("a", None)], "body string, address string"))
