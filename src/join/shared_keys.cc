// A group is written as its size and then its members' dense indexes, 32 bits each: one stream per
// worker, in memory or in a file. A document's rank is its place in the order of (level, sample
// size). The document of the pair with the higher rank has the coarser modulus or, if the moduli
// are equal, the larger sample. It counts the pair: every shared key is in its own sample, and at
// least `least` of them are needed to reach the floor.
//
// Documents that share one key mostly share many. So groups with the same members are held once,
// with their number; and when a document counts, so are its groups with the same members of lower
// rank. Its groups are taken in an order that depends on their members only, so that results do
// not depend on threads or memory.
//
// This file's interface is KeyGroups; the rest is private: Gatherer visits groups
// of rows, Ranks orders documents, Block holds the groups that some of them need,
// Counter adds up.
#include "join/shared_keys.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/hash.h"
#include "base/message.h"
#include "system/clean_up.h"
#include "system/threads.h"

namespace twinset {
namespace {

constexpr std::size_t most_common_keys_listed = 100;
constexpr std::uint32_t no_rank = UINT32_MAX;
/// Documents a worker takes at a time.
constexpr std::uint32_t chunk_documents = 256;
constexpr std::size_t flush_pairs = 4096;

/// Of so many members, each with every other.
std::uint64_t pairs_among(std::uint64_t members) { return members * (members - 1) / 2; }

/// Order of rows within a key. Rows that compare equal merge: a document has a key once.
struct ByDocument {
  bool operator()(const KeyRow& a, const KeyRow& b) const { return a.document < b.document; }
};

bool more_documents(const CommonKey& a, const CommonKey& b) {
  return a.documents != b.documents ? a.documents > b.documents : a.key < b.key;
}

void list_common_key(std::vector<CommonKey>& largest, const CommonKey& key) {
  largest.insert(std::upper_bound(largest.begin(), largest.end(), key, more_documents), key);
  if (largest.size() > most_common_keys_listed) largest.pop_back();
}

}  // namespace

SampleSizes SampleSizes::of(const Scheme& scheme, const Sketch& sketch,
                            std::span<const std::uint64_t> keys) {
  SampleSizes sizes;
  sizes.level = sketch.level;
  for (const std::uint64_t key : keys) {
    const unsigned level = scheme.key_level(key);
    const unsigned coarsest = level - std::min(level, sizes.level);
    ++sizes.keys[std::min(coarsest, levels - 1)];
  }
  for (unsigned i = levels - 1; i > 0; --i) sizes.keys[i - 1] += sizes.keys[i];
  return sizes;
}

std::uint64_t GroupReport::meetings_under(std::uint64_t max_group) const {
  std::uint64_t sum = 0;
  for (const auto& [size, number] : sizes) {
    if (max_group == 0 || size <= max_group) sum += number * pairs_among(size);
  }
  return sum;
}

/// One worker's stream of groups: in memory up to its share, then in a file.
struct KeyGroups::Part {
  std::vector<std::uint32_t> words;
  std::unique_ptr<RowFile<std::uint32_t>> file;
  std::uint64_t most_words = 0;

  Status add(const RowsOptions& options, const std::string& name,
             std::span<const std::uint32_t> members) {
    if (words.size() + members.size() + 1 > most_words) {
      if (file == nullptr) {
        RowsOptions of_file = options;
        of_file.path += name;
        file = std::make_unique<RowFile<std::uint32_t>>(of_file);
      }
      TWINSET_TRY(file->append(words));
      words.clear();
    }
    words.push_back(static_cast<std::uint32_t>(members.size()));
    words.insert(words.end(), members.begin(), members.end());
    return {};
  }

