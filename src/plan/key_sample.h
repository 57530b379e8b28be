// A sample of a collection's keys, taken while it is read: every document that has a key
// whose hash is below a bound, with all its keys. Near copies share keys, so a sampled key
// brings all documents that have it. A sample of a share p of the documents would keep only
// p^2 of the pairs.
//
//   KeySample sample(32 << 20);                    // bytes it may take
//   SampleBatch batch;                             // a thread's own
//   sample.take(document, keys, sketch, batch);    // cheap if no key is sampled
//   sample.add(batch);                             // any thread; empties the batch
//
// When the sample outgrows its memory, the bound is halved, and documents without a key below
// it are dropped. The result depends on the collection and the memory only, not on the order
// of the documents. A small collection is sampled whole. Copies are kept as the first one
// and a count; documents whose keys take more than a 64th of the memory are left out.
//
// Threads: take() and add() from any; all others after the last add().
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "base/document.h"
#include "base/hash.h"

namespace twinset {

/// One document of the sample; its keys and sketch lie in the sample's arrays.
struct KeyHolder {
  DocumentId document;
  Fingerprint lexical;  ///< equal for copies that folding takes together
  std::uint64_t first_key = 0;
  std::uint64_t first_byte = 0;  ///< of the stored sketch
  std::uint32_t keys = 0;
  std::uint32_t sketch_bytes = 0;
  std::uint64_t text_bytes = 0;
  std::uint32_t tokens = 0;
  std::uint32_t level = 0;   ///< Sketch::level
  std::uint32_t copies = 0;  ///< more documents of this lexical fingerprint
};

/// Sampled documents, and the hashes of sampled fingerprints.
struct SampleBatch {
  std::vector<KeyHolder> documents;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint8_t> sketches;
  std::vector<std::uint64_t> fingerprints;

  void clear();
  std::uint64_t bytes() const;
  void append(const KeyHolder& document, std::span<const std::uint64_t> its_keys,
              std::span<const std::uint8_t> sketch);
  std::span<const std::uint64_t> keys_of(const KeyHolder& document) const;
  std::span<const std::uint8_t> sketch_of(const KeyHolder& document) const;
};

class KeySample {
 public:
  /// Takes at most `memory_bytes`, but at least a document and 32 KiB.
  explicit KeySample(std::uint64_t memory_bytes);

  /// Adds the document to the batch if it has a sampled key. Ignores the places of keys and sketch
  /// in `document`.
  void take(const KeyHolder& document, std::span<const std::uint64_t> keys,
            std::span<const std::uint8_t> sketch, SampleBatch& batch) const;
  /// Counts the document's text among the distinct ones.
  void take_fingerprint(const Fingerprint& lexical, SampleBatch& batch) const;
  /// Moves the batch into the sample and empties it.
  void add(SampleBatch& batch);

  /// The documents in order of their ids, without copies. Call it once, after the last add().
  const SampleBatch& finish();
  /// Chance of a key to be in the sample, 2^-i.
  double share() const { return share_of(bound_); }
  /// True if a key is in the sample thinned to the share 2^-i, which is at most share().
  static bool holds(std::uint64_t key, unsigned i) { return hash(key) <= ~0ULL >> i; }
  unsigned halvings() const { return halvings_of(bound_); }
  /// The number of sampled distinct texts, and the chance of each to be sampled.
  std::uint64_t sampled_texts() const { return sample_.fingerprints.size(); }
  double text_share() const { return share_of(fingerprint_bound_); }
  std::uint64_t memory_bytes() const { return memory_bytes_; }
  /// The most memory that the sample has taken.
  std::uint64_t peak_bytes() const;
  /// Documents with too many keys, which are never in the sample.
  std::uint64_t left_out() const { return left_out_.load(std::memory_order_relaxed); }

 private:
  static std::uint64_t hash(std::uint64_t key) { return mix64(key ^ 0x5bd1e9955bd1e995ULL); }
  static unsigned halvings_of(std::uint64_t bound);
  static double share_of(std::uint64_t bound);
  bool sampled(std::span<const std::uint64_t> keys, std::uint64_t bound) const;
  void fold();
  void shrink();
  void drop_unsampled(std::uint64_t bound);
  void shrink_fingerprints();

  std::uint64_t memory_bytes_;
  std::atomic<std::uint64_t> bound_{~0ULL};
  std::atomic<std::uint64_t> fingerprint_bound_{~0ULL};
  mutable std::atomic<std::uint64_t> left_out_{0};
  std::mutex adding_;
  SampleBatch sample_;
};

}  // namespace twinset
