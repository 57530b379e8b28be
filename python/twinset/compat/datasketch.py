"""MinHash, LeanMinHash, WeightedMinHash and MinHashLSH with the names and the values of datasketch 2.0.

    from twinset.compat.datasketch import MinHash, MinHashLSH

    first = MinHash(num_perm=128)
    first.update_batch([b"one", b"two", b"three"])
    index = MinHashLSH(threshold=0.5, num_perm=128)
    index.insert("first", first)

Hash values are those of datasketch bit for bit, for all three schemes ("affine32", "affine64",
"legacy"), any seed and any hashfunc; elements are hashed and permuted in C++ if hashfunc is one of
the two of this module (or datasketch's own), and permuted there otherwise. Objects of both
libraries may be compared, merged and indexed together. numpy is needed, as for datasketch.

There is no counterpart of bBitMinHash, HyperLogLog, HNSW, the forest, the ensemble and the
asynchronous index; of storage other than "dict" and of prepickle; and no GPU is used.
"""

import functools
import hashlib
import struct
import warnings
from collections import defaultdict

try:
    import numpy as np
except ImportError as error:
    raise ImportError("twinset.compat.datasketch needs numpy: pip install numpy") from error

from .. import _twinset
from ._weighted import WeightedMinHash, WeightedMinHashGenerator

__all__ = ["LeanMinHash", "MinHash", "MinHashLSH", "MinHashLSHDeletionSession",
           "MinHashLSHInsertionSession", "WeightedMinHash", "WeightedMinHashGenerator", "sha1_hash32",
           "sha1_hash64"]


def sha1_hash32(data):
    """The first 4 bytes of SHA-1 of bytes, as an integer, little-endian."""
    return struct.unpack_from("<I", hashlib.sha1(data).digest())[0]


def sha1_hash64(data):
    """The first 8 bytes of SHA-1 of bytes, as an integer, little-endian."""
    return struct.unpack_from("<Q", hashlib.sha1(data).digest())[0]


class _Scheme:
    """A way to permute hashes: python/minhash_kernels.h has the arithmetic."""

    def __init__(self, name, number, dtype, bits, code, letter):
        self.name = name
        self.number = number                        # in C++
        self.dtype = dtype
        self.most = dtype((1 << bits) - 1)          # the value of an empty set, too
        self.bits = bits
        self.code = code                            # in serialized bytes; the old form has none
        self.letter = letter                        # of struct, for one value

    def permutations(self, num_perm, seed):
        """(2, num_perm) numbers a and b, as numpy's RandomState draws them."""
        draw = np.random.RandomState(seed).randint
        if self.code is None:
            prime = (1 << 61) - 1
            pairs = [(draw(1, prime, dtype=np.uint64), draw(0, prime, dtype=np.uint64))
                     for _ in range(num_perm)]
            return np.ascontiguousarray(np.array(pairs, dtype=np.uint64).T)
        odd = draw(0, 1 << (self.bits - 1), num_perm, dtype=self.dtype) * self.dtype(2) + self.dtype(1)
        return np.array([odd, draw(0, 1 << self.bits, num_perm, dtype=self.dtype)])

    def array(self, values, what):
        """Values as an array of the scheme; ValueError if one does not fit into its bits."""
        if self.code is None:
            return np.array(values, dtype=self.dtype)
        if (isinstance(values, np.ndarray) and values.dtype.kind in "iu" and values.size
                and (int(values.min()) < 0 or int(values.max()) > int(self.most))):
            raise ValueError(f"{what} out of range for scheme {self.name!r}")
        try:
            return np.array(values, dtype=self.dtype)
        except OverflowError as error:
            raise ValueError(f"{what} out of range for scheme {self.name!r}: {error}") from error


_SCHEMES = {scheme.name: scheme for scheme in (
    _Scheme("affine32", 0, np.uint32, 32, 1, "I"),
    _Scheme("affine64", 1, np.uint64, 64, 2, "Q"),
    _Scheme("legacy", 2, np.uint64, 32, None, "I"))}


def _scheme(name):
    if name not in _SCHEMES:
        raise ValueError(f"scheme must be one of {', '.join(_SCHEMES)}, got {name!r}")
    return _SCHEMES[name]


