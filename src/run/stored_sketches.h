// The sketches that pass 1 stored, by document, to check candidates.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <vector>

#include "join/documents.h"
#include "join/sketch_check.h"
#include "run/document_keys.h"

namespace twinset {

/// Reads stored sketches.
class StoredSketches final : public SketchSource {
 public:
  /// `keys` may be null if nothing was stored; then stored() must not be called.
  StoredSketches(const DocumentKeys* keys, const DocumentTable& documents)
      : keys_(keys), documents_(documents) {}
  Status stored(DocumentId document, std::vector<std::uint8_t>& out) override {
    return keys_->stored().read(documents_.index(document), out);
  }

 private:
  const DocumentKeys* keys_;
  const DocumentTable& documents_;
};

}  // namespace twinset
