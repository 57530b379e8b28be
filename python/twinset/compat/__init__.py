"""Where others' pipelines are, with their names: datasketch, datatrove, text-dedup.

    from twinset.compat.datasketch import MinHash, MinHashLSH
    from twinset.compat.datatrove import TwinsetDedup
    from twinset.compat.text_dedup import from_text_dedup

Each module says what it has no counterpart of, and raises an error that names it.
"""
