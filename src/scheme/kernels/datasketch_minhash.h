// MinHash in the arithmetic of datasketch (github.com/ekzhu/datasketch), bit for bit: the same
// elements give the hash values of its MinHash(num_perm, seed).
//
//   const DatasketchMinHash minhash(128, 1, DatasketchRelease::one);
//   std::vector<std::uint32_t> values(128, UINT32_MAX);
//   minhash.update("new value", values);       // m.update(b"new value")
//
// Threads: immutable once made; `values` belong to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace twinset {

/// The arithmetic of all releases before 2 ("legacy" since), or the default of release 2
/// ("affine32").
enum class DatasketchRelease : std::uint8_t { one = 1, two = 2 };

class DatasketchMinHash {
 public:
  /// `values` functions from `seed`, as numpy's RandomState draws them.
  DatasketchMinHash(std::size_t values, std::uint32_t seed, DatasketchRelease release);
  /// Lowers each of `values` (one for each function) to its hash of the element's SHA-1, if that is
  /// smaller.
  void update(std::string_view element, std::span<std::uint32_t> values) const;
  std::size_t size() const { return a_.size(); }

 private:
  DatasketchRelease release_;
  std::vector<std::uint64_t> a_;
  std::vector<std::uint64_t> b_;
};

}  // namespace twinset
