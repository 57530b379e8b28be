"""The verbs over a DataFrame of Apache Spark: the answers of the program, from any number of machines.

    from twinset import spark
    found = spark.dedup(df, text="text", id="id", resemblance=0.8)
    found.kept.write.parquet("clean")       # the rows of df, all columns
    found.removed.show()                    # who went, for whom, and the numbers that prove it
    spark.cluster(df, resemblance=0.6).clusters.show()
    spark.detect(pages, "known.labels", url="url").neighborhoods.show()

Spark schedules, moves rows and retries; nothing of it is replaced. docs/spark.md has the whole.
"""

import contextlib
import functools
import os
import re
import warnings

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, functions as F, types as T
from pyspark.storagelevel import StorageLevel

from . import _batches, _page_frames, _pages, _passage_frames, _passages, _sample_frames, _samples, _twinset
from ._declared import VERBS
from ._errors import Error, UsageError
from ._results import Record, RunWarning, warn
from ._verbs import CLASSES, typed_settings

# Declared options of the verbs that are heeded here.
_PAIRED = {"analyzer", "format", "max_record", "resemblance", "scheme"}
_HEEDED = {"dedup": _PAIRED | {"keep", "within"}, "cluster": _PAIRED | {"within"},
           "detect": {"badness", "format", "labels", "max_record", "page_threshold", "repeats", "stop", "threshold"},
           "spans": {"across", "analyzer", "format", "max_record", "min_tokens", "within"},
           "evaluate": _PAIRED | {"containment", "copies_out", "cost", "df_documents", "distance", "ignore_unknown_labels",
                                  "labels", "labels_file", "max_group", "max_meetings", "memory", "profile", "sample",
                                  "sample_seed", "schemes", "seed", "templates", "threads", "tmp", "truth", "url", "utility",
                                  "verify"},
           "discover": {"at", "chunk_attributes", "chunks", "content", "format", "hash", "hash_seed", "max_record", "min_chars",
                        "output", "over_chunks", "over_files", "repeats", "stop", "stop_in_site", "stop_over_sites"}}
_ALWAYS = {"verify": "exact", "shape": "components"}
_ORDER = re.compile(r"(.+?)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?", re.I | re.S)
_JUDGED = "later long, earlier long, state int, shared int, later_shingles int, earlier_shingles int"


class _Found:
    """What a call found. Its DataFrames are held by Spark until unpersist() is called."""

    def __init__(self, summary, held, **frames):
        self.summary = Record(summary)
        self._held = held
        for name, frame in frames.items():
            setattr(self, name, frame)

    def unpersist(self):
        """Lets Spark forget what it holds for this result. Its DataFrames must not be used after it."""
        for each in self._held:
            each.unpersist()

    def __repr__(self):
        return f"{type(self).__name__}({self.summary!r})"


class Deduplicated(_Found):
    """What dedup() found.

    kept         the rows of the DataFrame that stay, with all their columns
    removed      {id, survivor, kind, resemblance, containment, survivor_containment, shared_shingles,
                 shingles, survivor_shingles}: a row for each that goes, with who stays in its place
    clusters     {cluster, id}: a row for each document that others are copies of, and for each of these;
                 `cluster` is the id of the one that stays
    quarantined  {id, reason}: rows without a text
    summary      the counts, named as those of summary.json
    """

    kept: DataFrame
    removed: DataFrame
    clusters: DataFrame
    quarantined: DataFrame


class Clustered(_Found):
    """What cluster() found.

    clusters     {cluster, id}: a row for each document that is in a cluster; `cluster` is the id of its
                 first document
    pairs        {id, other, resemblance, shared_shingles, shingles, other_shingles}: the pairs that reach
                 the resemblance, `other` being the earlier document; copies are not among them
    quarantined  {id, reason}: rows without a text
    summary      the counts, named as those of summary.json
    """

    clusters: DataFrame
    pairs: DataFrame
    quarantined: DataFrame


_LOST = re.compile(r"ExecutorLostFailure|FetchFailed|Python worker exited unexpectedly|OutOfMemoryError|No space left on device")


@contextlib.contextmanager
def _clear():
    """An Error of a worker is raised here as itself, not as Spark's account of it, and the loss of executors as one."""
    try:
        yield
    except Py4JJavaError as error:
        if not _LOST.search(str(error)):
            raise
        raise Error("Spark gave up, because executors or their Python workers ended again and again, as they do without "
                    "memory or disk: give them more (spark.executor.memory, spark.executor.memoryOverhead, spark.local.dir) "
                    "or smaller partitions (spark.sql.shuffle.partitions); the logs of the executors say more") from error
    except PySparkException as error:
        told = re.findall(r"^twinset\.(?:_errors\.)?(UsageError|Error|FileError): (.*)$", str(error), re.M)
        if not told:
            raise
        raise (UsageError if told[-1][0] == "UsageError" else Error)(told[-1][1]) from error


