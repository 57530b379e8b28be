"""Texts of every library and layout give what a list of them gives, without a copy of the text."""

import ctypes
import gc
import struct
import unittest
import warnings

import support
import twinset
from twinset import _twinset

# Long and short ones, letters of one to four bytes, an empty one, and copies.
TEXTS = ["", "short", *support.TEXTS, "\u00e9" * 40, "\U0001f600 one two three four five six seven eight nine ten",
         support.TEXTS[0], "twelve bytes", "thirteen byte"]
WITH_NULLS = [None if i % 4 == 3 else text for i, text in enumerate(TEXTS)]


class ArrowSchema(ctypes.Structure):
    pass


ArrowSchema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                        ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                        ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema)))]


class ArrowArray(ctypes.Structure):
    pass


ArrowArray._fields_ = [(name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")] + \
    [("buffers", ctypes.c_void_p), ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray)))]


def held_in(capsule, name, kind):
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return kind.from_address(pointer_of(capsule, name))


def schema_in(capsule):
    """The schema that the capsule holds."""
    return held_in(capsule, b"arrow_schema", ArrowSchema)


def array_in(capsule):
    """The array that the capsule holds."""
    return held_in(capsule, b"arrow_array", ArrowArray)


def rows(result):
    return list(result.indices), [(row["row"], row["survivor_row"], row["resemblance"])
                                  for row in result.removed.to_pylist()]


def quiet(data, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", twinset.RunWarning)
        return twinset.dedup(data, resemblance=0.5, **options)


class Layouts(unittest.TestCase):
    def check(self, data, texts=TEXTS, **options):
        self.assertEqual(len(_twinset.Texts.of(data, "text", "id", [])), len(texts))
        held = _twinset.Texts.of(data, "text", "id", [])
        self.assertEqual([held[i] for i in range(len(held))], texts)
        self.assertEqual(rows(quiet(data, **options)), rows(quiet(texts)))

    def test_lists_and_other_iterables(self):
        self.check(TEXTS)
        self.check(tuple(TEXTS))
        self.check([text.encode() for text in TEXTS])
        self.check([text.encode() if i % 2 else text for i, text in enumerate(TEXTS)])
        self.check(WITH_NULLS, WITH_NULLS)
        self.assertEqual(rows(quiet(text for text in TEXTS)), rows(quiet(TEXTS)))
        self.assertEqual(rows(quiet(dict.fromkeys(TEXTS[:5]).keys())), rows(quiet(TEXTS[:5])))
        changed = list(TEXTS)
        held = _twinset.Texts.of(changed, "text", "id", [])
        changed.clear()
        gc.collect()
        self.assertEqual(held[4], TEXTS[4])

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_pyarrow(self):
        import pyarrow as pa
        for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(),
                     pa.binary_view()):
            for texts in (TEXTS, WITH_NULLS):
                with self.subTest(kind=kind, nulls=None in texts):
                    values = texts if pa.types.is_string(kind) or "string" in str(kind) else \
                        [text and text.encode() for text in texts]
                    column = pa.array(values, kind)
                    self.check(column, texts)
                    self.check(pa.table({"text": column, "n": range(len(texts))}), texts)
                    self.check(pa.chunked_array([column[:3], column[3:3], column[3:]]), texts)
                    self.check(pa.table({"text": column}).slice(3, 6), texts[3:9])
                    self.check(column.slice(2, 5), texts[2:7])
                    batches = [pa.record_batch({"text": column.slice(i, 2)}) for i in range(0, len(texts), 2)]
                    held = _twinset.Texts.of(pa.RecordBatchReader.from_batches(batches[0].schema, batches),
                                             "text", "id", [])
                    self.assertEqual([held[i] for i in range(len(held))], texts)
                    if "view" not in str(kind):
                        self.check(column.dictionary_encode(), texts)
                        self.check(pa.table({"text": column.dictionary_encode()}).slice(3), texts[3:])
        for index in (pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.uint32(), pa.int64(), pa.uint64()):
            encoded = pa.array(TEXTS).dictionary_encode()
            self.check(pa.DictionaryArray.from_arrays(encoded.indices.cast(index), encoded.dictionary))
        nulls_below = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2]), pa.array(["a", None, "b"]))
        self.check(nulls_below, ["a", None, None, "b"])

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_structs_with_missing_rows(self):
        import pyarrow as pa
        structs = pa.StructArray.from_arrays([pa.array(["a b c", "d e f", "g"])], ["text"],
                                             mask=pa.array([False, True, False]))
        held = _twinset.Texts.of(structs, "text", "id", [])
        self.assertEqual([held[i] for i in range(3)], ["a b c", None, "g"])

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_empty_tables(self):
        import pyarrow as pa
        for data in (pa.table({"text": pa.array([], pa.string())}), pa.array([], pa.string()), [],
                     pa.schema([("text", pa.string())]).empty_table()):
            result = twinset.dedup(data)
            self.assertEqual(len(result.kept), 0)
            self.assertEqual(list(result.indices), [])

    @unittest.skipUnless(support.has("polars"), "polars is not installed")
    def test_polars(self):
        import polars as pl
        frame = pl.DataFrame({"text": TEXTS, "n": range(len(TEXTS))})
        self.check(frame)
        self.check(frame["text"])
        self.check(frame.slice(3, 6), TEXTS[3:9])
        self.check(frame.vstack(frame), TEXTS + TEXTS)
        self.check(pl.DataFrame({"text": WITH_NULLS}), WITH_NULLS)
        self.check(frame.with_columns(pl.col("text").cast(pl.Categorical)))
        self.check(pl.DataFrame({"text": [text.encode() for text in TEXTS]}))
        self.assertEqual(len(twinset.dedup(frame.clear()).kept), 0)
        result = quiet(frame)
        kept = frame.filter(result.mask)
        self.assertEqual(kept["n"].to_list(), list(result.indices))
        self.assertEqual(pl.DataFrame(result.removed)["row"].to_list(), result.removed["row"])
        with self.assertRaisesRegex(TypeError, r"\.collect\(\)"):
            twinset.dedup(frame.lazy())

    @unittest.skipUnless(support.has("duckdb"), "duckdb is not installed")
    def test_duckdb(self):
        import duckdb
        connection = duckdb.connect()
        connection.execute("create table t (i integer, text varchar)")
        connection.executemany("insert into t values (?, ?)", list(enumerate(WITH_NULLS)))
        self.check(connection.sql("select text from t order by i"), WITH_NULLS)
        removed = quiet(connection.sql("select text from t order by i")).removed
        self.assertEqual(duckdb.sql("select count(*) from removed").fetchall()[0][0], len(removed))
        with self.assertRaises(Exception) as raised:
            twinset.dedup(connection.sql("select error('boom') as text"))
        self.assertIn("boom", str(raised.exception))

    @unittest.skipUnless(support.has("pandas"), "pandas is not installed")
    def test_pandas(self):
        import pandas as pd
        frame = pd.DataFrame({"text": TEXTS, "n": range(len(TEXTS))})
        self.check(frame)
        self.check(frame.iloc[3:9], TEXTS[3:9])
        self.check(pd.DataFrame({"text": pd.Series(TEXTS).astype("category")}))
        result = quiet(frame)
        self.assertEqual(frame[result.mask]["n"].tolist(), list(result.indices))

    @unittest.skipUnless(support.has("datasets"), "datasets is not installed")
    def test_datasets_in_the_order_that_they_show(self):
        import datasets
        dataset = datasets.Dataset.from_dict({"text": TEXTS, "n": list(range(len(TEXTS)))})
        self.check(dataset)
        self.check(dataset.select([5, 3, 8]), [TEXTS[5], TEXTS[3], TEXTS[8]])
        shuffled = dataset.shuffle(seed=1)
        self.check(shuffled, shuffled["text"][:])
        self.check(dataset.to_iterable_dataset())
        with self.assertRaisesRegex(twinset.UsageError, "there are 'id', 'body'"):
            twinset.dedup(datasets.Dataset.from_dict({"id": TEXTS, "body": TEXTS}))
        result = quiet(dataset)
        self.assertEqual(dataset.select(result.indices)["n"][:], list(result.indices))
        in_a_row = quiet(datasets.Dataset.from_dict({"text": [TEXTS[0]] * 2 + TEXTS[4:5]}).select([1, 2]))
        self.assertEqual(dataset.select(in_a_row.indices)["n"][:], list(in_a_row.indices))


