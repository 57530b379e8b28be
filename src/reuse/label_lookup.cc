#include "reuse/label_lookup.h"

#include <algorithm>

namespace twinset {

bool LabelLookup::may_have(const ChunkDigest& hash, std::uint64_t& looked_up) const {
  if (!filter_.may_have(hash.key())) return false;
  // A page may have thousands of labels.
  if (++looked_up * looked_up_bytes * std::max(1U, threads_) > memory_bytes_ &&
      labels_.row_bytes() > memory_bytes_) {
    labels_.release();
    looked_up = 0;
  }
  return true;
}

Result<bool> LabelLookup::contains(LabelKind kind, const ChunkDigest& hash,
                                   std::uint64_t& looked_up) const {
  if (!may_have(hash, looked_up)) return false;
  return labels_.contains(kind, hash);
}

Result<std::optional<Label>> LabelLookup::find(LabelKind kind, const ChunkDigest& hash,
                                               std::uint64_t& looked_up) const {
  if (!may_have(hash, looked_up)) return std::optional<Label>();
  return labels_.find(kind, hash);
}

void LabelLookup::count(std::uint64_t looked_up) {
  looked_up_ += looked_up;
  if (labels_.row_bytes() <= memory_bytes_ || looked_up_ * looked_up_bytes <= memory_bytes_) return;
  labels_.release();
  looked_up_ = 0;
}

}  // namespace twinset