def _heeded(name, options):
    """The options as they are typed. Errors (usage) name what is unknown, or not done on Spark."""
    declared = {option.name: option for option in VERBS[name].options}
    typed = typed_settings(name, VERBS[name].options, options)
    for each, value in typed.items():
        option = declared[each]
        if each not in _HEEDED[name] and value not in (option.default, option.by_default, _ALWAYS.get(each)):
            raise UsageError(f"{option.keyword}= is not done on Spark; there are {', '.join(sorted(_HEEDED[name]))}")
    return typed


def _with_threshold(name, options):
    """The options, of which resemblance= is also named threshold=."""
    if "threshold" not in options:
        return options
    if "resemblance" in options:
        raise TypeError(f"{name}() got both threshold= and resemblance=, which are one")
    return {**{key: value for key, value in options.items() if key != "threshold"}, "resemblance": options["threshold"]}


def _check_format(typed):
    if typed.get("format", "") not in ("", "html"):
        raise UsageError(f"format= is 'html' for texts that are pages, not {typed['format']!r}: Spark reads the rows")


def _settings(name, options):
    """The checked settings of a run that compares, and its options as they are typed. Errors as _heeded()."""
    typed = _heeded(name, _with_threshold(name, options))
    _check_format(typed)
    values = {"dedup": _twinset.dedup_settings, "cluster": _twinset.cluster_settings}[name](typed)
    html = values.pop("format") == "html"
    settings = _batches.settings_of(**{**values, "scheme": values["scheme"] or "fss"}, html=html)
    if not _twinset.pairs_by_keys(settings.scheme, needs_texts=name == "cluster"):
        raise UsageError(f"scheme= {settings.scheme} does not make pairs of single keys that texts decide on, as fss, "
                         f"minhash and super_shingle do: twinset.{name}() runs it on one machine")
    return settings, typed


def _look(settings):
    """A function of batches that says what is wrong with the machine it runs on. One that lacks the package
    could not read a function of it: so this one is sent as it is."""
    expected = tuple(settings)

    def look(batches):
        import socket

        import pyarrow as arrow
        try:
            from twinset import _batches as there
            there.signer_of(there.Settings(*expected))
            said = None
        except Exception as error:
            said = f"{socket.gethostname()}: {type(error).__name__}: {error}"
        for batch in batches:
            yield arrow.RecordBatch.from_arrays([arrow.array([said] * len(batch), arrow.string())], ["said"])

    return look


def _check_workers(session, settings):
    """Each executor must have this build."""
    context = getattr(session, "sparkContext", None)
    tasks = 2 * context.defaultParallelism if context else 8
    said = session.range(tasks, numPartitions=tasks).mapInArrow(_look(settings), "said string").collect()
    wrong = sorted({row.said for row in said if row.said})
    if wrong:
        raise UsageError(f"executors cannot run twinset {settings.version}: {'; '.join(wrong)}. "
                         "Install its wheel there, or ship it with archives (docs/spark.md)")


def _field(df, name, what):
    if name not in df.columns:
        raise UsageError(f"the DataFrame has no column '{name}' for {what}=; there are "
                         + ", ".join(map(repr, df.columns)))
    return df.schema[name]


def _texts(df, name, what, kinds=(T.StringType, T.BinaryType)):
    """A column of texts, under the name `what`."""
    kind = _field(df, name, what).dataType
    if not isinstance(kind, kinds):
        raise UsageError(f"the column '{name}' of {what}= holds {kind.simpleString()}, not strings")
    return df[name].alias(what)


def _ordered(df, order):
    """The columns of an order, as order_0, ...; and how they order the rows."""
    columns, sort = [], []
    for i, each in enumerate([order] if isinstance(order, str) else list(order or [])):
        name, descends, nulls = _ORDER.fullmatch(each).groups()
        _field(df, name, "order")
        columns.append(df[name].alias(f"order_{i}"))
        direction = "desc" if (descends or "").lower() == "desc" else "asc"
        sort.append(getattr(F.col(f"order_{i}"), f"{direction}_nulls_{(nulls or 'last').lower()}")())
    return columns, sort


