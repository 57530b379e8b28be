"""twinset.spark against `twinset dedup`, the program: the same answers, whatever happens to the cluster.

Run by run.py. The executors have the package only from an archive that Spark sends them, as a cluster does.
"""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import warnings
import zipfile

import nanobind_backend
import pyarrow
import pyspark
from pyspark import cloudpickle
from pyspark.sql import SparkSession

import engine_test
import evaluate_test
import pages_test
import passages_test
import support
import twinset
from kills import kill_executor_after
from twinset import _batches, spark

HOUSE = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = tempfile.TemporaryDirectory()
TEMPLATE = 5000  # texts of one template, that share most of their bands
SESSION = None


def archive():
    """The package and what it needs, for executors."""
    path = pathlib.Path(FOLDER.name, "twinset.zip")
    with zipfile.ZipFile(path, "w") as made:
        for module in (twinset, nanobind_backend):
            root = pathlib.Path(module.__file__).parent
            for file in root.rglob("*"):
                if file.is_file() and "__pycache__" not in file.parts:
                    made.write(file, pathlib.Path(root.name) / file.relative_to(root))
    return path


def setUpModule():
    global SESSION
    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "4", "spark.local.dir": FOLDER.name,
        "spark.archives": f"{archive()}#shipped", "spark.executorEnv.PYTHONPATH": "shipped",
        # Tasks are tried twice at once whenever one takes a little longer than others.
        "spark.speculation": "true", "spark.speculation.interval": "50ms", "spark.speculation.multiplier": "1.1",
        "spark.speculation.quantile": "0.3", "spark.speculation.minTaskRuntime": "50ms",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "997",
        # Most of the time is that of compilers: of Java's second one, and of those of generated code.
        **{f"spark.{one}.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" for one in ("driver", "executor")},
        "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("twinset")
    for name, value in settings.items():
        builder = builder.config(name, value)
    SESSION = builder.getOrCreate()
    SESSION.sparkContext.setLogLevel("OFF")


def tearDownModule():
    java = SESSION.sparkContext._gateway.proc
    executors_work = pathlib.Path(pyspark.__file__).parent / "work" / SESSION.sparkContext.applicationId
    SESSION.stop()
    # Its end is waited for, so that who times the tests sees its CPU seconds and those of the executors.
    java.stdin.close()
    java.wait(60)
    shutil.rmtree(executors_work, ignore_errors=True)
    FOLDER.cleanup()


def real_texts(count):
    """License texts of TWINSET_DATA, many of which are alike; none without it."""
    path = pathlib.Path(os.environ.get("TWINSET_DATA", ""), "scancode-licences/licences.jsonl.zst")
    if not os.environ.get("TWINSET_DATA") or not path.exists():
        print("TWINSET_DATA has no scancode-licences: made texts alone")
        return []
    lines = subprocess.run(["zstd", "-dc", "--long=27", path], capture_output=True, check=True).stdout.splitlines()
    return [json.loads(line)["text"] for line in lines[:count]]


