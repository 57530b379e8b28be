"""spans of twinset.spark against the program: the same passages, whatever the partitions.

Run by spark_test.py, in its session.
"""

import json
import pathlib
import random
import tempfile
import unittest

import pyarrow
from pyspark.sql import SparkSession

import support
import twinset
from kills import kill_executor_after
from pages_test import lines_of
from twinset import spark


def patchwork(count, seed=5):
    """Texts over few words, parts of which stand in others and in themselves."""
    chance = random.Random(seed)
    texts = []
    for i in range(count):
        words = []
        for _ in range(chance.randrange(6)):
            source = chance.choice(texts).split() if texts and chance.random() < 0.5 else []
            if source:
                begin = chance.randrange(len(source))
                words += source[begin:begin + chance.randrange(1, 120)]
            else:
                words += [f"w\u00f6rd{chance.randrange(30 if i % 3 else 100_000)}" for _ in range(chance.randrange(60))]
        texts.append(", ".join(words))
    return texts


class Passages(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.session = SparkSession.active()
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.folder = pathlib.Path(made.name)
        cls.texts = patchwork(800) + [None]
        cls.ids = [f"t{i:05}" for i in range(len(cls.texts))]
        cls.file = cls.folder / "in.jsonl"
        chance = random.Random(1)
        cls.langs = [chance.choice(["en", "de", None]) for _ in cls.ids]
        cls.file.write_text("".join(json.dumps({"id": id, "text": text, "lang": lang}) + "\n"
                                    for id, text, lang in zip(cls.ids, cls.texts, cls.langs)))
        rows = list(zip(cls.ids, cls.texts, cls.langs))
        chance.shuffle(rows)
        cls.frame = cls.session.createDataFrame(pyarrow.table(dict(zip(("name", "body", "lang"), map(list, zip(*rows))))))

    def program(self, name, *options):
        """(lines of spans, summary)"""
        support.program("spans", self.file, "-o", self.folder / name, *options)
        lines = sorted([line["b"]["id"], line["b"]["begin"], line["b"]["end"], line["a"]["id"], line["a"]["begin"],
                        line["a"]["end"], line["tokens"], line["place"]] for line in lines_of(self.folder / name, "spans"))
        return lines, json.loads((self.folder / name / "summary.json").read_text())

    def check(self, found, expected):
        lines, summary = expected
        self.assertTrue(sorted(map(list, found.spans.collect())) == lines)
        for name, value in found.summary.to_dict().items():
            # Rows have no file, whose first one a run names.
            self.assertEqual(value, {"records": summary[name]["records"]} if name == "without_value" else summary[name], name)
        texts = found.texts.collect()
        self.assertEqual(sum(row.reused_tokens for row in texts), summary["reused_tokens"])
        self.assertGreater(len(lines), 100)
        self.assertEqual([tuple(row) for row in found.quarantined.collect()], [(self.ids[-1], "no text")])

    # B-32: no partition, and no order of the rows, changes a passage.
    def test_spans(self):
        dead = kill_executor_after(self, 1.5)
        found = spark.spans(self.frame.repartition(7), text="body", id="name", min_tokens=20)
        dead()
        self.check(found, self.program("twenty", "--min-tokens", 20))
        found.unpersist()

    def test_spans_across_texts_of_one_part(self):
        found = spark.spans(self.frame.repartition(1), text="body", id="name", across=True, within="lang", min_tokens=20)
        self.check(found, self.program("across", "--across", "--within", "lang", "--min-tokens", 20))
        self.assertEqual(found.summary.without_value.records, sum(lang is None for lang in self.langs[:-1]))
        found.unpersist()

    def test_spans_refuses(self):
        def refused(words, frame=self.frame, **options):
            with self.assertRaises(twinset.UsageError) as caught:
                spark.spans(frame, **{"text": "body", "id": "name", **options})
            self.assertIn(words, str(caught.exception))
        refused("no column 'id' for id=", id="id")
        refused("min_tokens=", min_tokens=0)
        refused("all_pairs= is not done on Spark", all_pairs=True)
        refused("no column 'year' for within=", within="year")
        refused("no row has a value in the column of within=", self.frame.selectExpr("name", "body", "cast(null as int) lang"),
                within="lang")
        refused("no analyzer 'none'", analyzer="none")
        refused("format= is 'html'", format="csv")
        one = self.session.createDataFrame([("a", "one"), ("a", "two")], "name string, body string")
        refused("2 rows have the id 'a'", one)
        refused("a row has no id", self.session.createDataFrame([(None, "one")], "name string, body string"))
