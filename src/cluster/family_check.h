// Compares the texts of pairs, family by family: in a family of many pairs what differs among the
// texts is counted (join/shingle_classes.h), in one of few each pair is compared (join/verify.h).
//
//   FamilyCheck check({job, records, documents, texts, verifier}, families, memory_bytes);
//   check.run([](const Overlap& numbers, bool reached) { return reached; },
//             [&](FamilyCheck::Block& block) { return out.append(block.kept); });
//
// Threads: small families are compared side by side; of a large one all threads read the texts,
// while one counts them, and then compare its pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cluster/pair_families.h"
#include "join/shared_keys.h"
#include "join/verify.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/record_files.h"
#include "run/texts.h"
#include "scheme/overlap.h"
#include "twinset/result.h"

namespace twinset {

class FamilyCheck {
 public:
  struct Parts {
    const Job& job;
    const RecordFiles& records;
    const DocumentTable& documents;
    Texts& texts;
    Verifier& verifier;
  };
  /// Consecutive pairs, and those of them to keep, with their numbers.
  struct Block {
    std::vector<SharedPair> pairs;         ///< of places in families
    std::vector<std::size_t> family_ends;  ///< in `pairs`
    std::vector<SharedPair> kept;          ///< of documents
    std::uint64_t bytes = 0;               ///< of the later documents whose first pair is in it
  };
  /// Is a pair of these numbers to be kept? Only if it was reached are they sure to be exact. From
  /// any thread.
  using Keeps = std::function<bool(const Overlap& numbers, bool reached)>;

  /// Memory: so many bytes for the pairs of a family and what its texts have in common, and a block
  /// of pairs for each thread.
  FamilyCheck(const Parts& parts, PairFamilies& families, std::uint64_t memory_bytes)
      : parts_(parts), families_(families), memory_bytes_(memory_bytes) {}

  /// Gives all pairs to `put`, a block at a time, in the order of families.
  Status run(const Keeps& keeps, const std::function<Status(Block& block)>& put);

 private:
  struct Family;
  struct Scratch;

  Result<bool> read_family(std::vector<SharedPair>& pairs);
  Result<bool> take_small(Block& block);
  Status count_bytes(Block& block);
  Status compare_small();
  Status compare_large();
  Status add_members(Family& family);
  Result<bool> read_member(const Family& family, std::size_t number, Scratch& scratch) const;
  Status judge(const Family& family, std::span<const SharedPair> pairs, Scratch& scratch,
               std::vector<SharedPair>& kept) const;
  unsigned threads() const;
  std::size_t pairs_at_once() const;

  Parts parts_;
  PairFamilies& families_;
  std::uint64_t memory_bytes_;
  const Keeps* keeps_ = nullptr;
  const std::function<Status(Block&)>* put_ = nullptr;
  std::unique_ptr<RowCursor<SharedPair>> cursor_;
  const SharedPair* next_ = nullptr;  ///< of the cursor; null at the end
  std::vector<SharedPair> family_;    ///< read last
  std::vector<SharedPair> large_;     ///< a large family that was read, or a part of it
  std::uint32_t later_ = UINT32_MAX;  ///< the place whose bytes were counted last
};

}  // namespace twinset