  /// Calls `use` with the members of each group, until it returns false.
  template <class Use>
  Status for_each(Use use) const {
    std::vector<std::uint32_t> members;
    if (file != nullptr) {
      TWINSET_ASSIGN(const auto cursor, file->read());
      for (;;) {
        TWINSET_ASSIGN(const std::uint32_t* size, cursor->next());
        if (size == nullptr) break;
        members.resize(*size);
        for (std::uint32_t& member : members) {
          TWINSET_ASSIGN(const std::uint32_t* word, cursor->next());
          if (word == nullptr) return io_error(file->path() + " ends within a group");
          member = *word;
        }
        if (!use(std::span<std::uint32_t>(members))) return {};
      }
    }
    for (std::size_t at = 0; at < words.size(); at += words[at] + 1) {
      members.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                     words.begin() + static_cast<std::ptrdiff_t>(at) + 1 + words[at]);
      if (!use(std::span<std::uint32_t>(members))) return {};
    }
    return {};
  }
};

/// Keeps the members of each key that is not common. One a worker.
class KeyGroups::Gatherer {
 public:
  Gatherer(const RowsOptions& options, const DocumentTable& documents, const Scheme& scheme,
           std::uint64_t max_group, std::span<SampleSizes> sizes, std::string name, Part& part,
           std::mutex& mutex, GroupReport& total)
      : options_(options),
        documents_(documents),
        scheme_(scheme),
        max_group_(max_group == 0 ? UINT64_MAX : max_group),
        sizes_(sizes),
        name_(std::move(name)),
        part_(part),
        mutex_(mutex),
        total_(total) {}

  Status row(const KeyRow& row, bool first) {
    if (first) TWINSET_TRY(end_group());
    const auto index = static_cast<std::uint32_t>(documents_.index(row.document));
    if (seen_ == 0) {
      key_ = row.key;
      first_ = row.document;
    }
    ++seen_;
    if (seen_ <= max_group_) {
      members_.push_back(index);
    } else {
      take_off(index);
    }
    return {};
  }

  Status finish() {
    TWINSET_TRY(end_group());
    if (part_.file != nullptr) {
      TWINSET_TRY(part_.file->append(part_.words));
      part_.words = std::vector<std::uint32_t>();
      TWINSET_TRY(part_.file->seal());
    }
    const std::lock_guard lock(mutex_);
    total_.groups += report_.groups;
    total_.members += report_.members;
    total_.meetings += report_.meetings;
    total_.common.keys_cut += report_.common.keys_cut;
    total_.common.rows_cut += report_.common.rows_cut;
    total_.common_keys.insert(total_.common_keys.end(), report_.common_keys.begin(),
                              report_.common_keys.end());
    for (const CommonKey& key : report_.common.largest) list_common_key(total_.common.largest, key);
    for (const auto& [size, number] : report_.sizes) total_.sizes[size] += number;
    return {};
  }

 private:
  Status end_group() {
    if (seen_ == 0) return {};
    ++report_.sizes[seen_];
    if (seen_ > max_group_) {
      for (const std::uint32_t member : members_) take_off(member);
      report_.common_keys.push_back(key_);
      ++report_.common.keys_cut;
      report_.common.rows_cut += seen_;
      list_common_key(report_.common.largest, {key_, seen_, first_});
    } else {
      ++report_.groups;
      report_.members += seen_;
      report_.meetings += pairs_among(seen_);
      TWINSET_TRY(part_.add(options_, name_, members_));
    }
    members_.clear();
    seen_ = 0;
    return {};
  }

  /// A common key does not count in the denominators either; B 5.1 does not mention them.
  void take_off(std::uint32_t index) {
    SampleSizes& sizes = sizes_[index];
    const unsigned level = scheme_.key_level(key_);
    for (unsigned i = 0; i < SampleSizes::levels && sizes.level + i <= level; ++i) {
      std::atomic_ref<std::uint32_t>(sizes.keys[i]).fetch_sub(1, std::memory_order_relaxed);
    }
  }

