"""Every verb that reads files takes texts in memory in their place and finds the same; and a result has its
tables, whether its rows came from memory or lie in a folder."""

import gc
import json
import os
import pathlib
import tempfile
import threading
import unittest
import warnings

import support
import twinset
from twinset._declared import VERBS

# Two sites, with a paragraph that four pages share.
COMMON = "<p>" + "this paragraph is the same on many pages, word for word and sign for sign. " * 3 + "</p>"
PAGES = [f"<html><body><p>page {i} says something of its own, {'and more ' * i}</p>{COMMON if i % 2 else ''}</body></html>"
         for i in range(8)]
URLS = [f"http://site{i % 3}.example/page/{i}" for i in range(8)]
TEXTS = [*support.TEXTS, *support.many(60, words=30)]


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def in_six_digits(table):
    """The rows with shares as files have them."""
    return [{name: round(value, 6) if isinstance(value, float) else value for name, value in row.items()}
            for row in table.to_pylist()]


class InEveryVerb(unittest.TestCase):
    """The call over a file of JSON Lines and over the same texts in a list, and in a table."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "memory"  # as texts in memory are called
        self.file.write_text(lines_of({"text": text} for text in TEXTS))
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def tables(self, rows):
        """The same rows as each kind of table that is installed, first as a list of texts."""
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        made = [columns["text"]] if list(columns) == ["text"] else []
        if support.has("pyarrow"):
            import pyarrow as pa
            made.append(pa.table(columns))
        if support.has("polars"):
            import polars as pl
            made.append(pl.DataFrame(columns))
        return made or [columns["text"]]

    def test_verbs_that_take_texts(self):
        self.assertEqual({name for name, verb in VERBS.items() if verb.takes_texts},
                         {"dedup", "cluster", "plan", "evaluate", "sketch", "spans", "discover", "detect", "phish",
                          "lexicon_count", "lexicon_build", "index_add", "query", "filter", "track"})
        for name, verb in VERBS.items():
            if verb.takes_texts:
                with self.subTest(name), self.assertRaisesRegex(TypeError, "None holds no texts"):
                    getattr(twinset, name)(inputs=None)

    def test_sketch(self):
        for scheme in ("simhash", "fss(shingle=3)"):
            of_file = twinset.sketch("memory", scheme=scheme, format="jsonl")
            for data in self.tables([{"text": text} for text in TEXTS]):
                self.assertEqual(twinset.sketch(data, scheme=scheme).lines, of_file.lines)
        made = twinset.sketch(TEXTS, output="lines.jsonl")
        self.assertEqual(pathlib.Path("lines.jsonl").read_bytes(), twinset.sketch(TEXTS).lines)
        self.assertEqual(made.read, len(TEXTS))
        with self.assertRaisesRegex(twinset.Error, "exist"):
            twinset.sketch(TEXTS, output="lines.jsonl")
        for name in ("new.jsonl", "new.jsonl.zst"):
            of_file = twinset.sketch(TEXTS, output=name).signatures
            self.assertEqual(of_file.to_pylist(), twinset.sketch(TEXTS).signatures.to_pylist())

    def test_signatures_and_their_pairs_are_tables(self):
        result = twinset.sketch([*TEXTS, ""], scheme=["simhash", "simhash(bits=128)"], features=3)
        lines = [json.loads(line) for line in result.lines.splitlines()]
        rows = result.signatures.to_pylist()
        self.assertEqual([row["signature"] for row in rows], [line["signature"] for line in lines])
        self.assertEqual([row["record"] for row in rows], [i // 2 + 1 for i in range(2 * len(TEXTS) + 2)])
        self.assertIsNone(rows[-1]["signature"])
        self.assertEqual(rows[0]["features"], lines[0]["features"])
        self.assertNotIn("heaviest", rows[0])
        pathlib.Path("signatures.jsonl").write_bytes(twinset.sketch(TEXTS).lines)
        pairs = twinset.join("signatures.jsonl", distance=7)
        told = [json.loads(line) for line in pairs.lines.splitlines()]
        self.assertGreater(len(told), 2)
        self.assertEqual([(row["id"], row["other_id"], row["distance"]) for row in pairs.pairs.to_pylist()],
                         [(line["id"], line["other"]["id"], line["distance"]) for line in told])
        self.assertEqual(pairs.summary.pairs, len(told))
        made = twinset.join("signatures.jsonl", distance=7, output="pairs.jsonl")
        self.assertEqual(made.pairs.to_pylist(), pairs.pairs.to_pylist())
        damaged = twinset.join("signatures.jsonl", distance=7, output="pairs2.jsonl")
        pathlib.Path("pairs2.jsonl").write_text("{}\n")
        with self.assertRaisesRegex(twinset.Error, "pairs2.jsonl:1"):
            damaged.pairs  # pylint: disable=pointless-statement
        if support.has("pyarrow"):
            import pyarrow as pa
            pa.table(result.signatures).validate(full=True)

    def test_track(self):
        rows = [{"id": f"{page}{month}", "text": " ".join(f"{page}{i}" for i in range(100)) + " and more" * month,
                 "url": f"http://a.example/{page}", "seen": f"2026-0{month}-01"} for month in (1, 2, 3) for page in "ab"]
        pathlib.Path("pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        told = twinset.track("pages.jsonl", url="url", date="seen", output="file").summary
        for i, data in enumerate(self.tables(rows)):
            if not isinstance(data, list):
                made = twinset.track(data, url="url", date="seen", output=f"table{i}")
                self.assertEqual((made.summary.documents, made.summary.hosts), (len(rows), told.hosts))
                self.assertEqual(pathlib.Path(f"table{i}/changes.jsonl.zst").read_bytes(),
                                 pathlib.Path("file/changes.jsonl.zst").read_bytes())

    def test_lexicons(self):
        twinset.lexicon_count("memory", format="jsonl", output="file.df")
        twinset.lexicon_build("memory", format="jsonl", output="file.lexicon", min_df=1)
        for i, data in enumerate(self.tables([{"text": text} for text in TEXTS])):
            counted = twinset.lexicon_count(data, output=f"{i}.df")
            self.assertEqual(counted.documents, len(TEXTS))
            built = twinset.lexicon_build(data, output=f"{i}.lexicon", min_df=1)
            self.assertGreater(built.terms, 0)
            for kind, verb in (("df", twinset.lexicon_show), ("lexicon", twinset.lexicon_show)):
                of_file, of_texts = (verb(f"{name}.{kind}").to_dict() for name in ("file", i))
                for told in (of_file, of_texts):
                    for name in ("file", "hash", "command", "made_from", "note", "content"):
                        told.pop(name, None)
                self.assertEqual(of_file, of_texts)
        with self.assertRaisesRegex(twinset.UsageError, "output="):
            twinset.lexicon_count(TEXTS)

    def test_evaluate(self):
        options = {"sample": 30, "schemes": "simhash,fss", "resemblance": 0.6}
        of_file = twinset.evaluate("memory", format="jsonl", **options).to_dict()
        of_texts = twinset.evaluate(TEXTS, **options).to_dict()

        self.assertEqual([method["name"] for method in of_texts["methods"]], ["dedup", "simhash", "fss"])
        for a, b in zip(of_texts["methods"], of_file["methods"]):
            self.assertEqual(a["thresholds"], b["thresholds"])
            self.assertTrue(a["thresholds"])
        if support.has("pyarrow"):
            import pyarrow as pa
            labels = ["a" if i % 2 else "b" for i in range(len(TEXTS))]
            table = pa.table({"body": TEXTS, "topic": labels})
            self.assertTrue(twinset.evaluate(table, text="body", labels="topic", sample=30).labels)

    def test_spans(self):
        for i, options in enumerate(({"min_tokens": 5}, {"min_tokens": 4, "all_pairs": True},
                                     {"min_tokens": 5, "across": True})):
            of_file = twinset.spans("memory", format="jsonl", output=f"spans{i}", **options)
            self.assertGreater(len(of_file.spans), 1)
            for data in self.tables([{"text": text} for text in TEXTS]):
                of_texts = twinset.spans(data, **options)
                self.assertEqual(of_texts.spans.to_pylist(), of_file.spans.to_pylist())
                self.assertEqual(of_texts.summary.spans, of_file.summary.spans)
        row = twinset.spans(TEXTS, min_tokens=5).spans[0]
        self.assertEqual(TEXTS[row["a_record"] - 1].encode()[row["a_begin"]:row["a_end"]],
                         TEXTS[row["b_record"] - 1].encode()[row["b_begin"]:row["b_end"]])
        known = twinset.spans([TEXTS[1]], against=[TEXTS[0]], min_tokens=5).spans.to_pylist()
        self.assertEqual([(row["a_file"], row["b_file"]) for row in known], [("against", "memory")])
        with self.assertRaisesRegex(twinset.UsageError, "memory is in memory"):
            twinset.spans(TEXTS, min_tokens=5, cut=True)

    def test_discover_and_detect(self):
        rows = [{"text": page, "url": url} for page, url in zip(PAGES, URLS)]
        self.file.write_text(lines_of(rows))
        options = {"over_files": 1, "over_chunks": 2, "format": "html"}
        of_file = twinset.discover("memory", output="file.labels", **options)
        self.assertEqual((of_file.chunks.labels, of_file.sites), (1, 3))
        found_in_file = twinset.detect("memory", labels="file.labels", format="html", threshold=0.5, output="found")
        self.assertEqual(len(found_in_file.pages), 4)
        for i, table in enumerate(self.tables(rows)):
            of_table = twinset.discover(table, output=f"{i}.labels", **options)
            self.assertEqual(pathlib.Path(f"{i}.labels").read_bytes(), pathlib.Path("file.labels").read_bytes())
            self.assertEqual(of_table.chunks, of_file.chunks)
            found = twinset.detect(table, labels=f"{i}.labels", format="html", threshold=0.5)
            self.assertEqual(found.pages.to_pylist(), found_in_file.pages.to_pylist())
            self.assertEqual(found.neighborhoods.to_pylist(), found_in_file.neighborhoods.to_pylist())
            self.assertEqual(found.summary.pages, len(PAGES))
        known = twinset.discover(from_=[PAGES[1]], output="known.labels", format="html")
        self.assertGreater(known.chunks.labels, 0)
        both = twinset.discover(PAGES, from_=[COMMON], output="both.labels", format="html")
        self.assertEqual(both.chunks.labels, 1)
        with self.assertRaisesRegex(twinset.UsageError, "from_?= must"):
            twinset.discover("memory", from_=PAGES, output="no.labels")
        with self.assertRaisesRegex(twinset.UsageError, "must be texts in memory"):
            twinset.discover(PAGES, from_="memory", output="no.labels")

    def test_phish(self):
        rows = [{"text": page, "url": url} for page, url in zip(PAGES, URLS)]
        self.file.write_text(lines_of(rows))
        pathlib.Path("known").write_text(lines_of(rows[1:2]))
        twinset.discover(from_=pathlib.Path("known"), output="known.labels", format="html", min_chars=26)
        of_file = twinset.phish("known.labels", "memory", format="html")
        self.assertEqual([(page.url, page.imitates, page.contains) for page in of_file.found],
                         [(URLS[3], URLS[1], .5), (URLS[5], URLS[1], .5)])
        self.assertEqual((of_file.imitations, of_file.own_pages, of_file.pages), (2, 2, len(PAGES)))
        self.assertIn("imitates", str(of_file))
        for table in self.tables(rows):
            self.assertEqual(twinset.phish("known.labels", table, format="html").found, of_file.found)
        self.assertEqual(twinset.phish("known.labels", "memory", format="html", min_share=0.6).found, [])
        with self.assertRaisesRegex(TypeError, "needs labels"):
            twinset.phish(inputs="memory")

    def test_plan(self):
        of_file, of_texts = twinset.plan("memory", format="jsonl"), twinset.plan(TEXTS)
        self.assertEqual(of_texts.predicted, of_file.predicted)
        self.assertGreater(of_texts.predicted.removed.value, 0)


class Folders(unittest.TestCase):
    """A table is the same, from memory or from the files of a folder."""

    def test_dedup(self):
        with tempfile.TemporaryDirectory() as folder:
            inputs = support.collection(folder)
            made = twinset.dedup(inputs, output=f"{folder}/clean", resemblance=0.5)
            held = twinset.dedup(inputs, dry_run=True, resemblance=0.5)
            self.assertEqual(made.removed.to_pylist(), in_six_digits(held.removed))
            self.assertEqual(made.removed.column_names, held.removed.column_names)
            self.assertEqual(made.pairs.to_pylist(), made.removed.to_pylist())
            self.assertEqual(made.summary.removed, 2)
            self.assertEqual(made.explain("t1").survivor_id, "t0")
            with self.assertRaisesRegex(twinset.Error, "emit='ids'"):
                made.kept  # pylint: disable=pointless-statement
            ids = twinset.dedup(inputs, output=f"{folder}/ids", resemblance=0.5, emit="ids")
            self.assertEqual(ids.kept["id"], held.kept["id"])
            none = twinset.dedup(inputs, output=f"{folder}/none", resemblance=1)
            self.assertEqual((len(none.removed), none.removed.column_names), (0, made.removed.column_names))

    def test_clusters_and_pairs(self):
        with tempfile.TemporaryDirectory() as folder:
            inputs = support.collection(folder)
            made = twinset.cluster(inputs, output=f"{folder}/groups", resemblance=0.4)
            held = twinset.cluster(support.TEXTS, resemblance=0.4)
            kept = twinset.cluster(support.TEXTS, output=f"{folder}/kept", resemblance=0.4)
            self.assertEqual([(row["id"], row["representative_id"], row["cluster"]) for row in made.clusters.to_pylist()],
                             [("t1", "t0", 0), ("t3", "t2", 1)])
            for result in (held, kept):
                self.assertEqual([(row["row"], row["representative_row"]) for row in result.clusters.to_pylist()],
                                 [(1, 0), (3, 2)])
                self.assertEqual(list(result.representatives), [0, 0, 2, 2, 4])
                self.assertEqual(result.pairs["resemblance"], made.pairs["resemblance"])
                self.assertEqual(result.recut(0.8).clusters["id"], ["memory:2"])
                self.assertEqual(result.recut(0.8).summary.clusters.all.clusters, 1)
            self.assertEqual([(row["id"], row["other_id"], row["kind"], row["template"]) for row in made.pairs.to_pylist()],
                             [("t1", "t0", "near", False), ("t3", "t2", "near", False)])
            for row in made.pairs.to_pylist():
                a, b = (support.TEXTS[row[name] - 1] for name in ("record", "other_record"))
                self.assertEqual(row["resemblance"], twinset.resemblance(a, b))
                self.assertEqual(row["containment"], twinset.containment(a, b))
                self.assertEqual(row["other_containment"], twinset.containment(b, a))
            copies = twinset.cluster(["a b c", "a b c", "A, b, c"]).pairs.to_pylist()
            self.assertEqual([(row["record"], row["other_record"], row["kind"], row["resemblance"]) for row in copies],
                             [(2, 1, "identical", 1), (3, 1, "lexical", 1)])
            near = twinset.cluster(support.TEXTS, scheme="simhash", distance=7).pairs
            self.assertTrue(all(d is not None for d in near["distance"]))
            self.assertTrue(all(r is None for r in near["resemblance"]))

    def test_temporary_folders_go_with_their_result(self):
        with tempfile.TemporaryDirectory() as folder:
            result = twinset.cluster(support.TEXTS, resemblance=0.4, tmp=folder)
            self.assertEqual(os.listdir(folder), [])
            pairs = result.pairs
            spans = twinset.spans(support.TEXTS, min_tokens=5, tmp=folder)
            self.assertEqual(len(os.listdir(folder)), 2)
            del result
            gc.collect()
            self.assertEqual(len(os.listdir(folder)), 1)
            self.assertEqual(len(pairs), 2)
            self.assertEqual(len(spans.spans), 2)
            with self.assertRaises(RuntimeError):
                def stop(*_):
                    raise RuntimeError("enough")
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    # A run that ends before its first report is tried again with more.
                    for texts in (60_000, 240_000, 960_000):
                        twinset.spans(support.many(texts), tmp=folder, progress=stop)
            gc.collect()
            self.assertEqual(len(os.listdir(folder)), 1)

    def test_a_result_without_a_table_says_so_and_nothing_else_is_taken_for_it(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "kept.jsonl").write_text('{"id": "a", "text": "one two three"}\n')
            done = twinset.dedup(f"{folder}/kept.jsonl", output=f"{folder}/clean")
            self.assertFalse(hasattr(done, "kept"))
            with self.assertRaisesRegex(twinset.Error, "emit='ids'"):
                done.kept
            self.assertEqual(done.summary.kept, 1)
            dir(done)

    def test_explain_of_an_unknown_id_is_an_error_after_pairs_were_read(self):
        result = twinset.cluster(support.TEXTS, resemblance=0.4)
        self.assertEqual(len(result.pairs), 2)
        with self.assertRaises(twinset.Error):
            result.explain("nobody")

    def test_tables_of_one_result_are_read_by_many_threads(self):
        result = twinset.cluster(support.TEXTS, resemblance=0.4)
        found = []
        threads = [threading.Thread(target=lambda: found.append(len(result.pairs))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [2] * 8)

    def test_several_schemes_over_texts_find_their_files(self):
        with tempfile.TemporaryDirectory() as folder:
            secret = pathlib.Path(folder, "secret")
            secret.write_text("0123456789abcdef0123456789abcdef\n")
            secret.chmod(0o600)
            lines = twinset.sketch(support.TEXTS, scheme=["simhash", f"fss(secret={secret})"]).lines
            self.assertEqual(len(lines.splitlines()), 2 * len(support.TEXTS))

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_truth_values_and_shares_are_columns(self):
        import pyarrow as pa
        with tempfile.TemporaryDirectory() as folder:
            twinset.discover(PAGES, output=f"{folder}/x.labels", over_files=1, over_chunks=2, format="html")
            table = pa.table(twinset.detect(PAGES, labels=f"{folder}/x.labels", format="html", threshold=0.9).pages)
            table.validate(full=True)
            self.assertEqual(table.schema.field("file_label").type, pa.bool_())
            self.assertEqual(table.schema.field("contains").type, pa.float64())
            self.assertEqual(table["file_label"].to_pylist(), [False] * 4)
            self.assertEqual(table["contains"].to_pylist(), [labeled / chunks for labeled, chunks in zip(
                table["labeled"].to_pylist(), table["chunks"].to_pylist())])


class Formats(unittest.TestCase):
    """format= says of texts in memory what it says of the texts in JSON Lines."""

    def test_pages(self):
        a, b = "<p class='a'>one two three four five six</p>", "<div id='b'>one two three four five six</div>"
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", twinset.RunWarning)
            path = pathlib.Path(folder, "a.jsonl")
            path.write_text(lines_of([{"text": a}, {"text": b}]))
            for pages in (None, "html", "xhtml", "auto"):
                with self.subTest(pages):
                    of_file = twinset.dedup(path, dry_run=True, format=pages)
                    of_texts = twinset.dedup([a, b], format=pages)
                    self.assertEqual(of_texts.summary.removed, of_file.summary.removed)
                    self.assertEqual(of_texts.summary.removed, 1 if pages else 0)
            self.assertEqual(twinset.dedup([a, b], format="auto").explain(1).compared.resemblance, 1)
        plain = twinset.dedup([a, "one two three four five six"], format="auto")
        self.assertEqual(plain.removed["kind"], ["lexical"])
        with self.assertWarnsRegex(twinset.RunWarning, 'format="auto" reads such texts as pages'):
            twinset.dedup([a, b])

    def test_formats_of_files_are_refused(self):
        for name in ("warc", "parquet", "jsonl", "lines", "text", "nonsense"):
            with self.subTest(name), self.assertRaisesRegex(twinset.UsageError, f'format="{name}" is of files'):
                twinset.dedup(support.TEXTS, format=name)


if __name__ == "__main__":
    unittest.main()
