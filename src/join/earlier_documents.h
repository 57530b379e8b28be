// Documents that were decided before a run began, which it finds by keys: those of an index. They
// stand before all others in keep order, and nothing becomes of them.
//
// Of the documents that share a key only those are given that the others would be paired with
// (join/candidates.h), so that a run finds the pairs that one over all documents would.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/document.h"
#include "base/hash.h"
#include "twinset/result.h"

namespace twinset {

class EarlierDocuments {
 public:
  virtual ~EarlierDocuments() = default;

  /// Replaces `out` by the first leaders_per_group and the last of those that have the key, in keep
  /// order; removed ones, too, which lead to their survivors. Error (io): they cannot be read.
  virtual Status with_key(std::uint64_t key, std::vector<DocumentId>& out) const = 0;

  struct Equal {
    DocumentId document;
    Fingerprint raw;  ///< of its bytes
  };
  /// The first of those whose tokens have this hash; nullopt if there is none. Errors as
  /// with_key().
  virtual Result<std::optional<Equal>> of_tokens(const Fingerprint& tokens) const = 0;
};

}  // namespace twinset
