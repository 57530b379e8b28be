"""datatrove: the four steps of its example minhash_deduplication.py as FineWeb uses them: 5-grams of English
words, 14 buckets of 8, 64-bit hashes; `bands` finds 97 % of pairs at the threshold instead. One worker.
"""
# requires: datatrove[processing]==0.10.1 spacy==3.8.18 xxhash orjson

import json

import peer
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import (MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter,
                                      MinhashDedupSignature)
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.hashing import HashConfig
from datatrove.utils.typeshelper import Languages


def pipeline(plan):
    def kept(path, threshold, out):
        count, rows = plan(threshold)
        config = MinhashConfig(hash_config=HashConfig(precision=64), num_buckets=count,
                               hashes_per_bucket=rows, n_grams=5)
        folder, _, name = str(path).rpartition("/")
        reader = JsonlReader(folder, glob_pattern=name)
        work = out / "work"

        def run(step, tasks, *stages):
            LocalPipelineExecutor(list(stages), tasks=tasks, workers=1,
                                  logging_dir=str(work / "logs" / step)).run()

        run("1", 1, reader, MinhashDedupSignature(str(work / "signatures"), config=config,
                                                  language=Languages.english))
        run("2", count, MinhashDedupBuckets(str(work / "signatures"), str(work / "buckets"),
                                            config=config))
        run("3", 1, MinhashDedupCluster(str(work / "buckets"), str(work / "remove"), config=config))
        run("4", 1, reader, MinhashDedupFilter(str(work / "remove")),
            JsonlWriter(str(work / "kept"), compression=None))
        for file in sorted((work / "kept").glob("*.jsonl")):
            with open(file, encoding="utf-8") as lines:
                for line in lines:
                    yield json.loads(line)["id"]
    return kept


SETTINGS = {"fineweb": pipeline(lambda threshold: (14, 8)),
            "bands": pipeline(lambda threshold: peer.bands(256, threshold))}
FIXED = {"fineweb"}

if __name__ == "__main__":
    peer.main(SETTINGS)
