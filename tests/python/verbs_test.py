"""The functions, their options and results are those that the core declares, and do what the program does."""

import ast
import contextlib
import inspect
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import warnings

import support
import twinset
from twinset import _twinset
from twinset._declared import VERBS


class Options(unittest.TestCase):
    def test_each_declared_option_is_a_keyword_and_no_other(self):
        self.assertGreater(len(VERBS), 15)
        for verb in VERBS.values():
            with self.subTest(verb.name):
                keywords = set(inspect.signature(getattr(twinset, verb.name)).parameters)
                self.assertEqual(keywords, {o.keyword for o in verb.options} | {"progress"})

    def test_the_options_are_those_of_the_command_line(self):
        program_only = {"verbose", "quiet", "no_progress", "json", "color", "help", "paper", "text_dedup_config"}
        for name in ("dedup", "cluster", "plan", "evaluate", "sketch", "join", "spans", "discover", "detect", "phish", "query",
                     "filter", "track"):
            with self.subTest(name):
                said = support.program("help", name).stdout
                flags = {flag.replace("-", "_") for flag in
                         re.findall(r"^ +(?:-\w, )?--([a-z][a-z-]*)", said, re.M)}
                declared = {o.name for o in VERBS[name].options if not o.operand}
                self.assertTrue(declared)
                self.assertEqual(flags - program_only, declared)

    def test_docstrings_and_stubs_have_each_option(self):
        stubs = (pathlib.Path(twinset.__file__).parent / "__init__.pyi").read_text()
        for verb in VERBS.values():
            doc = getattr(twinset, verb.name).__doc__
            for option in verb.options:
                self.assertIn(f"\n{option.keyword}", doc)
            self.assertIn(f"def {verb.name}(", stubs)
        for words in ("RunWarning as RunWarning", "class RestoreResult(Result):\n    records: int\n"):
            self.assertTrue(words in stubs, words)
        self.assertEqual(len(re.findall(r"^def (?:resemblance|containment)\(.* -> Optional\[float\]:", stubs, re.M)), 2)
        self.assertNotIn("--max-record", twinset.dedup.__doc__)
        for name in ("__init__.pyi", "schemes.pyi", "_twinset.pyi"):
            ast.parse((pathlib.Path(twinset.__file__).parent / name).read_text())

    def test_each_field_is_an_attribute(self):
        self.assertEqual(list(twinset.dedup(support.TEXTS)._tables), VERBS["dedup"].lists)
        self.assertLessEqual(set(twinset.cluster(support.TEXTS)._tables), set(VERBS["cluster"].lists))
        for name, verb in VERBS.items():
            for table in verb.lists:
                self.assertIn(f"    {table}: Table\n", re.search(rf"class {verb.result()}\(Result\):\n(.*?)\ndef ",
                              (pathlib.Path(twinset.__file__).parent / "__init__.pyi").read_text(), re.S)[1])
        results = {"dedup": twinset.dedup(support.TEXTS), "cluster": twinset.cluster(support.TEXTS),
                   "plan": twinset.plan(support.TEXTS)}
        for name, result in results.items():
            for field, _, _, _ in VERBS[name].fields:
                self.assertIn(field, result)
                self.assertEqual(getattr(result.summary, field), result[field])
            self.assertEqual(list(result.to_dict()), list(dict.fromkeys(f for f, *_ in VERBS[name].fields)))

    def test_values_are_typed_as_their_options_say(self):
        self.assertEqual(len(twinset.dedup(support.TEXTS, resemblance="50%").removed), 2)
        self.assertEqual(len(twinset.dedup(support.TEXTS, resemblance=0.5, max_record="1MiB").removed), 2)
        for wrong in ({"resemblance": "x"}, {"resemblance": 2}, {"verify": "maybe"}, {"scheme": "nope"},
                      {"limit": "1e3"}, {"analyzer": "nope"}):
            with self.subTest(wrong), self.assertRaises(twinset.UsageError) as raised:
                twinset.dedup(support.TEXTS, **wrong)
            self.assertEqual(raised.exception.code, "usage")
            self.assertIsInstance(raised.exception, ValueError)
        for wrong in ({"dry_run": 1}, {"limit": 1.5}, {"text": ["a"]}, {"distance": True}, {"against": 4}):
            with self.subTest(wrong), self.assertRaises(TypeError):
                twinset.dedup(support.TEXTS, **wrong)
        with self.assertRaisesRegex(TypeError, "did you mean resemblance="):
            twinset.dedup(support.TEXTS, resemblence=0.5)
        with self.assertRaisesRegex(TypeError, "needs output|needs inputs|needs from_"):
            twinset.recut()

    def test_shares_are_the_nearest_fractions(self):
        from decimal import Decimal
        from fractions import Fraction
        from twinset._declared import share
        for value, typed in ((0.8, "0.8"), (2 / 3, "2/3"), (1 / 3, "1/3"), (0.333333, "0.333333"), (1, "1"), (1.0, "1"),
                             (0, "0"), (0.1 + 0.2, "0.3"), (1e-9, "0"), (Fraction(2, 7), "2/7"), (Fraction(4, 5), "0.8"),
                             ("80%", "80%"), (float("nan"), "nan"), (5 / 7, "5/7"), (Decimal("0.75"), "0.75"), (999999 / 1000000, "0.999999")):
            self.assertEqual(share(value), typed)
        # Resemblance 2/3: of six shingles of one word, four are in both.
        pair = ["a b c d e", "a b c d f"]
        self.assertEqual(twinset.resemblance(*pair, shingle=1), 2 / 3)
        for threshold, removed in ((2 / 3, 1), (Fraction(2, 3), 1), ("2/3", 1), (0.666667, 0), (0.666666, 1)):
            with self.subTest(threshold):
                result = twinset.dedup(pair, resemblance=threshold, scheme="fss(shingle=1)")
                self.assertEqual(len(result.removed), removed)
        for wrong in (float("nan"), float("inf"), -0.5, 1.5):
            with self.subTest(wrong), self.assertRaises(twinset.UsageError):
                twinset.dedup(pair, resemblance=wrong)
            with self.subTest(wrong), self.assertRaises(twinset.UsageError):
                twinset.Signer("fss", threshold=wrong)
        self.assertEqual(twinset.Signer("fss", threshold=2 / 3).spec, twinset.Signer("fss", threshold="2/3").spec)

    def test_messages_name_options_as_python_does(self):
        with self.assertRaises(twinset.UsageError) as raised:
            twinset.dedup(support.TEXTS, output="somewhere")
        self.assertNotIn("--", str(raised.exception))
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(twinset.UsageError) as raised:
            twinset.dedup(support.collection(folder))
        self.assertNotIn("--", str(raised.exception))
        self.assertIn("output=", str(raised.exception))


