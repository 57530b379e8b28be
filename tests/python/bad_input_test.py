"""What cannot be read is one clear exception each; nothing ends the interpreter."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import support
import twinset


class Refused(unittest.TestCase):
    def refuses(self, data, kind, words, **options):
        with self.assertRaisesRegex(kind, words):
            twinset.dedup(data, **options)
        with self.assertRaises((TypeError, ValueError)):
            twinset.Signer("fss").sign(data)

    def test_what_holds_no_texts(self):
        self.refuses(None, TypeError, "None holds no texts")
        self.refuses(3, TypeError, "an int holds no texts")
        self.refuses({"text": ["a"]}, TypeError, "dict")
        self.refuses(["a", 1], TypeError, "row 1 is an int")
        self.refuses([["a"]], TypeError, "row 0 is a list")
        self.refuses(["fine", "a\ud800"], ValueError, "row 1 is a str with a lone surrogate")
        with self.assertRaisesRegex(TypeError, "one str is no collection"):
            twinset.Signer("fss").sign("a text")
        with self.assertRaisesRegex(ValueError, "names of files"):
            twinset.dedup(["a.jsonl", "b.jsonl.gz"])

    def test_an_iterator_that_fails(self):
        def texts():
            yield "one"
            raise KeyError("two")
        with self.assertRaises(KeyError):
            twinset.dedup(texts())

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_columns(self):
        import pyarrow as pa
        table = pa.table({"body": ["a"], "n": [1], "list": [["a"]]})
        self.refuses(table, ValueError, "no column is named 'text'; there are 'body', 'n', 'list'")
        with self.assertRaisesRegex(TypeError, "column 'n' holds numbers"):
            twinset.dedup(table, text="n")
        for data, words in (
                (table.select(["n"]), "holds numbers"), (table.select(["list"]), "holds lists"),
                (pa.table({"text": [None, None]}), "holds nulls"),
                (pa.table({"text": pa.RunEndEncodedArray.from_arrays([3, 6], ["a", "b"])}), "run-end"),
                (pa.table({"text": pa.array([b"abcd"], pa.binary(4))}), "fixed width"),
                (pa.table({"text": pa.array([1, 2]).dictionary_encode()}), "dictionary of numbers"),
                (pa.table({"text": [{"a": "b"}]}), "structs"), (pa.array([1.5]), "numbers"),
                (pa.array([True]), "truth"), (pa.array([0], pa.date32()), "dates")):
            with self.subTest(words):
                self.refuses(data, TypeError, words)
        with self.assertRaisesRegex(TypeError, "not ids"):
            twinset.dedup(pa.table({"text": ["a"], "id": [["a"]]}))
        with self.assertRaisesRegex(twinset.UsageError, "id"):
            twinset.dedup(pa.table({"text": ["a", "b"], "id": ["x", "x"]}))

        def batches():
            yield pa.record_batch({"text": ["a"]})
            raise RuntimeError("the source broke")
        with self.assertRaisesRegex(Exception, "the source broke"):
            twinset.dedup(pa.RecordBatchReader.from_batches(pa.schema([("text", pa.string())]), batches()))

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_bytes_that_are_not_utf8_are_counted(self):
        import pyarrow as pa
        for data in (pa.table({"text": pa.array([b"caf\xe9 \x81\xfe\xfe one", b"two three"])}), [b"caf\xe9 \x81\xfe\xfe one", b"two three"]):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                result = twinset.dedup(data)
            told = result.invalid_utf8.records + sum(each.records for each in result.decoded or ())
            self.assertEqual(told, 1)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = os.path.join(folder, "missing.jsonl")
            with self.assertRaises(twinset.Error) as raised:
                twinset.dedup(missing, output=f"{folder}/clean")
            self.assertIn("missing.jsonl", str(raised.exception))
            inputs = support.collection(folder)
            with self.assertRaises(twinset.Error) as raised:
                twinset.dedup(inputs, output=inputs)
            self.assertEqual(os.listdir(folder), ["texts.jsonl"])
            with self.assertRaises(twinset.Error):
                twinset.dedup(inputs, output="/proc/nowhere/clean")
            self.assertEqual(twinset.dedup(inputs, dry_run=True).summary.read, 5)

    def test_lost_inputs_are_an_error_with_the_result(self):
        import gzip
        with tempfile.TemporaryDirectory() as folder:
            cut = pathlib.Path(folder, "cut.jsonl.gz")
            whole = gzip.compress(b'{"text": "a b c d e f"}\n' * 5000 + os.urandom(20000).hex().encode())
            cut.write_bytes(whole[:len(whole) // 2])
            with self.assertRaises(twinset.Error) as raised, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                twinset.dedup(str(cut), output=f"{folder}/clean")
            self.assertEqual((raised.exception.code, raised.exception.file), ("lost_input", str(cut)))
            read = raised.exception.result.summary.read
            self.assertGreater(read, 0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                allowed = twinset.dedup(str(cut), output=f"{folder}/allowed", allow_lost_inputs=True)
            self.assertEqual((allowed.summary.read, len(allowed.lost_inputs)), (read, 1))

    def test_errors_name_their_place(self):
        def place(sentence, *paths):
            error = twinset._errors.made(4, sentence)
            twinset._errors.set_place(error, paths)
            return error.file, error.line

        error = twinset._errors.made(4, "crawl/a.jsonl:12: no text")
        self.assertEqual((error.code, str(error)), ("io", "crawl/a.jsonl:12: no text"))
        self.assertIsInstance(error, OSError)
        self.assertEqual(place("crawl/a.jsonl:12: no text", "crawl"), ("crawl/a.jsonl", 12))
        self.assertEqual(place("crawl/a.jsonl:12: no text", "crawl/*.jsonl"), ("crawl/a.jsonl", 12))
        self.assertEqual(place("line 12 of crawl/a.jsonl: no text", "x", "crawl/a.jsonl"), ("crawl/a.jsonl", 12))
        self.assertEqual(place("cannot read a b.jsonl: No such file", "a b.jsonl"), ("a b.jsonl", None))
        self.assertEqual(place("cannot make clean.partial/x: full", "clean/"), ("clean.partial/x", None))
        self.assertEqual(place("in.jsonl and in are two", "in", "in.jsonl"), ("in.jsonl", None))
        for sentence in ("unclean", "clean.txt:3: odd", "a-clean", "write 0.8, 80% or 4/5"):
            self.assertEqual(place(sentence, "clean"), (None, None))
        # The sentence tells how a share is written, not where.
        with self.assertRaises(twinset.UsageError) as raised:
            twinset.dedup(support.TEXTS, resemblance=2)
        self.assertIn("0.8, 80%", str(raised.exception))
        self.assertIsNone(raised.exception.file)
        with tempfile.TemporaryDirectory() as folder:
            bad = pathlib.Path(folder, "bad.jsonl")
            for options, file in (({"inputs": f"{folder}/missing.jsonl"}, f"{folder}/missing.jsonl"),
                                  ({"inputs": support.collection(folder), "output": folder}, f"{folder}/texts.jsonl"),
                                  ({"inputs": folder, "scheme": f"imatch(lexicon={bad})"}, str(bad))):
                bad.write_text("no lexicon")
                with self.subTest(options), self.assertRaises(twinset.Error) as raised:
                    twinset.dedup(**{"output": f"{folder}/clean", **options})
                self.assertEqual(raised.exception.file, file, raised.exception)

    def test_what_no_text_can_hold_is_refused_as_an_option(self):
        for call in (lambda: twinset.dedup(["\ud800"]), lambda: twinset.resemblance("\ud800", "a"),
                     lambda: twinset.dedup(support.TEXTS, analyzer="\ud800")):
            with self.assertRaisesRegex(twinset.UsageError, "lone surrogate"):
                call()

    def test_ids_with_lone_surrogates(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "texts.jsonl")
            path.write_text("".join(json.dumps({"id": name, "text": support.TEXTS[0]}) + "\n"
                                    for name in ("a", "b\ud800\u00e9", "c\U0001f600")))
            removed = twinset.dedup(path, dry_run=True).removed
            self.assertEqual(removed["id"], ["b?\u00e9", "c\U0001f600"])

    def test_names_of_files_need_not_be_utf8(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.fsencode(folder) + b"/caf\xe9.jsonl"
            os.rename(support.collection(folder), path)
            for given in (os.fsdecode(path), pathlib.Path(os.fsdecode(path)), [pathlib.Path(os.fsdecode(path))],
                          next(os.scandir(os.fsencode(folder)))):
                with self.subTest(given):
                    self.assertEqual(twinset.dedup(given, dry_run=True).summary.read, len(support.TEXTS))
            twinset.dedup(os.fsdecode(path), output=os.fsencode(folder) + b"/clean\xe9")
            self.assertIn(b"clean\xe9", os.listdir(os.fsencode(folder)))
            in_memory = twinset.dedup(support.TEXTS, tmp=os.fsdecode(os.fsencode(folder) + b"/clean\xe9"))
            self.assertEqual(in_memory.read, len(support.TEXTS))


class Hardships(unittest.TestCase):
    def child(self, code, **options):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                              cwd=os.path.dirname(os.path.abspath(__file__)), check=False, **options)

    def test_ctrl_c_ends_a_run_within_a_second_and_leaves_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            code = f"""