  const RowsOptions& options_;
  const DocumentTable& documents_;
  const Scheme& scheme_;
  std::uint64_t max_group_;
  std::span<SampleSizes> sizes_;
  std::string name_;
  Part& part_;
  std::mutex& mutex_;
  GroupReport& total_;
  GroupReport report_;
  std::vector<std::uint32_t> members_;
  std::uint64_t seen_ = 0;
  std::uint64_t key_ = 0;
  DocumentId first_;
};

KeyGroups::KeyGroups(RowsOptions options, TooLittle too_little)
    : options_(std::move(options)), too_little_(std::move(too_little)) {}

KeyGroups::~KeyGroups() {
  for (const std::unique_ptr<Part>& part : parts_) {
    if (part->file == nullptr) continue;
    clean_up([&] { return part->file->discard(); });
  }
}

Status KeyGroups::gather(PartitionedRows<KeyRow>& rows, const DocumentTable& documents,
                         const Scheme& scheme, std::uint64_t max_group,
                         std::span<SampleSizes> sizes) {
  if (documents.size() >= no_rank) {
    return usage_error("counting keys takes at most " + std::to_string(no_rank - 1) +
                       " records at a time; these are " + std::to_string(documents.size()));
  }
  TWINSET_ASSIGN(report_.rows, rows.rows());
  const unsigned threads = std::max(1U, options_.context->threads);
  for (unsigned i = 0; i < threads; ++i) {
    parts_.push_back(std::make_unique<Part>());
    // A growing vector holds its words in the old buffer and in one of twice the size.
    parts_.back()->most_words = options_.memory_bytes / 3 / threads / sizeof(std::uint32_t);
  }
  std::mutex mutex;
  TWINSET_TRY(rows.for_each_group(documents.unfolded(), ByDocument{}, [&](unsigned worker) {
    return Gatherer(options_, documents, scheme, max_group, sizes,
                    ".groups." + std::to_string(worker), *parts_[worker], mutex, report_);
  }));
  std::sort(report_.common_keys.begin(), report_.common_keys.end());
  return {};
}

namespace {

/// Documents in the order of (level, sample size), ties by index. A document without keys has no
/// rank.
struct Ranks {
  std::vector<std::uint32_t> index;  ///< by rank
  std::vector<std::uint32_t> rank;   ///< by index
  std::vector<std::uint32_t> level_begin;

  explicit Ranks(std::span<const SampleSizes> sizes) {
    const auto counts = [](const SampleSizes& each) { return each.keys[0] > 0; };
    index.reserve(static_cast<std::size_t>(std::count_if(sizes.begin(), sizes.end(), counts)));
    for (std::uint32_t i = 0; i < sizes.size(); ++i) {
      if (counts(sizes[i])) index.push_back(i);
    }
    sort_indexes(sizes);
    rank.assign(sizes.size(), no_rank);
    for (std::uint32_t r = 0; r < index.size(); ++r) {
      rank[index[r]] = r;
      while (level_begin.size() <= sizes[index[r]].level) level_begin.push_back(r);
    }
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(index.size()); }
  /// The first rank whose sample can be compared with one of `level`.
  std::uint32_t first_comparable(std::uint32_t level) const {
    return level_begin[level < SampleSizes::levels ? 0 : level + 1 - SampleSizes::levels];
  }

