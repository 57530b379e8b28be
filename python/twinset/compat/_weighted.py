"""WeightedMinHash and its generator, for twinset.compat.datasketch.

The method is improved consistent weighted sampling (Ioffe, ICDM 2010): of each sample every element has a
gamma-distributed r and c and a uniform beta, and the element with the least value for its weight is the
sample, with the step of its weight. Numbers have 32 bits, and are drawn in datasketch's order, so that
samples are the same.
"""

import numpy as np

# So many numbers of a vector's samples are held at a time: some MiB.
_AT_ONCE = 1 << 18


class WeightedMinHash:
    """Samples of a weighted set: estimates the weighted Jaccard similarity, the sum of the lesser weights as
    a share of the sum of the greater ones. WeightedMinHashGenerator makes it.

    seed        of the generator
    hashvalues  an array of (element, step) for each sample
    """

    def __init__(self, seed, hashvalues):
        self.seed = seed
        self.hashvalues = hashvalues

    def jaccard(self, other):
        """The estimated similarity, in [0, 1]: standard error about sqrt(s(1-s)/len(self))."""
        if other.seed != self.seed:
            raise ValueError("Cannot compute Jaccard given WeightedMinHash objects with different seeds")
        if len(self) != len(other):
            raise ValueError("Cannot compute Jaccard given WeightedMinHash objects with different numbers of hash values")
        return float(np.count_nonzero((self.hashvalues == other.hashvalues).all(axis=1))) / float(len(self))

    def digest(self):
        """A copy of the samples."""
        return self.hashvalues.copy()

    def copy(self):
        return type(self)(self.seed, self.digest())

    def __len__(self):
        return len(self.hashvalues)

    def __eq__(self, other):
        return (type(self) is type(other) and self.seed == other.seed
                and np.array_equal(self.hashvalues, other.hashvalues))

    __hash__ = None


class WeightedMinHashGenerator:
    """Makes a WeightedMinHash of vectors of weights.

    dim          elements of each vector
    sample_size  samples of each
    seed         of the random numbers: only samples of one seed are compared
    """

    def __init__(self, dim, sample_size=128, seed=1):
        self.dim = dim
        self.sample_size = sample_size
        self.seed = seed
        draw = np.random.RandomState(seed)
        shape = (sample_size, dim)
        self.rs = draw.gamma(2, 1, shape).astype(np.float32)
        self.ln_cs = np.log(draw.gamma(2, 1, shape)).astype(np.float32)
        self.betas = draw.uniform(0, 1, shape).astype(np.float32)

    def _samples(self, elements, weights):
        """(element, step) of each sample, of those elements that have a weight above zero."""
        logs = np.log(weights)
        found = np.empty((self.sample_size, 2), dtype=np.int64)
        some = max(1, _AT_ONCE // len(elements))
        for begin in range(0, self.sample_size, some):
            part = slice(begin, begin + some)
            rs, betas = self.rs[part, elements], self.betas[part, elements]
            steps = np.floor(logs / rs + betas)
            least = np.argmin(self.ln_cs[part, elements] - (steps - betas) * rs - rs, axis=1)
            found[part, 0] = elements[least]
            steps = steps[np.arange(len(least)), least]
            if not np.isfinite(steps).all():
                raise OverflowError("a weight is infinite")
            found[part, 1] = steps
        return found

    def minhash(self, v):
        """Of one vector: `dim` numbers; what is not above zero counts as absent. ValueError: none is above
        zero, or there are more or fewer."""
        if not hasattr(v, "__len__"):
            raise TypeError("Input vector must be sized")
        if len(v) != self.dim:
            raise ValueError(f"Input dimension mismatch, expecting {self.dim}")
        v = np.asarray(v, dtype=np.float32)
        if not v.any():
            raise ValueError("Input is all zeros")
        elements = np.flatnonzero(v > 0)
        if not len(elements):
            raise ValueError("no weight is above zero")
        return WeightedMinHash(self.seed, self._samples(elements, v[elements]))

    def minhash_many(self, X):
        """Of each row of a matrix, of numpy or of scipy.sparse: a list, with None for a row of zeros."""
        if not isinstance(X, np.ndarray) and not hasattr(X, "tocsr"):
            raise TypeError("Input X must be a sparse matrix or numpy matrix")
        if len(X.shape) != 2:
            raise ValueError("Input must have two dimensions")
        if X.shape[1] != self.dim:
            raise ValueError(f"Input dimension mismatch, expecting {self.dim}")
        if isinstance(X, np.ndarray):
            return [self.minhash(row) if row.any() else None for row in X]
        X = X.tocsr()
        made = []
        for begin, end in zip(X.indptr[:-1], X.indptr[1:]):
            row = np.zeros(self.dim, dtype=np.float32)
            np.add.at(row, X.indices[begin:end], X.data[begin:end].astype(np.float32))
            made.append(self.minhash(row) if row.any() else None)
        return made
