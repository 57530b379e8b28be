// What twinset.compat.datasketch computes in C++: minima of permuted hashes, in arrays of numpy.
// This file's interface is verbs.h; the rest is private.
#include <nanobind/ndarray.h>

#include <algorithm>
#include <span>
#include <vector>

#include "minhash_kernels.h"
#include "verbs.h"

namespace twinset::python {
namespace {

template <class Word>
using Column = nb::ndarray<Word, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Hashes that wait are folded when there are so many.
constexpr std::size_t most_waiting = 4096;

void fold(MinHashScheme /*affine32*/, std::span<const std::uint64_t> hashes,
          std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
          std::span<std::uint32_t> values) {
  fold_minima32(hashes, a, b, values);
}

void fold(MinHashScheme scheme, std::span<const std::uint64_t> hashes,
          std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
          std::span<std::uint64_t> values) {
  fold_minima64(scheme, hashes, a, b, values);
}

/// The arrays of one MinHash.
template <class Word>
struct Minima {
  MinHashScheme scheme;
  std::span<const Word> a;
  std::span<const Word> b;
  std::span<Word> values;

  Minima(MinHashScheme of, const Column<const Word>& a_of, const Column<const Word>& b_of,
         const Column<Word>& values_of)
      : scheme(of),
        a(a_of.data(), a_of.size()),
        b(b_of.data(), b_of.size()),
        values(values_of.data(), values_of.size()) {
    if (a.size() != values.size() || b.size() != values.size()) {
      throw nb::value_error("Numbers of hash values and permutations mismatch");
    }
  }
  void take(std::span<const std::uint64_t> hashes) const { fold(scheme, hashes, a, b, values); }
};

/// Hashes elements by SHA-1, cut to its first four or eight bytes. What is no short bytes goes to
/// `other`, a function of Python that hashes or raises.
template <class Word>
void take_elements(const Minima<Word>& minima, const nb::list& elements, bool eight_bytes,
                   const nb::object& other) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(std::min(most_waiting, nb::len(elements)) + 64);
  ShortSha1 sha1(hashes);
  const auto fold_waiting = [&] {
    if (!eight_bytes) {
      for (std::uint64_t& hash : hashes) hash &= 0xffffffff;
    }
    minima.take(hashes);
    hashes.clear();
  };
  // A function of Python may shorten the list meanwhile.
  for (Py_ssize_t i = 0; i < PyList_Size(elements.ptr()); ++i) {
    PyObject* const element = PyList_GetItem(elements.ptr(), i);
    char* bytes = nullptr;
    Py_ssize_t size = 0;
    const bool is_bytes =
        Py_TYPE(element) == &PyBytes_Type && PyBytes_AsStringAndSize(element, &bytes, &size) == 0;
    if (!is_bytes || !sha1.add({bytes, static_cast<std::size_t>(size)})) {
      const nb::object held = nb::borrow(element);
      hashes.push_back(nb::cast<std::uint64_t>(other(held)));
    }
    if (hashes.size() >= most_waiting) fold_waiting();
  }
  sha1.finish();
  fold_waiting();
}

template <class Word>
void add_minima(nb::module_& module) {
  module.def("minhash_elements", [](std::uint8_t scheme, const nb::list& elements, bool eight_bytes,
                                    const nb::object& other, const Column<const Word>& a,
                                    const Column<const Word>& b, const Column<Word>& values) {
    take_elements(Minima<Word>(static_cast<MinHashScheme>(scheme), a, b, values), elements,
                  eight_bytes, other);
  });
  module.def("minhash_hashes", [](std::uint8_t scheme, const Column<const std::uint64_t>& hashes,
                                  const Column<const Word>& a, const Column<const Word>& b,
                                  const Column<Word>& values) {
    Minima<Word>(static_cast<MinHashScheme>(scheme), a, b, values)
        .take({hashes.data(), hashes.size()});
  });
}

}  // namespace

void add_minhash(nb::module_& module) {
  add_minima<std::uint32_t>(module);
  add_minima<std::uint64_t>(module);
}

}  // namespace twinset::python
