"""Makes texts.jsonl of tests/golden/dedup: texts for which every door has to find the same copies.

    python3 tests/golden/make_dedup.py > tests/golden/dedup/texts.jsonl
    TWINSET_UPDATE_GOLDEN=1 build/release/tests/dedup_test --gtest_filter='*Golden*'    # then what goes, too
"""

import json
import random
import unicodedata

WORDS = ("the river ran slow under a bridge of gray stone while clerks in the town counted barrels salt wool and "
         "candles for winter markets nobody had asked about prices letters ships or weather since early spring").split()
OTHERS = ["Der Fluß trägt Kähne über grüne Ufer hinweg, und an jedem Morgen zählt ein müder Schreiber Fässer für Händler aus Köln",
          "Η γέφυρα του ποταμού είναι παλιά και κανείς δεν θυμάται ποιος την έχτισε ούτε πόσο κόστισε τότε στην πόλη μας",
          "春の市場では羊毛と塩と蝋燭が売られ商人たちは橋の上で値段を数えながら冬の天気について長い手紙を書いていた"]


def main():
    chance = random.Random(1997)
    texts = []
    for _ in range(8):
        original = [chance.choice(WORDS) for _ in range(chance.randrange(60, 110))]
        texts += [" ".join(original)] * chance.randrange(1, 3)
        texts.append(" ".join(original).capitalize() + "!")
        version = list(original)
        # Each version differs from the one before: the last is far from the first.
        for _ in range(chance.randrange(2, 5)):
            version[chance.randrange(len(version))] = f"word{chance.randrange(1000)}"
            texts.append(" ".join(version))
    for text in OTHERS:
        texts += [unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text), text.upper(), text + " " + text[:9]]
    texts += ["", "", "?", "?!", "two words", "Two, words", "two other words"]
    chance.shuffle(texts)
    for i, text in enumerate(texts):
        print(json.dumps({"id": f"g{i:03}", "text": text}, ensure_ascii=False))


if __name__ == "__main__":
    main()
