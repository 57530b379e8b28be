// This file's interface is FamilyCheck; the rest is private.
#include "cluster/family_check.h"

#include <algorithm>
#include <atomic>

#include "join/shingle_classes.h"
#include "system/ordered.h"

namespace twinset {
namespace {

/// A worker takes so many pairs at a time, or more: it takes whole families.
constexpr std::size_t block_pairs = 1024;
/// But a family of more pairs than that is compared by all workers together.
constexpr std::size_t large_pairs = std::size_t{1} << 12;
/// So many of its pairs at once, the more the larger memory is.
constexpr std::size_t fewest_at_once = std::size_t{1} << 17;
constexpr std::size_t most_at_once = std::size_t{1} << 20;

/// From so many pairs for each document, a family is counted by what differs among its texts. With
/// fewer there is little to gain: each text is in few pairs.
constexpr std::size_t many_pairs = 2;

/// A text of so many may wait for its turn to be counted.
constexpr std::size_t waiting_shingles = std::size_t{1} << 17;

}  // namespace

/// The documents of some pairs, and the classes of the shingles of the first ones.
struct FamilyCheck::Family {
  explicit Family(std::uint64_t memory_bytes) : classes(memory_bytes) {}

  /// Sets the members. None of them is in a class then.
  void take(std::span<const SharedPair> pairs) {
    first = UINT32_MAX;
    std::uint32_t last = 0;
    for (const SharedPair& pair : pairs) {
      first = std::min({first, pair.a, pair.b});
      last = std::max({last, pair.a, pair.b});
    }
    numbers.assign(last - first + 1, 0);
    for (const SharedPair& pair : pairs) numbers[pair.a - first] = numbers[pair.b - first] = 1;
    members.clear();
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] == 0) continue;
      numbers[i] = static_cast<std::uint32_t>(members.size());
      members.push_back(first + i);
    }
    is_dense = pairs.size() >= many_pairs * members.size();
    if (classes.documents() > 0) classes.clear();
  }
  std::uint32_t number(std::uint32_t place) const { return numbers[place - first]; }

  std::vector<std::uint32_t> members;  ///< places, ascending
  /// In `members`, by place from the first one on. Families have made room for it: PairFamilies
  /// frees as much when it is made.
  std::vector<std::uint32_t> numbers;
  std::uint32_t first = 0;
  bool is_dense = false;  ///< what its members have in common is to be counted
  ShingleClasses classes;
};

/// What a worker uses again for each text.
struct FamilyCheck::Scratch {
  std::vector<std::uint64_t> shingles;
  Verifier::Member later;
  ShingleClasses::Weights weights;  ///< of a family
};

unsigned FamilyCheck::threads() const { return std::max(1U, parts_.job.context.threads); }

std::size_t FamilyCheck::pairs_at_once() const {
  return std::clamp<std::size_t>(memory_bytes_ / 8 / sizeof(SharedPair), fewest_at_once,
                                 most_at_once);
}

Status FamilyCheck::run(const Keeps& keeps, const std::function<Status(Block& block)>& put) {
  keeps_ = &keeps;
  put_ = &put;
  TWINSET_ASSIGN(cursor_, families_.pairs().read());
  TWINSET_ASSIGN(next_, cursor_->next());
  while (true) {
    TWINSET_TRY(compare_small());
    if (large_.empty()) return {};
    TWINSET_TRY(compare_large());
    large_.clear();
  }
}

/// Replaces `pairs` by the next ones of one family; false: there are no more.
Result<bool> FamilyCheck::read_family(std::vector<SharedPair>& pairs) {
  pairs.clear();
  const std::size_t most = pairs_at_once();
  while (next_ != nullptr && pairs.size() < most) {
    if (!pairs.empty() && !families_.same(next_->a, pairs.back().a)) break;
    pairs.push_back(*next_);
    TWINSET_ASSIGN(next_, cursor_->next());
  }
  return !pairs.empty();
}

/// Replaces `block` by small families; false: there are no more before a large one.
Result<bool> FamilyCheck::take_small(Block& block) {
  TWINSET_TRY(parts_.job.context.check_cancelled());
  block.pairs.clear();
  block.family_ends.clear();
  while (large_.empty() && block.pairs.size() < block_pairs) {
    TWINSET_ASSIGN(const bool more, read_family(family_));
    if (!more) break;
    if (family_.size() > large_pairs) {
      large_.swap(family_);
      break;
    }
    block.pairs.insert(block.pairs.end(), family_.begin(), family_.end());
    block.family_ends.push_back(block.pairs.size());
  }
  TWINSET_TRY(count_bytes(block));
  return !block.pairs.empty();
}

Status FamilyCheck::count_bytes(Block& block) {
  block.bytes = 0;
  for (const SharedPair& pair : block.pairs) {
    if (pair.a == later_) continue;
    later_ = pair.a;
    TWINSET_ASSIGN(const RecordRow row, parts_.records.row(families_.document(later_)));
    block.bytes += row.length;
  }
  return {};
}