def _rows(df, text, id, order, *more):
    """The columns that a run reads, as id, text, order_0, ... and those of `more`; and how the order_ ones order the rows."""
    texts = _texts(df, text, "text")
    kind = _field(df, id, "id").dataType
    if isinstance(kind, (T.ArrayType, T.MapType, T.StructType, T.FloatType, T.DoubleType, T.VariantType)):
        raise UsageError(f"the column '{id}' of id= holds {kind.simpleString()}, which names no row")
    columns, sort = _ordered(df, order)
    return df.select(df[id].alias("id"), texts, *columns, *more), sort


class _Run:
    """The steps of one call, over rows that Spark holds."""

    def __init__(self, rows, settings, sort, keep=""):
        """`rows`: id, text, columns that `sort` orders; `within`, if only rows of its equal values meet; `keep`, if the
        rule of this name is of a field."""
        self.session = rows.sparkSession
        self.settings = settings
        self.held = []
        self.parts = "within" in rows.columns
        if keep:
            rows, sort = self.in_keep_order(rows, sort, keep)
        # `place` rises in the order of the rows, whatever the partitions. Rows are in order before they are
        # signed: to choose the partitions of an order, Spark reads what comes before it twice.
        placed = rows.sort(*sort, "id").select("id", "text", F.monotonically_increasing_id().alias("place"),
                                               *(["within"] if self.parts else []))
        self.documents = self.hold(placed.mapInArrow(
            functools.partial(_batches.sign, settings),
            T.StructType([T.StructField(field.name, field.dataType) for field in placed.schema]
                         + [T.StructField("bad", T.StringType())]
                         + [T.StructField(name, T.LongType()) for name in _batches.HASHES]
                         + [T.StructField("sketch", T.BinaryType()),
                            T.StructField("keys", T.ArrayType(T.LongType()))])))

    def in_keep_order(self, rows, sort, rule):
        """The rows with keys by which they are in keep order, and how these and `sort` order them."""
        keys, good = _batches.keep_keys_of(rule, self.settings), _has_text(self.settings.max_record)
        counts = (0,) * len(_batches.KEPT)
        if keys.field:
            sums = rows.where(good).select("keep").mapInArrow(
                functools.partial(_batches.count_keep_values, rule, self.settings),
                ", ".join(f"{name} long" for name in _batches.KEPT)).agg(*map(F.sum, _batches.KEPT)).first()
            counts = tuple(count or 0 for count in sums)
            if told := keys.warning(counts):
                warnings.warn(told, RunWarning, stacklevel=5)
        keyed = T.StructType([*(T.StructField(field.name, field.dataType) for field in rows.schema),
                              T.StructField("keep_key", T.BinaryType())])
        rows = rows.mapInArrow(functools.partial(_batches.add_keep_keys, rule, self.settings, counts), keyed)
        key = F.col("keep_key")
        return rows, [key.desc_nulls_last() if keys.descending else key.asc_nulls_last(), *sort]

    def hold(self, frame):
        self.held.append(frame.persist(StorageLevel.MEMORY_AND_DISK))
        return self.held[-1]

    def release(self, *kept):
        """Lets Spark forget all but these; returns them."""
        for each in self.held:
            if not any(each is one for one in kept):
                each.unpersist()
        return list(kept)

    def read(self):
        """The numbers of rows, and of those without a text. Error (usage): an id that rows share; no row with a value
        of `within`."""
        ids = self.documents.groupBy("id").agg(F.count("*").alias("rows"), F.count("bad").alias("bad"))
        found = ids.agg(F.sum("rows"), F.sum("bad"),
                        F.min(F.when(F.col("rows") > 1, F.struct("id", "rows")))).first()
        if found[2]:
            raise UsageError(f"{found[2]['rows']} rows have the id {found[2]['id']!r}: each needs one of its own, by "
                             "which results name it")
        read, bad = found[0] or 0, found[1] or 0
        if self.parts:
            self.without_value = self.documents.where(F.col("bad").isNull() & F.col("within").isNull()).count()
            if 0 < read - bad == self.without_value:
                raise UsageError("no row has a value in the column of within=: all of them would meet")
        return read, bad

    def fold(self, documents):
        """Copies {place, first, kind}, and the keys {key, place} of all other documents."""
        if self.parts:
            # Rows of unlike values have no hash of tokens and no key in common.
            part = F.xxhash64("within")
            documents = documents.withColumns({
                "token_high": F.xxhash64("token_high", part), "keys": F.transform("keys", lambda key: F.xxhash64(key, part))})
        folded = self.hold(documents.select(*_batches.HASHES, "place", "keys")
                           .repartition("token_high", "token_low")
                           .sortWithinPartitions("token_high", "token_low", "place")
                           .mapInArrow(_batches.fold, "place long, first long, kind string, keys array<long>"))
        return (folded.where("first is not null").select("place", "first", "kind"),
                folded.where("first is null").select(F.explode("keys").alias("key"), "place"))

    def pairs(self, keys):
        """Pairs {later, earlier}, each once; their number, and the most documents of one key."""
        found = self.hold(keys.repartition("key").sortWithinPartitions("key", "place")
                          .mapInArrow(_batches.pair, "later long, earlier long, members long").distinct())
        count, largest = found.agg(F.count("later"), F.max("members")).first()
        return found.where("members is null").select("later", "earlier"), count, largest

    def judged(self, pairs):
        """The pairs that sketches do not rule out, judged by their texts, which are brought beside them."""
        for side in ("later", "earlier"):
            pairs = pairs.join(self.documents.select(
                F.col("place").alias(side), F.col("text").alias(f"text_{side}"),
                F.col("sketch").alias(f"sketch_{side}")), side)
        judged = pairs.mapInArrow(functools.partial(_batches.judge, self.settings), _JUDGED)
        return judged.where(f"state != {_batches.REFUSED}")

    def frame(self, table):
        """A small table of this process, as rows of Spark."""
        fields = [T.StructField(name, T.LongType()) for name in table.column_names]
        return self.session.createDataFrame(table, T.StructType(fields))

    def decide(self, pairs, count, most):
        """Decides here. Returns a Decider, and the number of pairs that sketches did not rule out."""
        decider = _batches.Decider()
        checked = None
        while True:
            if count > most:
                raise UsageError(f"{count} pairs are more than max_driver_edges={most}: the driver needs about 150 bytes "
                                 "for each. Raise it if the driver has the memory")
            judged = self.judged(pairs).toArrow()
            checked = len(judged) if checked is None else checked
            decider.add(judged)
            asked = decider.sweep()
            if len(asked) == 0:
                return decider, checked
            pairs, count = self.frame(asked), count + len(asked)

    def ids(self, **names):
        """The places and ids of documents, under these names."""
        return self.documents.select(*(F.col(name).alias(alias) for name, alias in names.items()))

    def removed(self, copies, near):
        """All that go, by ids: those near a document that stays, and copies; with the shares."""
        proof = self.frame(near)
        numbers = [F.col(name) for name in _batches.PROOF[2:]]
        of_copies = copies.join(proof.withColumnRenamed("place", "first"), "first", "left").select(
            "place", F.coalesce("survivor", "first").alias("survivor_place"),
            F.when(F.col("survivor").isNull(), F.col("kind")).otherwise("near").alias("kind"), *numbers)
        rows = proof.select("place", F.col("survivor").alias("survivor_place"), F.lit("near").alias("kind"), *numbers)
        rows = rows.unionByName(of_copies).join(self.ids(place="place", id="id"), "place").join(
            self.ids(place="survivor_place", id="survivor"), "survivor_place")
        shared, own, other = numbers
        return self.hold(rows.select("id", "survivor", "kind", _share(shared, own + other - shared).alias("resemblance"),
                                     _share(shared, own).alias("containment"),
                                     _share(shared, other).alias("survivor_containment"),
                                     shared.alias("shared_shingles"), own.alias("shingles"),
                                     other.alias("survivor_shingles")))

    def parts_summary(self):
        return {"without_value": {"records": self.without_value}} if self.parts else {}

    def quarantined(self):
        return self.documents.where("bad is not null").select("id", F.col("bad").alias("reason"))


