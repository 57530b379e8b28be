"""Steps of datatrove's pipelines that find duplicates by twinset.

TwinsetDedup is a filter of one step:

    pipeline=[JsonlReader("crawl"), TwinsetDedup(exclusion_writer=JsonlWriter("removed")), JsonlWriter("kept")]

The four minhash steps of datatrove 0.10 have the same names, arguments, folders and files here, so
that a pipeline changes its import only. The first keeps each task's texts; the second finds
duplicates among all of them; the third and the fourth are datatrove's own.
"""

import contextlib
import json
import pathlib
import shutil
import struct
import tempfile

try:
    from datatrove.io import get_datafolder
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.dedup.minhash import SENTINEL, MinhashConfig, MinhashDedupCluster, MinhashDedupFilter
    from datatrove.utils.logging import logger
    from datatrove.utils.typeshelper import StatHints
except ImportError as error:
    raise ImportError(f"twinset.compat.datatrove needs datatrove[io,processing]: {error}") from error

from .. import UsageError, dedup

__all__ = ["MinhashConfig", "MinhashDedupBuckets", "MinhashDedupCluster", "MinhashDedupFilter",
           "MinhashDedupSignature", "TwinsetDedup"]


def _write_text(file, document):
    """A line for a document: its number among the lines is that of the document."""
    file.write(json.dumps({"id": document.id, "text": document.text}).encode() + b"\n")


class TwinsetDedup(PipelineStep):
    """Keeps one of each group of similar documents, of those that its task reads.

    exclusion_writer  a DiskWriter for removed documents; their metadata has `duplicate_of` (an id),
                      `duplicate_kind` and, of near ones, `resemblance`
    each_task_alone   with more tasks than one, which do not see each other's documents: False
                      refuses, True removes within each
    options           those of twinset.dedup(): resemblance=0.8, keep="longest", memory="4GiB", ...;
                      against= names files whose texts stay: what resembles one of them is removed,
                      with that text's id as `duplicate_of`

    Texts wait in a temporary file of the folder tmp= until all are read; memory holds the ids and
    metadata alone. Kept documents pass one at a time, unchanged and in their order.
    """

    type = "🫂 - DEDUP"
    name = "👯 twinset"

    def __init__(self, exclusion_writer=None, each_task_alone=False, **options):
        super().__init__()
        for name in ("output", "dry_run", "text", "id", "format", "limit"):
            if name in options:
                raise UsageError(f"TwinsetDedup has no {name}=: the pipeline reads and writes")
        self.exclusion_writer = exclusion_writer
        self.each_task_alone = each_task_alone
        self.options = options

    def run(self, data, rank=0, world_size=1):
        if world_size != 1 and not self.each_task_alone:
            raise UsageError(f"TwinsetDedup of {world_size} tasks: a task does not see the documents of "
                             "others. Run it with tasks=1, take MinhashDedupSignature and what follows "
                             "it, or say each_task_alone=True")
        with tempfile.TemporaryDirectory(prefix="twinset-", dir=self.options.get("tmp")) as folder:
            spool = pathlib.Path(folder, "texts.jsonl")
            documents = []
            with spool.open("wb") as file:
                for document in data:
                    _write_text(file, document)
                    document.text = ""
                    documents.append(document)
            with self.track_time("task"):
                removed = self._removed(spool, documents) if documents else {}
            with spool.open("rb") as file, self.exclusion_writer or contextlib.nullcontext() as writer:
                for i, (document, line) in enumerate(zip(documents, file)):
                    documents[i] = document.id  # what has passed is not held
                    document.text = json.loads(line)["text"]
                    self.stat_update(StatHints.total)
                    if i not in removed:
                        self.stat_update(StatHints.forwarded)
                        self.update_doc_stats(document)
                        yield document
                        continue
                    kind, survivor, resemblance = removed[i]
                    self.stat_update(StatHints.dropped, f"dropped_{kind}")
                    if writer is not None:
                        document.metadata["duplicate_of"] = survivor
                        document.metadata["duplicate_kind"] = kind
                        if resemblance is not None:
                            document.metadata["resemblance"] = resemblance
                        writer.write(document, rank)

    def _removed(self, spool, documents):
        """By place the kind, the survivor's id and the resemblance of each document that goes."""
        rows = dedup(spool, dry_run=True, format="jsonl", **self.options).removed.to_pylist()

        def survivor(row):
            if row["survivor_file"] == str(spool):
                return documents[row["survivor_record"] - 1].id
            return row["survivor_id"] or f"{row['survivor_file']}:{row['survivor_record']}"
        return {row["record"] - 1: (row["kind"], survivor(row), row["resemblance"]) for row in rows}


