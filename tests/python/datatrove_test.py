"""Steps of twinset.compat.datatrove in pipelines of datatrove."""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest

import support


def spelled(number):
    """A word of letters: datatrove takes all numbers for one."""
    return "w" + "".join("abcdefghij"[int(digit)] for digit in str(number))


def documents():
    """60 texts of three kinds by turns: one of its own, then a near and an equal copy of it."""
    rows = []
    for i in range(20):
        text = " ".join(spelled(i * 97 + j) for j in range(60))
        rows += [text, text + " more", text]
    return [{"id": f"d{i}", "text": text, "metadata": {"n": i}} for i, text in enumerate(rows)]


ORIGINALS = {f"d{i}" for i in range(0, 60, 3)}


@unittest.skipUnless(support.has("datatrove"), "datatrove is not installed")
class Pipelines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "in").mkdir()
        for shard in range(3):
            (self.folder / f"in/{shard}.jsonl").write_text(
                "".join(json.dumps(row) + "\n" for row in documents()[shard * 20:shard * 20 + 20]))

    def run_pipeline(self, *steps, tasks=1):
        from datatrove.executor import LocalPipelineExecutor
        with contextlib.redirect_stderr(io.StringIO()):
            return LocalPipelineExecutor(list(steps), tasks=tasks, workers=1, skip_completed=False,
                                         logging_dir=str(self.folder / "logs")).run()

    def reader(self):
        from datatrove.pipeline.readers import JsonlReader
        return JsonlReader(str(self.folder / "in"))

    def writer(self, name):
        from datatrove.pipeline.writers import JsonlWriter
        return JsonlWriter(str(self.folder / name), compression=None)

    def rows(self, name):
        return [json.loads(line) for path in sorted((self.folder / name).glob("*.jsonl"))
                for line in path.read_text().splitlines()]

    def four_steps(self, module, name, **options):
        config = module.MinhashConfig(n_grams=3)
        texts, pairs, clusters = (str(self.folder / name / part) for part in ("texts", "pairs", "clusters"))
        self.run_pipeline(self.reader(), module.MinhashDedupSignature(texts, config), tasks=3)
        self.run_pipeline(module.MinhashDedupBuckets(texts, pairs, config=config, **options), tasks=28)
        self.run_pipeline(module.MinhashDedupCluster(pairs, clusters, config=config, save_cluster_id=True,
                                                     save_cluster_size=True))
        self.run_pipeline(self.reader(), module.MinhashDedupFilter(
            clusters, exclusion_writer=self.writer(name + "/removed"), load_cluster_ids=True,
            load_cluster_sizes=True), self.writer(name + "/kept"), tasks=3)
        return self.rows(name + "/kept"), self.rows(name + "/removed")

    def test_the_filter_keeps_one_of_each_group(self):
        from twinset.compat.datatrove import TwinsetDedup
        stats = self.run_pipeline(self.reader(), TwinsetDedup(exclusion_writer=self.writer("removed"), resemblance=0.7),
                                  self.writer("kept"))
        kept, removed = self.rows("kept"), self.rows("removed")
        given = {row["id"]: row for row in documents()}
        self.assertEqual([row["id"] for row in kept], sorted(ORIGINALS, key=lambda i: int(i[1:])))
        for row in kept:
            self.assertEqual((row["text"], row["metadata"]["n"]),
                             (given[row["id"]]["text"], given[row["id"]]["metadata"]["n"]))
        self.assertEqual({row["id"] for row in kept + removed}, set(given))
        for row in removed:
            n = row["metadata"]["n"]
            self.assertEqual(row["metadata"]["duplicate_of"], f"d{n // 3 * 3}")
            self.assertEqual(row["metadata"]["duplicate_kind"], "near" if n % 3 == 1 else "identical")
            self.assertEqual(row["text"], given[row["id"]]["text"])
        told = stats.stats[1].to_dict()["stats"]
        self.assertEqual([told[key]["total"] if isinstance(told[key], dict) else told[key]
                          for key in ("total", "forwarded", "dropped")], [60, 20, 40])

    def test_tasks_that_do_not_see_each_other_are_refused(self):
        from datatrove.data import Document
        from twinset.compat.datatrove import TwinsetDedup
        made = [Document(text="one two three four five six", id=str(i)) for i in range(2)]
        with self.assertRaisesRegex(ValueError, "each_task_alone"):
            list(TwinsetDedup().run(iter(made), 0, 3))
        self.assertEqual([d.id for d in TwinsetDedup(each_task_alone=True).run(iter(made), 0, 3)], ["0"])
        self.assertEqual(list(TwinsetDedup().run(iter([]))), [])
        with self.assertRaisesRegex(ValueError, "output="):
            TwinsetDedup(output="x")

    def test_odd_texts_come_back_as_they_were(self):
        from datatrove.data import Document
        from twinset.compat.datatrove import TwinsetDedup
        texts = ["", "line\nbreak \u2028 and \x00", "lone \ud800 surrogate", "\U0001f600"]
        made = [Document(text=text, id=str(i), metadata={"o": object}) for i, text in enumerate(texts)]
        got = list(TwinsetDedup().run(iter(made)))
        self.assertEqual([(d.text, d.metadata["o"]) for d in got], [(text, object) for text in texts])

    def test_the_four_steps(self):
        import twinset.compat.datatrove as module
        kept, removed = self.four_steps(module, "twinset")
        self.assertEqual({row["id"] for row in kept}, ORIGINALS)
        self.assertEqual(len(kept) + len(removed), 60)
        self.assertEqual({row["metadata"]["minhash_cluster_size"] for row in kept}, {3})
        self.assertEqual(len({row["metadata"]["minhash_cluster_id"] for row in kept}), 20)
        with self.assertRaisesRegex(ValueError, "index_folder"):
            module.MinhashDedupBuckets("a", "b", index_folder="c")
        with self.assertRaisesRegex(ValueError, "multiple"):
            module.MinhashDedupBuckets(str(self.folder), str(self.folder)).run(None, 0, 13)

    def index(self):
        """A file with the texts of d3 and, nearly, of d6; its names are no numbers."""
        rows = [{"id": "other", "text": "a text that nothing resembles"},
                {"id": "i3", "text": documents()[3]["text"]}, {"id": "i6", "text": documents()[6]["text"] + " and more"}]
        path = self.folder / "index.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    def test_the_filter_against_an_index(self):
        from twinset.compat.datatrove import TwinsetDedup
        self.run_pipeline(self.reader(), TwinsetDedup(exclusion_writer=self.writer("removed"), resemblance=0.7,
                                                      against=[self.index()]), self.writer("kept"))
        kept, removed = self.rows("kept"), self.rows("removed")
        self.assertEqual({row["id"] for row in kept}, ORIGINALS - {"d3", "d6"})
        survivors = {row["id"]: row["metadata"]["duplicate_of"] for row in removed}
        self.assertEqual([survivors[f"d{i}"] for i in range(3, 9)], ["i3"] * 3 + ["i6"] * 3)
        self.assertEqual([survivors[f"d{i}"] for i in (1, 2, 10)], ["d0", "d0", "d9"])

    def test_the_four_steps_against_an_index(self):
        import twinset.compat.datatrove as module
        kept, removed = self.four_steps(module, "twinset", resemblance=0.7, against=[self.index()])
        self.assertEqual({row["id"] for row in kept}, ORIGINALS - {"d3", "d6"})
        self.assertEqual(len(kept) + len(removed), 60)

    def test_the_four_steps_remove_what_datatroves_remove(self):
        if not support.has("spacy"):
            self.skipTest("spacy, with which datatrove finds words, is not installed")
        import datatrove.pipeline.dedup as theirs
        import twinset.compat.datatrove as ours
        (kept_theirs, _), (kept_ours, _) = self.four_steps(theirs, "theirs"), self.four_steps(ours, "ours")
        groups = [{int(row["id"][1:]) // 3 for row in kept} for kept in (kept_theirs, kept_ours)]
        self.assertEqual(groups, [set(range(20))] * 2)
        self.assertEqual(len(kept_theirs), len(kept_ours))


if __name__ == "__main__":
    unittest.main()
