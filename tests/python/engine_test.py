"""The steps that engines such as Spark run, over partitions made here: the answers of dedup()."""

import json
import pathlib
import random
import unittest
import warnings

import support
import twinset

if support.has("pyarrow", "numpy"):
    import numpy
    import pyarrow
    import pyarrow.compute
    from twinset import _batches, _passages, _samples

BATCH = 97  # rows: no group of equal keys ends where a batch does


def crawl(count, seed=1):
    """Texts of pages: many are copies or versions of others, some drift far from the first of them."""
    chance = random.Random(seed)
    vocabulary = [f"word{i}" for i in range(3000)]
    texts = []
    for i in range(count):
        way = chance.random()
        if not texts or way < 0.45:
            texts.append(" ".join(chance.choices(vocabulary, k=chance.randrange(30, 200))))
        elif way < 0.55:
            texts.append(chance.choice(texts))
        elif way < 0.65:
            texts.append(chance.choice(texts).upper())
        else:
            words = texts[-1 - chance.randrange(min(len(texts), 20))].split()
            for _ in range(chance.randrange(1, 5)):
                words[chance.randrange(len(words))] = chance.choice(vocabulary)
            texts.append(" ".join(words))
    return texts + ["", "", "...", "!?", "one", "One.", "two words"]


def template(count):
    """Texts that differ from one in a word."""
    chance = random.Random(4)
    frame = [f"frame{i}" for i in range(150)]
    return [" ".join(frame[:70] + [f"name{chance.randrange(10**6)}"] + frame[70:]) for _ in range(count)]


def shuffled(table, keys, order, partitions):
    """What a shuffle gives: for each partition its rows in order, as batches."""
    number = numpy.zeros(len(table), numpy.uint64)
    for key in keys:
        number = number * numpy.uint64(31) + table[key].to_numpy().astype(numpy.uint64)
    for i in range(partitions):
        part = table.filter(pyarrow.array(number % partitions == i))
        yield part.sort_by([(name, "ascending") for name in order]).combine_chunks().to_batches(BATCH)