 private:
  /// By digits of the order, the least first; each pass keeps the order of those before.
  void sort_indexes(std::span<const SampleSizes> sizes) {
    constexpr unsigned digit_bits = 11;
    const auto order = [&](std::uint32_t i) {
      return std::uint64_t{sizes[i].level} << 32 | sizes[i].keys[0];
    };
    std::uint64_t differing = 0;
    for (const std::uint32_t i : index) differing |= order(i) ^ order(index[0]);
    for (unsigned shift = 0; differing >> shift != 0; shift += digit_bits) {
      constexpr std::uint64_t mask = (1U << digit_bits) - 1;
      if ((differing >> shift & mask) == 0) continue;
      std::array<std::uint32_t, mask + 1> next{};
      for (const std::uint32_t i : index) ++next[order(i) >> shift & mask];
      std::uint32_t sum = 0;
      for (std::uint32_t& place : next) sum += std::exchange(place, sum);
      rank.resize(index.size());  // The other half of the pass, until it is filled with ranks.
      for (const std::uint32_t i : index) rank[next[order(i) >> shift & mask]++] = i;
      index.swap(rank);
    }
  }
};

/// The groups that the documents of ranks [begin, end) need. A group is its size, the number of
/// keys with exactly these members, and the members' ranks below `end`, ascending. Also each
/// document's places in the groups.
struct Block {
  static constexpr std::uint32_t head_words = 2;
  struct Place {
    std::uint32_t group = 0;     ///< where it begins in words
    std::uint32_t position = 0;  ///< of the document among its members
  };

  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<std::uint32_t> words;
  std::vector<Place> places;         ///< document after document
  std::vector<std::uint32_t> first;  ///< by rank - begin: its first place; then the end

  std::uint32_t& size(std::uint32_t group) { return words[group]; }
  std::uint32_t& keys(std::uint32_t group) { return words[group + 1]; }
  std::uint32_t keys(std::uint32_t group) const { return words[group + 1]; }
  const std::uint32_t* members(std::uint32_t group) const {
    return words.data() + group + head_words;
  }
};

}  // namespace

/// Counts the keys that a document shares with those of lower rank. One per worker.
class KeyGroups::Counter {
 public:
  Counter(std::span<const SampleSizes> sizes, const Ranks& ranks, std::uint64_t references,
          const PairFloor& floor, const Accept& accept, SharedPairStore& out)
      : sizes_(sizes),
        ranks_(ranks),
        references_(references),
        floor_(floor),
        accept_(accept),
        out_(out),
        counts_(ranks.size(), 0) {}

  std::uint64_t pairs() const { return pairs_; }

  Status count(const Block& block, std::uint32_t rank) {
    const SampleSizes& own = sizes_[ranks_.index[rank]];
    std::uint64_t left = take_lists(block, rank - block.begin, first_partner(own));
    // Containment is a share of the smaller sample, and this one is not smaller.
    const std::uint32_t least =
        floor_.containment.has_value() ? 1 : floor_.least_shared(own.keys[0]);
    for (const List& list : lists_) {
      if (left >= least) {
        meet(list);
      } else if (met_count_ == 0) {
        break;
      } else {
        meet_again(list);
      }
      left -= list.keys;
    }
    return emit(rank, least);
  }

  Status flush() {
    TWINSET_TRY(out_.append(found_));
    found_.clear();
    return {};
  }

 private:
  /// The members of a group that have a lower rank than a document and may make pairs with it.
  struct List {
    const std::uint32_t* members = nullptr;
    std::uint32_t size = 0;
    std::uint32_t keys = 0;  ///< the number of keys with exactly these members

    bool operator==(const List& other) const {
      return size == other.size && std::equal(members, members + size, other.members);
    }
    bool operator<(const List& other) const {
      if (size != other.size) return size < other.size;
      return std::lexicographical_compare(members, members + size, other.members,
                                          other.members + size);
    }
  };

  /// Sets lists_ to the document's lists from rank `first` on, the shortest first, each once.
  /// Returns the number of their keys.
  std::uint64_t take_lists(const Block& block, std::uint32_t slot, std::uint32_t first) {
    lists_.clear();
    std::uint64_t keys = 0;
    for (std::uint32_t i = block.first[slot]; i < block.first[slot + 1]; ++i) {
      const auto [group, position] = block.places[i];
      const std::uint32_t* begin = block.members(group);
      const std::uint32_t* const end = begin + position;
      if (begin != end && *begin < first) begin = std::lower_bound(begin, end, first);
      if (begin == end) continue;
      keys += block.keys(group);
      lists_.push_back({begin, static_cast<std::uint32_t>(end - begin), block.keys(group)});
    }
    std::sort(lists_.begin(), lists_.end());
    std::size_t count = 0;
    for (const List& list : lists_) {
      if (count > 0 && lists_[count - 1] == list) {
        lists_[count - 1].keys += list.keys;
      } else {
        lists_[count++] = list;
      }
    }
    lists_.resize(count);
    return keys;
  }