@functools.lru_cache(maxsize=64)
def _permutations(name, num_perm, seed):
    made = _SCHEMES[name].permutations(num_perm, seed)
    made.flags.writeable = False  # many MinHash have it
    return made


def _sha1_bytes(hashfunc):
    """4 or 8 for the hash functions that C++ has, else None."""
    if hashfunc is sha1_hash32 or hashfunc is sha1_hash64:
        return 4 if hashfunc is sha1_hash32 else 8
    if getattr(hashfunc, "__module__", None) == "datasketch.hashfunc":
        return {"sha1_hash32": 4, "sha1_hash64": 8}.get(getattr(hashfunc, "__name__", None))
    return None


class MinHash:
    """The least permuted hashes of a set: estimates resemblance (the Jaccard similarity).

    num_perm      number of permutations, unless hashvalues are given
    seed          of the permutations
    gpu_mode      "disable" and "detect" compute on the CPU; with "always" update_batch() raises
    hashfunc      from an element to an integer of 32 bits, of 64 for scheme "affine64"
                  [the first bytes of SHA-1; elements are bytes]
    hashobj       does nothing, as in datasketch since 1.4
    hashvalues    of another MinHash, with its scheme
    permutations  of another MinHash, with its scheme
    scheme        "affine32" [default], "affine64" or "legacy" (datasketch before 2.0)
    """

    def __init__(self, num_perm=128, seed=1, gpu_mode="disable", hashfunc=None, hashobj=None,
                 hashvalues=None, permutations=None, scheme=None):
        if scheme is None:
            if hashvalues is not None or permutations is not None:
                raise ValueError("scheme must be given with hash values or permutations: that of the "
                                 "MinHash they came from, or scheme='legacy' if datasketch before 2.0 "
                                 "made them")
            scheme = "affine32"
        kind = _scheme(scheme)
        if hashvalues is not None:
            num_perm = len(hashvalues)
        if num_perm < 1:
            raise ValueError("num_perm must be positive")
        if num_perm > 1 << 32:
            raise ValueError(f"Cannot have more than {1 << 32} permutation functions")
        if hashfunc is None:
            hashfunc = sha1_hash64 if scheme == "affine64" else sha1_hash32
        if not callable(hashfunc):
            raise ValueError("The hashfunc must be a callable.")
        if hashobj is not None:
            warnings.warn("hashobj is deprecated, use hashfunc instead.", DeprecationWarning, stacklevel=2)
        self.scheme = scheme
        self.seed = seed
        self.num_perm = num_perm
        self.hashfunc = hashfunc
        self.hashvalues = (self._empty(num_perm) if hashvalues is None
                           else kind.array(hashvalues, "hash values"))
        self.permutations = self._given(permutations, num_perm)
        if len(self.permutations[0]) != len(self):
            raise ValueError("Numbers of hash values and permutations mismatch")
        self._gpu_mode = gpu_mode
        self._columns = None  # the permutations, and a and b as C++ reads them

    def _empty(self, num_perm):
        kind = _SCHEMES[self.scheme]
        return np.full(num_perm, kind.most, dtype=kind.dtype)

    def _given(self, permutations, num_perm):
        if permutations is None:
            if isinstance(self.seed, int):
                return _permutations(self.scheme, num_perm, self.seed)
            return _SCHEMES[self.scheme].permutations(num_perm, self.seed)
        kind = _SCHEMES[self.scheme]
        if kind.code is None:
            return permutations
        if not (isinstance(permutations, np.ndarray) and permutations.dtype == kind.dtype
                and permutations.ndim == 2 and permutations.shape[0] == 2):
            permutations = np.array([kind.array(each, "permutation parameters") for each in permutations])
        if np.any(permutations[0] & kind.dtype(1) == 0):
            raise ValueError(f"all `a` permutation parameters must be odd for scheme {self.scheme!r}")
        return permutations

    def _fold(self, elements):
        """The minima with those of a list of elements. Nothing has changed if it raises."""
        kind = _SCHEMES[self.scheme]
        if self._columns is None or self._columns[0] is not self.permutations:
            self._columns = (self.permutations, *(np.ascontiguousarray(each, dtype=kind.dtype)
                                                  for each in self.permutations))
        _, a, b = self._columns
        values = np.array(self.hashvalues, dtype=kind.dtype)
        sha1 = _sha1_bytes(self.hashfunc)
        if sha1 == 4 or (sha1 == 8 and kind.name != "affine32"):
            _twinset.minhash_elements(kind.number, elements, sha1 == 8, self.hashfunc, a, b, values)
        else:
            hashes = kind.array([self.hashfunc(element) for element in elements],
                                "hashfunc returned a value")
            _twinset.minhash_hashes(kind.number, hashes.astype(np.uint64), a, b, values)
        self.hashvalues = values

    def update(self, b):
        """Adds an element."""
        self._fold([b])

    def update_batch(self, b):
        """Adds all elements of an iterable."""
        elements = b if isinstance(b, list) else list(b)
        if not elements:
            return
        if self._gpu_mode == "always":
            raise RuntimeError("GPU mode 'always' requested, and twinset computes on the CPU only")
        self._fold(elements)

    def _refuse(self, other, doing):
        for what, differ in (
                ("permutation schemes", lambda: getattr(other, "scheme", None) != self.scheme),
                ("seeds", lambda: other.seed != self.seed),
                ("numbers of permutation functions", lambda: len(other) != len(self))):
            if differ():
                raise ValueError(f"Cannot {doing} MinHash with different {what}")

    def jaccard(self, other):
        """The estimated resemblance of both sets, in [0, 1]."""
        self._refuse(other, "compute Jaccard given")
        return float(np.count_nonzero(self.hashvalues == other.hashvalues)) / float(len(self))

    def count(self):
        """The estimated number of elements (Cohen 1997, "Size-estimation framework")."""
        most = float(_SCHEMES[self.scheme].most)
        return float(len(self)) / np.sum(self.hashvalues / most) - 1.0

    def merge(self, other):
        """Makes this one that of the union with the other's set."""
        self._refuse(other, "merge")
        self.hashvalues = np.minimum(other.hashvalues, self.hashvalues)

    def digest(self):
        """A copy of the hash values."""
        return self.hashvalues.copy()

    def is_empty(self):
        """Whether no element was added."""
        return not np.any(self.hashvalues != _SCHEMES[self.scheme].most)

    def clear(self):
        """Makes it that of the empty set."""
        self.hashvalues = self._empty(len(self))

    def copy(self):
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, hashvalues=self.digest())
        return made

    def __len__(self):
        return len(self.hashvalues)

    def __eq__(self, other):
        return (type(self) is type(other) and self.scheme == other.scheme and self.seed == other.seed
                and np.array_equal(self.hashvalues, other.hashvalues))

    __hash__ = None

    @classmethod
    def union(cls, *mhs):
        """A new one, of the union of two sets or more."""
        if len(mhs) < 2:
            raise ValueError("Cannot union less than 2 MinHash")
        first = mhs[0]
        if any((m.seed, len(m), m.scheme) != (first.seed, len(first), first.scheme) for m in mhs):
            raise ValueError("The unioning MinHash must have the same seed, number of permutation "
                             "functions and scheme")
        made = first.copy()
        made.hashvalues = np.minimum.reduce([m.hashvalues for m in mhs])
        return made

    @classmethod
    def bulk(cls, b, **minhash_kwargs):
        """A list of one MinHash for each iterable of elements."""
        return list(cls.generator(b, **minhash_kwargs))

    @classmethod
    def generator(cls, b, **minhash_kwargs):
        """The same, one after the other."""
        empty = cls(**minhash_kwargs)
        for elements in b:
            made = empty.copy()
            made.update_batch(elements)
            yield made


