"""daft: its guide's way: normalize, minhash of 5-word shingles, bands, and components of all that share one.
Bands find 97 % of pairs at the threshold. Its reader, its threads; the unions are ours.
"""
# requires: daft==0.7.26

import daft
import peer
from daft.functions import minhash, normalize


def components(path, threshold, _):
    count, rows = peer.bands(256, threshold)
    frame = daft.read_json(str(path)).select("id", "text")
    text = normalize(daft.col("text"), remove_punct=True, lowercase=True, nfd_unicode=True,
                     white_space=True)
    frame = frame.with_column(
        "sketch", minhash(text, num_hashes=count * rows, ngram_size=5, hash_function="xxhash"))
    columns = frame.select("id", "sketch").to_pydict()
    unions = peer.Unions(len(columns["id"]))
    first = {}
    for place, sketch in enumerate(columns["sketch"]):
        for band in range(count):
            key = (band, tuple(sketch[band * rows:(band + 1) * rows]))
            unions.join(first.setdefault(key, place), place)
    return [name for place, name in enumerate(columns["id"]) if unions.find(place) == place]


SETTINGS = {"256": components}

if __name__ == "__main__":
    peer.main(SETTINGS)