import os, signal, threading, time
import support, twinset
texts = support.many(40000) * 6
texts = [text + str(i) for i, text in enumerate(texts)]
began = []
def interrupt():
    began.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.3, interrupt).start()
try:
    twinset.dedup(texts, tmp={folder!r})
    print('finished')
except KeyboardInterrupt:
    print('stopped after', time.monotonic() - began[0])
print(os.listdir({folder!r}))
"""
            done = self.child(code)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("stopped after", done.stdout, done.stderr)
            self.assertLess(float(done.stdout.split()[2]), 1.0)
            self.assertIn("[]", done.stdout)

    def test_ctrl_c_leaves_no_work_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            inputs = pathlib.Path(folder, "texts.jsonl")
            inputs.write_text("".join(f'{{"text": "{text} {i}"}}\n' for i, text in enumerate(support.many(60000))))

            def stop(*_):
                self.assertIn("clean.partial", os.listdir(folder))
                raise KeyboardInterrupt
            with self.assertRaises(KeyboardInterrupt):
                twinset.dedup(inputs, output=f"{folder}/clean", progress=stop)
            self.assertEqual(os.listdir(folder), ["texts.jsonl"])

    def test_other_threads_run_meanwhile(self):
        counts = []
        stop = threading.Event()

        def count():
            turns = 0
            while not stop.is_set():
                time.sleep(0.001)
                turns += 1
            counts.append(turns)
        thread = threading.Thread(target=count)
        texts = support.many(60000)
        thread.start()
        began = time.monotonic()
        twinset.dedup(texts)
        seconds = time.monotonic() - began
        stop.set()
        thread.join()
        self.assertGreater(counts[0], seconds * 50)

    def test_two_threads_at_once(self):
        texts = support.many(5000)
        expected = list(twinset.dedup(texts).indices)
        found = []
        threads = [threading.Thread(target=lambda: found.append(list(twinset.dedup(texts, memory="1G").indices)))
                   for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 3)

    def test_fork_after_import(self):
        code = """
