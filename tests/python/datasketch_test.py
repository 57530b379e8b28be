"""twinset.compat.datasketch has the values of datasketch 2.0.0, and answers as it does."""

import hashlib
import random
import struct
import unittest

import support
from twinset.compat.datasketch import (LeanMinHash, MinHash, MinHashLSH, WeightedMinHash, WeightedMinHashGenerator,
                                       sha1_hash32, sha1_hash64)

# Elements of 0 to 143 bytes: each number of SHA-1's blocks, full and partial lanes; and long ones.
ELEMENTS = [f"element {i:03}".encode() * (i % 13) for i in range(331)] + [b"long" * 62, b"long" * 999]
SCHEMES = ("affine32", "affine64", "legacy")
# What datasketch 2.0.0 with numpy 2.4.6 made of ELEMENTS, as golden_of() prints it: scheme, num_perm,
# seed: the first value, and a digest of all.
GOLDEN = {
    ("affine32", 1, 1): (56170799, "1d94603ebefd2b9f"),
    ("affine32", 13, 7): (1693709, "8a16058f37bb4c47"),
    ("affine32", 128, 1): (15654578, "480fad3eb349b73d"),
    ("affine32", 256, 42): (949426, "7f2a481350a286db"),
    ("affine32", 300, 4294967295): (4475745, "8c6d7644f5824d70"),
    ("affine64", 1, 1): (102443298965330133, "d8dd4ddc7a7dde1e"),
    ("affine64", 13, 7): (197376892330641538, "d4de4d94b037d56c"),
    ("affine64", 128, 1): (25133485813503585, "eb26874f66affb35"),
    ("affine64", 256, 42): (69998698296964305, "99ef07382ed53fe7"),
    ("affine64", 300, 4294967295): (69374446703324954, "87900ac268c9e552"),
    ("legacy", 1, 1): (10356431, "fd94960892b827b6"),
    ("legacy", 13, 7): (5995371, "1655ab2350e3cfd2"),
    ("legacy", 128, 1): (10356431, "8ba0a76a2ef73b1f"),
    ("legacy", 256, 42): (40125116, "f4de8f0ec9c59bbb"),
    ("legacy", 300, 4294967295): (48545770, "2b60631ad1b16528"),
}
# (threshold, num_perm, weights): (b, r) of its MinHashLSH.
BANDS = {
    (0.9, 128, (0.5, 0.5)): (5, 25),
    (0.8, 128, (0.5, 0.5)): (9, 13),
    (0.7, 240, (0.5, 0.5)): (24, 10),
    (0.5, 64, (0.4, 0.6)): (16, 4),
    (0.33, 256, (0.5, 0.5)): (64, 4),
    (0.05, 20, (0.1, 0.9)): (20, 1),
    (0.95, 300, (0.5, 0.5)): (6, 50),
}
# Its LeanMinHash of b"a", 4 permutations, serialized: little-endian, then in native order.
SERIALIZED = {
    "affine32": ("0100000000000000fcffffff01a0568995cefac37e5692b80a78a07468",
                 "0100000000000000fcffffff01000000a0568995cefac37e5692b80a78a07468"),
    "affine64": ("0100000000000000fcffffff02bf6fccad6c315ae6aa28006ffaea47b822b5a8f1197f7ee50fc66e4f3786698f",
                 "0100000000000000fcffffff02000000bf6fccad6c315ae6aa28006ffaea47b822b5a8f1197f7ee50fc66e4f3786698f"),
    "legacy": ("010000000000000004000000d343bd11c29e81888d5e0578b1cbaf75",
                 "010000000000000004000000d343bd11c29e81888d5e0578b1cbaf75"),
}