def by_program(verb, texts, ids, *options, **fields):
    """The answers of the program: what its folder has, with the summary. `fields`: a value for each text; one of null
    is left out."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=FOLDER.name))
    values = [dict(zip(fields, row)) for row in zip(*fields.values())] or [{}] * len(texts)
    (folder / "in.jsonl").write_text("".join(
        json.dumps({"id": i, "text": text, **{name: value for name, value in more.items() if value is not None}}) + "\n"
        for i, text, more in zip(ids, texts, values)))
    support.program(verb, folder / "in.jsonl", "-o", folder / "out", *options)

    def lines(name):
        told = subprocess.run(["zstd", "-dc", folder / "out" / name], capture_output=True, check=True).stdout
        return [json.loads(line) for line in told.splitlines()]
    found = {"summary": json.loads((folder / "out/summary.json").read_text()),
             "clusters": as_lines([line["representative"]["id"], member["id"]] for line in lines("clusters.jsonl.zst")
                                  for member in [line["representative"], *line["members"]])}
    if verb == "cluster":
        # A document's pairs name the others by their record, which is their place in `ids`, from 1.
        found["pairs"] = as_lines([line["id"], ids[pair[1] - 1], *pair[2:]] for line in lines("pairs.jsonl.zst")
                                  for pair in line.get("pairs", []))
        return found
    found["kept"] = as_lines(json.loads(line)["id"] for line in (folder / "out/in.jsonl").open())
    found["removed"] = as_lines(in_six_digits({name: line[name] for name in REMOVED if name in line})
                                for line in lines("removed.jsonl.zst"))
    return found


SHARES = ("resemblance", "containment", "survivor_containment")
REMOVED = ("id", "survivor_id", "kind", "resemblance", "containment", "survivor_containment", "shared_shingles",
           "shingles", "survivor_shingles")


def as_lines(rows):
    """Rows as sorted lines of JSON, which are compared byte for byte."""
    return sorted(json.dumps(row) for row in rows)


def in_six_digits(line):
    """A removed record, its shares as the program writes them."""
    return {name: round(float(value), 6) if name in SHARES else value for name, value in line.items()}


def removed_lines(found):
    for row in found.removed.collect():
        yield in_six_digits({name: value for name, value in zip(REMOVED, row) if value is not None})


class Spark(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        texts = engine_test.crawl(4000) + engine_test.template(TEMPLATE) + real_texts(3000)
        random.Random(3).shuffle(texts)
        cls.texts, cls.ids = texts, [f"d{i:06}" for i in range(len(texts))]
        cls.rows = SESSION.createDataFrame(pyarrow.table(
            {"url": cls.ids, "id": cls.ids, "body": texts, "n": list(range(len(texts)))}))

    def check_summary(self, found, expected):
        """Each count that both have is the same; `largest_key` is Spark's alone."""
        for name, value in found.items():
            if isinstance(value, dict):
                self.check_summary(value, expected[name])
            elif name != "largest_key":
                self.assertEqual(value, expected[name], name)

    def check_clusters(self, found, expected):
        self.assertEqual(as_lines(map(list, found.clusters.collect())), expected["clusters"])
        self.check_summary(found.summary.to_dict(), expected["summary"])

    # B-32: one machine, and machines that are killed and doubled, give the same bytes.
    def test_partitions_speculation_and_a_lost_executor_change_nothing(self):
        expected = by_program("dedup", self.texts, self.ids)
        for partitions, kills in ((1, False), (2, False), (7, True)):
            with self.subTest(partitions=partitions, kills=kills):
                began = time.monotonic()
                dead = kill_executor_after(self, 0.7, spark._Run, "judged") if kills else None
                found = spark.dedup(self.rows.repartition(partitions), text="body", resemblance=0.8)
                print(f"{len(self.ids)} rows in {partitions} partitions: {time.monotonic() - began:.1f} s", flush=True)
                if kills:
                    dead()
                kept = found.kept.collect()
                self.assertEqual(as_lines(row.id for row in kept), expected["kept"])
                for row in kept:
                    self.assertEqual(tuple(row), (self.ids[row.n], self.ids[row.n], self.texts[row.n], row.n))
                self.assertEqual(as_lines(removed_lines(found)), expected["removed"])
                self.check_clusters(found, expected)
                self.assertGreater(found.summary.matching.largest_key, TEMPLATE // 2)
                self.assertLess(found.summary.matching.candidate_pairs, 20 * len(self.ids))
                found.unpersist()

    def test_clusters(self):
        expected = by_program("cluster", self.texts, self.ids, "--scheme", "fss", "-r", "0.6")
        found = spark.cluster(self.rows, text="body", resemblance=0.6)
        self.check_clusters(found, expected)
        self.assertEqual(as_lines([row.id, row.other, row.shared_shingles, row.shingles, row.other_shingles]
                                  for row in found.pairs.collect()), expected["pairs"])
        found.unpersist()

    def test_clusters_within_parts_that_the_driver_cannot_hold(self):
        """The texts are bytes here, in the layout of large columns."""
        texts = engine_test.crawl(600, seed=3)
        years = [random.Random(i).randrange(2020, 2023) for i in range(len(texts))]
        expected = by_program("cluster", texts, range(len(texts)), "--scheme", "minhash", "--within", "year", year=years)
        large = "spark.sql.execution.arrow.useLargeVarTypes"
        SESSION.conf.set(large, "true")
        self.addCleanup(SESSION.conf.set, large, "false")
        given = SESSION.createDataFrame(pyarrow.table({"id": list(range(len(texts))), "year": years,
                                                       "text": [text.encode() for text in texts]}))
        found = spark.cluster(given.repartition(2), scheme="minhash", within="year", max_driver_edges=10)
        self.check_clusters(found, expected)
        self.assertEqual(as_lines([row.id, row.other, row.shared_shingles, row.shingles, row.other_shingles]
                                  for row in found.pairs.collect()), expected["pairs"])
        found.unpersist()

    def test_workers_that_die_each_time_are_told_in_a_line(self):
        def dies(batches):
            for batch in batches:
                os.kill(os.getpid(), signal.SIGKILL)
                yield batch
        rows = SESSION.createDataFrame([(1, "a text")], "id long, text string")
        for run in (spark.dedup, spark.cluster):
            with self.assertRaisesRegex(twinset.Error, "^Spark gave up.*spark.executor.memoryOverhead") as told:
                run(rows.mapInArrow(dies, rows.schema))
            self.assertNotIn("\n", str(told.exception))

    # Each rule puts the rows in an order of its own, whatever the partitions; rows of unlike values never meet.
    def test_keep_rules_and_parts(self):
        chance = random.Random(5)
        texts = [text + " more" * chance.randrange(3) for text in engine_test.crawl(400, seed=4) + engine_test.template(60)]
        texts.append(None)
        ids = list(range(len(texts)))
        fields = {"lang": [chance.choice(["en", "de", "", None]) for _ in ids],
                  "rank": [chance.choice([None, chance.randrange(30) / 4]) for _ in ids],
                  "seen": [chance.choice([f"2026-{chance.randrange(1, 13):02}-11", "5 May 2025", "3/4/2026", None, "1777975200"])
                           for _ in ids]}
        given = SESSION.createDataFrame(pyarrow.table({"id": ids, "text": texts, **fields}))
        # A rule of texts, one of dates, and one of numbers: engine_test has the others.
        options = (({"keep": "shortest", "within": "lang"}, 1), ({"keep": "newest:seen"}, 2),
                   ({"keep": "lowest:rank", "within": "seen"}, 7))
        by_first = by_program("dedup", texts, ids, "-r", "0.6")["removed"]
        for named, partitions in options:
            with self.subTest(**named):
                typed = [word for name, value in named.items() for word in (f"--{name}", value)]
                expected = by_program("dedup", texts, ids, "-r", "0.6", *typed, **fields)
                with warnings.catch_warnings(record=True) as told:
                    warnings.simplefilter("always")
                    found = spark.dedup(given.repartition(partitions), resemblance=0.6, **named)
                self.assertEqual(as_lines(removed_lines(found)), expected["removed"])
                self.assertFalse(expected["removed"] == by_first)
                self.check_clusters(found, expected)
                self.assertEqual(any("can't be read as a date" in str(each.message) for each in told),
                                 named["keep"] == "newest:seen")
                found.unpersist()

    def test_order_is_that_of_a_sorted_file(self):
        texts = engine_test.crawl(300, seed=2) + [None, None]
        days = [random.Random(i).randrange(40) for i in range(len(texts))]
        rows = sorted(zip(range(len(texts)), texts, days), key=lambda row: (-row[2], row[0]))
        expected = by_program("dedup", [row[1] for row in rows], [row[0] for row in rows], "--scheme", "minhash", "-r", "0.7")
        given = SESSION.createDataFrame(pyarrow.table({"key": list(range(len(texts))), "text": texts, "day": days}))
        found = spark.dedup(given, id="key", order="day desc", scheme="minhash", threshold=0.7)
        self.assertEqual(as_lines(removed_lines(found)), expected["removed"])
        self.assertEqual(as_lines(row.key for row in found.kept.collect()), expected["kept"])
        self.assertEqual(found.quarantined.count(), 2)
        found.unpersist()

    def test_the_document_runs(self):
        names = {}
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(FOLDER.name)  # Blocks write files.
        for block in re.findall(r"```python\n(.*?)```", (HOUSE / "docs/spark.md").read_text(), re.S):
            exec(compile(block, "docs/spark.md", "exec"), names)

    def test_the_golden_answer(self):
        texts, ids, expected = engine_test.golden()
        found = spark.dedup(SESSION.createDataFrame(pyarrow.table({"id": ids, "text": texts})))
        rows = found.removed.select("id", "survivor", "kind", "shared_shingles", "shingles", "survivor_shingles").collect()
        self.assertEqual(sorted(map(tuple, rows), key=repr), expected)
        found.unpersist()

    def test_no_rows(self):
        found = spark.dedup(SESSION.createDataFrame([], "id int, text string"))
        self.assertEqual((found.kept.count(), found.removed.count(), found.summary.read), (0, 0, 0))
        found.unpersist()

    def test_bad_input(self):
        def refused(words, rows, **options):
            with self.assertRaises(twinset.UsageError) as caught:
                spark.dedup(rows, **options)
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))

        def frame(**columns):
            return SESSION.createDataFrame(pyarrow.table(columns))
        good = frame(id=["a", "b"], text=["one", "two"])
        refused("'text' of text= holds bigint, not strings", frame(id=["a"], text=[1]))
        refused("no column 'body' for text=; there are 'id', 'text'", good, text="body")
        refused("'id' of id= holds array<string>", frame(id=[["a"]], text=["one"]))
        refused("containment= is not done on Spark", good, containment=0.9)
        refused("scheme= simhash", good, scheme="simhash")
        with self.assertRaisesRegex(twinset.UsageError, "scheme= mod"):
            spark.cluster(good, scheme="mod")
        refused("keep= 'best' is not one of", good, keep="best")
        refused("no column 'date' for keep=", good, keep="newest:date")
        refused("no column 'lang' for within=", good, within="lang")
        refused("'text' of within= holds array<string>", frame(id=["a"], text=[["one"]]), text="id", within="text")
        refused("no row has a value in the column of within=", good.selectExpr("id", "text", "cast(null as string) lang"),
                within="lang")
        refused("max_record=", good, max_record="much")
        refused("resemblance=", good, resemblance="1.2")
        refused("format= is 'html'", good, format="csv")
        refused("shingles", good, scheme="fss(shingles=5)")
        with self.assertRaises(TypeError):
            spark.dedup(good, resemblence=0.8)
        refused("a row has no id", frame(id=["a", None], text=["one", "two"]))
        refused("2 rows have the id 'a'", frame(id=["a", "a"], text=["one", "two"]))
        refused("max_driver_edges=1", frame(id=["a", "b", "c"], text=engine_test.template(3)), max_driver_edges=1)
        version = _batches._twinset.version
        try:
            _batches._twinset.version = "0.0.9"
            refused("executors cannot run twinset 0.0.9", good)
        finally:
            _batches._twinset.version = version

    def test_an_executor_without_the_package_is_named(self):
        settings = _batches.settings_of("fss", "words", False, "0.8", 1 << 26)
        sent = pathlib.Path(FOLDER.name, "look")
        sent.write_bytes(cloudpickle.dumps(spark._look(settings)))
        code = ("import pickle, pyarrow, sys; look = pickle.load(open(sys.argv[1], 'rb')); "
                "print(next(look([pyarrow.record_batch({'id': [1]})])).to_pydict())")
        told = subprocess.run([sys.executable, "-c", code, sent], capture_output=True, text=True, check=True,
                              env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"})
        self.assertIn("No module named 'twinset'", told.stdout)


class Pages(pages_test.Pages):
    """In this module's session."""


class Passages(passages_test.Passages):
    """In this module's session."""


class Evaluations(evaluate_test.Evaluations):
    """In this module's session."""


if __name__ == "__main__":
    tests = unittest.TestSuite(
        unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:], sys.modules["__main__"])
        if len(sys.argv) > 1 else [unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    failed = len(result.failures) + len(result.errors)
    print(f"spark: {result.testsRun - min(failed, result.testsRun)} passed, {failed} failed", flush=True)
    sys.exit(bool(failed))