class LeanMinHash(MinHash):
    """A MinHash that cannot be updated, and is written as few bytes: its values and its seed.

    minhash  the MinHash whose values it has; or seed, hashvalues and scheme, all three
    """

    def __init__(self, minhash=None, seed=None, hashvalues=None, scheme=None):  # pylint: disable=super-init-not-called
        if minhash is not None:
            if scheme not in (None, minhash.scheme):
                raise ValueError(f"scheme {scheme!r} conflicts with the scheme {minhash.scheme!r} of the "
                                 "given MinHash")
            seed, hashvalues, scheme = minhash.seed, minhash.hashvalues, minhash.scheme
        elif seed is None or hashvalues is None:
            raise ValueError("either minhash, or both of hashvalues and seed must be given")
        elif scheme is None:
            raise ValueError("scheme must be given with hash values: that of the MinHash they came from, "
                             "or scheme='legacy' if datasketch before 2.0 made them")
        kind = _scheme(scheme)
        self.seed = seed
        self.scheme = scheme
        self.hashvalues = kind.array(hashvalues, "hash values")
        if kind.code is not None and len(self) == 0:
            raise ValueError("hashvalues must not be empty")

    def update(self, b):
        raise TypeError("Cannot update a LeanMinHash")

    def update_batch(self, b):
        raise TypeError("Cannot update a LeanMinHash")

    def __hash__(self):
        return hash((self.scheme, self.seed, tuple(self.hashvalues)))

    def _form(self, byteorder):
        kind = _SCHEMES[self.scheme]
        coded = "" if kind.code is None else "B"
        return f"{byteorder}qi{coded}{len(self)}{kind.letter}"

    def bytesize(self, byteorder="@"):
        """The bytes that serialize() writes."""
        return struct.calcsize(self._form(byteorder))

    def serialize(self, buf, byteorder="@"):
        """Writes it into a buffer, as datasketch does: the seed, the number of values (negative if
        a byte that tells the scheme follows), the values. `byteorder` is a letter of struct."""
        if len(buf) < self.bytesize(byteorder):
            raise ValueError("The buffer does not have enough space for holding this MinHash.")
        code = _SCHEMES[self.scheme].code
        head = (self.seed, len(self)) if code is None else (self.seed, -len(self), code)
        struct.pack_into(self._form(byteorder), buf, 0, *head, *self.hashvalues.tolist())

    @classmethod
    def deserialize(cls, buf, byteorder="@"):
        """The one that serialize() wrote, here, in datasketch 2 or in one before it."""
        buf = memoryview(buf)
        head = byteorder + "qi"
        seed, count = struct.unpack_from(head, buf)
        kind = _SCHEMES["legacy"]
        if count < 0:
            count = -count
            code = struct.unpack_from(byteorder + "B", buf, struct.calcsize(head))[0]
            kind = next((each for each in _SCHEMES.values() if each.code == code), None)
            if kind is None:
                raise ValueError(f"Unknown permutation scheme code: {code}")
            head += "B"
        # No value, which aligns what comes before.
        start = struct.calcsize(f"{head}0{kind.letter}")
        values = struct.unpack_from(f"{byteorder}{count}{kind.letter}", buf, start)
        return cls(seed=seed, hashvalues=values, scheme=kind.name)

    @classmethod
    def union(cls, *lmhs):
        return cls(super().union(*lmhs))