def golden_of(module):
    """The three tables above, of datasketch or of this package's module."""
    values, bands, serialized = {}, {}, {}
    for scheme in SCHEMES:
        for num_perm, seed in ((1, 1), (13, 7), (128, 1), (256, 42), (300, 2**32 - 1)):
            made = module.MinHash(num_perm, seed, scheme=scheme)
            made.update_batch(ELEMENTS)
            digest = hashlib.sha256(made.hashvalues.astype(f"<u{made.hashvalues.itemsize}").tobytes())
            values[scheme, num_perm, seed] = (int(made.hashvalues[0]), digest.hexdigest()[:16])
        made = module.MinHash(4, scheme=scheme)
        made.update(b"a")
        lean = module.LeanMinHash(made)
        both = []
        for order in "<@":
            buffer = bytearray(lean.bytesize(order))
            lean.serialize(buffer, order)
            both.append(buffer.hex())
        serialized[scheme] = tuple(both)
    for threshold, num_perm, weights in ((.9, 128, (.5, .5)), (.8, 128, (.5, .5)), (.7, 240, (.5, .5)),
                                         (.5, 64, (.4, .6)), (.33, 256, (.5, .5)), (.05, 20, (.1, .9)),
                                         (.95, 300, (.5, .5))):
        index = module.MinHashLSH(threshold, num_perm, weights)
        bands[threshold, num_perm, weights] = (index.b, index.r)
    return values, bands, serialized


def lanes_of(count, longest):
    rng = random.Random(count)
    return [rng.randbytes(rng.randrange(longest)) for _ in range(count)]


class Golden(unittest.TestCase):
    def test_values_are_datasketchs_bit_for_bit(self):
        import twinset.compat.datasketch as module
        values, bands, serialized = golden_of(module)
        self.assertEqual(values, GOLDEN)
        self.assertEqual(bands, BANDS)
        self.assertEqual(serialized, SERIALIZED)

    def test_values_are_those_of_the_scheme_of_the_program(self):
        import twinset
        words = support.TEXTS[0].split()
        for scheme, release in (("affine32", 2), ("legacy", 1)):
            made = MinHash(64, scheme=scheme)
            made.update_batch([" ".join(words[i:i + 5]).encode() for i in range(len(words) - 4)])
            signer = twinset.Signer(f"datasketch(values=64, shingle=5, release={release})")
            signed = signer.sign([support.TEXTS[0]])
            self.assertEqual(struct.unpack("<64I", signed.sketch(0)[-256:]), tuple(made.hashvalues))

    def test_sha1_of_every_length_and_number_of_elements(self):
        for length in (*range(130), 183, 184, 246, 247, 248, 5000):
            element = bytes(i * 7 & 255 for i in range(length))
            for hashfunc, scheme in ((sha1_hash32, "affine32"), (sha1_hash64, "affine64")):
                fast, slow = (MinHash(8, hashfunc=f, scheme=scheme)
                              for f in (hashfunc, lambda data, f=hashfunc: f(data)))
                fast.update(element)
                slow.update(element)
                self.assertEqual(fast.digest().tolist(), slow.digest().tolist(), length)
        for count in (*range(1, 40), 5000):
            fast, slow = MinHash(33), MinHash(33, hashfunc=lambda data: sha1_hash32(data))
            fast.update_batch(lanes_of(count, 150))
            slow.update_batch(lanes_of(count, 150))
            self.assertEqual(fast.digest().tolist(), slow.digest().tolist(), count)


