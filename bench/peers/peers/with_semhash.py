"""semhash, for orientation: it compares meanings, not words, at its own default threshold, the same for all.
The vectors are those of WordLlama, whose model is in its package; semhash's default comes from a hub. As with
that one, they are of the first 512 tokens of a text.
"""
# requires: semhash==0.5.0 wordllama==0.4.0.post1 numpy==2.4.6

import pathlib

import peer
import semhash
import wordllama


class Encoder:
    def __init__(self):
        package = pathlib.Path(wordllama.__file__).parent
        self.model = wordllama.WordLlama.load(cache_dir=package, disable_download=True)
        self.model.tokenizer.enable_truncation(512)

    def encode(self, inputs, **_):
        return self.model.embed(list(inputs))


def deduplicated(path, _, __):
    records = [{"id": name, "text": text} for name, text in peer.texts(path)]
    index = semhash.SemHash.from_records(records, columns=["text"], model=Encoder())
    return [record["id"] for record in index.self_deduplicate().selected]


SETTINGS = {"0.9": deduplicated}
FIXED = {"0.9"}

if __name__ == "__main__":
    peer.main(SETTINGS)