def _has_text(max_record):
    """Is the row's text one?"""
    return F.octet_length("text") <= max_record


def _share(part, whole):
    """1 of copies, which have no numbers."""
    return F.coalesce(part.cast("double") / whole.cast("double"), F.lit(1.0))


def _components(session, edges):
    """{place, first} of all places in pairs {later, earlier}, found by Spark alone: of a large and of a small star
    in turn (Kiveris et al.: Connected Components in MapReduce and Beyond, 2014) until nothing changes."""
    directory = getattr(getattr(session, "sparkContext", None), "getCheckpointDir", lambda: None)()

    def cut(frame):
        # The plan of a round would hold those of all rounds before it.
        return frame.checkpoint() if directory else frame.localCheckpoint()

    def state(frame):
        return frame.agg(F.count("*"), F.sum(F.xxhash64("later", "earlier").cast("decimal(38,0)"))).first()

    edges = cut(edges.select("later", "earlier").distinct())
    before = None
    while (now := state(edges)) != before:
        before = now
        both = edges.unionByName(edges.select(F.col("earlier").alias("later"), F.col("later").alias("earlier")))
        # Large star: a document's later neighbors go to the first of its neighbors and itself.
        first = both.groupBy("later").agg(F.least(F.min("earlier"), F.first("later")).alias("first"))
        large = cut(both.join(first, "later").where("earlier > later")
                    .select(F.col("earlier").alias("later"), F.col("first").alias("earlier")).distinct())
        # Small star: its earlier neighbors, and itself, go to the first of these.
        first = large.groupBy("later").agg(F.min("earlier").alias("first"))
        small = large.join(first, "later").select(F.col("earlier").alias("later"), F.col("first").alias("earlier"))
        edges = cut(small.unionByName(first.select("later", F.col("first").alias("earlier")))
                    .where("later != earlier").distinct())
    return edges.select(F.col("later").alias("place"), F.col("earlier").alias("first"))