class Sets(unittest.TestCase):
    def test_estimates_and_unions(self):
        a, b, empty = MinHash(), MinHash(), MinHash()
        a.update_batch([b"%d" % i for i in range(1000)])
        b.update_batch(b"%d" % i for i in range(500, 1500))
        # Of 128 values; six standard deviations.
        self.assertAlmostEqual(a.jaccard(b), 1 / 3, delta=0.25)
        self.assertAlmostEqual(a.count(), 1000, delta=550)
        self.assertTrue(empty.is_empty() and not a.is_empty())
        united = MinHash.union(a, b)
        copy = a.copy()
        copy.merge(b)
        self.assertEqual(copy, united)
        self.assertNotEqual(copy, a)
        self.assertEqual(len(a), 128)
        before = a.digest()
        a.update_batch([])
        a.update_batch([b"7"])
        self.assertEqual(a.digest().tolist(), before.tolist())
        a.clear()
        self.assertEqual(a, empty)
        one, two = MinHash.bulk([[b"a", b"b"], iter([b"a"])], num_perm=32, seed=3)
        self.assertEqual((len(one), one.seed), (32, 3))
        self.assertEqual(next(MinHash.generator([[b"a"]], num_perm=32, seed=3)), two)

    def test_what_does_not_belong_together_is_refused(self):
        a = MinHash()
        for other in (MinHash(64), MinHash(seed=2), MinHash(scheme="legacy")):
            for call in (a.jaccard, a.merge, lambda o: MinHash.union(a, o)):
                self.assertRaises(ValueError, call, other)
        self.assertRaises(ValueError, MinHash.union, a)
        for wrong in ({"num_perm": 0}, {"scheme": "md5"}, {"hashfunc": 3}, {"hashvalues": [1, 2]},
                      {"hashvalues": [1 << 32], "scheme": "affine32"},
                      {"permutations": ([2], [1]), "num_perm": 1, "scheme": "affine32"},
                      {"permutations": ([1], [1]), "num_perm": 2, "scheme": "legacy"}):
            with self.subTest(wrong):
                self.assertRaises(ValueError, MinHash, **wrong)

    def test_an_element_that_cannot_be_hashed_changes_nothing(self):
        a = MinHash()
        a.update(b"x")
        before = a.digest().tolist()
        for bad in ("text", None, 1.5):
            self.assertRaises(TypeError, a.update, bad)
            self.assertRaises(TypeError, a.update_batch, [b"y"] * 9000 + [bad])
        self.assertRaises(TypeError, a.update_batch, None)
        a.hashfunc = lambda _: 1 << 32
        self.assertRaises(ValueError, a.update, b"z")
        a.hashfunc = sha1_hash64
        self.assertRaises(ValueError, a.update_batch, [b"z", b"zz"])
        self.assertEqual(a.digest().tolist(), before)
        a.hashfunc = sha1_hash32
        buffers = MinHash()
        buffers.update_batch([bytearray(b"x"), memoryview(b"x")])
        self.assertEqual(buffers, a)
        self.assertRaises(RuntimeError, MinHash(gpu_mode="always").update_batch, [b"x"])

    def test_lean(self):
        a = MinHash(16)
        a.update(b"a")
        lean = LeanMinHash(a)
        self.assertEqual(lean.jaccard(a), 1.0)
        self.assertEqual(len({lean, lean.copy(), LeanMinHash(seed=1, hashvalues=a.digest(), scheme="affine32")}), 1)
        for scheme in SCHEMES:
            made = MinHash(9, 5, scheme=scheme)
            made.update(b"a")
            for order in "@=<>!":
                buffer = bytearray(200)
                LeanMinHash(made).serialize(buffer, order)
                self.assertEqual(LeanMinHash.deserialize(bytes(buffer), order), LeanMinHash(made))
        self.assertEqual(LeanMinHash.union(lean, lean), lean)
        self.assertRaises(TypeError, lean.update, b"b")
        self.assertRaises(TypeError, lean.update_batch, [b"b"])
        self.assertRaises(ValueError, lean.serialize, bytearray(3))
        self.assertRaises(ValueError, LeanMinHash.deserialize, struct.pack("<qiB", 1, -2, 9) + bytes(8), "<")
        self.assertRaises(struct.error, LeanMinHash.deserialize, struct.pack("<qi", 1, 2), "<")
        for wrong in ({}, {"seed": 1}, {"seed": 1, "hashvalues": [1]}, {"minhash": a, "scheme": "legacy"},
                      {"seed": 1, "hashvalues": [], "scheme": "affine32"}):
            self.assertRaises(ValueError, LeanMinHash, **wrong)


