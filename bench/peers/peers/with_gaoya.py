"""gaoya: MinHashStringIndex with its own words in lower case, 5-grams, 32-bit hashes and "smallvec", which
its docstring advises where few documents are similar; bands that find 97 % of pairs at the threshold.
"""
# requires: gaoya==0.2.2

import gaoya.minhash
import peer


def loop(path, threshold, _):
    count, rows = peer.bands(256, threshold)
    index = gaoya.minhash.MinHashStringIndex(
        hash_size=32, jaccard_threshold=threshold, num_bands=count, band_size=rows, analyzer="word",
        lowercase=True, ngram_range=(5, 5), id_container="smallvec")
    for place, (name, text) in enumerate(peer.texts(path)):
        if not index.query(text):
            index.insert_document(place, text)
            yield name


SETTINGS = {"256": loop}

if __name__ == "__main__":
    peer.main(SETTINGS)