  /// The first rank that can reach the floor: comparable, and if of the same modulus, not too
  /// small.
  std::uint32_t first_partner(const SampleSizes& own) const {
    const std::uint32_t comparable = ranks_.first_comparable(own.level);
    if (floor_.containment.has_value() || comparable < ranks_.level_begin[own.level]) {
      return comparable;
    }
    const std::uint32_t least = floor_.least_shared(own.keys[0]);
    const auto begin = ranks_.index.begin() + ranks_.level_begin[own.level];
    return static_cast<std::uint32_t>(std::partition_point(begin, ranks_.index.end(),
                                                           [&](std::uint32_t index) {
                                                             return sizes_[index].level ==
                                                                        own.level &&
                                                                    sizes_[index].keys[0] < least;
                                                           }) -
                                      ranks_.index.begin());
  }

  void meet(const List& list) {
    if (met_.size() < met_count_ + list.size) met_.resize(2 * (met_count_ + list.size));
    // Branch-free: whether a member is new is unpredictable.
    std::size_t met_count = met_count_;
    std::uint32_t* const met = met_.data();
    std::uint32_t* const counts = counts_.data();
    for (std::uint32_t i = 0; i < list.size; ++i) {
      const std::uint32_t member = list.members[i];
      const std::uint32_t before = counts[member];
      met[met_count] = member;
      met_count += before == 0 ? 1 : 0;
      counts[member] = before + list.keys;
    }
    met_count_ = met_count;
  }

  /// The same, but only for members met before: no other can still reach the floor.
  void meet_again(const List& list) {
    const std::uint32_t* const end = list.members + list.size;
    if (met_count_ * std::bit_width(list.size) < list.size) {
      for (std::size_t i = 0; i < met_count_; ++i) {
        const bool there = std::binary_search(list.members, end, met_[i]);
        counts_[met_[i]] += there ? list.keys : 0;
      }
      return;
    }
    for (const std::uint32_t* member = list.members; member != end; ++member) {
      counts_[*member] += counts_[*member] != 0 ? list.keys : 0;
    }
  }

  /// Drops pairs with fewer than `least` shared keys.
  Status emit(std::uint32_t rank, std::uint32_t least) {
    const std::uint32_t index = ranks_.index[rank];
    const std::uint32_t level = sizes_[index].level;
    pairs_ += met_count_;
    for (std::size_t i = 0; i < met_count_; ++i) {
      const std::uint32_t other_rank = met_[i];
      const std::uint32_t shared = std::exchange(counts_[other_rank], 0);
      if (shared < least) continue;
      const std::uint32_t other = ranks_.index[other_rank];
      const std::uint32_t own_keys = sizes_[index].keys[0];
      const std::uint32_t other_keys = sizes_[other].at(level);
      const SharedPair pair = index > other
                                  ? SharedPair{index, other, {shared, own_keys, other_keys}}
                                  : SharedPair{other, index, {shared, other_keys, own_keys}};
      if (pair.a < references_ || !floor_.reached_by(pair.keys)) continue;
      if (accept_ != nullptr && !accept_(pair)) continue;
      found_.push_back(pair);
    }
    met_count_ = 0;
    return found_.size() < flush_pairs ? Status{} : flush();
  }

  std::span<const SampleSizes> sizes_;
  const Ranks& ranks_;
  std::uint64_t references_;
  const PairFloor& floor_;
  const Accept& accept_;
  SharedPairStore& out_;
  std::vector<std::uint32_t> counts_;  ///< by rank
  std::vector<std::uint32_t> met_;     ///< ranks; only the first met_count_ are valid
  std::size_t met_count_ = 0;
  std::vector<List> lists_;
  std::vector<SharedPair> found_;
  std::uint64_t pairs_ = 0;
};

