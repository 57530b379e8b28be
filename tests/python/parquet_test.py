"""Copies of tables, judged by pyarrow."""

import contextlib
import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest
import warnings

import support
import twinset

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import tables  # pylint: disable=wrong-import-position

TEXTS = support.many(1000, words=12)


def reads_parquet():
    """Tables are read where the package was built with them."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "a.parquet")
        tables.write(path, {"text": ["a b c"]})
        try:
            return twinset.plan(path).read == 1
        except twinset.Error as error:
            if "PARQUET=1" not in str(error):
                raise
            return False


@unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
@unittest.skipUnless(reads_parquet(), "twinset is built without Parquet")
class Copies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, indexed):
        """Ten groups of 100 rows, of which a tenth are copies of others; the fourth group has none."""
        path = self.folder / "t.parquet"
        columns = {"id": [f"d{i}" for i in range(len(TEXTS))],
                   "text": [" ".join(f"own{i}x{k}" for k in range(12)) if 300 <= i < 400 else text
                            for i, text in enumerate(TEXTS)],
                   "more": ["x" * (i % 50) for i in range(len(TEXTS))]}
        tables.write(path, columns, group_rows=100, page_rows=30, indexed=indexed)
        return path, columns

    def test_what_the_harness_writes_is_a_table(self):
        import pyarrow.parquet as pq
        path, columns = self.written(lambda group: group % 2 == 0)
        self.assertEqual(pq.read_table(path).to_pydict(), columns)

    def test_offset_indexes_may_differ_between_groups(self):
        import pyarrow.parquet as pq
        for number, indexed in enumerate((lambda group: group % 2 == 0, lambda group: group == 9, lambda group: group > 0,
                                          lambda group: True, lambda group: False)):
            path, columns = self.written(indexed)
            out = self.folder / f"clean{number}"
            done = twinset.dedup(path, output=out, resemblance=0.5)
            gone = set(done.removed["id"])
            self.assertGreater(len(gone), 50)
            expected = [i for i, name in enumerate(columns["id"]) if name not in gone]
            made = pq.ParquetFile(out / "t.parquet")
            self.assertEqual(made.read().to_pydict(), {name: [values[i] for i in expected] for name, values in columns.items()})
            self.assertEqual([made.metadata.row_group(i).num_rows == 100 for i in range(10)], [i == 3 for i in range(10)])
            for group in range(10):
                of_group = pq.ParquetFile(path).metadata.row_group(group)
                copied = made.metadata.row_group(group)
                for column in range(3):
                    self.assertEqual(copied.column(column).has_offset_index, of_group.column(column).has_offset_index,
                                     (number, group, column))
            # Readers that follow the index find the same rows; and so does twinset.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                again = twinset.dedup(out / "t.parquet", output=self.folder / f"again{number}", resemblance=0.5)
            self.assertEqual((again.summary.read, again.summary.removed), (len(expected), 0))
            if support.has("polars", "duckdb"):
                import duckdb
                import polars as pl
                name = str(out / "t.parquet")
                last = columns["id"][expected[-1]]
                self.assertEqual(pl.scan_parquet(name).filter(pl.col("id") == last).collect()["text"].to_list(),
                                 [columns["text"][expected[-1]]])
                self.assertEqual(duckdb.sql(f"select text from '{name}' where id = '{last}'").fetchall(),
                                 [(columns["text"][expected[-1]],)])


    def test_ctrl_c_while_a_table_is_written_leaves_nothing(self):
        path = self.folder / "t.parquet"
        began = []

        def stop(stage, *_):
            if stage == "write" and not began:
                began.append(time.monotonic())
                raise KeyboardInterrupt
        # A run that reports nothing before it has written all is tried with more.
        for rows in (40_000, 160_000, 640_000):
            began.clear()
            texts = [f"{text} {i}" for i, text in enumerate(support.many(2000, words=50) * (rows // 2000))]
            tables.write(path, {"text": texts}, group_rows=rows, page_rows=1000)
            with warnings.catch_warnings(), contextlib.suppress(KeyboardInterrupt):
                warnings.simplefilter("ignore")
                twinset.dedup(path, output=self.folder / "clean", scheme="simhash", distance=0, progress=stop)
            if began and not (self.folder / "clean").exists():
                break
            shutil.rmtree(self.folder / "clean")
        self.assertTrue(began, "it never reported that it writes")
        self.assertLess(time.monotonic() - began[0], 1)
        self.assertEqual(os.listdir(self.folder), ["t.parquet"])


if __name__ == "__main__":
    unittest.main()
