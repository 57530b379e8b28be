// The sketches that pass 1 stored, by document: what candidates are looked at with.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <vector>

#include "join/documents.h"
#include "join/sketch_check.h"
#include "run/record_files.h"

namespace twinset {

/// Reads stored sketches out of the record files.
class StoredSketches final : public SketchSource {
 public:
  StoredSketches(const RecordFiles& records, const DocumentTable& documents)
      : records_(records), documents_(documents) {}
  Status stored(DocumentId document, std::vector<std::uint8_t>& out) override {
    return records_.sketch(documents_.index(document), out);
  }

 private:
  const RecordFiles& records_;
  const DocumentTable& documents_;
};

}  // namespace twinset
