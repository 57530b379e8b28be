// Takes the sample of keys for a plan while a collection is read.
//
// Threads: as a Collector.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "plan/key_sample.h"
#include "run/collector.h"
#include "run/keys_per_document.h"
#include "scheme/scheme.h"

namespace twinset {

struct SampleRows final : Collector::Rows {
  void begin(const BatchPlace&) override {
    batch.clear();
    keys_seen = names_seen = 0;
    counts = {};
  }
  void release_large() override { *this = SampleRows(); }

  SampleBatch batch;
  std::uint64_t keys_seen = 0;
  std::uint64_t names_seen = 0;
  KeysPerDocument counts;
  Sketch sketch;                    ///< scratch
  std::vector<std::uint64_t> keys;  ///< scratch
};

class KeySampler final : public CollectorOf<SampleRows> {
 public:
  /// Adds documents to `sample`.
  KeySampler(const Scheme& scheme, KeySample& sample) : scheme_(scheme), sample_(sample) {}

  /// The number of keys of all documents.
  std::uint64_t keys() const { return keys_; }
  const KeysPerDocument& counts() const { return counts_; }
  /// Bytes of ids.
  std::uint64_t name_bytes() const { return name_bytes_; }

  /// A plan is never continued.
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& record, SampleRows& rows) const override;
  Status add(SampleRows& rows) override;
  Status put(SampleRows& rows) override;

  const Scheme& scheme_;
  KeySample& sample_;
  KeysPerDocument counts_;
  std::atomic<std::uint64_t> keys_ = 0;
  std::atomic<std::uint64_t> name_bytes_ = 0;
};

}  // namespace twinset