@contextlib.contextmanager
def _run(name, df, text, id, order, options):
    """The steps over the rows of a DataFrame whose workers and ids are checked: (run, rows, rows without a text)."""
    settings, typed = _settings(name, options)
    keep = typed.get("keep", "first")
    keys = _batches.keep_keys_of(keep, settings)
    more = []
    if typed.get("within"):
        more.append(_valued(df, typed["within"], "within").alias("within"))
    if keys.field:
        more.append(_valued(df, keys.field, "keep").alias("keep"))
    rows, sort = _rows(df, text, id, order, *more)
    with _clear():
        _check_workers(df.sparkSession, settings)
        run = None
        try:
            run = _Run(rows, settings, sort, "" if keys.as_read else keep)
            yield (run, *run.read())
        except BaseException:
            if run is not None:
                run.release()
            raise


def _valued(df, name, what):
    """A column of values that rows are told apart or put in order by."""
    kind = _field(df, name, what).dataType
    if not isinstance(kind, (T.StringType, T.NumericType, T.DateType, T.TimestampType)):
        raise UsageError(f"the column '{name}' of {what}= holds {kind.simpleString()}, not strings, numbers or dates")
    return df[name]


def dedup(df, *, text="text", id="id", order=None, max_driver_edges=20_000_000, **options):
    """Finds the rows that are copies of others, and keeps one of each: the answers of `twinset dedup`.

    df      a DataFrame; the columns that are not named here are carried along untouched
    text    the column of texts, of strings or bytes; a row without a text is quarantined
    id      the column by which results name rows: in each row, and in no two the same
    order   names of columns, each perhaps with "desc", as in "date desc": of equal documents the first in
            this order stays, unless keep= is of another. By default that of the ids. Nulls come last; ties
            are broken by id. It is the order of the file that the program would read
    max_driver_edges  the most pairs that the driver holds for its decisions, some 150 bytes each
    options of twinset.dedup(): resemblance (also named threshold), scheme, analyzer, keep, within,
            format="html", max_record. keep and within name columns where those of the program name fields

    The answer is the same for any partitions, tries of tasks and losses of executors.
    Errors (usage): an option that is unknown or not done here; a column that is missing or of another type;
    a null or doubled id; executors without this build of twinset; more pairs than max_driver_edges.
    """
    with _run("dedup", df, text, id, order, options) as (run, read, bad):
        copies, keys = run.fold(run.documents.where("bad is null"))
        pairs, candidates, largest = run.pairs(keys)
        decider, checked = run.decide(pairs, candidates, max_driver_edges)
        removed = run.removed(copies, decider.removed())
        kinds = ("identical", "lexical", "near")
        sizes = removed.groupBy("survivor").agg(F.count("*").alias("size"), *(
            F.count(F.when(F.col("kind") == kind, 1)).alias(kind) for kind in kinds))
        counts = sizes.agg(F.count("*").alias("clusters"), F.max("size").alias("largest"),
                           *(F.sum(kind).alias(kind) for kind in kinds)).first()
        held = run.release(run.documents, removed)
    gone = removed.select(F.col("id").alias("gone")).unionByName(run.quarantined().select(F.col("id").alias("gone")))
    members = removed.select(F.col("survivor").alias("cluster"), "id")
    by_kind = {kind: counts[kind] or 0 for kind in kinds}
    summary = {"read": read, "kept": read - bad - sum(by_kind.values()), "removed": sum(by_kind.values()),
               "quarantined": bad, "removed_by_kind": by_kind,
               "matching": {"clusters": counts["clusters"],
                            "largest_cluster": counts["largest"] + 1 if counts["clusters"] else 0,
                            "candidate_pairs": candidates, "checked_pairs": checked,
                            "verified_pairs": decider.core.verified_pairs, "repair_rounds": decider.core.repair_rounds,
                            "repair_pairs": decider.core.repair_pairs, "largest_key": largest},
               **run.parts_summary(), "scheme": run.settings.scheme}
    return Deduplicated(summary, held, kept=df.join(gone, df[id] == gone["gone"], "left_anti"), removed=removed,
                        clusters=members.unionByName(members.select("cluster", F.col("cluster").alias("id")).distinct()),
                        quarantined=run.quarantined())


