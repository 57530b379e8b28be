"""rensa: its README's RMinHashDeduplicator, fed in one batch; and 256 values in bands that find 97 % of
pairs at the threshold. The shingles are made here, as in its README.
"""
# requires: rensa==0.5.0

import peer
import rensa


def batch(values, plan):
    def kept(path, threshold, _):
        count, rows = plan(values, threshold) if plan else (None, None)
        index = rensa.RMinHashDeduplicator(threshold, count * rows if plan else values, True, count)
        records = ((name, list(peer.shingles(text))) for name, text in peer.texts(path))
        names, block = [], []
        for record in records:
            names.append(record[0])
            block.append(record)
            if len(block) == 1000:
                yield from added(index, block)
                block = []
        yield from added(index, block)
    return kept


def added(index, block):
    flags = index.add_pairs(block) if block else []
    return [name for (name, _), new in zip(block, flags) if new]


SETTINGS = {"256": batch(256, peer.bands), "readme": batch(128, None)}

if __name__ == "__main__":
    peer.main(SETTINGS)
