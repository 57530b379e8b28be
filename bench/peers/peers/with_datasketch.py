"""datasketch: MinHashLSH, which its README shows: a text is queried, and inserted if nothing is found.

`readme` is 128 values and bands chosen by the threshold; `recall` is 256 values and bands chosen with
weights (0.1, 0.9), its documented way to miss less; what is found is then checked by the estimate.
"""
# requires: datasketch==2.0.0 numpy==2.4.6

import datasketch
import peer


def loop(values, weights, checks):
    def kept(path, threshold, _):
        index = datasketch.MinHashLSH(threshold=threshold, num_perm=values, weights=weights)
        stored = {}
        for name, text in peer.texts(path):
            sketch = datasketch.MinHash(num_perm=values)
            sketch.update_batch([shingle.encode() for shingle in peer.shingles(text)])
            found = index.query(sketch)
            if checks:
                found = [other for other in found if stored[other].jaccard(sketch) >= threshold]
            if not found:
                index.insert(name, sketch)
                stored[name] = sketch
                yield name
    return kept


SETTINGS = {"readme": loop(128, (0.5, 0.5), False), "recall": loop(256, (0.1, 0.9), True)}

if __name__ == "__main__":
    peer.main(SETTINGS)