namespace {

/// Finds a block's groups by their members.
class GroupTable {
 public:
  /// Sized for so many keys; it grows if there are more.
  GroupTable(Block& block, std::uint64_t keys) : block_(block), slots_(std::bit_ceil(keys + 1)) {}

  /// Adds a key with these members; true if no earlier key had the same.
  bool add(std::span<const std::uint32_t> members) {
    if (2 * groups_ >= slots_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(
        checksum({reinterpret_cast<const char*>(members.data()), members.size_bytes()}));
    Slot* slot = &slots_[hash & (slots_.size() - 1)];
    for (; slot->group != no_group; slot = next(slot)) {
      if (slot->hash != hash || block_.size(slot->group) != members.size()) continue;
      const std::uint32_t* const others = block_.members(slot->group);
      if (!std::equal(members.data(), members.data() + members.size(), others)) continue;
      ++block_.keys(slot->group);
      return false;
    }
    *slot = {static_cast<std::uint32_t>(block_.words.size()), hash};
    ++groups_;
    block_.words.push_back(static_cast<std::uint32_t>(members.size()));
    block_.words.push_back(1);
    block_.words.insert(block_.words.end(), members.begin(), members.end());
    return true;
  }
  /// The most words held beside the block after another add().
  std::size_t words() const { return words_of_slot * slots_.size(); }
  /// The same for a table that has grown to so many groups.
  static std::uint64_t words_for(std::uint64_t groups) {
    return words_of_slot * std::bit_ceil(2 * groups + 1);
  }

 private:
  static constexpr std::size_t words_of_slot = 6;  ///< of the old slots, too, while it grows
  static constexpr std::uint32_t no_group = UINT32_MAX;
  struct Slot {
    std::uint32_t group = no_group;
    std::uint32_t hash = 0;
  };

  Slot* next(Slot* slot) { return slot == &slots_.back() ? slots_.data() : slot + 1; }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& from : old) {
      if (from.group == no_group) continue;
      Slot* slot = &slots_[from.hash & (slots_.size() - 1)];
      while (slot->group != no_group) slot = next(slot);
      *slot = from;
    }
  }

  Block& block_;
  std::vector<Slot> slots_;
  std::size_t groups_ = 0;
};

/// Fills in the places of the block's documents. Before, first[i + 1] is the number of places of
/// document i.
void fill_places(Block& block) {
  std::partial_sum(block.first.begin(), block.first.end(), block.first.begin());
  block.places.resize(block.first.back());
  std::vector<std::uint32_t> next(block.first.begin(), block.first.end() - 1);
  std::uint32_t size = 0;
  for (std::uint32_t group = 0; group < block.words.size(); group += Block::head_words + size) {
    size = block.size(group);
    const std::uint32_t* const members = block.members(group);
    for (std::uint32_t i = size; i > 0 && members[i - 1] >= block.begin; --i) {
      block.places[next[members[i - 1] - block.begin]++] = {group, i - 1};
    }
  }
}