@functools.lru_cache(maxsize=64)
def _best_bands(threshold, num_perm, false_positive_weight, false_negative_weight):
    """(bands, rows) with the least weighted error around the threshold; of equal ones the first.

    A pair of similarity s shares a band with probability 1 - (1 - s^r)^b. This and what it misses
    are polynomials of a degree up to num_perm, whose integrals below and above the threshold
    Gauss' rule gives exactly.
    """
    nodes, weights = np.polynomial.legendre.leggauss(num_perm // 2 + 1)
    below = (nodes + 1) / 2 * threshold
    above = threshold + (nodes + 1) / 2 * (1 - threshold)
    powers = np.arange(1, num_perm + 1)[:, None]
    apart_below = 1 - below ** powers
    apart_above = 1 - above ** powers
    least, best = float("inf"), (0, 0)
    for bands in range(1, num_perm + 1):
        rows = num_perm // bands
        false_positive = (1 - apart_below[:rows] ** bands) @ weights * threshold / 2
        false_negative = apart_above[:rows] ** bands @ weights * (1 - threshold) / 2
        errors = false_positive * false_positive_weight + false_negative * false_negative_weight
        r = int(np.argmin(errors))
        if errors[r] < least:
            least, best = errors[r], (bands, r + 1)
    return best


class _Storage:
    """Values by key, in memory. Methods are named as those of datasketch's storage."""

    def __init__(self, kind):
        self._dict = defaultdict(kind)
        self._kind = kind
        self._selected = []
        self.buffer_size = 50000

    def keys(self):
        return self._dict.keys()

    def get(self, key):
        return self._dict.get(key, self._kind())

    def getmany(self, *keys):
        return [self.get(key) for key in keys]

    def insert(self, key, *vals, **_):
        if self._kind is set:
            self._dict[key].update(vals)
        else:
            self._dict[key].extend(vals)

    def remove(self, *keys, **_):
        for key in keys:
            del self._dict[key]

    def remove_val(self, key, val, **_):
        self._dict[key].remove(val)

    def size(self):
        return len(self._dict)

    def itemcounts(self, **_):
        return {key: len(values) for key, values in self._dict.items()}

    def has_key(self, key):
        return key in self._dict

    def status(self):
        return {"keyspace_size": len(self)}

    def empty_buffer(self):
        """Nothing waits in memory."""

    def add_to_select_buffer(self, keys):
        self._selected += self.getmany(*keys)

    def collect_select_buffer(self):
        selected, self._selected = self._selected, []
        return selected

    __contains__ = has_key
    __len__ = size
    __getitem__ = get
    __delitem__ = remove

    def __iter__(self):
        return iter(self._dict)


class MinHashLSH:
    """An index of MinHash by bands of their values: query() tells the keys that share one.

    threshold  similarity around which bands are chosen, in [0, 1]
    num_perm   the number of values of each MinHash
    weights    (false positives, false negatives), of sum 1
    params     (bands, values in a band), in place of threshold and weights
    hashfunc   from the bytes of a band to those that stand for them [themselves]
    storage_config is {"type": "dict"}; prepickle is not supported.
    """

    def __init__(self, threshold=0.9, num_perm=128, weights=(0.5, 0.5), params=None,
                 storage_config=None, prepickle=None, hashfunc=None):
        if storage_config and storage_config.get("type") != "dict":
            raise ValueError(f"storage {storage_config.get('type')!r} is not supported by twinset: use "
                             "datasketch's MinHashLSH, which takes this module's MinHash")
        if prepickle:
            raise ValueError("prepickle is not supported by twinset: nothing is pickled")
        if not 0.0 <= threshold <= 1.0:
            raise ValueError("threshold must be in [0.0, 1.0]")
        if num_perm < 2:
            raise ValueError("Too few permutation functions")
        if any(not 0.0 <= weight <= 1.0 for weight in weights):
            raise ValueError("Weight must be in [0.0, 1.0]")
        if sum(weights) != 1.0:
            raise ValueError("Weights must sum to 1.0")
        self.h = num_perm
        if params is None:
            self.b, self.r = _best_bands(threshold, num_perm, *weights)
        else:
            self.b, self.r = params
            if self.b * self.r > num_perm:
                raise ValueError(f"The product of b and r in params is {self.b} * {self.r} = "
                                 f"{self.b * self.r} -- it must be less than num_perm {num_perm}. "
                                 "Did you forget to specify num_perm?")
        if self.b < 2:
            raise ValueError("The number of bands are too small (b < 2)")
        self.prepickle = False
        self.hashfunc = hashfunc
        self.hashtables = [_Storage(set) for _ in range(self.b)]
        self.hashranges = [(i * self.r, (i + 1) * self.r) for i in range(self.b)]
        self.keys = _Storage(list)
        self._buffer_size = 50000
        self._minhash_scheme = None

    @property
    def buffer_size(self):
        return self._buffer_size

    @buffer_size.setter
    def buffer_size(self, value):
        for storage in (self.keys, *self.hashtables):
            storage.buffer_size = value
        self._buffer_size = value

    def _bands(self, minhash):
        """The bytes of each band, values big-endian on a little-endian machine; and the scheme."""
        if len(minhash) != self.h:
            raise ValueError(f"Expecting minhash with length {self.h}, got {len(minhash)}")
        scheme = getattr(minhash, "scheme", None)
        if None not in (scheme, self._minhash_scheme) and scheme != self._minhash_scheme:
            raise ValueError(f"MinHash scheme {scheme!r} does not match scheme {self._minhash_scheme!r} "
                             "of the MinHash previously given to this index")
        swapped = minhash.hashvalues.byteswap().tobytes()
        size = len(swapped) // self.h
        bands = [swapped[start * size:end * size] for start, end in self.hashranges]
        return bands if self.hashfunc is None else [self.hashfunc(band) for band in bands]

    def insert(self, key, minhash, check_duplication=True):
        """Adds a key that is not there yet; ValueError if it is."""
        bands = self._bands(minhash)
        if self._minhash_scheme is None:
            self._minhash_scheme = getattr(minhash, "scheme", None)
        if check_duplication and key in self.keys:
            raise ValueError("The given key already exists")
        self._add(key, bands)

    def _add(self, key, bands):
        self.keys.insert(key, *bands)
        for band, hashtable in zip(bands, self.hashtables):
            hashtable.insert(band, key)

    def merge(self, other, check_overlap=False):
        """Adds all keys of an index with equal bands."""
        if type(self) is not type(other):
            raise ValueError(f"Cannot merge type MinHashLSH and type {type(other).__name__}.")
        if (self.h, self.b, self.r) != (other.h, other.b, other.r):
            raise ValueError("Cannot merge MinHashLSH with different initialization parameters.")
        known, others = self._minhash_scheme, other._minhash_scheme
        if None not in (known, others) and known != others:
            raise ValueError(f"Cannot merge MinHashLSH indexed with MinHash scheme {others!r} into one "
                             f"indexed with scheme {known!r}")
        if check_overlap and not self.keys.keys().isdisjoint(other.keys.keys()):
            raise ValueError("The keys are overlapping, duplicate key exists.")
        self._minhash_scheme = known or others
        for key in other.keys:
            self._add(key, other.keys.get(key))

    def query(self, minhash):
        """The keys that share a band with it, each once, in no order."""
        return list(self._query_b(minhash, self.b))

    def _query_b(self, minhash, b):
        if b > self.b:
            raise ValueError("b must be less or equal to the number of hash tables")
        found = set()
        for band, hashtable in zip(self._bands(minhash)[:b], self.hashtables):
            found |= hashtable.get(band)
        return found

    def add_to_query_buffer(self, minhash):
        """A query to be answered by collect_query_buffer()."""
        for band, hashtable in zip(self._bands(minhash), self.hashtables):
            hashtable.add_to_select_buffer([band])

    def collect_query_buffer(self):
        """The keys that every query of the buffer finds."""
        tables = [hashtable.collect_select_buffer() for hashtable in self.hashtables]
        answers = [set().union(*found) for found in zip(*tables)]
        return list(set.intersection(*answers)) if answers else []

    def __contains__(self, key):
        return key in self.keys

    def remove(self, key):
        """Takes a key out; ValueError if it is not there."""
        if key not in self.keys:
            raise ValueError("The given key does not exist")
        for band, hashtable in zip(self.keys[key], self.hashtables):
            hashtable.remove_val(band, key)
            if not hashtable.get(band):
                hashtable.remove(band)
        self.keys.remove(key)

    def is_empty(self):
        return any(len(hashtable) == 0 for hashtable in self.hashtables)

    def get_counts(self):
        """For each band how many keys have each of its values."""
        return [hashtable.itemcounts() for hashtable in self.hashtables]

    def get_subset_counts(self, *keys):
        """The same, of these keys alone."""
        tables = [_Storage(set) for _ in range(self.b)]
        for key in set(keys):
            for band, hashtable in zip(self.keys.get(key), tables):
                hashtable.insert(band, key)
        return [hashtable.itemcounts() for hashtable in tables]

    def insertion_session(self, buffer_size=50000):
        """with index.insertion_session() as session: session.insert(key, minhash)"""
        return MinHashLSHInsertionSession(self, buffer_size)

    def deletion_session(self, buffer_size=50000):
        """with index.deletion_session() as session: session.remove(key)"""
        return MinHashLSHDeletionSession(self, buffer_size)


class _Session:
    """In memory nothing has to wait in a buffer: a session is the index itself."""

    def __init__(self, lsh, buffer_size):
        self.lsh = lsh
        self.lsh.buffer_size = buffer_size

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()

    def close(self):
        """Nothing is left to write."""


class MinHashLSHInsertionSession(_Session):
    def insert(self, key, minhash, check_duplication=True):
        self.lsh.insert(key, minhash, check_duplication)


class MinHashLSHDeletionSession(_Session):
    def remove(self, key):
        self.lsh.remove(key)
