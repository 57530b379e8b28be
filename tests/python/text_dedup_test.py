"""Configurations of text-dedup are read as options of twinset, and what is not read is named."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import support
import twinset
from twinset.compat.text_dedup import from_text_dedup

MINHASH = '''
[input]
input_type = "local_files"
file_type = "json"

[input.read_arguments]
path = "json"
data_files = "texts.jsonl"
split = "train"

[algorithm]
algorithm_name = "minhash"
text_column = "text"
index_column = "id"
seed = 42
batch_size = 10000
num_perm = 240
threshold = 0.5
hash_bits = 64
ngram_size = 3
check_false_positive = true

[output]
output_dir = "clean"
clean_cache = false
save_clusters = true

[debug]
enable_profiling = false
'''
LEFT = ["algorithm.batch_size", "algorithm.num_perm", "algorithm.hash_bits", "output.clean_cache",
        "debug.enable_profiling"]


class Configurations(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        support.collection(self.folder)

    def read(self, text):
        path = self.folder / "config.toml"
        path.write_text(text)
        return from_text_dedup(path)

    def test_minhash(self):
        read = self.read(MINHASH)
        self.assertEqual(read.options, {
            "inputs": [pathlib.Path("texts.jsonl")], "output": "clean", "text": "text", "id": "id", "seed": 42,
            "min_tokens": 5, "resemblance": 0.5, "scheme": "fss(shingle=3)"})
        self.assertEqual(read.without_counterpart, LEFT)
        options = dict(read.options, inputs=self.folder / "texts.jsonl", output=self.folder / "clean")
        self.assertEqual(twinset.dedup(**options).summary.removed, 2)

    def test_other_algorithms(self):
        read = self.read(MINHASH.replace('"minhash"', '"simhash"').replace("threshold = 0.5", "bit_diff = 7"))
        self.assertEqual((read.options["scheme"], read.options["distance"]), ("simhash(shingle=3,bits=64)", "7"))
        twinset.dedup(**dict(read.options, inputs=support.TEXTS, output=None))
        read = self.read(MINHASH.replace('"minhash"', '"bloom_filter"').replace("threshold = 0.5", "error_rate = 0.01"))
        self.assertEqual(read.options["resemblance"], 1)
        self.assertIn("algorithm.error_rate", read.without_counterpart)
        options = dict(read.options, inputs=support.TEXTS + support.TEXTS[:1], output=None)
        self.assertEqual(len(twinset.dedup(**options).removed), 1)

    def test_folders_and_parts(self):
        read = self.read(MINHASH.replace('path = "json"', 'path = "data"').replace('"train"', '"train[:2%]"'))
        self.assertEqual(read.options["inputs"], [pathlib.Path("data/texts.jsonl")])
        self.assertEqual(read.without_counterpart, ["input.read_arguments.split", *LEFT])
        read = self.read(MINHASH.replace('path = "json"', 'path = "data"').replace("data_files =", "#"))
        self.assertEqual(read.options["inputs"], [pathlib.Path("data")])

    def test_what_cannot_be_done_is_told(self):
        for old, new, told in (
                ('"minhash"', '"suffix_array"', r"twinset\.spans with cut="),
                ('"local_files"', '"local_hf_dataset"', "dataset on disk"),
                ('output_dir = "clean"', "", "output.output_dir is missing"),
                ("[output]", "[output", "not TOML")):
            with self.subTest(new), self.assertRaisesRegex(twinset.UsageError, told) as raised:
                self.read(MINHASH.replace(old, new))
            self.assertTrue(raised.exception.file.endswith("config.toml"))
        with self.assertRaises(twinset.FileError):
            from_text_dedup(self.folder / "none.toml")

    def test_at_a_shell(self):
        self.read(MINHASH)

        def run(*words):
            return subprocess.run([sys.executable, "-m", "twinset", *words], capture_output=True, text=True,
                                  cwd=self.folder, check=False)
        done = run("dedup", "--text-dedup-config", "config.toml", "--no-progress")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, f"twinset: config.toml: no counterpart of {', '.join(LEFT)}\n")
        self.assertEqual(len((self.folder / "clean/texts.jsonl").read_text().splitlines()), 3)
        done = run("dedup", "--text-dedup-config=config.toml", "-o", "other", "--resemblance", "1", "--json")
        self.assertIn('"removed": 0', done.stdout)
        self.assertTrue((self.folder / "other").exists())


if __name__ == "__main__":
    unittest.main()