Status FamilyCheck::compare_small() {
  struct Worker {
    Family family;
    Scratch scratch;
  };
  std::vector<Worker> workers;
  for (unsigned i = 0; i < threads(); ++i)
    workers.push_back({Family(memory_bytes_ / threads()), {}});
  OrderedSteps<Block> steps;
  steps.take = [&](Block& block, TaskPlace) { return take_small(block); };
  steps.work = [&](unsigned worker, Block& block) -> Status {
    auto& [family, scratch] = workers[worker];
    block.kept.clear();
    std::size_t begin = 0;
    for (const std::size_t end : block.family_ends) {
      const auto pairs = std::span<const SharedPair>(block.pairs).subspan(begin, end - begin);
      family.take(pairs);
      for (std::size_t i = 0; family.is_dense && i < family.members.size(); ++i) {
        if (family.classes.full()) break;
        TWINSET_ASSIGN(const bool read, read_member(family, i, scratch));
        if (!read) break;
        family.classes.add(scratch.shingles);
      }
      family.classes.finish();
      scratch.weights.clear();
      TWINSET_TRY(judge(family, pairs, scratch, block.kept));
      begin = end;
    }
    return {};
  };
  steps.put = *put_;
  return run_in_order(threads(), steps);
}

Status FamilyCheck::compare_large() {
  Family family(memory_bytes_);
  family.take(large_);
  if (family.is_dense) TWINSET_TRY(add_members(family));
  family.classes.finish();
  std::vector<Scratch> scratches(threads());
  std::size_t begin = 0;
  OrderedSteps<Block> steps;
  steps.take = [&](Block& block, TaskPlace) -> Result<bool> {
    TWINSET_TRY(parts_.job.context.check_cancelled());
    const std::size_t end = std::min(begin + block_pairs, large_.size());
    block.pairs.assign(large_.begin() + static_cast<std::ptrdiff_t>(begin),
                       large_.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
    TWINSET_TRY(count_bytes(block));
    return !block.pairs.empty();
  };
  steps.work = [&](unsigned worker, Block& block) -> Status {
    block.kept.clear();
    return judge(family, block.pairs, scratches[worker], block.kept);
  };
  steps.put = *put_;
  return run_in_order(threads(), steps);
}

/// Adds members to the classes until one is too long or memory is full.
Status FamilyCheck::add_members(Family& family) {
  struct Member {
    std::size_t number = 0;
    bool read = false;
    Scratch scratch;
  };
  std::size_t next = 0;
  std::atomic<bool> ended = false;
  OrderedSteps<Member> steps;
  steps.take = [&](Member& member, TaskPlace) -> Result<bool> {
    if (ended || next == family.members.size()) return false;
    member.number = next++;
    return true;
  };
  steps.work = [&](unsigned, Member& member) -> Status {
    TWINSET_ASSIGN(member.read, read_member(family, member.number, member.scratch));
    return {};
  };
  steps.keeps_worker = [](const Member& member) {
    return member.scratch.shingles.size() > waiting_shingles;
  };
  steps.put = [&](Member& member) -> Status {
    if (!member.read || family.classes.full()) ended = true;
    if (!ended) family.classes.add(member.scratch.shingles);
    return {};
  };
  return run_in_order(threads(), steps);
}

/// Sets the shingles of a member; false: its text is too long to be one of several in memory.
Result<bool> FamilyCheck::read_member(const Family& family, std::size_t number,
                                      Scratch& scratch) const {
  TWINSET_TRY(parts_.job.context.check_cancelled());
  const DocumentId document =
      parts_.documents.place_at(families_.document(family.members[number])).document;
  TWINSET_ASSIGN(const bool is_long, parts_.texts.is_long(document));
  if (is_long) return false;
  TWINSET_TRY(parts_.texts.shingles(document, scratch.shingles));
  return true;
}

/// Appends what is to be kept of some pairs of a family whose classes are finished.
Status FamilyCheck::judge(const Family& family, std::span<const SharedPair> pairs, Scratch& scratch,
                          std::vector<SharedPair>& kept) const {
  const std::uint32_t counted = family.classes.documents();
  for (const SharedPair& pair : pairs) {
    const std::uint32_t later = families_.document(pair.a);
    const std::uint32_t earlier = families_.document(pair.b);
    const std::uint32_t a = family.number(pair.a);
    const std::uint32_t b = family.number(pair.b);
    Overlap numbers;
    bool reached = false;
    if (a < counted && b < counted) {
      numbers = family.classes.overlap(a, b, scratch.weights);
      reached = numbers.shared > 0;
    } else {
      Edge edge{.pair = {parts_.documents.place_at(later), parts_.documents.place_at(earlier)}};
      scratch.later.start(edge.pair.later.document);
      TWINSET_TRY(parts_.verifier.verify(scratch.later, edge));
      numbers = edge.link.numbers;
      reached = edge.link.state == LinkState::reached;
    }
    if ((*keeps_)(numbers, reached)) kept.push_back({later, earlier, numbers});
  }
  return {};
}

}  // namespace twinset
