// Exact verification with a bounded cache of survivors' sets. The cache affects how often a
// document is read, never a result. This file's interface is Verifier; the rest is private.
#include "join/verify.h"

#include <algorithm>
#include <new>

#include "base/hash.h"
#include "system/out_of_memory.h"

namespace twinset {
/// Releases an entry at the end of its scope.
class Verifier::Held {
 public:
  Held(Verifier& verifier, Entry& entry) : verifier_(verifier), entry_(entry) {}
  ~Held() { verifier_.release(entry_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  Verifier& verifier_;
  Entry& entry_;
};

Verifier::Verifier(const Threshold& threshold, ShingleSource& source, std::uint64_t memory_bytes)
    : threshold_(threshold), source_(source), memory_bytes_(memory_bytes) {}

void Verifier::Member::start(DocumentId document) {
  if (ready_ && document_ == document) return;
  document_ = document;
  ready_ = false;
  // Frees large buffers: few documents need them.
  if (prober_.shingles().capacity() > 2 * many_shingles) prober_ = {};
  if (survivor_.bytes() > 2 * many_shingles * sizeof(std::uint64_t)) survivor_ = {};
}

/// The lock for long documents is taken before any set is requested: a thread that builds a set for
/// others never waits for it, so there is no deadlock.
Status Verifier::verify(Member& member, Edge& edge) {
  bool is_long = false;
  for (const Place& place : {edge.pair.later, edge.pair.earlier}) {
    TWINSET_ASSIGN(const bool answer, source_.is_long(place.document));
    is_long = is_long || answer;
  }
  if (!is_long) return compare(member, edge);
  const std::lock_guard alone(long_mutex_);
  const Status done = compare(member, edge);
  // The next pair needs the memory; this member is read again if it has more pairs.
  member.ready_ = false;
  member.prober_ = ShingleProber();
  member.survivor_shingles_ = std::vector<std::uint64_t>();
  member.survivor_ = ShingleSet();
  return done;
}

Status Verifier::compare(Member& member, Edge& edge) {
  if (!member.ready_) {
    TWINSET_TRY(source_.shingles(member.document_, member.prober_.shingles()));
    member.prober_.ready();
    member.ready_ = true;
  }
  ++verifications_;
  const DocumentId earlier = edge.pair.earlier.document;
  if (source_.earlier_once(earlier)) {
    TWINSET_TRY(source_.shingles(earlier, member.survivor_shingles_));
    member.survivor_.take(member.survivor_shingles_);
    judge(member, member.survivor_, edge);
    return {};
  }
  Entry* entry = nullptr;
  TWINSET_TRY(hold(earlier, member.survivor_shingles_, entry));
  const Held held(*this, *entry);
  judge(member, entry->set, edge);
  return {};
}

void Verifier::judge(Member& member, const ShingleSet& survivor, Edge& edge) const {
  const Overlap found = overlap(member.prober_, survivor);
  const std::uint32_t needed = threshold_.needed_shared(found.later, found.earlier);
  const bool reached = found.shared > 0 && found.shared >= needed && threshold_.reached_by(found);
  edge.link = reached ? Link::exact(found) : Link::too_low();
  // Nothing in common is not the same as nothing at all.
  if (found.shared == 0) edge.link.numbers = found;
}

/// Exact if it reaches a threshold; otherwise `shared` may be too low.
Overlap Verifier::overlap(ShingleProber& prober, const ShingleSet& survivor) const {
  if (!prober.size().has_value()) {
    const std::uint32_t shared = prober.count(survivor);
    return {shared, *prober.size(), survivor.size()};
  }
  Overlap found{0, *prober.size(), survivor.size()};
  const std::uint32_t needed = threshold_.needed_shared(found.later, found.earlier);
  // If the sizes differ too much, no overlap is large enough, so nothing is probed.
  if (needed <= std::min(found.later, found.earlier)) found.shared = prober.count(survivor, needed);
  return found;
}

std::size_t Verifier::shard_of(DocumentId document) {
  return static_cast<std::size_t>(mix64(document.value()) % shard_count);
}

Status Verifier::hold(DocumentId document, std::vector<std::uint64_t>& shingles, Entry*& out) {
  Shard& shard = shards_[shard_of(document)];
  {
    std::unique_lock lock(shard.mutex);
    auto [at, added] = shard.entries.try_emplace(document.value());
    if (!added) {
      Entry& entry = *at->second;
      ++entry.users;
      shard.built.wait(lock, [&] { return entry.ready; });
      shard.ages.splice(shard.ages.end(), shard.ages, entry.age);
      out = &entry;
      return {};
    }
    at->second = std::make_unique<Entry>();
    out = at->second.get();
    out->document = document;
    out->users = 1;
    out->age = shard.ages.insert(shard.ages.end(), out);
  }
  Status read;
  try {
    read = source_.shingles(document, shingles);
    if (read.ok()) out->set.take(shingles);
  } catch (const std::bad_alloc&) {
    // Caught here because others may wait for this set.
    read = out_of_memory();
  }
  held_bytes_ += out->set.bytes();
  {
    const std::lock_guard lock(shard.mutex);
    // A failed read ends the run: the empty set that waiters see is never used.
    out->ready = true;
    if (!read.ok()) --out->users;
    shard.built.notify_all();
  }
  if (read.ok()) evict_over_budget(shard_of(document));
  return read;
}

void Verifier::release(Entry& entry) {
  const std::size_t shard = shard_of(entry.document);
  {
    const std::lock_guard lock(shards_[shard].mutex);
    --entry.users;
  }
  evict_over_budget(shard);
}

/// Frees sets that are not in use, the oldest of a shard first.
void Verifier::evict_over_budget(std::size_t first_shard) {
  for (std::size_t i = 0; i < shard_count && held_bytes_ > memory_bytes_; ++i) {
    Shard& shard = shards_[(first_shard + i) % shard_count];
    const std::lock_guard lock(shard.mutex);
    for (auto at = shard.ages.begin(); at != shard.ages.end() && held_bytes_ > memory_bytes_;) {
      Entry& entry = **at;
      ++at;
      if (entry.users != 0) continue;
      held_bytes_ -= entry.set.bytes();
      shard.ages.erase(entry.age);
      shard.entries.erase(entry.document.value());
    }
  }
}

}  // namespace twinset