class Runs(unittest.TestCase):
    def test_files_become_the_bytes_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            inputs = support.collection(folder)
            support.program("dedup", inputs, "-o", f"{folder}/there", "-q")
            result = twinset.dedup(inputs, output=f"{folder}/here")
            for name in ("removed.jsonl.zst", "clusters.jsonl.zst", "texts.jsonl"):
                self.assertEqual(pathlib.Path(folder, "here", name).read_bytes(),
                                 pathlib.Path(folder, "there", name).read_bytes())
            self.assertEqual(result.summary.read, len(support.TEXTS))
            self.assertEqual(json.loads(result.json)["kept"], result.summary.kept)
            why = result.explain("t1")
            self.assertIn("t0", str(why))
            again = twinset.dedup(pathlib.Path(inputs), output=f"{folder}/here")
            self.assertEqual(again.summary.kept, result.summary.kept)

    def test_texts_in_memory_are_decided_as_files_are(self):
        with tempfile.TemporaryDirectory() as folder:
            of_files = twinset.dedup(support.collection(folder), dry_run=True, resemblance=0.5)
            of_texts = twinset.dedup(support.TEXTS, resemblance=0.5)
            self.assertEqual([(row["record"], row["survivor_record"], row["resemblance"], row["kind"])
                              for row in of_files.removed.to_pylist()],
                             [(row["record"], row["survivor_record"], row["resemblance"], row["kind"])
                              for row in of_texts.removed.to_pylist()])
            self.assertGreater(len(of_texts.removed), 0)

    def test_rows_that_stay(self):
        result = twinset.dedup(support.TEXTS, resemblance=0.5)
        self.assertEqual(list(result.mask), [True, False, True, False, True])
        self.assertEqual(list(result.indices), [0, 2, 4])
        self.assertIn(memoryview(result.indices).format, "lq")  # signed
        self.assertEqual(list(result.representatives), [0, 0, 2, 2, 4])
        self.assertEqual(result.kept["row"], [0, 2, 4])
        self.assertEqual(result.summary.kept, 3)
        self.assertEqual(result.explain(1).survivor_row, 0)
        self.assertEqual(result.explain(1).compared.resemblance, result.removed[0]["resemblance"])
        self.assertEqual(result.explain(1).compared.text_a, support.TEXTS[0])
        self.assertEqual(result.explain("memory:2").survivor_row, 0)
        self.assertEqual(result.explain(0).stands_for, [1])
        with self.assertRaises(twinset.Error):
            result.explain("nobody")
        for row in (999, 5, -1):
            with self.subTest(row), self.assertRaisesRegex(twinset.Error, "rows go from 0 to 4"):
                result.explain(row)
        with self.assertRaisesRegex(twinset.Error, "dedup\\(\\) and cluster\\(\\)"):
            twinset.plan(support.TEXTS).explain(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with_null = twinset.dedup([*support.TEXTS, None], resemblance=0.5)
            groups = twinset.cluster([*support.TEXTS, None], resemblance=0.5)
        self.assertEqual(with_null.explain(4).stands_for, [])
        for each in (with_null, groups):
            with self.assertRaisesRegex(twinset.Error, "row 5 was left out"):
                each.explain(5)
        self.assertIn("kept", str(result))
        self.assertIn("removed=2", repr(result))
        page = result._repr_html_()
        self.assertIn("<table>", page)
        self.assertNotIn("<script", twinset.dedup(["<script>", "<script>"])._repr_html_())

    def test_explain_compares_as_the_run_did(self):
        pair = ["x = 1 + y ; call ( x )", "x = 1 - y ; call ( X )"]
        for options in ({"analyzer": "code", "scheme": "fss(shingle=2)"}, {"scheme": "minhash(shingle=1)"},
                        {"scheme": "fss(shingle=3)"}):
            with self.subTest(options):
                result = twinset.dedup(pair, resemblance=0.1, **options)
                self.assertEqual(result.explain(1).compared.resemblance, result.removed[0]["resemblance"])

    def test_what_a_row_has_not_is_none(self):
        exact = twinset.dedup(support.TEXTS, resemblance=0.5).removed[0]
        self.assertIsNone(exact["standard_error"])
        self.assertIsNone(exact["interval_low"])
        self.assertEqual(exact["survivor_containment"], 1)
        self.assertGreater(exact["shared_shingles"], 0)
        with self.assertWarnsRegex(twinset.RunWarning, "estimates"):
            estimated = twinset.dedup(support.TEXTS, resemblance=0.5, verify="sketch").removed[0]
        self.assertGreater(estimated["standard_error"], 0)
        self.assertLessEqual(estimated["interval_low"], estimated["resemblance"])
        self.assertIsNone(estimated["containment"])
        self.assertIsNone(estimated["shared_shingles"])
        copy = twinset.dedup(["one two", "one two"]).removed[0]
        self.assertEqual((copy["kind"], copy["shared_shingles"]), ("identical", None))

    def test_clusters_in_memory_and_in_folders(self):
        result = twinset.cluster(support.TEXTS, resemblance=0.4)
        self.assertEqual(list(result.representatives), [0, 0, 2, 2, 4])
        self.assertEqual([(row["row"], row["representative_row"]) for row in result.clusters.to_pylist()],
                         [(1, 0), (3, 2)])
        with tempfile.TemporaryDirectory() as folder:
            made = twinset.cluster(support.collection(folder), output=f"{folder}/groups", resemblance=0.4)
            self.assertEqual(made.summary.clusters.all.clusters, 2)
            self.assertEqual(made.recut(0.8).summary.clusters.all.clusters, 1)

    def test_the_other_verbs(self):
        with tempfile.TemporaryDirectory() as folder:
            inputs = support.collection(folder)
            lines = twinset.sketch(inputs).lines
            self.assertEqual(len(lines.splitlines()), len(support.TEXTS))
            signatures = pathlib.Path(folder, "signatures.jsonl")
            signatures.write_bytes(lines)
            self.assertIn(b"distance", twinset.join(signatures, distance=7).lines)
            spans = twinset.spans(inputs, output=f"{folder}/spans", min_tokens=5)
            self.assertGreater(spans.summary.spans, 0)
            count = twinset.lexicon("count", inputs, output=f"{folder}/words.df")
            self.assertGreater(count.terms, 10)
            labels = twinset.discover(from_=inputs, output=f"{folder}/known.labels", min_chars=1)
            self.assertGreater(labels.chunks.labels, 0)
            found = twinset.detect(inputs, labels=f"{folder}/known.labels", threshold=0.5)
            self.assertGreater(found.labeled_pages, 0)
            self.assertTrue(twinset.evaluate(inputs, sample=20).methods)
            self.assertEqual(twinset.lexicon("show", f"{folder}/words.df").terms, count.terms)
            self.assertEqual(len(twinset.labels_show(f"{folder}/known.labels").found),
                             labels.chunks.labels + labels.files.labels + 1)
            shown = twinset.show(twinset.dedup(inputs, output=f"{folder}/clean")._folder())
            self.assertTrue(shown.found)
            gone = twinset.restore(f"{folder}/clean", "t1")
            self.assertEqual(gone.records, 1)
            self.assertEqual(json.loads(gone.lines)["text"], support.TEXTS[1])

    def test_track_compares_the_versions_of_pages(self):
        stays, moves, changes, other = (f"{text} end" for text in support.many(5, words=200)[1:])
        with tempfile.TemporaryDirectory() as folder:
            pages = pathlib.Path(folder, "pages.jsonl")
            pages.write_text("".join(json.dumps({"id": i, "url": url, "seen": day, "text": text}) + "\n"
                                     for i, (url, day, text) in enumerate((
                                         ("http://a.org/stays", "2026-01-01", stays),
                                         ("http://a.org/changes", "2026-01-01", changes),
                                         ("http://a.org/old", "2026-01-01", moves),
                                         ("http://a.org/stays", "2026-01-11", stays),
                                         ("http://a.org/changes", "2026-01-11", changes[:600] + other),
                                         ("http://b.org/new", "2026-01-11", moves)))))
            made = twinset.track(pages, url="url", date="seen", output=f"{folder}/here")
            counts = made.summary.counts
            self.assertEqual((counts.pages, counts.versions, counts.same, counts.large, counts.moved_between),
                             (4, 6, 1, 1, 1))
            support.program("track", pages, "--url", "url", "--date", "seen", "-o", f"{folder}/there", "-q")
            for name in ("changes.jsonl.zst", "hosts.jsonl.zst"):
                self.assertEqual(pathlib.Path(folder, "here", name).read_bytes(),
                                 pathlib.Path(folder, "there", name).read_bytes())
            self.assertIn("pages", str(made))
            with self.assertRaisesRegex(TypeError, "needs date"):
                twinset.track(pages, url="url", output=f"{folder}/none")

    def test_schemes_are_those_of_the_program(self):
        names = {scheme["name"] for scheme in json.loads(support.program("schemes", "--json").stdout)}
        self.assertEqual(set(twinset.schemes.__all__), names)
        self.assertEqual(twinset.schemes.fss(shingle=5, bins=256), "fss(shingle=5, bins=256)")
        for name in names:
            twinset.Signer(getattr(twinset.schemes, name)())
        with self.assertRaises(TypeError):
            twinset.schemes.fss(shingles=5)
        shorter = twinset.dedup(support.TEXTS, scheme=twinset.schemes.fss(shingle=3))
        self.assertIn("shingle=3", shorter.scheme)

    def test_warnings_are_pythons(self):
        with self.assertWarnsRegex(twinset.RunWarning, "could not be read"):
            twinset.dedup(["a text", None])

    def test_progress(self):
        told = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            twinset.dedup(support.many(40000), progress=lambda *news: told.append(news))
        self.assertTrue(all(len(news) == 4 for news in told))
        self.assertTrue({news[0] for news in told} & {"read", "match", "verify"})
        with self.assertRaisesRegex(RuntimeError, "enough"):
            def stop(*_):
                raise RuntimeError("enough")
            twinset.dedup(support.many(40000), progress=stop)

    @unittest.skipUnless(support.has("tqdm"), "tqdm is not installed")
    def test_a_bar_of_tqdm(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            twinset.dedup(support.many(40000), progress=True)
        self.assertIn("dedup: ", said.getvalue())

    def test_module_is_the_command_line(self):
        import sys
        said = subprocess.run([sys.executable, "-m", "twinset", "--version"], capture_output=True, text=True,
                              check=True, env=dict(os.environ))
        self.assertEqual(said.stdout.strip(), f"twinset {twinset.__version__}")


class Pairs(unittest.TestCase):
    def test_numbers(self):
        a, b = "one two three four five six seven", "one two three four five six eight"
        self.assertEqual(twinset.resemblance(a, b), 0.5)
        self.assertEqual(twinset.resemblance(a.encode(), b), 0.5)
        self.assertEqual(twinset.containment("one two three four five", a), 1)
        self.assertEqual(twinset.resemblance(a, b, shingle=1), 6 / 8)
        self.assertEqual(twinset.resemblance("...", "..."), 1)
        self.assertEqual(twinset.resemblance("...", a), 0)
        self.assertIsNone(twinset.resemblance("...", "!"))
        self.assertIsNone(twinset.containment("...", a))
        with self.assertRaises(twinset.UsageError):
            twinset.resemblance(a, b, shingle=0)
        with self.assertRaises(twinset.UsageError):
            twinset.resemblance(a, b, analyzer="nope")
        for wrong in (None, 3, [a]):
            with self.assertRaisesRegex(TypeError, "not a str or bytes"):
                twinset.resemblance(a, wrong)
        with self.assertRaisesRegex(ValueError, "surrogate"):
            twinset.resemblance(a, "\ud800")

    def test_passages_count_characters(self):
        a = "\u00e9t\u00e9 \U0001f600 one two three four five six \u00fcber"
        compared = twinset.compare(a, "one two three four five six and others, \u00e9")
        shared = [a[p.begin:p.end] for p in compared.passages_a if p.shared]
        self.assertEqual(shared, ["one two three four five six"])
        for text, passages in ((compared.text_a, compared.passages_a), (compared.text_b, compared.passages_b)):
            for passage in passages:
                self.assertEqual(text[passage.begin:passage.end].strip(), text[passage.begin:passage.end])
        [(left, right, moved)] = compared.shared()
        self.assertEqual(compared.text_a[left.begin:left.end], compared.text_b[right.begin:right.end])
        self.assertFalse(moved)
        self.assertIn("resemblance", str(compared))
        self.assertIn("<span", compared._repr_html_())
        broken = twinset.compare(b"\xff\xfe one two three four five six", b"one two three four five six \xe9")
        self.assertIn("one two three four five six",
                      [broken.text_a[p.begin:p.end] for p in broken.passages_a if p.shared])

    def test_files_are_paths(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a", support.TEXTS[0]), ("b", support.TEXTS[1])):
                pathlib.Path(folder, name + ".txt").write_text(text)
            compared = twinset.compare(pathlib.Path(folder, "a.txt"), pathlib.Path(folder, "b.txt"))
            self.assertEqual(compared.resemblance,
                             twinset.compare(support.TEXTS[0], support.TEXTS[1]).resemblance)


if __name__ == "__main__":
    unittest.main()
