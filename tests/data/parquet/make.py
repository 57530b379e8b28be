#!/usr/bin/env python3
"""Writes the Parquet files of this folder, as several libraries write them.

    python3 tests/data/parquet/make.py FOLDER

Needs pyarrow 26.0.1, polars 2.1.0, duckdb 2.0.1, pandas 3.1.1 and datasets 5.2.0, or others. The tests need none of
these: they read the files. Each of the libraries' files has the same twelve rows, of which the
texts of rows 4, 8 and 12 are copies of the first, and a null for the text of row 6.
"""

import base64
import datetime
import decimal
import pathlib
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as encryption

WORDS = ("the harbour master counted the ships that came in before noon",
         "a clock without hands stood in the window of the oldest shop",
         "three rivers meet below the town and none of them has a bridge",
         "nobody remembers who planted the orchard behind the station")


def text_of(row):
    if row == 6:
        return None
    if row in (1, 4, 8, 12):
        return WORDS[0] + ("" if row != 8 else " today")
    return f"{WORDS[row % 3 + 1]}, says page {row} of the {row * 7}th notebook by author number {row * row}"


ROWS = [{"id": row, "text": text_of(row), "lang": "en" if row % 2 else "de",
         "score": row / 4, "date": datetime.datetime(2024, 1, row, 12, 30, tzinfo=datetime.timezone.utc)}
        for row in range(1, 13)]


def columns():
    return {name: [row[name] for row in ROWS] for name in ROWS[0]}


def nested():
    """Everything else that a column may be."""
    return pa.table({
        "id": pa.array([str(row["id"]) for row in ROWS]),
        "meta": pa.array([{"body": row["text"], "lang": row["lang"]} for row in ROWS]),
        "parts": pa.array([None if row["text"] is None else row["text"].split(" ", 1) for row in ROWS]),
        "messages": pa.array([[{"role": "user", "content": row["text"]}, {"role": "bot", "content": None}]
                              for row in ROWS]),
        "matrix": pa.array([[[row["id"]], [], [1, 2]] for row in ROWS]),
        "map": pa.array([[("k", row["id"])] for row in ROWS], pa.map_(pa.string(), pa.int64())),
        "price": pa.array([decimal.Decimal(row["id"]) / 4 for row in ROWS], pa.decimal128(10, 2)),
        "day": pa.array([row["date"].date() for row in ROWS]),
        "bytes": pa.array([(row["text"] or "").encode() for row in ROWS], pa.binary()),
        "fixed": pa.array([[1.0, 2.0]] * len(ROWS), pa.list_(pa.float32(), 2)),
        "kind": pa.array([row["lang"] for row in ROWS]).dictionary_encode(),
    })


class Keys(encryption.KmsClient):
    """Keys that are no secret."""

    def __init__(self, config):
        encryption.KmsClient.__init__(self)

    def wrap_key(self, key, name):
        return base64.b64encode(key)

    def unwrap_key(self, wrapped, name):
        return base64.b64decode(wrapped)


def write_encrypted(table, path):
    """The column `text` is encrypted, the footer is not."""
    config = encryption.EncryptionConfiguration(footer_key="f", column_keys={"c": ["text"]},
                                                plaintext_footer=True)
    properties = encryption.CryptoFactory(Keys).file_encryption_properties(
        encryption.KmsConnectionConfig(), config)
    with pq.ParquetWriter(path, table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)


def main(folder):
    import datasets
    import duckdb
    import pandas
    import polars

    table = pa.table(columns())
    pq.write_table(table, folder / "pyarrow.parquet", row_group_size=5, compression="zstd",
                   write_page_index=True, write_page_checksum=True, sorting_columns=[pq.SortingColumn(0)])
    pq.write_table(table, folder / "int96.parquet", row_group_size=5, use_deprecated_int96_timestamps=True,
                   compression="gzip", column_encoding={"id": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY",
                                                        "score": "BYTE_STREAM_SPLIT"}, use_dictionary=False)
    pq.write_table(nested(), folder / "nested.parquet", row_group_size=5, compression="snappy")
    polars.DataFrame(columns()).write_parquet(folder / "polars.parquet", row_group_size=5)
    pandas.DataFrame(columns()).set_index("id", drop=False).to_parquet(folder / "pandas.parquet")
    duckdb.sql("set timezone='UTC'")
    duckdb.from_arrow(table).write_parquet(str(folder / "duckdb.parquet"))
    features = datasets.Features({"id": datasets.Value("int64"), "text": datasets.Value("string"),
                                  "lang": datasets.ClassLabel(names=["de", "en"]), "score": datasets.Value("float64"),
                                  "date": datasets.Value("timestamp[us, tz=UTC]")})
    datasets.Dataset.from_dict(columns(), features=features).to_parquet(folder / "datasets.parquet")
    pq.write_table(table.slice(0, 0), folder / "no_rows.parquet")
    long = [f"long {row % 20:03d}  " * 6553 + "!!!!!!" for row in range(300)]
    pq.write_table(pa.table({"id": pa.array(range(1000)), "text": ["short"] * 700 + long}),
                   folder / "repeated.parquet", compression="zstd", dictionary_pagesize_limit=4 << 20)
    pq.write_table(pa.table({"length": ["ab", "abc"] * 6, "prefix": ["ab", "abc"] * 6}), folder / "delta.parquet",
                   compression="none", use_dictionary=False, write_statistics=False,
                   column_encoding={"length": "DELTA_LENGTH_BYTE_ARRAY", "prefix": "DELTA_BYTE_ARRAY"})
    write_encrypted(table.select(["id", "text"]).slice(0, 2), folder / "encrypted.parquet")
    latin = [text.encode("latin-1") for text in ("gr\xfc\xdfe aus der stra\xdfe am h\xfcgel", "plain words of a text")]
    pq.write_table(pa.table({"text": pa.array(latin, pa.binary())}), folder / "latin1.parquet")
    pq.write_table(pa.table({f"c{i}": pa.array([i]) for i in range(400)} | {"text": ["one row"]}),
                   folder / "wide.parquet", compression="none", write_statistics=False, store_schema=False)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