def cluster(df, *, text="text", id="id", order=None, max_driver_edges=20_000_000, **options):
    """Finds the clusters of similar rows, and removes none: the answers of `twinset cluster --scheme fss`.

    Documents that share a key are compared, and those that pairs of at least the resemblance (0.5) connect
    are a cluster. Parameters and errors are those of dedup(), except that

    order   says which document of a cluster is the first, whose id names it
    max_driver_edges  up to so many pairs the driver finds what they connect, some 80 bytes each; of more Spark
            does, in rounds, and keeps their results in its checkpoint directory if it has one
    scheme  is fss if it is not named: schemes that count keys, as twinset.cluster() takes by default, do not
            run here
    keep    is not there, as no row goes
    """
    with _run("cluster", df, text, id, order, options) as (run, read, bad):
        # Texts without a word say nothing that could make a group of them.
        copies, keys = run.fold(run.documents.where("bad is null and size(keys) > 0"))
        pairs, candidates, largest = run.pairs(keys)
        judged = run.hold(run.judged(pairs))
        verified, reached = judged.agg(F.count("*"), F.count(F.when(F.col("state") == _batches.REACHED, 1))).first()
        edges = judged.where(f"state = {_batches.REACHED}")
        if reached > max_driver_edges:
            firsts = _components(run.session, edges)
        else:
            firsts = run.frame(_batches.components(edges.select("later", "earlier").toArrow()))
        # A copy is where the document that stands for it is.
        heads = firsts.select(F.col("place").alias("first"), F.col("first").alias("head"))
        of_copies = copies.join(heads, "first", "left").select("place", F.coalesce("head", "first").alias("first"))
        members = firsts.where("place != first").unionByName(of_copies)
        clusters = run.hold(members.unionByName(members.select(F.col("first").alias("place"), "first").distinct())
                            .join(run.ids(place="place", id="id"), "place")
                            .join(run.ids(place="first", id="cluster"), "first").select("cluster", "id"))
        shared, own, other = F.col("shared"), F.col("later_shingles"), F.col("earlier_shingles")
        found = run.hold(edges.join(run.ids(place="later", id="id"), "later")
                         .join(run.ids(place="earlier", id="other"), "earlier")
                         .select("id", "other", _share(shared, own + other - shared).alias("resemblance"),
                                 shared.alias("shared_shingles"), own.alias("shingles"), other.alias("other_shingles")))
        sizes = clusters.groupBy("cluster").count().agg(F.count("*"), F.sum("count"), F.max("count")).first()
        copied = {row["kind"]: row["count"] for row in copies.groupBy("kind").count().collect()}
        found.count()
        held = run.release(run.documents, clusters, found)
    summary = {"read": read, "documents": read - bad, "quarantined": bad,
               **{kind: copied.get(kind, 0) for kind in ("identical", "lexical")},
               "clusters": {"all": {"clusters": sizes[0], "documents": sizes[1] or 0}, "largest": sizes[2] or 0},
               "counting": {"candidate_pairs": candidates, "verified_pairs": verified, "edges": reached,
                            "largest_key": largest},
               **run.parts_summary(), "scheme": run.settings.scheme}
    return Clustered(summary, held, clusters=clusters, pairs=found, quarantined=run.quarantined())


class Detected(_Found):
    """What detect() found.

    pages          {url, chunks, labeled, file_label, contains, bad}: a row for each page that holds a label
    matches        {url, offset, length, kind, hash, text, label_url, label_offset, label_length}: the labels
                   in these pages, and the first place where each is known from
    neighborhoods  {prefix, pages, labeled_pages, chunks, labeled, badness, badness_pages, bad}
    recursion      {url, parts, times}: pages that are left out for their URLs
    quarantined    {url, reason}: rows without a text
    summary        the counts and thresholds, named as those of summary.json
    """

    pages: DataFrame
    matches: DataFrame
    neighborhoods: DataFrame
    recursion: DataFrame
    quarantined: DataFrame


