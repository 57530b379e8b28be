"""simhash (Python): 64 bits over its own features, runs of four characters, and its SimhashIndex at
distance 3. It knows no threshold of resemblance: the same for all.
"""
# requires: simhash==2.1.2 numpy<2

import peer
import simhash


def loop(path, _, __):
    index = simhash.SimhashIndex([], k=3)
    for name, text in peer.texts(path):
        value = simhash.Simhash(text)
        if not index.get_near_dups(value):
            index.add(name, value)
            yield name


SETTINGS = {"k=3": loop}
FIXED = {"k=3"}

if __name__ == "__main__":
    peer.main(SETTINGS)
