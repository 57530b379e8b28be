"""Configurations of text-dedup (config.toml, as of its release of 2026) as options of twinset.

    from twinset.compat.text_dedup import from_text_dedup

    read = from_text_dedup("config.toml")
    read.without_counterpart           # ["algorithm.num_perm", ...]: what twinset has no option for
    twinset.dedup(**read.options)

At a shell, `python -m twinset dedup --text-dedup-config config.toml` does the same; options that
follow go first.
"""

import pathlib
import sys
from typing import NamedTuple

from .._declared import VERBS
from .._errors import FileError, UsageError

__all__ = ["Read", "from_text_dedup"]

# The loaders of Hugging Face that `path` may name in place of a folder.
_LOADERS = ("arrow", "csv", "json", "parquet", "text")


class Read(NamedTuple):
    options: dict              # keywords of twinset.dedup()
    without_counterpart: list  # "algorithm.num_perm", ...: given in the file, and not read


def _toml(path):
    try:
        import tomllib
    except ImportError:  # Python 3.10
        try:
            import tomli as tomllib
        except ImportError:
            raise UsageError("to read TOML, Python 3.10 needs a package: pip install tomli") from None
    try:
        return tomllib.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}", code="io", file=str(path)) from error
    except ValueError as error:
        raise UsageError(f"{path}: not TOML: {error}", file=str(path)) from error


class _Section:
    """A table of the file whose keys are taken one by one; the others have no counterpart."""

    def __init__(self, path, table, name):
        self.path = path
        self.name = name
        self.values = dict(table.get(name.rpartition(".")[2], {}))

    def take(self, key, kind, standard=None):
        value = self.values.pop(key, standard)
        if value is not None and (not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)):
            raise UsageError(f"{self.path}: {self.name}.{key} is {value!r}, which text-dedup does not take",
                             file=str(self.path))
        return value

    def need(self, key, kind):
        value = self.take(key, kind)
        if value is None:
            raise UsageError(f"{self.path}: {self.name}.{key} is missing", file=str(self.path))
        return value

    def left(self):
        return [f"{self.name}.{key}" for key in self.values]


def _inputs(path, source, reading):
    kind = source.take("input_type", str, "local_files")
    if kind != "local_files":
        raise UsageError(f"{path}: input_type {kind!r} is a dataset on disk: pass "
                         "datasets.load_from_disk(...) as inputs=", file=str(path))
    source.take("file_type", str)
    place = reading.need("path", str)
    files = reading.take("data_files", (str, list))
    if place not in _LOADERS and files is None:
        files = place
    elif place not in _LOADERS:
        files = [str(pathlib.PurePath(place, each)) for each in ([files] if isinstance(files, str) else files)]
    if files is None:
        raise UsageError(f"{path}: input.read_arguments.data_files is missing", file=str(path))
    if reading.values.get("split") == "train":
        reading.take("split", str)
    return [pathlib.Path(each) for each in ([files] if isinstance(files, str) else files)]


def from_text_dedup(path):
    """The options of twinset.dedup() for a configuration of text-dedup, and what has no counterpart.

    minhash       threshold is the resemblance, ngram_size the shingle, min_length min_tokens; all
                  removals are proven by the texts, as check_false_positive asks for
    simhash       bit_diff is the distance, ngram_size the shingle, hash_bits or f the bits
    bloom_filter  resemblance 1: only texts of equal words go, and never one by a false positive
    suffix_array  raises UsageError: twinset.spans(..., cut=True) removes passages
    """
    table = _toml(path)
    source, reading = _Section(path, table, "input"), _Section(path, table.get("input", {}), "input.read_arguments")
    source.values.pop("read_arguments", None)
    algorithm, target, debug = (_Section(path, table, name) for name in ("algorithm", "output", "debug"))
    name = algorithm.need("algorithm_name", str)
    options = {"inputs": _inputs(path, source, reading), "output": target.need("output_dir", str),
               "text": algorithm.need("text_column", str)}
    if target.take("skip_filtering", bool, False):
        raise UsageError(f"{path}: skip_filtering keeps all texts: twinset.cluster() tells the groups",
                         file=str(path))
    for theirs, ours in (("index_column", "id"), ("num_proc", "threads")):
        value = algorithm.take(theirs, str if ours == "id" else int)
        if value is not None:
            options[ours] = value
    seed = algorithm.take("seed", int)
    if name in ("minhash", "simhash"):
        options["min_tokens"] = algorithm.take("min_length", int, 5)
    if name == "minhash":
        options["resemblance"] = algorithm.need("threshold", (int, float))
        options["scheme"] = f"fss(shingle={algorithm.take('ngram_size', int, 1)})"
        algorithm.take("check_false_positive", bool)
        if seed is not None:
            options["seed"] = seed
    elif name == "simhash":
        options["distance"] = str(algorithm.take("bit_diff", int, 3))
        bits = algorithm.take("hash_bits", int) or algorithm.take("f", int, 64)
        options["scheme"] = f"simhash(shingle={algorithm.take('ngram_size', int, 3)},bits={bits})"
    elif name == "bloom_filter":
        options["resemblance"] = 1
    elif name == "suffix_array":
        raise UsageError(f"{path}: suffix_array removes passages: twinset.spans(..., cut=True) does, whose "
                         "min_tokens= is in words, not bytes", file=str(path))
    else:
        raise UsageError(f"{path}: algorithm_name {name!r} is not one of text-dedup's", file=str(path))
    target.take("save_clusters", bool)  # clusters.jsonl.zst is always written
    left = [key for section in (source, reading, algorithm, target, debug) for key in section.left()]
    return Read(options, left)


def arguments_of(argv):
    """The arguments of the program in place of those with --text-dedup-config."""
    config, rest = None, []
    words = iter(argv)
    for word in words:
        if word == "--text-dedup-config":
            config = next(words, None)
            if config is None:
                raise UsageError("--text-dedup-config needs a file")
        elif word.startswith("--text-dedup-config="):
            config = word.partition("=")[2]
        else:
            rest.append(word)
    if config is None:
        return argv
    if rest[:1] != ["dedup"]:
        raise UsageError("--text-dedup-config is an option of dedup")
    read = from_text_dedup(config)
    if read.without_counterpart:
        print(f"twinset: {config}: no counterpart of {', '.join(read.without_counterpart)}", file=sys.stderr)
    given = {word.partition("=")[0] for word in rest if word.startswith("--")}
    typed = []
    for option in VERBS["dedup"].options:
        value = read.options.get(option.name)
        flag = "--" + option.name.replace("_", "-")
        short = option.usage.partition(",")[0]
        if value is None or flag in given or short in rest:
            continue
        if option.operand:
            typed += map(str, value)
        else:
            typed += [flag, str(value)]
    return ["dedup", *typed, *rest[1:]]
