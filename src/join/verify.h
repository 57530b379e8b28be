// From candidate pair to proof: compares the exact overlap of two shingle sets with the
// threshold, in integers.
//
// Verification never opens files: it asks a ShingleSource for a document's shingles. Within a
// budget it keeps the hash sets of documents that are in several pairs, and asks again for a set
// that it dropped. The set of a document in one pair is in a buffer of its thread, which stays in
// the CPU's cache.
//
// Threads: a Verifier is used by many at once; a Member belongs to one.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/document.h"
#include "join/edges.h"
#include "join/link.h"
#include "join/threshold.h"
#include "scheme/shingle_set.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// Gives a document's w-shingles, repeats included (text/shingler.h).
class ShingleSource {
 public:
  virtual ~ShingleSource() = default;
  /// Called from any thread. Replaces `out`.
  virtual Status shingles(DocumentId document, std::vector<std::uint64_t>& out) = 0;
  /// Is the document known to be the earlier one of a single pair? Then its set is not cached; a
  /// wrong answer costs time only. Called from any thread.
  virtual bool earlier_once(DocumentId /*document*/) const { return false; }
  /// Is the document so long that memory holds only one such pair at a time? Called from
  /// any thread.
  virtual Result<bool> is_long(DocumentId /*document*/) { return false; }
};

class Verifier {
 public:
  Verifier(const Threshold& threshold, ShingleSource& source, std::uint64_t memory_bytes);

  /// The document to be judged: its shingles are read once, when first needed. Each thread reuses
  /// one.
  class Member {
   public:
    void start(DocumentId document);

   private:
    friend class Verifier;
    DocumentId document_;
    bool ready_ = false;
    ShingleProber prober_;
    std::vector<std::uint64_t> survivor_shingles_;  ///< of a set to be built
    ShingleSet survivor_;                           ///< of a document that is not held
  };

  /// Sets the edge's state and counts; `member` is its later document.
  Status verify(Member& member, Edge& edge);

  std::uint64_t verifications() const { return verifications_; }

 private:
  struct Entry;
  Status compare(Member& member, Edge& edge);
  void judge(Member& member, const ShingleSet& survivor, Edge& edge) const;
  /// A set held for as long as this lives.
  class Held;
  Status hold(DocumentId document, std::vector<std::uint64_t>& shingles, Entry*& out);
  Overlap overlap(ShingleProber& prober, const ShingleSet& survivor) const;
  void release(Entry& entry);
  void evict_over_budget(std::size_t first_shard);

  struct Entry {
    DocumentId document;
    ShingleSet set;
    unsigned users = 0;
    bool ready = false;
    std::list<Entry*>::iterator age;
  };

  /// A part of the cache with a lock of its own, so that threads seldom wait for each other.
  struct Shard {
    mutable std::mutex mutex;
    std::condition_variable built;
    std::unordered_map<std::uint64_t, std::unique_ptr<Entry>> entries;
    std::list<Entry*> ages;  ///< least recently used first
  };
  static constexpr std::size_t shard_count = 16;
  static std::size_t shard_of(DocumentId document);

  Threshold threshold_;
  ShingleSource& source_;
  std::uint64_t memory_bytes_;
  std::mutex long_mutex_;  ///< held while a long document is worked on; taken before a shard's
  std::array<Shard, shard_count> shards_;
  std::atomic<std::uint64_t> held_bytes_ = 0;  ///< of all shards
  std::atomic<std::uint64_t> verifications_ = 0;
};

}  // namespace twinset