class LikeDatasets:
    """What is asked of a dataset of Hugging Face, over a table."""

    def __init__(self, table):
        self.table = table
        self.column_names = table.column_names

    def __len__(self):
        return len(self.table)

    def with_format(self, _):
        return self

    def select_columns(self, names):
        return LikeDatasets(self.table.select(names))

    def __getitem__(self, rows):
        return self.table[rows]


class Columns(unittest.TestCase):
    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_ids_of_a_dataset_are_never_its_texts(self):
        import pyarrow as pa
        rows = {"id": list("abcde"), "body": support.TEXTS}
        with self.assertRaisesRegex(twinset.UsageError, "no column is named 'text'; there are 'id', 'body'"):
            twinset.dedup(LikeDatasets(pa.table(rows)))
        found = twinset.dedup(LikeDatasets(pa.table(rows)), text="body", resemblance=0.5)
        self.assertEqual(found.removed["id"], ["b", "d"])
        self.assertEqual(len(twinset.dedup(LikeDatasets(pa.table({"body": support.TEXTS})), resemblance=0.5).removed), 2)

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_times_keep_their_fraction_of_a_second(self):
        import pyarrow as pa
        texts = [support.TEXTS[0]] * 2
        for unit, first, second, name in (
                ("s", 0, 1, "1970-01-01T00:00:01Z"), ("ms", 0, 250, "1970-01-01T00:00:00.250Z"),
                ("ms", -2, -1, "1969-12-31T23:59:59.999Z"), ("ms", -2000, -1000, "1969-12-31T23:59:59Z"),
                ("us", 1, 2, "1970-01-01T00:00:00.000002Z"), ("us", -86400000002, -86400000001,
                                                              "1969-12-30T23:59:59.999999Z"),
                ("ns", 1000, 1_000_002_000, "1970-01-01T00:00:01.000002000Z"),
                ("ns", 1_600_000_000_000_000_001, 1_600_000_000_000_000_002, "2020-09-13T12:26:40.000000002Z"),
                ("ns", -2, -1, "1969-12-31T23:59:59.999999999Z"),
                ("ns", -(2**63), -1000, "1969-12-31T23:59:59.999999000Z")):
            with self.subTest(unit, second=second):
                table = pa.table({"text": texts, "at": pa.array([first, second], pa.timestamp(unit))})
                self.assertEqual(twinset.dedup(table, id="at").removed["id"], [name])
                self.assertEqual(twinset.dedup(table, keep="newest:at").removed["row"], [0])
                self.assertEqual(twinset.dedup(table, keep="oldest:at").removed["row"], [1])

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_columns_may_have_no_name(self):
        import pyarrow as pa

        class Nameless:
            """A batch; the names of these columns are null pointers."""

            def __init__(self, batch, columns):
                self.batch, self.columns = batch, columns

            def __arrow_c_array__(self, requested_schema=None):
                schema, array = self.batch.__arrow_c_array__(requested_schema)
                children = schema_in(schema).children
                for column in self.columns:
                    children[column].contents.name = None
                return schema, array

        batch = pa.record_batch({"other": [1, 2, 3, 4, 5], "text": support.TEXTS})
        for options in ({}, {"id": ""}, {"analyzer": "words"}):
            with self.subTest(options):
                self.assertEqual(len(twinset.dedup(Nameless(batch, [0]), resemblance=0.5, **options).removed), 2)
        with self.assertRaisesRegex(twinset.UsageError, "no column is named 'text'; there are '', ''"):
            twinset.dedup(Nameless(batch, [0, 1]))
        alone = twinset.dedup(Nameless(pa.record_batch({"text": support.TEXTS}), [0]), resemblance=0.5)
        self.assertEqual(len(alone.removed), 2)

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_what_another_reader_took_is_refused(self):
        import pyarrow as pa
        batch = pa.record_batch({"text": support.TEXTS})

        class Once:
            """Gives the same capsules again and again."""

        once = Once()
        capsules = batch.__arrow_c_array__()
        once.__arrow_c_array__ = lambda requested_schema=None: capsules
        self.assertEqual(len(twinset.dedup(once, resemblance=0.5).removed), 2)
        with self.assertRaisesRegex(twinset.UsageError, "the array was already taken"):
            twinset.dedup(once)
        pa.Schema._import_from_c_capsule(capsules[0])
        with self.assertRaisesRegex(twinset.UsageError, "the type of the array was already taken"):
            twinset.dedup(once)
        once = Once()
        capsule = pa.table(batch).__arrow_c_stream__()
        once.__arrow_c_stream__ = lambda requested_schema=None: capsule
        pa.RecordBatchReader._import_from_c_capsule(capsule)
        with self.assertRaisesRegex(twinset.UsageError, "the stream was already taken"):
            twinset.dedup(once)

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_arrays_that_are_not_of_their_type(self):
        import pyarrow as pa

        class Wrong:
            """A batch, of whose array or column a number is another."""

            def __init__(self, column, name, value):
                self.batch = pa.record_batch({"text": support.TEXTS, "n": range(5)})
                self.place = column, name, value

            def __arrow_c_array__(self, requested_schema=None):
                schema, array = self.batch.__arrow_c_array__(requested_schema)
                column, name, value = self.place
                made = schema_in(schema) if name == "n_children" else array_in(array)
                made = made if column is None else made.children[column].contents
                setattr(made, name, value)
                return schema, array

        for wrong in ((None, "n_children", 1), (None, "length", 6), (None, "length", -1),
                      (None, "offset", 1), (0, "n_buffers", 1), (0, "length", 4), (0, "offset", -1)):
            with self.subTest(wrong), self.assertRaisesRegex(twinset.UsageError, "other parts than its type says"):
                twinset.dedup(Wrong(*wrong))

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_dictionaries_may_differ_between_batches(self):
        import pyarrow as pa
        first, second = (pa.array(texts).dictionary_encode() for texts in (support.TEXTS, support.TEXTS[::-1]))
        held = _twinset.Texts.of(pa.chunked_array([first, second]), "text", "id", [])
        self.assertEqual([held[i] for i in range(10)], support.TEXTS + support.TEXTS[::-1])

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_two_gibibytes(self):
        import mmap
        import pyarrow as pa
        size = 2**31 + 10
        with mmap.mmap(-1, size) as zeros:  # never written: no page of it takes memory
            offsets = pa.py_buffer(struct.pack("<3q", 0, size - 5, size))
            missing = pa.py_buffer(b"\x01")
            long = pa.Array.from_buffers(pa.large_string(), 2, [None, offsets, pa.py_buffer(zeros)])
            with self.assertWarnsRegex(twinset.RunWarning, "1 record could not be read"):
                self.assertEqual(twinset.dedup(long).quarantined, 1)
            with self.assertRaisesRegex(twinset.UsageError, "row 0 has 2 GiB of text or more"):
                twinset.dedup(pa.Array.from_buffers(pa.large_string(), 2, [missing, offsets, pa.py_buffer(zeros)]))
            many = pa.py_buffer(struct.pack("<65q", *range(0, 2**31 + 1, 2**25)))
            batch = pa.Array.from_buffers(pa.large_string(), 64, [None, many, pa.py_buffer(zeros)])
            self.assertEqual(len(_twinset.Texts.of(batch, "text", "id", [])), 64)
            del long, batch
            gc.collect()

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_a_view_into_a_buffer_that_is_not_there(self):
        import pyarrow as pa
        for buffer in (0, 1, 2**31 - 1, -1):
            view = pa.py_buffer(struct.pack("<i4sii", 20, b"abcd", buffer, 0))
            with self.subTest(buffer), self.assertRaisesRegex(twinset.UsageError, "a buffer that is not there"):
                twinset.dedup(pa.Array.from_buffers(pa.string_view(), 1, [None, view]))

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_ids_dates_and_labels(self):
        import datetime
        import pyarrow as pa
        days = [datetime.date(2020, 1, 1 + i) for i in range(5)]
        for ids, names in ((["a", "b", "c", "d", "e"], ["a", "b", "c", "d", "e"]),
                           ([10, 20, 30, 40, 50], ["10", "20", "30", "40", "50"])):
            table = pa.table({"name": ids, "body": support.TEXTS, "date": days,
                              "score": [0.5, 2.25, 1.0, 3.0, 0.0], "lang": ["x", "x", "y", "z", "z"]})
            plain = twinset.dedup(table, text="body", id="name", resemblance=0.5)
            self.assertEqual(plain.removed["id"], [names[1], names[3]])
            self.assertEqual(plain.explain(names[1]).survivor_id, names[0])
            newest = twinset.dedup(table, text="body", id="name", resemblance=0.5, keep="newest:date")
            self.assertEqual(newest.removed["id"], [names[0], names[2]])
            best = twinset.dedup(table, text="body", id="name", resemblance=0.5, keep="highest:score")
            self.assertEqual(best.removed["id"], [names[0], names[2]])
            within = twinset.dedup(table, text="body", id="name", resemblance=0.5, within="lang")
            self.assertEqual(within.removed["id"], [names[1]])
        stamps = pa.array([datetime.datetime(2020, 1, 1, 12, 0, i) for i in range(5)], pa.timestamp("us"))
        newest = twinset.dedup(pa.table({"text": support.TEXTS, "at": stamps}), resemblance=0.5,
                               keep="newest:at")
        self.assertEqual(newest.removed["row"], [0, 2])

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_columns_are_fields_only_where_an_option_names_them(self):
        import pyarrow as pa
        table = pa.table({"text": ["a", "b"], "e": [1, 2], "date": ["x", "y"], "newest_date": ["x", "y"],
                          "list": [[1], [2]]})
        for mentions, names in (([], []), (["newest:date"], ["date"]), (["e"], ["e"]), (["fee:e,date"], ["e", "date"]),
                                (["newest:newest_date"], ["newest_date"]), (["list"], [])):
            self.assertEqual(_twinset.Texts.of(table, "text", "id", mentions).fields, names)

    def test_against(self):
        result = twinset.dedup(support.TEXTS, against=[support.TEXTS[1]], resemblance=0.5)
        self.assertEqual(result.removed["row"], [0, 1, 3])
        self.assertEqual(result.removed["survivor_file"], ["against", "against", "memory"])
        with self.assertRaises(twinset.UsageError):
            twinset.dedup(support.TEXTS, against="other.jsonl")

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_tables_out(self):
        import pyarrow as pa
        result = quiet(TEXTS)
        batch = pa.record_batch(result.removed)
        table = pa.table(result.removed)
        table.validate(full=True)
        batch.validate(full=True)
        self.assertEqual(table.to_pylist(), result.removed.to_pylist())
        self.assertEqual(batch.num_rows, len(result.removed))
        removed = result.removed
        del result
        del removed
        gc.collect()
        self.assertEqual(table.column("row").to_pylist(), batch.column("row").to_pylist())
        kept = pa.table({"text": TEXTS}).filter(quiet(TEXTS).mask)
        self.assertEqual(len(kept), len(quiet(TEXTS).kept))
        with self.assertRaises(KeyError):
            quiet(TEXTS).removed["nothing"]
        with self.assertRaises(IndexError):
            quiet(TEXTS).removed[999]


