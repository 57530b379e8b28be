"""An index of Python is that of the program: made, added to from files and from memory, asked, and looked at
while it changes."""

import inspect
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import support
import twinset
from twinset import _twinset
from twinset._declared import QUESTIONS, VERBS

VERBS_OF_INDEX = {"create", "add", "delete", "compact", "verify", "stats", "export"}
SCHEMES = ["mod(samples=64)", "fss"]


class InIndex(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = str(self.folder / "crawl.index")

    def made(self, **options):
        """An index of support.TEXTS, whose ids are t0, t1, ..."""
        twinset.index_create(self.path, **{"scheme": SCHEMES, "resemblance": 0.3, **options})
        twinset.index_add(self.path, support.collection(self.folder), text="text")
        return twinset.Index(self.path)


class Declared(unittest.TestCase):
    def test_each_action_of_the_program_is_a_function(self):
        self.assertEqual({name for name in VERBS if name.startswith("index_")}, {f"index_{verb}" for verb in VERBS_OF_INDEX})
        said = support.program("help", "index").stdout
        self.assertTrue(all(verb in said for verb in VERBS_OF_INDEX))

    def test_a_question_has_the_settings_of_the_verb(self):
        stubs = (pathlib.Path(twinset.__file__).parent / "__init__.pyi").read_text()
        self.assertEqual(set(QUESTIONS), {"query", "query_document", "locate", "lookup", "group"})
        for name, options in QUESTIONS.items():
            method, verb = getattr(twinset.Index, name), VERBS[name.split("_")[0]]
            names = [option.keyword for option in options]
            self.assertGreater(len(names), 1)
            self.assertEqual(list(inspect.signature(method).parameters)[-len(names):], names)
            stub = stubs.split(f"def {name}(self")[1].split("\n")[0]
            for option in options:
                self.assertEqual(option, verb.find(option.keyword))
                self.assertIn(f"\n{option.keyword}", method.__doc__)
                self.assertIn(f" {option.keyword}: ", stub)
        for name, fields in _twinset.index_values():
            self.assertEqual(stubs.count(f"\nclass {name}(Record):\n"), 1)
            self.assertTrue(all(f"    {field}: " in stubs for field, *_ in fields), name)
            self.assertEqual(getattr(twinset, name).__name__, name)
        for words in ("    class HitsFields(Record):\n        id: Any\n", "    hits: list[HitsFields]\n"):
            self.assertEqual(stubs.count(words), 1)


class Answers(InIndex):
    def test_hits_are_grouped_as_the_program_groups_them(self):
        twinset.index_create(self.path)
        rows = self.folder / "rows.jsonl"
        words = " ".join(f"w{i}" for i in range(60))
        rows.write_text("".join(json.dumps(row) + "\n" for row in (
            {"id": 1, "text": words, "readers": ["all", "few"]}, {"id": "b", "text": words + " more", "readers": "few"},
            {"id": "c", "text": support.TEXTS[1], "readers": "all"})))
        twinset.index_add(self.path, rows, field=["readers"])
        index = twinset.Index(self.path)
        grouped = index.group(["c", "b", 1])
        self.assertIsInstance(grouped, twinset.GroupedHits)
        self.assertEqual([(group.best, len(group.members)) for group in grouped.groups], [("c", 1), ("b", 2)])
        self.assertEqual(grouped.order, ["c", "b", 1])
        self.assertEqual(index.group(["c", "b", 1], rest="skip", best="shortest").order, ["c", 1])
        self.assertEqual(index.group(("c", "b", 1), access="readers", asker=["all"]).order, ["c", 1])
        self.assertEqual(index.group([{"id": "new", "text": words}, "b"]).order, ["new", "b"])
        lists = self.folder / "lists.jsonl"
        lists.write_text('{"hits": ["c", "b", 1]}\nno list\n')
        told = support.program("group", self.path, lists, "-q").stdout.splitlines()
        self.assertEqual(json.loads(told[0])["order"], grouped.order)
        self.assertEqual(twinset.group(self.path, lists).summary.quarantined, 1)
        for wrong in ([None], [{"id": "b", "hiden": True}], [{"text": "x"}]):
            with self.assertRaises(twinset.UsageError):
                index.group(wrong)
        with self.assertRaises(twinset.UsageError):
            index.group(["b"], asker=["all"])
        with self.assertRaises(TypeError):
            index.group(["b"], nicest=True)

    def test_a_text_finds_what_the_program_finds(self):
        index = self.made()
        stats = index.stats()
        self.assertEqual((stats.documents, stats.segments, stats.settings.texts), (len(support.TEXTS), 0, False))
        self.assertEqual(stats.settings.schemes[1].split("(")[0], "fss")
        self.assertEqual(stats, twinset.index_stats(self.path).summary)
        answer = index.query(support.TEXTS[0], resemblance=0.3)
        self.assertEqual([(hit.id, hit.same) for hit in answer.hits], [("t0", "bytes"), ("t1", "no")])
        self.assertLessEqual(answer.hits[1].resemblance.low, answer.hits[1].resemblance.value)
        self.assertIsInstance(answer, twinset.IndexAnswer)
        asked = self.folder / "asked.jsonl"
        asked.write_text("".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(support.TEXTS)))
        told = [json.loads(line) for line in
                support.program("query", self.path, asked, "-r", "0.3", "-q").stdout.splitlines()]
        for text, line in zip(support.TEXTS, told):
            answer = index.query(text, resemblance=0.3).to_dict()
            self.assertEqual(answer["compared"], line["compared"])
            for hit, hit_told in zip(answer["hits"], line["hits"], strict=True):
                self.assertEqual({name: hit[name] for name in hit_told if not isinstance(hit_told[name], dict)},
                                 {name: value for name, value in hit_told.items() if not isinstance(value, dict)})
                for name, value in hit_told.items():
                    if isinstance(value, dict):
                        for end in value:
                            self.assertAlmostEqual(hit[name][end], value[end], 6)
                self.assertTrue(all(hit[name] is None for name in hit if name not in hit_told))

    def test_a_filter_tells_what_the_program_tells(self):
        spam, messages = self.folder / "spam.jsonl", self.folder / "in.jsonl"
        spam.write_text(json.dumps({"id": "s", "text": support.TEXTS[0]}) + "\n")
        messages.write_text("".join(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(support.TEXTS)))
        told = support.program("filter", messages, "--prototypes", spam, "-r", "0.3", "-q").stdout
        done = twinset.filter(messages, prototypes=[spam], resemblance=0.3)
        self.assertEqual(done.lines.decode(), told)
        self.assertEqual(done.stats.matched, told.count('"match"'))
        self.assertGreater(done.stats.matched, 1)
        of_texts = twinset.filter(support.TEXTS, prototypes=support.TEXTS[:1], resemblance=0.3)
        self.assertEqual([json.loads(line)["verdict"] for line in of_texts.lines.splitlines()],
                         [json.loads(line)["verdict"] for line in told.splitlines()])

    def test_exact_shares_are_those_of_the_texts(self):
        index = self.made(texts=True)
        for text in support.TEXTS:
            for hit in index.query(text, resemblance=0.1, containment=0.1, top=0).hits:
                self.assertTrue(hit.exact)
                other = support.TEXTS[int(hit.id[1:])]
                self.assertEqual(hit.resemblance.value, twinset.resemblance(text, other))
                self.assertEqual(hit.containment.value, twinset.containment(text, other))
                self.assertEqual(hit.contains.value, twinset.containment(other, text))
            self.assertFalse(index.query(text, sketches=True).hits[0].exact)
        self.assertEqual(len(index.query(support.TEXTS[0], resemblance=0.1, top=1).hits), 1)
        self.assertEqual([hit.id for hit in index.query(support.TEXTS[0].encode()).hits],
                         [hit.id for hit in index.query(support.TEXTS[0]).hits])
        page = f"<html><body><b>{support.TEXTS[4]}</b><script>x</script></body></html>"
        self.assertEqual([hit.same for hit in index.query(page, html=True).hits], ["tokens"])
        self.assertEqual(index.query("").hits, [])

    def test_documents_by_id_and_url(self):
        twinset.index_create(self.path)
        rows = self.folder / "rows.jsonl"
        rows.write_text("".join(json.dumps(row) + "\n" for row in (
            {"id": 17, "text": support.TEXTS[0], "link": "http://a.example/x", "date": "2020-01-01", "lang": "en", "n": [1]},
            {"id": "b", "text": support.TEXTS[1]})))
        twinset.index_add(self.path, rows, url="link", date="date", field=["lang", "n"])
        index = twinset.Index(pathlib.Path(self.path))
        found = index.find(17)
        self.assertEqual(found.to_dict(), {"id": 17, "url": "http://a.example/x", "date": "2020-01-01",
                                           "fields": {"lang": "en", "n": [1]}, "survivor": None})
        self.assertEqual(index.find("17"), found)
        self.assertEqual((index.find("b").id, index.find("b").url, index.find("b").fields), ("b", None, None))
        self.assertIsNone(index.find("nobody"))
        for name in (17, "http://a.example/x"):
            self.assertEqual([hit.id for hit in index.query_document(name).hits], [17, "b"])
        with self.assertRaisesRegex(twinset.UsageError, "no document of the id or URL nobody"):
            index.query_document("nobody")
        ids = [17, "nobody"]
        if support.has("pyarrow"):
            import pyarrow as pa
            self.assertEqual(index.find(pa.scalar(17)), found)
            ids = [pa.scalar(17), "nobody"]
        gone = twinset.index_delete(self.path, ids)
        self.assertEqual((gone.removed, gone.not_there, gone.stats.documents), (1, ["nobody"], 1))
        self.assertEqual(twinset.index_stats(self.path).deleted, 1)
        self.assertEqual(twinset.index_compact(self.path).deleted, 0)
        self.assertEqual(twinset.index_verify(self.path).summary.documents, 1)
        self.assertEqual(index.find(17), found)

    def test_where_a_page_has_gone(self):
        twinset.index_create(self.path)
        words = {name: " ".join(f"{name}{i}" for i in range(400)) for name in "abcd"}
        sweeps = (("2026-01-01", {"http://a.example/a": "a", "http://a.example/b": "b", "http://a.example/c": "c"}),
                  ("2026-02-01", {"http://a.example/new": "a", "http://a.example/b": "b", "http://a.example/d": "d"}))
        rows = [{"id": f"{date} {url}", "text": words[name], "url": url, "date": date}
                for date, pages in sweeps for url, name in pages.items()]
        path = self.folder / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        twinset.index_add(self.path, path, url="url", date="date")
        index = twinset.Index(self.path)
        urls = ["http://a.example/a", "http://a.example/b", "http://a.example/c", "http://a.example/never"]
        found = [index.locate(url) for url in urls]
        self.assertEqual([page.status for page in found], ["moved", "here", "gone", "unknown"])
        self.assertEqual(found[0].newest.url, "http://a.example/new")
        self.assertEqual(found[0].evidence[0].to.url, "http://a.example/new")
        self.assertEqual((found[2].newest.url, found[2].last_seen), (urls[2], "2026-01-01"))
        self.assertIsNone(found[3].newest)
        told = twinset.locate(self.path, urls)
        self.assertEqual([page.to_dict() for page in told.found], [page.to_dict() for page in found])
        self.assertEqual(str(told), support.program("locate", self.path, *urls).stdout)
        self.assertEqual(index.locate(urls[0], since="2026-01-01").status, "here")
        with self.assertRaises(twinset.UsageError):
            index.locate(urls[0], since="no date")
        with self.assertRaisesRegex(TypeError, "needs urls"):
            twinset.locate(self.path)

    def test_the_documents_and_clusters_of_a_url(self):
        twinset.index_create(self.path)
        words = [" ".join(f"{page}{i}" for i in range(200)) for page in "ab"]
        rows = [{"id": n, "text": text, "url": f"http://a.example/{url}"}
                for n, (url, text) in enumerate([("x", words[0]), ("y", words[1]), ("x", words[0] + " and more" * 20), ("z", words[1])])]
        path = self.folder / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        twinset.index_add(self.path, path, url="url")
        index = twinset.Index(self.path)
        found = index.lookup("http://a.example/x")
        self.assertEqual([document.id for document in found.documents], [0, 2])
        self.assertEqual([[document.id for document in cluster.documents] for cluster in found.clusters], [[0, 2]])
        told = twinset.lookup(self.path, ["http://a.example/y", 2, "http://a.example/never"])
        self.assertEqual([[d.url for c in each.clusters for d in c.documents] for each in told.found],
                         [["http://a.example/y", "http://a.example/z"], ["http://a.example/x"] * 2, []])
        self.assertEqual(index.lookup(2, resemblance=1).clusters[0].documents, found.documents[1:])
        self.assertEqual(index.lookup("http://a.example/x", top=1).clusters[0].whole, False)

    def test_a_snapshot_stays_as_it_was_while_others_write(self):
        index = self.made()
        before = [index.query(text) for text in support.TEXTS]
        stop, errors, rounds = threading.Event(), [], []

        def ask():
            try:
                while not stop.is_set():
                    self.assertEqual([index.query(text) for text in support.TEXTS], before)
                    self.assertEqual(index.stats().documents, len(support.TEXTS))
                    rounds.append(1)
            except BaseException as error:  # pylint: disable=broad-exception-caught
                errors.append(error)
        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for i in range(12):
            added = twinset.index_add(self.path, [f"{text} {i}" for text in support.TEXTS], id="")
            self.assertEqual(added.added, len(support.TEXTS))
            if i % 4 == 3:
                twinset.index_delete(self.path, ["t0", "memory:1"])
                twinset.index_compact(self.path)
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        self.assertGreater(len(rounds), 2)
        now = twinset.Index(self.path)
        self.assertNotEqual(now.query(support.TEXTS[0]), before[0])
        self.assertIsNone(now.find("t0"))
        self.assertEqual(index.find("t0").id, "t0")

    def test_writers_at_once_are_refused_or_wait_for_nobody(self):
        twinset.index_create(self.path)
        texts, done, refused = support.many(4000), [], []

        def add(name):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    done.append(twinset.index_add(self.path, [f"{name} {text}" for text in texts]).added)
            except twinset.Error as error:
                refused.append(str(error))
        threads = [threading.Thread(target=add, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(done) + len(refused), 3)
        self.assertGreater(len(done), 0)
        self.assertTrue(all("is being changed by" in sentence for sentence in refused), refused)
        self.assertEqual(twinset.index_verify(self.path).summary.documents, len(texts))  # ids memory:1, ...


class Tables(InIndex):
    def test_texts_in_memory_are_added_and_asked_for(self):
        ids = [f"t{i}" for i in range(len(support.TEXTS))]
        of_files = self.made()
        expected = [hit.to_dict() for hit in of_files.query(support.TEXTS[0], resemblance=0.3).hits]
        tables = []
        if support.has("pyarrow"):
            import pyarrow as pa
            tables.append(pa.table({"id": ids, "text": support.TEXTS, "link": [f"http://x.example/{i}" for i in ids]}))
        if support.has("polars"):
            import polars as pl
            tables.append(pl.DataFrame({"id": ids, "text": support.TEXTS, "link": [f"http://x.example/{i}" for i in ids]}))
        for i, table in enumerate(tables):
            path = f"{self.path}{i}"
            twinset.index_create(path, scheme=SCHEMES, resemblance=0.3)
            added = twinset.index_add(path, table, url="link")
            self.assertEqual((added.added, added.documents), (5, 5))
            self.assertEqual(twinset.index_add(path, table, url="link").unchanged, 5)
            index = twinset.Index(path)
            hits = [hit.to_dict() for hit in index.query(support.TEXTS[0], resemblance=0.3).hits]
            self.assertEqual([dict(hit, url=None) for hit in hits], expected)
            self.assertEqual(index.query_document("http://x.example/t2").hits[0].id, "t2")
            asked = twinset.query(path, table, resemblance=0.3)
            self.assertEqual(asked.queries, 5)
            self.assertEqual(asked.hits["id"], ["t0", "t0", "t1", "t1", "t2", "t2", "t3", "t3", "t4"])
            self.assertEqual(asked.hits["hit_id"][:3], ["t0", "t1", "t1"])
        twinset.index_create(self.path + "list")
        self.assertEqual(twinset.index_add(self.path + "list", support.TEXTS).added, 5)
        self.assertEqual(twinset.query(self.path + "list", support.TEXTS).hits["hit_id"][0], "memory:1")

    def test_hits_are_a_table_from_lines_and_from_a_file(self):
        index = self.made()
        of_lines = twinset.query(self.path, support.TEXTS, resemblance=0.3)
        rows = of_lines.hits.to_pylist()
        self.assertEqual(len(rows), of_lines.summary.hits)
        at = 0
        for i, text in enumerate(support.TEXTS):
            for hit in index.query(text, resemblance=0.3).hits:
                row = rows[at]
                at += 1
                self.assertEqual((row["record"], row["hit_id"], row["hit_same"]), (i + 1, hit.id, hit.same))
                self.assertAlmostEqual(row["hit_resemblance_value"], hit.resemblance.value, 6)
                self.assertAlmostEqual(row["hit_contains_high"], hit.contains.high, 6)
                self.assertIsNone(row["hit_url"])
                self.assertIsNone(row["hit_distance"])
        self.assertEqual(at, len(rows))
        for name in ("answers.jsonl", "answers.jsonl.zst"):
            made = twinset.query(self.path, support.TEXTS, resemblance=0.3, output=self.folder / name)
            self.assertEqual(made.lines, b"")
            self.assertEqual(made.hits.to_pylist(), rows)
        none = twinset.query(self.path, ["nothing of the kind is there at all"])
        self.assertEqual((len(none.hits), none.hits.column_names), (0, of_lines.hits.column_names))
        self.assertEqual(len(twinset.query(self.path, of="t0", resemblance=0.3).hits), 2)
        if support.has("pyarrow"):
            import pyarrow as pa
            pa.table(of_lines.hits).validate(full=True)

    def test_documents_are_a_table(self):
        self.made(texts=True)
        exported = twinset.index_export(self.path)
        self.assertEqual(exported.documents["text"], support.TEXTS)
        self.assertEqual(exported.documents["id"], [f"t{i}" for i in range(5)])
        self.assertEqual(exported.summary.documents, 5)
        again = self.path + "2"
        twinset.index_create(again, scheme=SCHEMES, resemblance=0.3, texts=True)
        twinset.index_add(again, exported.documents)
        self.assertEqual(twinset.index_export(again).lines, exported.lines)
        without = str(self.folder / "without")
        twinset.index_create(without)
        twinset.index_add(without, exported.documents)
        self.assertEqual(twinset.index_export(without, output=self.folder / "x.jsonl").documents["text"], [None] * 5)


class Months(InIndex):
    """New tables against an index of all before, which stands beside texts in memory."""

    def test_month_after_month(self):
        twinset.index_create(self.path, scheme="fss", resemblance=0.8, texts=True)
        texts = support.many(600)
        ids = [f"t{i}" for i in range(len(texts))]
        kept = []
        for begin in range(0, 600, 200):
            part = slice(begin, begin + 200)
            if support.has("pyarrow"):
                import pyarrow as pa
                data = pa.table({"id": ids[part], "text": texts[part]})
                done = twinset.dedup(data, against=self.path, add=True)
                kept += [ids[begin + row] for row in done.indices]
                self.assertEqual(done.summary.added, len(done.indices))
                self.assertLessEqual(set(done.removed["survivor_file"]), {"memory", self.path})
        whole = twinset.dedup(texts)
        if support.has("pyarrow"):
            self.assertEqual(kept, [ids[row] for row in whole.indices])
            index = twinset.Index(self.path)
            self.assertEqual(index.stats().documents, len(kept))
        with self.assertRaises(twinset.UsageError):
            twinset.dedup(support.TEXTS, against=str(self.folder))


class BadInput(InIndex):
    def test_what_is_no_index(self):
        for call in (lambda: twinset.Index(self.path), lambda: twinset.index_stats(self.path),
                     lambda: twinset.query(self.path, support.TEXTS), lambda: twinset.index_add(self.path, support.TEXTS)):
            with self.assertRaises(twinset.Error) as raised:
                call()
            self.assertIn("crawl.index", str(raised.exception))
            self.assertTrue(raised.exception.file.startswith(self.path), raised.exception)
        with self.assertRaises(TypeError):
            twinset.Index()
        for wrong in (3, None, ["a"]):
            with self.assertRaises(TypeError):
                twinset.Index(wrong)
        with self.assertRaisesRegex(TypeError, "needs index"):
            twinset.index_create()

    def test_what_is_no_question(self):
        index = self.made()
        for wrong in (None, 3, ["a"]):
            with self.assertRaisesRegex(TypeError, "not a str or bytes"):
                index.query(wrong)
        for call in (index.query, index.query_document, index.find):
            with self.assertRaisesRegex(twinset.UsageError, "surrogate"):
                call("\ud800")
        with self.assertRaisesRegex(TypeError, "did you mean resemblance="):
            index.query("a", resemblence=1)
        with self.assertRaisesRegex(TypeError, "a whole number"):
            index.query("a", top=1.5)
        for wrong in ({"resemblance": 2}, {"top": "many"}):
            with self.assertRaises(twinset.UsageError):
                index.query("a", **wrong)
        with self.assertRaisesRegex(TypeError, "None holds no texts"):
            twinset.query(self.path, None)
        with self.assertRaisesRegex(TypeError, "None holds no texts"):
            twinset.index_add(self.path, None)
        with self.assertRaises(twinset.UsageError):
            twinset.query(self.path, support.TEXTS, of="t0")
        self.assertEqual(index.query(b"\xff\xfe one two three").hits, [])
        with self.assertRaises(TypeError):
            pickle.dumps(index)

    def test_damage_is_an_error_and_never_an_answer(self):
        self.made()
        twinset.index_compact(self.path)
        # A segment, and a log.
        twinset.index_add(self.path, ["a text that comes later"])
        before = [hit.id for hit in twinset.Index(self.path).query(support.TEXTS[0]).hits]
        files = [path for path in pathlib.Path(self.path).rglob("*") if path.is_file() and path.stat().st_size]
        self.assertGreater(len(files), 3)
        refused = 0
        for path in files:
            held = path.read_bytes()
            for at in (0, len(held) // 2, len(held) - 1):
                path.write_bytes(held[:at] + bytes([held[at] ^ 4]) + held[at + 1:])
                try:
                    found = [hit.id for hit in twinset.Index(self.path).query(support.TEXTS[0]).hits]
                    self.assertEqual(found, before, (path, at))
                except twinset.Error as error:
                    self.assertEqual(error.code, "io")
                    self.assertTrue(error.file.startswith(self.path), error)
                    refused += 1
            path.write_bytes(held)
        self.assertGreater(refused, 5)
        self.assertEqual([hit.id for hit in twinset.Index(self.path).query(support.TEXTS[0]).hits], before)

    def test_ctrl_c_leaves_the_index_as_it_was(self):
        self.made()
        files = sorted(os.listdir(self.path))

        def stop(*_):
            raise KeyboardInterrupt
        for texts in (60_000, 240_000):  # a run that ends before its first report is tried again with more
            try:
                twinset.index_add(self.path, support.many(texts), progress=stop)
            except KeyboardInterrupt:
                break
        else:
            self.fail("it never reported")
        self.assertEqual(sorted(os.listdir(self.path)), files)
        self.assertEqual(twinset.index_verify(self.path).summary.documents, len(support.TEXTS))

    def test_a_child_of_a_fork_asks_the_same_index(self):
        self.made()
        code = f"""
import os, support, twinset
index = twinset.Index({self.path!r})
before = index.query(support.TEXTS[0])
child = os.fork()
if child == 0:
    os._exit(0 if index.query(support.TEXTS[0]) == before else 1)
print(os.waitpid(child, 0)[1])
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False,
                              cwd=os.path.dirname(os.path.abspath(__file__)))
        self.assertEqual(done.stdout.strip(), "0", done.stderr)


if __name__ == "__main__":
    unittest.main()
