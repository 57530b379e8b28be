"""Configurations of text-dedup (config.toml, as of its release of 2026) as options of twinset.

    from twinset.compat.text_dedup import from_text_dedup

    read = from_text_dedup("config.toml")
    read.without_counterpart           # ["algorithm.num_perm", ...]: what twinset has no option for
    twinset.dedup(**read.options)

At a shell, `twinset dedup --text-dedup-config config.toml` does the same.
"""

import os
import pathlib
from typing import NamedTuple

from .. import _twinset
from .._declared import VERBS
from .._errors import Error, set_place

__all__ = ["Read", "from_text_dedup"]


class Read(NamedTuple):
    options: dict              # keywords of twinset.dedup()
    without_counterpart: list  # "algorithm.num_perm", ...: given in the file, and not read


def from_text_dedup(path):
    """The options of twinset.dedup() for a configuration of text-dedup, and what has no counterpart.

    minhash       threshold is the resemblance, ngram_size the shingle, min_length min_tokens; all
                  removals are proven by the texts, as check_false_positive asks for
    simhash       bit_diff is the distance, ngram_size the shingle, hash_bits or f the bits
    bloom_filter  resemblance 1: only texts of equal words go, and never one by a false positive
    suffix_array  raises UsageError: twinset.spans(..., cut=True) removes passages
    """
    try:
        typed, without_counterpart = _twinset.text_dedup_config(os.fspath(path))
    except Error as error:
        set_place(error, [os.fspath(path)])
        raise
    declared = {option.name: option for option in VERBS["dedup"].options}
    options = {}
    for name, value in typed:
        option = declared[name]
        if option.kind == "texts":
            options.setdefault(option.keyword, []).append(pathlib.Path(value))
        else:
            options[option.keyword] = option._replace(default=value).value()
    return Read(options, without_counterpart)