def in_partitions(table, partitions):
    """Some of which are empty."""
    size = -(-len(table) // partitions)
    parts = [table.slice(i * size, size).to_batches(BATCH) for i in range(partitions)]
    return [*parts, [pyarrow.RecordBatch.from_pylist([], table.schema)]]


def run(step, parts):
    return pyarrow.Table.from_batches([batch for part in parts for batch in step(part)])


def by_partitions(texts, ids, partitions, **options):
    """dedup() as an engine runs it: (removed rows, counts)."""
    # What becomes of a row depends on its own partition alone, so that any number gives the same.
    given = dict(scheme="fss", analyzer="words", html=False, resemblance="0.8", max_record=1 << 26)
    settings = _batches.settings_of(**{**given, **options})
    table = pyarrow.table({"id": ids, "text": texts})
    signed = run(lambda part: _batches.sign(settings, part), in_partitions(table, partitions))
    signed = signed.append_column("place", pyarrow.array(range(len(signed)), pyarrow.int64()))
    good = signed.filter(pyarrow.compute.is_null(signed["bad"]))
    folded = run(_batches.fold, shuffled(good, ["token_low"], ["token_high", "token_low", "place"], partitions))
    alone = folded.filter(pyarrow.compute.is_null(folded["first"]))
    copies = folded.filter(pyarrow.compute.is_valid(folded["first"]))
    keys = pyarrow.table({"key": pyarrow.compute.list_flatten(alone["keys"]),
                          "place": alone["place"].take(pyarrow.compute.list_parent_indices(alone["keys"]))})
    pairs = run(_batches.pair, shuffled(keys, ["key"], ["key", "place"], partitions))
    largest = pyarrow.compute.max(pairs["members"]).as_py()
    pairs = pairs.filter(pyarrow.compute.is_valid(pairs["later"])).group_by(["later", "earlier"]).aggregate([])

    def judged(asked):
        columns = {name: asked[name] for name in ("later", "earlier")}
        for name in ("later", "earlier"):
            for kind in ("text", "sketch"):
                columns[f"{kind}_{name}"] = signed[kind].take(asked[name])
        return run(lambda part: _batches.judge(settings, part), in_partitions(pyarrow.table(columns), partitions))

    decider = _batches.Decider()
    found = judged(pairs)
    decider.add(found)
    checked = pyarrow.compute.sum(pyarrow.compute.not_equal(found["state"], _batches.REFUSED)).as_py() or 0
    while len(asked := decider.sweep()):
        decider.add(judged(asked))
    near = {row["place"]: row for row in decider.removed().to_pylist()}
    removed = [("near", row) for row in near.values()]
    for copy in copies.to_pylist():
        other = near.get(copy["first"])
        removed.append(("near", dict(other, place=copy["place"])) if other else
                       (copy["kind"], {"place": copy["place"], "survivor": copy["first"], "shared": None, "shingles": None,
                                       "survivor_shingles": None}))
    rows = sorted(((ids[row["place"]], ids[row["survivor"]], kind, row["shared"], row["shingles"], row["survivor_shingles"])
                  for kind, row in removed), key=repr)
    core = decider.core
    return rows, (len(pairs), checked, core.verified_pairs, core.repair_rounds, core.repair_pairs), largest


def alone(texts, ids, **options):
    """The same by dedup() itself."""
    result = twinset.dedup(pyarrow.table({"id": ids, "text": texts}), **options)
    rows = pyarrow.table(result.removed)
    names = ("id", "survivor_id", "kind", "shared_shingles", "shingles", "survivor_shingles")
    rows = sorted(zip(*(rows[name].to_pylist() for name in names)), key=repr)
    found = result.matching
    return rows, tuple(found[name] for name in ("candidate_pairs", "checked_pairs", "verified_pairs", "repair_rounds",
                                                "repair_pairs"))


@unittest.skipUnless(support.has("pyarrow", "numpy"), "without pyarrow or numpy")
def golden():
    """(texts, ids, rows of what goes) of the files that the tests of C++ and Spark have, too."""
    folder = pathlib.Path(__file__).resolve().parent.parent / "golden/dedup"
    texts, removed = ([json.loads(line) for line in (folder / name).open(encoding="utf-8")]
                      for name in ("texts.jsonl", "removed.jsonl"))
    names = ("id", "survivor_id", "kind", "shared_shingles", "shingles", "survivor_shingles")
    return ([each["text"] for each in texts], [each["id"] for each in texts],
            sorted((tuple(map(each.get, names)) for each in removed), key=repr))


def only(kind, found):
    """The rows of one kind in the answer of a step."""
    return pyarrow.Table.from_batches([pyarrow.RecordBatch.from_struct_array(chunk)
                                       for chunk in found[kind].drop_null().chunks])


def gathered(table, columns):
    """Rows {number, `columns`} to one for each number, with these as lists of structs."""
    numbers, begins = numpy.unique(table["number"].to_numpy(), return_index=True)
    values = pyarrow.StructArray.from_arrays([table[name].combine_chunks() for name in columns], columns)
    offsets = pyarrow.array(numpy.append(begins, len(table)), pyarrow.int32())
    return numbers, pyarrow.ListArray.from_arrays(offsets, values)


def passages_by_partitions(texts, langs, partitions, **options):
    """spans() as an engine runs it: its spans, by numbers of texts."""
    settings = _passages.Settings(tuple(options.items()), False, 1 << 26)
    numbers = range(len(texts))
    rows = pyarrow.table({"id": numbers, "number": pyarrow.array(numbers, pyarrow.int64()), "text": texts,
                          "part": pyarrow.array([hash(str(lang)) for lang in langs], pyarrow.int64())})
    anchors = only("anchor", run(lambda part: _passages.sample(settings, part), in_partitions(rows, partitions)))
    repeated = [list(_passages.repeated(part)) for part in shuffled(anchors, ["key"], ["key"], partitions)]
    chosen = pyarrow.Table.from_batches([batch for part in repeated for batch in part])
    which, lists = gathered(chosen.sort_by([("number", "ascending"), ("first_run", "ascending")]), ["first_run", "runs"])
    given = rows.select(["number", "text", "part"]).take(pyarrow.array(which)).append_column("anchors", lists)
    found = run(lambda part: _passages.runs(settings, part), in_partitions(given, partitions)[:-1])
    found = run(lambda part: _passages.place(settings, part),
                list(shuffled(found, ["key"], ["key", "check", "number", "begin"], partitions)))
    places = only("place", found).sort_by([("number", "ascending"), ("begin", "ascending")])
    later, lists = gathered(places, ["begin", "first", "first_begin", "nearest", "nearest_begin"])
    named = pyarrow.concat_tables([places.select(["number", other]).rename_columns(["number", "other"])
                                   for other in ("first", "nearest")]).group_by(["number", "other"]).aggregate([])
    named = named.filter(pyarrow.compute.not_equal(named["number"], named["other"]))
    beside = pyarrow.concat_tables([
        pyarrow.table({"number": later, "other": pyarrow.nulls(len(later), pyarrow.int64()), "places": lists,
                       "text": rows["text"].take(pyarrow.array(later))}),
        named.append_column("text", rows["text"].take(named["other"]))], promote_options="default")
    beside = beside.append_column("last", pyarrow.compute.fill_null(beside["other"], -1))
    followed = run(lambda part: _passages.follow(settings, part),
                   list(shuffled(beside, ["number"], ["number", "last"], partitions)))
    spans = only("span", followed)
    return sorted(zip(*(spans[name].to_pylist() for name in ("number", "begin", "end", "earlier", "earlier_begin", "earlier_end",
                                                             "tokens", "place"))))


def untimed(value):
    """Without what differs from run to run."""
    if isinstance(value, dict):
        return {name: untimed(each) for name, each in value.items() if name != "measured"}
    return [untimed(each) for each in value] if isinstance(value, list) else value


class Engine(unittest.TestCase):
    def test_the_golden_answer(self):
        texts, ids, expected = golden()
        self.assertEqual(alone(texts, ids)[0], expected)
        self.assertEqual(by_partitions(texts, ids, 3)[0], expected)

    def test_any_partitions_give_the_answers_of_dedup(self):
        texts = crawl(1500)
        ids = [f"d{i}" for i in range(len(texts))]
        expected = alone(texts, ids)
        self.assertGreater(expected[1][4], 0)  # repair pairs
        for partitions in (1, 2, 7):
            with self.subTest(partitions=partitions):
                self.assertEqual(by_partitions(texts, ids, partitions)[:2], expected)

    def test_schemes_thresholds_and_pages(self):
        texts = crawl(700, seed=2)
        pages = [f"<html><body><p class='{i}'>{text}</p></body></html>" for i, text in enumerate(texts)]
        ids = list(range(len(texts)))
        for options in ({"scheme": "minhash", "resemblance": "2/3"}, {"scheme": "super_shingle", "resemblance": "0.6"},
                        {"scheme": "fss(shingle=3)"}, {"scheme": "imatch"}, {"analyzer": "code"}, {"html": True}):
            with self.subTest(**options), warnings.catch_warnings():
                warnings.simplefilter("ignore", twinset.RunWarning)
                html = options.get("html")
                expected = alone(pages if html else texts, [str(i) for i in ids],
                                 **({"format": "html"} if html else options))
                self.assertEqual(by_partitions(pages if html else texts, [str(i) for i in ids], 3, **options)[:2], expected)

    def test_components(self):
        pairs = pyarrow.table({"later": [5, 9, 7, 30, 9], "earlier": [2, 5, 3, 20, 2]})
        self.assertEqual(_batches.components(pairs).to_pydict(),
                         {"place": [2, 3, 5, 7, 9, 20, 30], "first": [2, 3, 2, 3, 2, 20, 20]})
        self.assertEqual(len(_batches.components(pairs.slice(5))), 0)

    def test_a_key_of_all_texts_makes_few_pairs(self):
        _, (candidates, *_), largest = by_partitions(template(5000), [str(i) for i in range(5000)], 2)
        self.assertGreater(largest, 2500)
        self.assertLess(candidates, 20 * 5000)  # not the 12 million of all with all

    def test_passages_of_parts_are_those_of_the_whole(self):
        chance = random.Random(6)
        texts = crawl(600, seed=6) + template(200)
        langs = [chance.choice(["en", "de", None]) for _ in texts]
        given = pyarrow.table({"id": [str(i) for i in range(len(texts))], "text": texts, "lang": langs})
        names = ("b_id", "b_begin", "b_end", "a_id", "a_begin", "a_end", "tokens", "place")
        for within, parts in (({}, [0] * len(texts)), ({"within": "lang"}, langs)):
            expected = sorted((int(b), begin, end, int(a), *more) for b, begin, end, a, *more in (
                [row[name] for name in names] for row in twinset.spans(given, min_tokens=15, **within).spans))
            self.assertGreater(len(expected), 200)
            for partitions in (1, 3):
                with self.subTest(partitions=partitions, **within):
                    self.assertTrue(passages_by_partitions(texts, parts, partitions, min_tokens="15") == expected)

    def test_a_sample_of_parts_is_that_of_the_whole(self):
        texts = crawl(1500, seed=3) + template(300) + ["long " * 70_000, None]
        random.Random(2).shuffle(texts)
        rows = pyarrow.table({"id": [f"d{i}" for i in range(len(texts))], "text": texts, "number": range(1, len(texts) + 1),
                              "label": pyarrow.array(["odd" if i % 3 == 1 else None for i in range(len(texts))])})
        typed = {"sample": "150", "schemes": "fss", "labels": "label"}
        whole = twinset.evaluate(rows, sample=150, schemes="fss", labels="label")
        settings = _samples.Settings(twinset._twinset.sample_rule(typed), 1 << 26)
        for partitions in (1, 2, 7, 100):
            with self.subTest(partitions=partitions):
                found = run(lambda part: _samples.sample(settings, part), in_partitions(rows, partitions))
                kinds = {kind: only(kind, found) for kind in _samples.SAMPLED}
                counts = {name: sum(kinds["counts"][name].to_pylist()) for name in kinds["counts"].column_names}
                self.assertEqual((counts["read"], counts["quarantined"], counts["too_long"]), (len(texts), 1, 1))
                self.assertLess(len(kinds["rank"]), 1500 if partitions == 1 else len(texts))
                numbers, drawn = _samples.draw(settings, kinds["rank"], kinds["alike"])
                self.assertEqual(len(numbers), 150)
                is_sampled = numpy.isin(rows["number"].to_numpy(), numbers)
                wanted = is_sampled | (rows["label"].is_valid().to_numpy() & rows["text"].is_valid().to_numpy())
                given = twinset._twinset.Texts.of(rows.filter(pyarrow.array(wanted)), "text", "id", ["label"])
                answer = twinset._twinset.evaluate_drawn(typed, given, {**counts, **drawn},
                                                         is_sampled[wanted].astype(numpy.int64))
                self.assertEqual(untimed(answer["fields"]), untimed(whole.to_dict()))
        self.assertIn("too like others taken; 1 over", whole.sampled_so)

    def test_keep_keys_sort_as_keep_does(self):
        chance = random.Random(1)
        texts = [text + " more" * chance.randrange(3) for text in crawl(500, seed=4)]
        rows = pyarrow.table({"id": range(len(texts)), "text": texts,
                              "seen": [chance.choice(["2026-05-05", "1 May 2025", None, "3/4/2026"]) for _ in texts],
                              "rank": [chance.choice([None, chance.randrange(-9, 9) / 4]) for _ in texts],
                              "url": [chance.choice(["http://a.example/", "http://a.example/long"])
                                      + str(chance.randrange(40)) for _ in texts]})
        settings = _batches.settings_of("fss", "words", False, "0.8", 1 << 26)
        by_id = alone(texts, list(range(len(texts))))[0]
        for rule in ("longest", "shortest", "newest:seen", "oldest:seen", "highest:rank", "lowest:rank", "shortest:seen",
                     "shortest-url", "highest:url"):
            with self.subTest(rule=rule), warnings.catch_warnings():
                warnings.simplefilter("ignore", twinset.RunWarning)
                keys = _batches.keep_keys_of(rule, settings)
                given = rows.append_column("keep", rows[keys.field]) if keys.field else rows
                parts = in_partitions(given, 3)
                counts = (0,) * 4 if not keys.field else tuple(
                    sum(column.to_pylist()) for column in run(
                        lambda part: _batches.count_keep_values(rule, settings, part), parts[:3]).columns)
                keyed = run(lambda part: _batches.add_keep_keys(rule, settings, counts, part), parts)
                made = keyed["keep_key"].to_pylist()
                order = sorted((i for i in range(len(made)) if made[i] is not None), key=lambda i: made[i],
                               reverse=keys.descending)  # Equal ones stay as they are read.
                order += [i for i in range(len(made)) if made[i] is None]
                found = alone([texts[i] for i in order], order)[0]
                expected = twinset.dedup(rows, keep=rule).removed
                self.assertEqual([(row[0], row[1]) for row in found],
                                 sorted(((row["id"], row["survivor_id"]) for row in expected), key=repr))
                self.assertFalse(found == by_id)
        with self.assertRaisesRegex(twinset.UsageError, "keep= 'best' is not one of"):
            _batches.keep_keys_of("best", settings)

    def test_what_is_no_text_and_no_id(self):
        settings = _batches.settings_of("fss", "words", False, "0.8", 10)
        batch = pyarrow.record_batch({"id": [1, 2, 3], "text": [None, "short", "longer than ten"]})
        signed, = _batches.sign(settings, [batch])
        self.assertEqual(signed.column("bad").to_pylist(), ["no text", None, "longer than max_record"])
        nameless = pyarrow.record_batch({"id": pyarrow.array([1, None]), "text": ["a", "b"]})
        with self.assertRaisesRegex(twinset.UsageError, "no id"):
            list(_batches.sign(settings, [nameless]))
        other = settings._replace(version="0.0.9")
        with self.assertRaisesRegex(twinset.UsageError, "install one wheel on both"):
            list(_batches.sign(other, [batch]))
        with self.assertRaises(twinset.UsageError):
            _batches.settings_of("fss(shingles=5)", "words", False, "0.8", 10)
        scan = twinset._twinset.PairScan()
        with self.assertRaisesRegex(twinset.UsageError, "unlike numbers of rows"):
            scan.add(numpy.zeros(2, numpy.int64), numpy.zeros(3, numpy.int64))


if __name__ == "__main__":
    unittest.main()
