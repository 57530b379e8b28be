"""daft: its guide's way: normalize, minhash of 5-word shingles, bands, and components of all that share one.
Bands find 97 % of pairs at the threshold. Its reader, its threads; the unions are ours.
"""
# requires: daft==0.7.26 numpy==2.4.6 pyarrow==25.0.1

import daft
import numpy
import peer
from daft.functions import minhash, normalize


def components(path, threshold, _):
    count, rows = peer.bands(256, threshold)
    frame = daft.read_json(str(path)).select("id", "text")
    text = normalize(daft.col("text"), remove_punct=True, lowercase=True, nfd_unicode=True,
                     white_space=True)
    frame = frame.with_column(
        "sketch", minhash(text, num_hashes=count * rows, ngram_size=5, hash_function="xxhash"))
    table = frame.select("id", "sketch").to_arrow()
    names = table["id"].to_pylist()
    sketches = numpy.concatenate([chunk.flatten() for chunk in table["sketch"].chunks])
    sketches = sketches.reshape(len(names), count, rows)
    unions = peer.Unions(len(names))
    for band in range(count):
        first = {}
        for place, values in enumerate(sketches[:, band]):
            unions.join(first.setdefault(values.tobytes(), place), place)
    return [name for place, name in enumerate(names) if unions.find(place) == place]


SETTINGS = {"256": components}

if __name__ == "__main__":
    peer.main(SETTINGS)