def _max_record(typed):
    """The most bytes of a record, as a number."""
    return _twinset.dedup_settings({name: typed[name] for name in ("max_record",) if name in typed})["max_record"]


def _pages_settings(df, typed, files):
    """The settings of a run over pages, whose workers are checked and have these files."""
    max_record = _max_record(typed)
    _check_workers(df.sparkSession, _batches.settings_of("fss", "words", False, "0.8", max_record))
    shipped = tuple((name, _page_frames.ship(df.sparkSession, typed.pop(name))) for name in files if typed.get(name))
    return _pages.Settings(tuple(typed.items()), shipped, max_record)


def detect(df, labels, *, text="text", url="url", **options):
    """Finds the pages that hold known chunks, and where copying is common: the answers of `twinset detect`.

    df      a DataFrame, a row for each page
    labels  the path of a file of labels, which discover() makes; Spark brings it to its workers
    text    the column of pages, of strings or bytes; a row without one is quarantined
    url     the column of their URLs, strings, none of them null
    options of twinset.detect(): stop, threshold, page_threshold, badness, repeats, format="html", max_record

    The answer is the same for any partitions, tries of tasks and losses of executors.
    Errors (usage): an option that is unknown or not done here; a column that is missing or of another type;
    a null URL; executors without this build of twinset. FileError: no such labels, or damaged ones.
    """
    typed = _heeded("detect", {**options, "labels": labels})
    rows = df.select(_texts(df, url, "url", T.StringType), _texts(df, text, "text"))
    about, _ = _pages.detect_in(_page_frames.one_page(), typed)
    rules = {name: typed.get(name) or VERBS["detect"].find(name).default
             for name in ("threshold", "page_threshold", "badness")}
    with _clear():
        summary, frames, held = _page_frames.detect(rows, _pages_settings(df, typed, ("labels", "stop")), rules)
    summary.update((name, about[name]) for name in ("labels", "rules", "labels_hash", "stop_hash"))
    return Detected(summary, held, **frames)


class Discovered(_Found):
    """What discover() found.

    labels       {kind, hash, count, documents, sites, samples, text}: a row for each label of the file
    recursion    {url}: pages that are left out for their URLs
    quarantined  {url, reason}: rows without a text
    summary      the counts, named as the verb's are
    """

    labels: DataFrame
    recursion: DataFrame
    quarantined: DataFrame


def discover(df, output, *, text="text", url="url", order=None, **options):
    """Makes a file of labels, of the chunks and pages seen again and again: the answers of `twinset discover`.

    df      a DataFrame, a row for each page
    output  the path of the file of labels to make, on the driver, as detect() takes it
    text    the column of pages, of strings or bytes; a row without one is quarantined
    url     the column of their URLs, strings, none of them null
    order   names of columns, as dedup() takes them: the first places of a label, and the words that it is
            shown with, are those of the first rows. By default that of the URLs, which also breaks ties
    options of twinset.discover(): over_files, over_chunks, stop, stop_in_site, stop_over_sites, chunks, at,
            content, chunk_attributes, hash, hash_seed, min_chars, repeats, format="html", max_record

    Labels of known content are those of its DataFrame with over_files=0, over_chunks=0. The file is the
    same for any partitions, tries of tasks and losses of executors.
    Errors (usage): as detect(), and an output that exists.
    """
    typed = _heeded("discover", {**options, "output": output})
    output = typed.pop("output")
    if os.path.lexists(output):
        raise UsageError(f"{output} exists; name a new file")
    columns, sort = _ordered(df, order)
    rows = df.select(_texts(df, url, "url", T.StringType), _texts(df, text, "text"), *columns)
    cut = _twinset.cut_rules(_page_frames.one_page(), typed)
    with _clear():
        summary, frames, held = _page_frames.discover(rows, sort, _pages_settings(df, typed, ("stop",)), cut, output)
    return Discovered(summary, held, **frames)


class Passages(_Found):
    """What spans() found.

    spans        {id, begin, end, earlier_id, earlier_begin, earlier_end, tokens, place}: a row for each passage
                 that stands before, too, with the bytes [begin, end) of both texts in UTF-8; `place` says
                 whether the earlier one is the "first", the "nearest" one before, or "both"
    texts        {id, tokens, reused_tokens}: the texts that have such passages
    quarantined  {id, reason}: rows without a text
    summary      the counts, named as those of summary.json
    """

    spans: DataFrame
    texts: DataFrame
    quarantined: DataFrame