class MinhashDedupSignature(PipelineStep):
    """First step, in each task: keeps the texts that it reads, for the second.

    Arguments are datatrove's. Words are found by Unicode's rules whatever the language, and numbers
    differ (datatrove takes all for one); config is read by the second step.
    """

    type = "🫂 - DEDUP"
    name = "👯 twinset stage 1"

    def __init__(self, output_folder, config=None, language="eng", skip_existing_sigs=False):
        super().__init__()
        self.output_folder = get_datafolder(output_folder)
        self.config = config or MinhashConfig()
        self.language = language
        self.skip_existing_sigs = skip_existing_sigs

    def run(self, data, rank=0, world_size=1):
        path = f"{rank:05d}.jsonl"
        if self.skip_existing_sigs and self.output_folder.exists(path):
            logger.info(f"Found the texts of {path}.")
            return
        with self.track_time("task"), self.output_folder.open(path + ".partial", "wb") as file:
            for document in data:
                self.stat_update(StatHints.total)
                _write_text(file, document)
        self.output_folder.mv(path + ".partial", path)


class MinhashDedupBuckets(PipelineStep):
    """Second step: the task of rank 0 finds the duplicates among all texts, each by its proof; other
    tasks write empty files, so that the number of tasks may stay.

    Arguments are datatrove's. Of config, n_grams becomes the shingle, and the buckets and their
    hashes the threshold, (1 / num_buckets) ** (1 / hashes_per_bucket), which is .72 by default.
    Others of twinset.dedup() may be given, and go first: resemblance=0.8, memory="16GiB", ...
    In place of index_folder stands against= of twinset.dedup(), files with the texts of the index:
    what resembles one of them is removed, as a match with datatrove's index is, and the third step
    ignores it if ignore_index_matches is set. create_index_name has no counterpart.
    """

    type = "🫂 - DEDUP"
    name = "👯 twinset stage 2"

    def __init__(self, input_folder, output_folder, index_folder=None, config=None, only_dedup_in_index=True,
                 create_index_name=None, lines_to_buffer=5, **options):
        super().__init__()
        for name, value in (("index_folder", index_folder), ("create_index_name", create_index_name)):
            if value is not None:
                raise UsageError(f"{name} has no counterpart in twinset: pass against= with files of the "
                                 "texts of the index, as twinset.dedup() takes it")
        self.input_folder = get_datafolder(input_folder)
        self.output_folder = get_datafolder(output_folder)
        self.config = config or MinhashConfig()
        for name in ("norm_config", "hash_config"):
            if getattr(self.config, name) != getattr(MinhashConfig(), name):
                logger.warning(f"{name} of MinhashConfig has no counterpart in twinset and is not read.")
        threshold = (1 / self.config.num_buckets) ** (1 / self.config.hashes_per_bucket)
        self.options = {"resemblance": threshold, "scheme": f"fss(shingle={self.config.n_grams})", **options}

    def run(self, data=None, rank=0, world_size=1):
        if data is not None:
            raise UsageError("MinhashDedupBuckets reads no documents: it is the first step of its pipeline")
        if world_size % self.config.num_buckets != 0:
            raise UsageError(f"{world_size} tasks are no multiple of num_buckets={self.config.num_buckets}")
        # Named as datatrove names them, for its next step counts them.
        bucket, worker = divmod(rank, world_size // self.config.num_buckets)
        with self.track_time("task"), self.output_folder.open(f"{bucket:05d}_{worker:02d}.dups", "wb") as file:
            for survivor, removed in self._pairs() if rank == 0 else ():
                self.stat_update("total_matches")
                file.write(struct.pack("<4I", *survivor, *removed))

    def _pairs(self):
        """(survivor, removed), each (task, place); a survivor of against= is datatrove's sentinel."""
        names = [name for name in self.input_folder.list_files(glob_pattern="*.jsonl")
                 if self.input_folder.size(name) != 0]
        if not names:
            return []
        with tempfile.TemporaryDirectory(prefix="twinset-", dir=self.options.get("tmp")) as folder:
            if self.input_folder.is_local():
                paths = [pathlib.Path(path) for path in self.input_folder.resolve_paths(names)]
            else:
                paths = [pathlib.Path(folder, name) for name in names]
                for path in paths:
                    with self.input_folder.open(path.name, "rb") as source, path.open("wb") as target:
                        shutil.copyfileobj(source, target, 1 << 20)
            tasks = {str(path): int(path.stem) for path in paths}
            rows = dedup(paths, dry_run=True, format="jsonl", **self.options).removed.to_pylist()
        return [((tasks[row["survivor_file"]], row["survivor_record"] - 1) if row["survivor_file"] in tasks
                 else (SENTINEL, SENTINEL), (tasks[row["file"]], row["record"] - 1)) for row in rows]
