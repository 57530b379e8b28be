"""evaluate of twinset.spark against that of a file: the same numbers, whatever the partitions.

Run by spark_test.py, in its session.
"""

import json
import pathlib
import random
import tempfile
import unittest
import warnings

import pyarrow
from pyspark.sql import SparkSession

import engine_test
import twinset
from kills import kill_executor_after
from twinset import spark


class Evaluations(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.session = SparkSession.active()
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.folder = pathlib.Path(made.name)
        chance = random.Random(8)
        long = " ".join(f"long{i}" for i in range(40_000))
        texts = engine_test.crawl(2000, seed=8) + engine_test.template(2000) + [long, None]
        chance.shuffle(texts)
        cls.rows = [{"id": f"e{i:05}", "text": text, "year": chance.randrange(2000, 2020),
                     "kind": chance.choice(["spam", "ham", None]) if i % 9 == 0 else None} for i, text in enumerate(texts)]
        cls.frame = cls.session.createDataFrame(pyarrow.Table.from_pylist(chance.sample(cls.rows, len(cls.rows))))

    def from_file(self, rows, **options):
        """The answer of the verb over these rows in a file."""
        file = self.folder / "in.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return twinset.evaluate(file, **options)

    def check(self, found, expected):
        self.assertEqual(engine_test.untimed(found.to_dict()), engine_test.untimed(expected.to_dict()))

    # B-32: the sample is that of the whole, whoever ranks its parts.
    def test_evaluate(self):
        expected = self.from_file(self.rows, sample=300, resemblance=0.7, schemes="fss,minhash")
        for partitions, dead in ((1, None), (7, kill_executor_after)):
            with self.subTest(partitions=partitions), warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                dead = dead and dead(self, 0.5)
                found = spark.evaluate(self.frame.repartition(partitions), sample=300, threshold=0.7, schemes="fss,minhash")
                if dead:
                    dead()
                self.check(found, expected)
                self.assertEqual([str(each.message) for each in told if each.category is twinset.RunWarning],
                                 ["1 rows have no text, or one longer than max_record, and are left out"])
        self.assertEqual(found.originals, 300)
        self.assertIn("too like others taken", found.sampled_so)
        self.assertIn("1 over 256 KiB", found.sampled_so)

    def test_evaluate_with_labels_in_an_order(self):
        rows = sorted(self.rows, key=lambda row: (-row["year"], row["id"]))
        copies = [self.folder / f"{who}.copies" for who in ("file", "spark")]
        options = {"sample": 100, "labels": "kind", "utility": "spam", "cost": 3, "schemes": "fss", "sample_seed": 5}
        expected = self.from_file(rows, copies_out=copies[0], **options)
        found = spark.evaluate(self.frame.repartition(2), order="year desc", copies_out=copies[1], **options)
        self.check(found, expected)
        self.assertEqual(copies[1].read_bytes(), copies[0].read_bytes())
        self.assertGreater(found.labels[0].documents, 200)
        self.assertIn("dedup", str(found))

    def test_evaluate_with_a_file_of_labels(self):
        rows = self.rows[:400]
        labels = self.folder / "labels.jsonl"
        labels.write_text("".join(json.dumps({"id": row["id"], "label": row["year"]}) + "\n" for row in rows[::2])
                          + '{"id": "gone", "label": 1}\n')
        options = {"sample": 50, "labels_file": labels}
        frame = self.frame.join(self.session.createDataFrame([(row["id"],) for row in rows], "id string"), "id")
        with self.assertRaisesRegex(twinset.UsageError, "labels 1 ids that no row has, such as 'gone'; check id="):
            spark.evaluate(frame, **options)
        found = spark.evaluate(frame, ignore_unknown_labels=True, **options)
        self.check(found, self.from_file(rows, ignore_unknown_labels=True, **options))
        self.assertEqual(found.labels[0].documents, 200)

    # Templates are of whole sites: what no sample shows.
    def test_evaluate_without_templates(self):
        chance = random.Random(9)

        def page(i):
            own = " ".join(f"own{chance.randrange(3000)}" for _ in range(chance.randrange(40, 90)))
            return {"id": i, "text": f"<p>Home News About Contact Imprint of the site {i % 2}<p>{own}" if i != 7 else None,
                    "address": f"http://site{i % 2}.example/{i}"}
        pages = [page(i) for i in range(240)]
        options = {"sample": 60, "format": "html", "templates": "drop", "url": "address"}
        frame = self.session.createDataFrame(pyarrow.Table.from_pylist(pages)).repartition(3)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = spark.evaluate(frame, **options)
        self.check(found, self.from_file(pages, **options))
        self.assertGreater(found.templates.words_left_out, 300)
        self.assertIn("1 rows have no text", " ".join(str(each.message) for each in told))
        with self.assertRaisesRegex(twinset.UsageError, "more than max_driver_bytes=1000: templates= needs them all"):
            spark.evaluate(frame, max_driver_bytes=1000, **options)

    def test_evaluate_refuses(self):
        def refused(words, frame=self.frame, **options):
            with self.assertRaises(twinset.UsageError) as caught:
                spark.evaluate(frame, **options)
            self.assertIn(words, str(caught.exception))
        refused("no column 'body' for text=", text="body")
        refused("no column 'label' for labels=", labels="label")
        refused("'rate' of labels= holds double", self.frame.selectExpr("*", "0.5D rate"), labels="rate")
        broken = self.folder / "broken.jsonl"
        broken.write_text('{"id": "a"}\n')
        refused('a line is {"id": ..., "label": ...}', labels_file=broken)
        refused("labels= and labels_file= both give labels", labels_file=broken, labels="kind")
        refused("url= tells sites apart for templates=", url="text")
        refused("no column 'address' for url=", url="address", templates="drop")
        refused("content= is not done on Spark", content="main")
        refused("sample= is at least 1", sample=0)
        refused("utility=", utility="spam")
        refused("format= is 'html'", format="csv")
        refused("no row has a label", self.frame.selectExpr("id", "text", "cast(null as string) kind").limit(20), labels="kind")
        one = self.session.createDataFrame([("a", "one"), ("a", "two")], "id string, text string")
        refused("2 rows have the id 'a'", one)
        refused("no document", self.session.createDataFrame([("a", "...")], "id string, text string"))
