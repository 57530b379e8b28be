#!/usr/bin/env python3
"""twinset.spark beside `twinset dedup` and beside MinHashLSH of Spark's MLlib, on the same texts.

    make spark SPARK="--made 20000 --mllib"
    build/spark/venv/bin/python bench/spark.py --binary build/release/twinset texts.jsonl

On two executors of one core each. It prints seconds, CPU seconds and the bytes that Spark's UI has as written for a
shuffle, which move between machines; CPU seconds of Java are Spark's own, those of Python are twinset's with the reading of batches. MLlib's join has no texts: its pairs are those of its own measure, sets of
hashed shingles, at the same threshold; only pairs are counted. The environment and the build are those of
tests/spark/run.py. PYTHONPATH must have the package: build/release/python.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
from pyspark.sql import SparkSession, functions as F

HOUSE = pathlib.Path(__file__).resolve().parent.parent


def cpu_seconds():
    """CPU seconds of the processes below this one by program, with those that they have waited for."""
    tick, found = os.sysconf("SC_CLK_TCK"), {}
    parents = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        parents[int(path.parent.name)] = (int(fields[1]), name, sum(map(int, fields[11:15])) / tick)
    below = {os.getpid()}
    while more := {pid for pid, (parent, *_) in parents.items() if parent in below} - below:
        below |= more
    for pid in below - {os.getpid()}:
        _, name, seconds = parents[pid]
        kind = "java" if name == "java" else "python"
        found[kind] = found.get(kind, 0) + seconds
    return found


def shuffled_bytes():
    """Written for shuffles so far, all stages together."""
    session = SparkSession.getActiveSession()
    if session is None:
        return 0
    context = session.sparkContext
    with urllib.request.urlopen(f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages") as answer:
        return sum(stage["shuffleWriteBytes"] for stage in json.load(answer))


class Clock:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.began, self.cpu, self.shuffled = time.monotonic(), cpu_seconds(), shuffled_bytes()
        return self

    def __exit__(self, *error):
        more = {kind: seconds - self.cpu.get(kind, 0) for kind, seconds in cpu_seconds().items()}
        print(f"{self.name:34} {time.monotonic() - self.began:7.1f} s  CPU: "
              + ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in more.items())
              + f"  shuffled: {(shuffled_bytes() - self.shuffled) / 1e6:.1f} MB", flush=True)


def mllib_pairs(rows, threshold, tables):
    """The pairs of MLlib's join: shingles of five words, hashed, and as many tables as hash functions."""
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
    words = RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\W+").transform(rows)
    shingles = NGram(n=5, inputCol="words", outputCol="shingles").transform(words.where(F.size("words") >= 5))
    sets = HashingTF(inputCol="shingles", outputCol="set", numFeatures=1 << 24, binary=True).transform(shingles)
    sets = sets.select("id", "set").cache()
    model = MinHashLSH(inputCol="set", outputCol="hashes", numHashTables=tables, seed=1).fit(sets)
    joined = model.approxSimilarityJoin(sets, sets, 1 - threshold, "distance")
    return joined.where("datasetA.id < datasetB.id").count()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("texts", nargs="?", type=pathlib.Path, help="JSON Lines with id and text")
    parser.add_argument("--made", type=int, help="so many made texts instead")
    parser.add_argument("--template", type=int, default=0, help="and so many texts that differ from one in a word")
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--resemblance", type=float, default=0.8)
    parser.add_argument("--mllib", action="store_true")
    parser.add_argument("--memory", default="1g", help="of an executor")
    parser.add_argument("--partitions", type=int, default=8, help="of the rows, and of a shuffle")
    parser.add_argument("--runs", type=int, default=2, help="the first warms Spark")
    parser.add_argument("--tables", type=int, default=3, help="of MLlib: more find more pairs")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.texts
        if path is None:
            sys.path.insert(0, str(HOUSE / "tests/python"))
            import engine_test
            path = pathlib.Path(folder, "made.jsonl")
            texts = engine_test.crawl(arguments.made or 20000) + engine_test.template(arguments.template)
            path.write_text("".join(json.dumps({"id": f"d{i:08}", "text": text}) + "\n" for i, text in enumerate(texts)))
        began = time.monotonic()
        done = subprocess.run(["/usr/bin/time", "-f", "%e s  CPU: %U + %S", arguments.binary, "dedup", path, "-r",
                               str(arguments.resemblance), "-o", f"{folder}/out"], capture_output=True, text=True, check=True)
        summary = json.loads(pathlib.Path(folder, "out/summary.json").read_text())
        print(f"{summary['read']} texts, {path.stat().st_size / 1e6:.1f} MB; removed {summary['removed']}; "
              f"pairs {summary['matching']['checked_pairs']}")
        print(f"{'twinset dedup':34} {time.monotonic() - began:7.1f} s  ({done.stderr.splitlines()[-1]})")
        with Clock("start of Spark"):
            session = (SparkSession.builder.master("local-cluster[2,1,32768]").config("spark.executor.memory", arguments.memory).config("spark.ui.retainedStages", "10000")
                       .config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", arguments.partitions)
                       .config("spark.executorEnv.PYTHONPATH", os.path.abspath(os.environ["PYTHONPATH"])).getOrCreate())
            session.sparkContext.setLogLevel("OFF")
        from twinset import spark
        with Clock("reading and counting the rows"):
            rows = session.read.json(str(path), schema="id string, text string").repartition(arguments.partitions).cache()
            rows.count()
        with Clock("rows through Python, unchanged"):
            rows.mapInArrow(lambda batches: batches, rows.schema).write.format("noop").mode("overwrite").save()
        for again in ["twinset.spark.dedup", *["the same once more, Spark warm"] * (arguments.runs - 1)]:
            with Clock(again):
                found = spark.dedup(rows, resemblance=arguments.resemblance)
                assert found.kept.count() == summary["kept"], found.summary
            found.unpersist()
        if arguments.mllib:
            with Clock(f"MLlib MinHashLSH, {arguments.tables} tables"):
                pairs = mllib_pairs(rows, arguments.resemblance, arguments.tables)
            print(f"MLlib found {pairs} pairs")
        session.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
