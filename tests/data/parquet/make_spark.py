#!/usr/bin/env python3
"""Writes the folder spark of this folder, as Spark writes a table in partitions by language.

    python3 tests/data/parquet/make_spark.py FOLDER

Needs pyspark 4.3.0, or another, and Java 17. The rows are those of make.py, with a struct, a list and timestamps of
INT96, which Spark wrote until 3.0 and Hive still does.
"""

import pathlib
import sys

from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from make import ROWS


def main(folder):
    spark = (SparkSession.builder.master("local[1]").config("spark.sql.session.timeZone", "UTC")
             .config("spark.sql.parquet.outputTimestampType", "INT96").config("spark.ui.enabled", "false")
             .config("spark.sql.parquet.compression.codec", "snappy").getOrCreate())
    rows = [(row["id"], row["text"], row["lang"], row["score"], row["date"],
             {"body": row["text"], "words": (row["text"] or "").split()}) for row in ROWS]
    schema = StructType.fromDDL("id bigint, text string, lang string, score double, date timestamp, "
                                "page struct<body: string, words: array<string>>")
    table = spark.createDataFrame(rows, schema).coalesce(1)
    table.write.partitionBy("lang").parquet(str(folder / "spark"))
    # The name of a part is random.
    for part in sorted((folder / "spark").rglob("*.parquet")):
        part.rename(part.parent / "part-00000.snappy.parquet")
    for checksum in (folder / "spark").rglob(".*.crc"):
        checksum.unlink()
    spark.stop()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