class Index(unittest.TestCase):
    def setUp(self):
        self.minhashes = MinHash.bulk([[b"%d" % (i // 4 * 100 + j) for j in range(20 + i % 4)] for i in range(40)])
        self.index = MinHashLSH(threshold=0.5)
        with self.index.insertion_session() as session:
            for i, minhash in enumerate(self.minhashes):
                session.insert(i, minhash)

    def test_queries(self):
        for i, minhash in enumerate(self.minhashes):
            self.assertEqual(sorted(self.index.query(minhash)), [i // 4 * 4 + j for j in range(4)])
        self.index.add_to_query_buffer(self.minhashes[0])
        self.index.add_to_query_buffer(self.minhashes[1])
        self.assertEqual(sorted(self.index.collect_query_buffer()), [0, 1, 2, 3])
        self.index.add_to_query_buffer(self.minhashes[0])
        self.index.add_to_query_buffer(self.minhashes[39])
        self.assertEqual(self.index.collect_query_buffer(), [])
        self.assertEqual(self.index.collect_query_buffer(), [])
        self.assertEqual(self.index.query(MinHash()), [])

    def test_keys_come_and_go(self):
        index = self.index
        self.assertTrue(7 in index and 99 not in index and not index.is_empty())
        self.assertRaises(ValueError, index.insert, 7, self.minhashes[7])
        self.assertEqual([sum(counts.values()) for counts in index.get_counts()], [40] * index.b)
        self.assertEqual([sum(counts.values()) for counts in index.get_subset_counts(1, 2)], [2] * index.b)
        index.remove(7)
        self.assertNotIn(7, index)
        self.assertNotIn(7, index.query(self.minhashes[7]))
        self.assertRaises(ValueError, index.remove, 7)
        with index.deletion_session() as session:
            for key in list(index.keys):
                session.remove(key)
        self.assertTrue(index.is_empty())
        self.assertEqual(index.get_counts(), [{}] * index.b)

    def test_merge(self):
        other = MinHashLSH(threshold=0.5)
        other.insert("new", self.minhashes[0])
        self.index.merge(other, check_overlap=True)
        self.assertIn("new", self.index.query(self.minhashes[0]))
        self.assertRaises(ValueError, self.index.merge, other, check_overlap=True)
        self.assertRaises(ValueError, self.index.merge, MinHashLSH(threshold=0.9))
        self.assertRaises(ValueError, self.index.merge, "index")

    def test_what_does_not_belong_is_refused(self):
        for wrong in ({"threshold": 2}, {"num_perm": 1}, {"weights": (.5, .6)}, {"weights": (-1, 2)},
                      {"params": (20, 20)}, {"params": (1, 20)}, {"storage_config": {"type": "redis"}},
                      {"prepickle": True}):
            with self.subTest(wrong):
                self.assertRaises(ValueError, MinHashLSH, **wrong)
        for call in (lambda m: self.index.insert("x", m), self.index.query, self.index.add_to_query_buffer):
            self.assertRaises(ValueError, call, MinHash(64))
            self.assertRaises(ValueError, call, MinHash(scheme="legacy"))
        short = MinHashLSH(params=(16, 8), hashfunc=lambda band: band[:4])
        short.insert("a", self.minhashes[0])
        self.assertEqual([len(next(iter(counts))) for counts in short.get_counts()], [4] * 16)


@unittest.skipUnless(support.has("datasketch"), "datasketch is not installed")
class Weighted(unittest.TestCase):
    def test_estimates_are_within_their_error(self):
        import numpy
        rng = numpy.random.default_rng(3)
        made = WeightedMinHashGenerator(200, sample_size=512, seed=3)
        for change in (0, 0.1, 0.4, 1):
            a = rng.random(200) * 9 * (rng.random(200) < .5)
            b = numpy.where(rng.random(200) < change, rng.random(200) * 9, a)
            true = numpy.minimum(a, b).sum() / numpy.maximum(a, b).sum()
            estimate = made.minhash(a).jaccard(made.minhash(b))
            # Six standard errors: false once in a thousand million times.
            self.assertLessEqual(abs(estimate - true), 6 * (true * (1 - true) / 512) ** .5 + 1e-12, change)

    def test_what_is_no_vector_is_refused(self):
        import numpy
        made = WeightedMinHashGenerator(3, 8)
        for wrong, kind, words in (([0, 0, 0], ValueError, "all zeros"), ([1, 2], ValueError, "expecting 3"),
                                   (5, TypeError, "sized"), ([-1, 0, 0], ValueError, "above zero"),
                                   ([float("nan")] * 3, ValueError, "above zero"), ([float("inf"), 0, 0], OverflowError, "infinite"),
                                   (["a", "b", "c"], ValueError, "could not convert")):
            with self.subTest(wrong), self.assertRaisesRegex(kind, words):
                made.minhash(wrong)
        for wrong, kind in (([[1, 2, 3]], TypeError), (numpy.ones(3), ValueError), (numpy.ones((2, 4)), ValueError)):
            with self.subTest(wrong), self.assertRaises(kind):
                made.minhash_many(wrong)
        self.assertEqual(made.minhash([-1, 0, 2]).hashvalues[:, 0].tolist(), [2] * 8)
        one, other = made.minhash([1, 2, 3]), WeightedMinHashGenerator(3, 8, seed=2).minhash([1, 2, 3])
        with self.assertRaisesRegex(ValueError, "seeds"):
            one.jaccard(other)
        with self.assertRaisesRegex(ValueError, "numbers of hash values"):
            one.jaccard(WeightedMinHash(1, one.hashvalues[:4]))
        with self.assertRaises(ValueError):
            WeightedMinHashGenerator(3, 8, seed=-1)
        copy = one.copy()
        self.assertEqual(copy, one)
        copy.hashvalues[0, 0] = 9
        self.assertNotEqual(copy, one)
        self.assertEqual((len(one), one.jaccard(copy)), (8, 7 / 8))


class BesideDatasketch(unittest.TestCase):
    def test_golden_values_are_its_own(self):
        import datasketch
        self.assertEqual(golden_of(datasketch), (GOLDEN, BANDS, SERIALIZED))

    def test_random_sets(self):
        import datasketch
        from twinset.compat import datasketch as compat
        rng = random.Random(3)
        for scheme in SCHEMES:
            for hashfunc in (None, datasketch.sha1_hash32, lambda data: len(data) * 2654435761 & 0xffffffff):
                for _ in range(20):
                    size, seed = rng.randint(1, 400), rng.randrange(2**32)
                    elements = lanes_of(rng.randrange(700), 300)
                    theirs, ours = (module.MinHash(size, seed, hashfunc=hashfunc, scheme=scheme)
                                    for module in (datasketch, compat))
                    theirs.update_batch(elements)
                    ours.update_batch(elements)
                    self.assertEqual(theirs.hashvalues.tolist(), ours.hashvalues.tolist())
                    self.assertEqual(theirs.hashvalues.dtype, ours.hashvalues.dtype)
                    self.assertEqual(theirs.permutations.tolist(), ours.permutations.tolist())
                    self.assertEqual(theirs.count(), ours.count())
                    self.assertEqual(ours.jaccard(theirs), theirs.jaccard(ours))

    def test_bands_of_random_thresholds(self):
        import datasketch
        rng = random.Random(4)
        for _ in range(60):
            threshold, num_perm = rng.uniform(.1, .8), rng.randrange(20, 150)
            weight = rng.choice([.5, .5, .25, .75])
            arguments = (threshold, num_perm, (weight, 1 - weight))
            theirs, ours = datasketch.MinHashLSH(*arguments), MinHashLSH(*arguments)
            self.assertEqual((theirs.b, theirs.r), (ours.b, ours.r), arguments)

    def test_indexes_answer_alike(self):
        import datasketch
        sets = [[b"%d" % (i // 3 * 50 + j) for j in range(10 + i % 3 * 4)] for i in range(300)]
        theirs, ours = datasketch.MinHashLSH(.6), MinHashLSH(.6)
        for i, (their, our) in enumerate(zip(datasketch.MinHash.bulk(sets), MinHash.bulk(sets))):
            theirs.insert(i, their if i % 2 else our)  # each takes the other's, too
            ours.insert(i, our if i % 2 else their)
        for i in range(0, 300, 7):
            for index in (theirs, ours):
                index.remove(i)
        self.assertEqual(theirs.get_counts(), ours.get_counts())
        self.assertEqual(theirs.get_subset_counts(1, 2, 5), ours.get_subset_counts(1, 2, 5))
        for minhash in datasketch.MinHash.bulk(sets):
            self.assertEqual(set(theirs.query(minhash)), set(ours.query(minhash)))

    def test_weighted_samples_are_equal(self):
        import datasketch
        import numpy
        rng = numpy.random.default_rng(5)
        for dim, size, seed in ((1, 8, 1), (50, 128, 7), (3000, 200, 1), (7, 33, 2**32 - 1)):
            theirs = datasketch.WeightedMinHashGenerator(dim, size, seed)
            ours = WeightedMinHashGenerator(dim, size, seed)
            rows = []
            for i in range(60):
                row = rng.random(dim) * 10.0 ** rng.integers(-6, 9) * (rng.random(dim) < .3)
                if i % 2:
                    row = numpy.floor(row) + (rng.random(dim) < .2)
                row[0] += 0.25  # some are shorter than a step
                row[-1] -= i % 3
                rows.append(row)
                if (row <= 0).all():
                    continue
                for v in (row, row.astype(numpy.float32), list(row), row.astype(int) + 1):
                    expected, got = theirs.minhash(v), ours.minhash(v)
                    self.assertTrue(numpy.array_equal(expected.hashvalues, got.hashvalues), (dim, i))
                    self.assertEqual(expected.hashvalues.dtype, got.hashvalues.dtype)
            matrix = numpy.abs(numpy.array(rows))
            matrix[5] = 0
            forms = [matrix, matrix.astype(numpy.float32)]
            if support.has("scipy"):
                import scipy.sparse
                forms += [scipy.sparse.csr_matrix(matrix), scipy.sparse.coo_matrix(matrix), scipy.sparse.csc_matrix(matrix)]
            for form in forms:
                for expected, got in zip(theirs.minhash_many(form), ours.minhash_many(form), strict=True):
                    self.assertEqual(expected is None, got is None)
                    if got is not None:
                        self.assertTrue(numpy.array_equal(expected.hashvalues, got.hashvalues))
            pairs = [(theirs.minhash(a), theirs.minhash(b), ours.minhash(a), ours.minhash(b))
                     for a, b in ((matrix[i], matrix[i + 1] + matrix[i]) for i in range(0, 4, 2))]
            for their_a, their_b, our_a, our_b in pairs:
                self.assertEqual(their_a.jaccard(their_b), our_a.jaccard(our_b))
                self.assertEqual(our_a.jaccard(their_b), their_a.jaccard(our_b))
                index = MinHashLSH(.5, num_perm=size) if size > 32 else None
                if index is not None:
                    index.insert("ours", our_a)
                    self.assertEqual(index.query(their_a), ["ours"])
                    other = datasketch.MinHashLSH(.5, num_perm=size)
                    other.insert("theirs", their_b)
                    self.assertEqual(other.query(our_b), ["theirs"])


if __name__ == "__main__":
    unittest.main()