/// Loads the groups of ranks [begin, end) into a block; false if they do not fit `most_words`.
/// There are at most `keys` groups.
template <class Parts>
Result<bool> load_block(const Parts& parts, std::uint64_t keys, const Ranks& ranks,
                        std::uint64_t most_words, Block& block) {
  block.words.clear();
  block.first.assign(block.end - block.begin + 1, 0);
  // A small table leaves most of the words to the block; it grows if it must.
  GroupTable groups(block, std::min(keys, most_words / 64));
  std::vector<std::uint32_t> members;
  bool fits = true;
  std::uint64_t places = 0;
  for (const auto& part : parts) {
    if (!fits) break;
    TWINSET_TRY(part->for_each([&](std::span<std::uint32_t> group) {
      members.clear();
      std::uint32_t inside = 0;
      for (const std::uint32_t index : group) {
        // A document whose keys are all common has no rank, and is skipped here.
        const std::uint32_t rank = ranks.rank[index];
        if (rank >= block.end) continue;
        members.push_back(rank);
        inside += rank >= block.begin ? 1 : 0;
      }
      if (inside == 0 || members.size() < 2) return true;
      std::sort(members.begin(), members.end());
      fits = block.words.size() + Block::head_words + members.size() + groups.words() +
                 2 * (places + inside) <=
             most_words;
      if (!fits || !groups.add(members)) return fits;
      places += inside;
      for (const std::uint32_t rank : members) {
        if (rank >= block.begin) ++block.first[rank - block.begin + 1];
      }
      return true;
    }));
  }
  if (fits) fill_places(block);
  return fits;
}

/// The words of a block of one document: its keys make so many groups, with so many members in all.
std::uint64_t words_of_one(std::uint64_t keys, std::uint64_t groups, std::uint64_t members) {
  const std::uint64_t words =
      members + Block::head_words * groups + 2 * keys + GroupTable::words_for(groups);
  // The table begins with up to three sixteenths of a block's words.
  return words / 13 * 16 + 32;
}

/// Calls `use` with the ranks of each group, ascending.
template <class Parts, class Use>
Status for_each_ranked(const Parts& parts, const Ranks& ranks, Use use) {
  std::vector<std::uint32_t> members;
  for (const auto& part : parts) {
    TWINSET_TRY(part->for_each([&](std::span<std::uint32_t> group) {
      members.clear();
      for (const std::uint32_t index : group) {
        if (ranks.rank[index] != no_rank) members.push_back(ranks.rank[index]);
      }
      std::sort(members.begin(), members.end());
      use(std::span<const std::uint32_t>(members));
      return true;
    }));
  }
  return {};
}

/// The ranks of a few documents whose blocks may take more than so many words, the largest first.
template <class Parts>
Result<std::vector<std::uint32_t>> largest_documents(const Parts& parts, const Ranks& ranks,
                                                     std::uint64_t words) {
  constexpr std::size_t most_looked_at = 8;
  // As if no two keys of a document had the same members; as many as fit a word.
  std::vector<std::uint32_t> at_most(ranks.size());
  const std::uint64_t of_key = Block::head_words + 2 + GroupTable::words_for(1);
  TWINSET_TRY(for_each_ranked(parts, ranks, [&](std::span<const std::uint32_t> members) {
    for (std::size_t i = 1; i < members.size(); ++i) {
      const std::uint64_t sum = at_most[members[i]] + of_key + i + 1;
      at_most[members[i]] = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, UINT32_MAX));
    }
  }));
  std::vector<std::uint32_t> largest;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    if (at_most[rank] <= words / 16 * 13) continue;
    const auto larger = [&](std::uint32_t a, std::uint32_t b) { return at_most[a] > at_most[b]; };
    largest.insert(std::upper_bound(largest.begin(), largest.end(), rank, larger), rank);
    if (largest.size() > most_looked_at) largest.pop_back();
  }
  return largest;
}

/// The words that the largest of these documents needs.
template <class Parts>
Result<std::uint64_t> words_of_largest(const Parts& parts, const Ranks& ranks,
                                       const std::vector<std::uint32_t>& documents) {
  struct Group {
    std::uint64_t hash = 0;  ///< of its members
    std::uint64_t members = 0;
    auto operator<=>(const Group&) const = default;
  };
  std::vector<std::vector<Group>> groups(documents.size());
  TWINSET_TRY(for_each_ranked(parts, ranks, [&](std::span<const std::uint32_t> members) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const auto at = std::lower_bound(members.begin(), members.end(), documents[i]);
      if (at == members.begin() || at == members.end() || *at != documents[i]) continue;
      const auto some = members.first(static_cast<std::size_t>(at - members.begin()) + 1);
      groups[i].push_back(
          {checksum({reinterpret_cast<const char*>(some.data()), some.size_bytes()}), some.size()});
    }
  }));
  std::uint64_t most = 0;
  for (std::vector<Group>& of_one : groups) {
    const std::uint64_t keys = of_one.size();
    std::sort(of_one.begin(), of_one.end());
    of_one.erase(std::unique(of_one.begin(), of_one.end()), of_one.end());
    std::uint64_t members = 0;
    for (const Group& group : of_one) members += group.members;
    most = std::max(most, words_of_one(keys, of_one.size(), members));
  }
  return most;
}

}  // namespace