class Signers(unittest.TestCase):
    def test_one_by_one_or_all_at_once(self):
        signer = twinset.Signer("fss(shingle=3)")
        signed = signer.sign(TEXTS, threads=2)
        self.assertEqual(len(signed), len(TEXTS))
        self.assertEqual(signed.without, 1)
        alone = [signer.sign([text]) for text in TEXTS]
        self.assertEqual([signed.sketch(i) for i in range(len(TEXTS))], [one.sketch(0) for one in alone])
        offsets = list(signed.offsets)
        self.assertEqual(bytes(signed.sketches[offsets[3]:offsets[4]]), signed.sketch(3))
        keys = list(signed.key_offsets)
        self.assertEqual(list(signed.keys[keys[3]:keys[4]]), list(alone[3].keys))
        self.assertEqual(signed.scheme, signer.fingerprint)
        # More than is signed at a time: the rows of all parts.
        texts = [text for text in TEXTS for _ in range(9)] * 3 + ["long " * (14 << 20), "end of it"]
        parts = signer.sign(texts + texts, threads=2)
        self.assertEqual(len(parts), 2 * len(texts))
        for i in (0, 9, 100, len(texts) - 2, len(texts) - 1):
            self.assertEqual(parts.sketch(i), signer.sign([texts[i]]).sketch(0))
            self.assertEqual(parts.sketch(i), parts.sketch(len(texts) + i))
        self.assertEqual(parts.without, 2 * 27)
        if support.has("pyarrow"):
            import pyarrow as pa
            batch = pa.record_batch(parts)
            batch.validate(full=True)
            self.assertEqual(batch.column("sketch").null_count, parts.without)
            self.assertEqual([i for i, each in enumerate(batch.column("sketch")) if not each.is_valid],
                             [i for i, text in enumerate(texts + texts) if not text])
        found = signer.compare(signed.sketch(2), signed.sketch(3))
        self.assertGreater(found["resemblance"]["value"], 0.6)
        bits = twinset.Signer("simhash")
        pair = bits.sign(TEXTS[2:4])
        self.assertLess(bits.compare(pair.sketch(0), pair.sketch(1))["distance"], 30)
        with self.assertRaises(twinset.UsageError):
            twinset.Signer("nope")
        with self.assertRaises(IndexError):
            signed.sketch(99)

    @unittest.skipUnless(support.has("numpy"), "numpy is not installed")
    def test_arrays_are_views(self):
        import numpy
        signed = twinset.Signer("fss").sign(support.many(500))
        array = numpy.asarray(signed.sketches)
        self.assertEqual(array.dtype, numpy.uint8)
        self.assertFalse(array.flags.owndata)
        self.assertFalse(array.flags.writeable)
        again = numpy.asarray(signed.sketches)
        self.assertEqual(array.__array_interface__["data"], again.__array_interface__["data"])
        expected = array.copy()
        del signed, again
        gc.collect()
        self.assertTrue((array == expected).all())

    @unittest.skipUnless(support.has("pyarrow"), "pyarrow is not installed")
    def test_signatures_are_a_table(self):
        import pyarrow as pa
        signed = twinset.Signer("fss").sign(pa.array(TEXTS))
        batch = pa.record_batch(signed)
        batch.validate(full=True)
        self.assertEqual(batch.column("sketch").null_count, signed.without)
        self.assertEqual(batch.column("sketch")[3].as_py(), signed.sketch(3))
        self.assertEqual(len(batch.column("keys")[3].as_py()), signed.key_offsets[4] - signed.key_offsets[3])


if __name__ == "__main__":
    unittest.main()