def spans(df, *, text="text", id="id", order=None, **options):
    """Finds the passages that texts share, word for word: the answers of `twinset spans`.

    df      a DataFrame
    text    the column of texts, strings; a row without one is quarantined
    id      the column by which results name rows: in each row, and in no two the same
    order   names of columns, as dedup() takes them: which place of a passage is the earlier one
    options of twinset.spans(): min_tokens (50), across, within, analyzer, format="html", max_record

    The answer is the same for any partitions, tries of tasks and losses of executors.
    Errors (usage): an option that is unknown or not done here; a column that is missing or of another type;
    a null or doubled id; executors without this build of twinset; more than 4,294,967,295 rows.
    """
    typed = _heeded("spans", options)
    _check_format(typed)
    within = typed.get("within")
    rows, sort = _rows(df, text, id, order, *([_valued(df, within, "within").alias("within")] if within else []))
    _texts(df, text, "text", T.StringType)
    settings = _passages.Settings(tuple(typed.items()), typed.get("across") == "true", _max_record(typed))
    run_tokens = _passages.worker(settings).run_tokens
    with _clear():
        _check_workers(df.sparkSession, _batches.settings_of("fss", "words", False, "0.8", settings.max_record))
        summary, frames, held = _passage_frames.spans(rows, sort, settings)
    return Passages({**summary, "least_tokens": run_tokens}, held, **frames)


def evaluate(df, *, text="text", id="id", order=None, max_driver_bytes=1 << 34, **options):
    """Measures recall and precision on a sample of the rows, with planted edits: the answer of `twinset evaluate`.

    df      a DataFrame
    text    the column of texts, of strings or bytes; rows without a text are left out, with a warning
    id      the column by which the answer names rows: in each row, and in no two the same
    order   names of columns, as dedup() takes them. It chooses the sample, as the order of a file does
    options of twinset.evaluate(): resemblance (also named threshold), containment, scheme, analyzer, verify,
            schemes, sample, sample_seed, truth, labels (a column of strings or whole numbers), labels_file (of
            the driver), utility, cost, templates, url (a column of strings), copies_out, format="html",
            max_record, and others that concern the run that is judged
    max_driver_bytes  the most bytes of texts that templates="drop" may bring to the driver

    Returns what twinset.evaluate() returns. Spark finds the sample, which comes to the driver: at most 24 MB
    of texts, and with labels up to 64 MB of labeled ones. The rest is done there. Templates are of whole sites:
    with templates="drop" all texts come to a file of the driver, under tmp=, and all is done there.
    The answer is the same for any partitions, tries of tasks and losses of executors.
    Errors (usage): an option that is unknown or not done here; a column that is missing or of another type;
    a null or doubled id; executors without this build of twinset.
    """
    typed = _heeded("evaluate", _with_threshold("evaluate", options))
    _check_format(typed)
    settings = _samples.Settings(_twinset.sample_rule(typed), _max_record(typed))
    label = F.lit(None).cast("string")
    if labels := typed.get("labels"):
        kind = _field(df, labels, "labels").dataType
        if not isinstance(kind, (T.StringType, T.IntegralType)):
            raise UsageError(f"the column '{labels}' of labels= holds {kind.simpleString()}, not strings or whole numbers")
        label = df[labels].cast("string")
        typed["labels"] = "label"
    url = F.lit(None).cast("string")
    if typed.get("url"):
        url, typed["url"] = _texts(df, typed["url"], "url", T.StringType), "url"
    whole = typed.get("templates") == "drop" or typed.get("templates") == "auto" and typed.get("format") == "html"
    if not whole:
        # Nothing is dropped, and no site is asked for.
        typed = {name: value for name, value in typed.items() if name not in ("templates", "url")}
    rows, sort = _rows(df, text, id, order, label.alias("label"), url.alias("url"))
    with _clear():
        _check_workers(df.sparkSession, _batches.settings_of("fss", "words", False, "0.8", settings.max_record))
        if whole:
            answer, without_text = _sample_frames.evaluate_whole(rows, sort, typed, settings.max_record, max_driver_bytes)
        else:
            if labels_file := typed.get("labels_file"):
                rows = _sample_frames.with_labels_of(rows, labels_file, typed.get("ignore_unknown_labels") == "true")
            answer, without_text = _sample_frames.evaluate(rows, sort, settings, typed)
    if without_text:
        warnings.warn(f"{without_text} rows have no text, or one longer than max_record, and are left out", RunWarning,
                      stacklevel=2)
    result = CLASSES["evaluate"](answer, None, typed)
    warn(result, stacklevel=3)
    return result