Result<std::uint64_t> KeyGroups::count(std::span<const SampleSizes> sizes, std::uint64_t references,
                                       const PairFloor& floor, const Accept& accept,
                                       SharedPairStore& out) {
  const Ranks ranks(sizes);
  const unsigned threads = std::max(1U, options_.context->threads);
  // A third, because vectors double as they grow.
  const std::uint64_t most_words = std::min<std::uint64_t>(
      std::max<std::uint64_t>(options_.memory_bytes / 3 / sizeof(std::uint32_t), 1 << 16),
      UINT32_MAX - 1);
  const auto too_little = [&](std::uint64_t words) {
    const std::uint64_t bytes = 3 * sizeof(std::uint32_t) * words;
    if (too_little_ != nullptr) return too_little_(bytes);
    return usage_error("counting the keys of one record needs " + std::to_string(bytes) +
                       " bytes of memory");
  };
  Block block;
  block.end = ranks.size();
  TWINSET_ASSIGN(bool loaded, load_block(parts_, report_.groups, ranks, most_words, block));
  if (!loaded) {
    // Before anything is counted, all documents must fit, one by one.
    TWINSET_ASSIGN(const auto largest, largest_documents(parts_, ranks, most_words));
    TWINSET_ASSIGN(const std::uint64_t words, words_of_largest(parts_, ranks, largest));
    if (words > most_words) return too_little(words);
  }
  std::vector<Counter> counters(threads, Counter(sizes, ranks, references, floor, accept, out));
  std::uint32_t width = ranks.size();
  while (block.begin < ranks.size()) {
    while (!loaded) {
      if (width == 1) {
        TWINSET_ASSIGN(const std::uint64_t words, words_of_largest(parts_, ranks, {block.begin}));
        return too_little(std::max(words, most_words + 1));
      }
      width = std::max<std::uint32_t>(width / 2, 1);
      block.end = block.begin + std::min(width, ranks.size() - block.begin);
      TWINSET_ASSIGN(loaded, load_block(parts_, report_.groups, ranks, most_words, block));
    }
    std::atomic<std::uint64_t> next = block.begin;
    TWINSET_TRY(run_workers(threads, [&](unsigned worker) -> Status {
      for (std::uint64_t at = next.fetch_add(chunk_documents); at < block.end;
           at = next.fetch_add(chunk_documents)) {
        TWINSET_TRY(options_.context->check_cancelled());
        const std::uint64_t stop = std::min<std::uint64_t>(block.end, at + chunk_documents);
        for (auto rank = static_cast<std::uint32_t>(at); rank < stop; ++rank) {
          TWINSET_TRY(counters[worker].count(block, rank));
        }
      }
      return counters[worker].flush();
    }));
    // As many documents again need about as much; twice as many are tried if there is room.
    if (2 * (block.words.size() + 2 * block.places.size()) < most_words) {
      width += std::min(width, ranks.size() - width);
    }
    block.begin = block.end;
    block.end += std::min(width, ranks.size() - block.begin);
    if (block.begin == ranks.size()) break;
    TWINSET_ASSIGN(loaded, load_block(parts_, report_.groups, ranks, most_words, block));
  }
  std::uint64_t pairs = 0;
  for (const Counter& counter : counters) pairs += counter.pairs();
  return pairs;
}

}  // namespace twinset