import os, support, twinset
twinset.dedup(support.TEXTS)
child = os.fork()
if child == 0:
    os._exit(0 if len(twinset.dedup(support.TEXTS, resemblance=0.5).removed) == 2 else 1)
print(os.waitpid(child, 0)[1])
"""
        done = self.child(code)
        self.assertEqual(done.stdout.strip(), "0", done.stderr)

    def test_nothing_is_pickled(self):
        import pickle
        sources = pathlib.Path(twinset.__file__).parent.rglob("*.py")
        for source in sources:
            self.assertNotRegex(source.read_text(), r"(?m)^\s*(?:import|from) (?:pickle|cPickle|dill|cloudpickle|marshal)\b")
        result = twinset.dedup(support.TEXTS, resemblance=0.5)
        for held in (result.removed, twinset.Signer("fss"), twinset.Signer("fss").sign(support.TEXTS)):
            with self.assertRaises(TypeError):
                pickle.dumps(held)

    def test_a_closed_pipe(self):
        code = "import sys, twinset.__main__ as m; sys.argv[1:] = ['schemes']; m.main()"
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE, check=False,
                              text=True, timeout=60)
        os.close(writer)
        self.assertNotIn("Traceback", done.stderr)
        self.assertGreaterEqual(done.returncode, 0)

    def test_a_read_only_folder(self):
        if os.geteuid() == 0:
            folder = "/proc"
        else:
            folder = "/"
        with tempfile.TemporaryDirectory() as inputs, self.assertRaises(twinset.Error) as raised:
            twinset.dedup(support.collection(inputs), output=f"{folder}/clean")
        self.assertIn(folder, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
