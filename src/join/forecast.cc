// This file's interface is forecast(); the rest is private. The sample's
// keys are grouped, groups made pairs as candidates.h or shared_keys.h would, pairs
// compared by their sketches, documents decided in order; each count adds the
// weights of what was seen.
//
// Where that would be too many pairs, a part of the documents are probes: all pairs
// of theirs are looked at, and a probe stands for as many documents as were left out.
// The other of a pair may be any document, so that pairs go as the share of probes,
// not as its square.
#include "join/forecast.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "join/candidates.h"
#include "join/union_find.h"

namespace twinset {
namespace {

/// As sketch_check.h has it.
constexpr double checked_errors = 4;
constexpr std::size_t fewest_probes = 64;
constexpr std::size_t pairs_between_questions = 4096;
constexpr double normal_95 = 1.959963984540054;

/// A sampled key of a document, by its index among the unfolded ones.
struct KeyOfDocument {
  std::uint64_t key = 0;
  std::uint32_t document = 0;
  auto operator<=>(const KeyOfDocument&) const = default;
};

/// later > earlier; sorted by later, then earlier.
struct SeenPair {
  std::uint32_t later = 0;
  std::uint32_t earlier = 0;
  auto operator<=>(const SeenPair&) const = default;
};

/// A sum of weights, and per draw what its variance needs.
class WeightedSum {
 public:
  explicit WeightedSum(std::size_t draws) : by_draw_(draws) {}
  /// `chance` of what is counted to be seen; `draw` it belongs to.
  void add(double count, double chance, std::size_t draw) {
    sum_ += count / chance;
    by_draw_[draw].sum += count / chance;
    by_draw_[draw].chance = std::max(by_draw_[draw].chance, chance);
  }
  double value() const { return sum_; }
  /// With a variance of another source.
  Predicted predicted(double more = 0) const {
    double variance = more;
    for (const Draw& draw : by_draw_) variance += draw.sum * draw.sum * (1 - draw.chance);
    return around(sum_, variance);
  }
  static Predicted around(double value, double variance) {
    const double half = normal_95 * std::sqrt(variance);
    return {value, std::max(0.0, value - half), value + half};
  }

 private:
  struct Draw {
    double sum = 0;
    double chance = 0;
  };
  double sum_ = 0;
  std::vector<Draw> by_draw_;
};

/// How many documents hold each of some keys. Open addressing; key 0 is none.
class KeyCounts {
 public:
  explicit KeyCounts(std::size_t keys) : slots_(std::bit_ceil(2 * keys + 2)) {}
  void insert(std::uint64_t key) { slots_[place(key)].key = key; }
  /// False if the key was never inserted.
  bool add(std::uint64_t key) {
    Slot& slot = slots_[place(key)];
    if (slot.key != key || key == 0) return false;
    ++slot.documents;
    return true;
  }
  /// 0 if the key was never inserted.
  std::uint64_t documents(std::uint64_t key) const { return slots_[place(key)].documents; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t documents = 0;
  };
  std::size_t place(std::uint64_t key) const {
    std::size_t at = mix64(key) & (slots_.size() - 1);
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  std::vector<Slot> slots_;
};

/// Sorts by buckets first: rows of one bucket are few. `bucket` is in [0, buckets).
template <class Row, class Bucket>
void sort_in_buckets(std::vector<Row>& rows, std::size_t buckets, Bucket&& bucket) {
  std::vector<std::size_t> begin(buckets + 1);
  for (const Row& row : rows) ++begin[bucket(row) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Row> sorted(rows.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const Row& row : rows) sorted[next[bucket(row)]++] = row;
  for (std::size_t i = 0; i < buckets; ++i) {
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin[i]),
              sorted.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]));
  }
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  rows = std::move(sorted);
}

class Forecaster {
 public:
  Forecaster(const KeySample& sample, const SampleBatch& sampled, const Scheme& scheme,
             const ForecastRule& rule)
      : sampled_(sampled),
        scheme_(scheme),
        rule_(rule),
        counts_(scheme.declaration().shared_key == SharedKey::count),
        key_halvings_(sample.halvings()) {}

  Forecast run(const KeySample& sample, std::uint64_t documents) {
    documents_ = static_cast<double>(documents);
    out_.copies = copies(sample, documents);
    out_.estimates = scheme_.estimates();
    take_documents();
    choose_probes(counts_ ? most_pairs_ / 64 : most_pairs_ / 8);
    group();
    while (pairs_of_groups() > most_pairs_) thin();
    out_.key_share = key_share();
    out_.probe_share = probe_share();
    make_pairs();
    judge();
    add_pairs();
    add_documents();
    allow_for_unseen();
    return out_;
  }

 private:
  /// A pair judged once, whichever of the two is a probe.
  struct Judged {
    SeenPair pair;
    double chance = 1;
    bool reaches = false;
  };

  /// Every document is a probe: then who is kept is known, not only who is met.
  bool whole() const { return probe_halvings_ == 0; }
  double key_share() const { return std::ldexp(1.0, -static_cast<int>(key_halvings_)); }
  double probe_share() const { return std::ldexp(1.0, -static_cast<int>(probe_halvings_)); }
  bool probe(std::uint32_t i) const { return probes_[i]; }
  /// To see something that `keys` keys show.
  double chance(std::uint64_t keys) const {
    return 1 - std::pow(1 - key_share(), static_cast<double>(std::max<std::uint64_t>(keys, 1)));
  }

  /// Documents less distinct texts. Of these a share is sampled, whatever the copies
  /// of each: a text that half of the collection repeats counts as any other.
  static Predicted copies(const KeySample& sample, std::uint64_t documents) {
    const auto seen = static_cast<double>(sample.sampled_texts());
    const double share = sample.text_share();
    const double value = static_cast<double>(documents) - seen / share;
    Predicted found = WeightedSum::around(value, seen * (1 - share) / (share * share));
    found.value = std::max(found.value, 0.0);
    found.high = std::max(found.high, 0.0);
    return found;
  }

  void take_documents() {
    unfolded_ = sampled_.documents;
    out_.documents = unfolded_.size();
    all_keys_.reserve(unfolded_.size());
    std::uint64_t keys = 0;
    for (const KeyHolder& document : unfolded_) {
      all_keys_.push_back(document.keys);
      keys += document.keys;
    }
    // A pair of long samples costs as much as many of short ones.
    const std::uint64_t mean = keys / std::max<std::uint64_t>(1, unfolded_.size());
    most_pairs_ = std::max<std::uint64_t>(1000, rule_.most_pairs / (1 + mean / 128));
  }

  /// At most about so many documents whose pairs are looked at.
  void choose_probes(std::uint64_t most) {
    probes_.assign(unfolded_.size(), true);
    std::uint64_t left = unfolded_.size();
    for (; left > std::max<std::uint64_t>(most, 1); left /= 2) ++probe_halvings_;
    drop_probes();
  }

  /// Fewer probes; when these are few, fewer keys.
  void thin() {
    const auto probes = static_cast<std::size_t>(std::count(probes_.begin(), probes_.end(), true));
    if (probes > fewest_probes) {
      ++probe_halvings_;
      drop_probes();
      return;
    }
    ++key_halvings_;
    std::erase_if(
        rows_, [&](const KeyOfDocument& row) { return !KeySample::holds(row.key, key_halvings_); });
  }

  void drop_probes() {
    if (whole()) return;
    for (std::size_t i = 0; i < probes_.size(); ++i) {
      probes_[i] = mix64(unfolded_[i].lexical.high) <= ~0ULL >> probe_halvings_;
    }
  }

  /// Rows of the sampled keys that a probe holds; who else holds those is counted.
  void group() {
    const bool filters = counts_ || !whole();
    std::size_t probed = 0;
    for (std::uint32_t i = 0; i < unfolded_.size(); ++i) {
      if (filters && probe(i)) probed += unfolded_[i].keys;
    }
    KeyCounts holders(probed);
    for (std::uint32_t i = 0; filters && i < unfolded_.size(); ++i) {
      if (!probe(i)) continue;
      for (const std::uint64_t key : sampled_.keys_of(unfolded_[i])) holders.insert(key);
    }
    for (std::uint32_t i = 0; i < unfolded_.size(); ++i) {
      for (const std::uint64_t key : sampled_.keys_of(unfolded_[i])) {
        const bool held = !filters || holders.add(key);
        if (held && KeySample::holds(key, key_halvings_)) rows_.push_back({key, i});
      }
    }
    // A key's hash chooses its bucket, so that keys of one stand together.
    const auto bits = static_cast<unsigned>(std::bit_width(rows_.size() / 4 + 1));
    sort_in_buckets(rows_, std::size_t{1} << bits,
                    [&](const KeyOfDocument& row) { return mix64(row.key) >> (64 - bits); });
    sort_keys(holders);
  }

  /// Each unfolded document's keys in order, for their intersections; not those that
  /// the run will surely cut, which more documents of the sample hold than it allows.
  void sort_keys(const KeyCounts& holders) {
    const bool cuts = counts_ && rule_.max_group != 0;
    for (KeyHolder& document : unfolded_) {
      const auto keys = sampled_.keys_of(document);
      document.first_key = keys_.size();
      for (const std::uint64_t key : keys) {
        if (cuts && holders.documents(key) > rule_.max_group) continue;
        keys_.push_back(key);
      }
      document.keys = static_cast<std::uint32_t>(keys_.size() - document.first_key);
      const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(document.first_key);
      if (!std::is_sorted(begin, keys_.end())) std::sort(begin, keys_.end());
    }
    shows_clustered_.resize(keys_.size());
    shows_removed_.resize(keys_.size());
  }

  bool common(std::uint64_t size) const {
    return counts_ && rule_.max_group != 0 && size > rule_.max_group;
  }

  template <class Use>
  void for_each_group(Use&& use) const {
    for (std::size_t begin = 0, end = 0; begin < rows_.size(); begin = end) {
      while (end < rows_.size() && rows_[end].key == rows_[begin].key) ++end;
      if (end - begin > 1) use(std::span(rows_).subspan(begin, end - begin));
    }
  }

  /// Pairs of a group in which one is a probe, as candidates.h or shared_keys.h have
  /// them.
  template <class Use>
  void for_each_pair(std::span<const KeyOfDocument> group, Use&& use) const {
    if (counts_) {
      std::vector<std::uint32_t> before;  // Probes.
      for (std::size_t i = 0; i < group.size(); ++i) {
        const std::uint32_t later = group[i].document;
        if (probe(later)) {
          for (std::size_t j = 0; j < i; ++j) use(later, group[j].document);
          before.push_back(later);
        } else {
          for (const std::uint32_t earlier : before) use(later, earlier);
        }
      }
      return;
    }
    for (std::size_t i = 1; i < group.size(); ++i) {
      const std::size_t leaders = std::min<std::size_t>(i, leaders_per_group);
      const auto meet = [&](std::size_t j) {
        if (probe(group[i].document) || probe(group[j].document)) {
          use(group[i].document, group[j].document);
        }
      };
      for (std::size_t j = 0; j < leaders; ++j) meet(j);
      if (leaders < i) meet(i - 1);
    }
  }

  /// What make_pairs() will look at.
  std::uint64_t pairs_of_groups() const {
    std::uint64_t pairs = 0;
    for_each_group([&](std::span<const KeyOfDocument> group) {
      if (common(group.size())) return;
      if (!counts_) {
        for_each_pair(group, [&](std::uint32_t, std::uint32_t) { ++pairs; });
        return;
      }
      const auto probed = static_cast<std::uint64_t>(std::count_if(
          group.begin(), group.end(), [&](const auto& row) { return probe(row.document); }));
      pairs += probed * group.size() - probed * (probed + 1) / 2;
    });
    return pairs;
  }

  /// Distinct pairs that meet in a group; groups, meetings and common keys counted.
  /// With probes a group is seen by those of its members.
  void make_pairs() {
    WeightedSum groups(1);
    WeightedSum common_keys(1);
    WeightedSum meetings(unfolded_.size());
    double key_variance = 0;
    for_each_group([&](std::span<const KeyOfDocument> group) {
      const auto size = static_cast<double>(group.size());
      double probed = 0;
      for (const KeyOfDocument& row : group) probed += probe(row.document) ? 1 : 0;
      if (probed == 0) return;
      const double part = probed / size / probe_share() / key_share();
      if (common(group.size())) {
        common_keys.add(part, 1, 0);
        return;
      }
      groups.add(part, 1, 0);
      const double pairs = size * (size - 1) / 2;
      for (const KeyOfDocument& row : group) {
        if (probe(row.document))
          meetings.add(pairs / size / key_share(), probe_share(), row.document);
      }
      key_variance += pairs * pairs * (1 - key_share()) / (key_share() * key_share());
      for_each_pair(group, [&](std::uint32_t later, std::uint32_t earlier) {
        pairs_.push_back({later, earlier});
      });
    });
    sort_in_buckets(pairs_, unfolded_.size(), [](const SeenPair& pair) { return pair.later; });
    const double scale = (1 / key_share() / probe_share()) - 1;
    out_.groups = WeightedSum::around(groups.value(), groups.value() * scale);
    out_.common_keys = WeightedSum::around(common_keys.value(), common_keys.value() * scale);
    out_.meetings = meetings.predicted(key_variance);
  }

  /// Keys that two documents share; `use` is given their places in keys_.
  template <class Use>
  std::uint64_t intersect(std::uint32_t a, std::uint32_t b, unsigned level, Use&& use) const {
    std::size_t i = unfolded_[a].first_key;
    std::size_t j = unfolded_[b].first_key;
    const std::size_t i_end = i + unfolded_[a].keys;
    const std::size_t j_end = j + unfolded_[b].keys;
    std::uint64_t shared = 0;
    while (i < i_end && j < j_end) {
      if (keys_[i] < keys_[j]) {
        ++i;
      } else if (keys_[j] < keys_[i]) {
        ++j;
      } else {
        if (level == 0 || scheme_.key_level(keys_[i]) >= level) ++shared;
        use(i++, j++);
      }
    }
    return shared;
  }

  std::uint64_t keys_at(std::uint32_t i, unsigned level) const {
    if (level <= unfolded_[i].level) return unfolded_[i].keys;
    const auto keys = std::span(keys_).subspan(unfolded_[i].first_key, unfolded_[i].keys);
    return static_cast<std::uint64_t>(
        std::count_if(keys.begin(), keys.end(),
                      [&](std::uint64_t key) { return scheme_.key_level(key) >= level; }));
  }

  /// What the run will make of the two: shared keys, counted without the common ones,
  /// or what their sketches say.
  struct Likeness {
    double value = -1;  ///< unknown
    double error = 0;
  };
  Likeness likeness(std::uint32_t a, std::uint32_t b) const {
    if (!out_.estimates) return {};
    if (counts_ && !scheme_.counts_sketches()) {
      const unsigned level = std::max(unfolded_[a].level, unfolded_[b].level);
      const auto shared =
          static_cast<double>(intersect(a, b, level, [](std::size_t, std::size_t) {}));
      const double either =
          static_cast<double>(keys_at(a, level)) + static_cast<double>(keys_at(b, level)) - shared;
      return either > 0 ? Likeness{shared / either, 0} : Likeness{};
    }
    const Comparison said =
        scheme_.compare(sampled_.sketch_of(unfolded_[a]), sampled_.sketch_of(unfolded_[b]));
    if (!said.resemblance.has_value()) return {};
    return {said.resemblance->value, said.resemblance->standard_error};
  }

  /// Compares each pair and decides each document, in the order they come.
  void judge() {
    together_ = std::make_unique<UnionFind>(static_cast<std::uint32_t>(unfolded_.size()));
    removed_.resize(unfolded_.size());
    follows_.resize(unfolded_.size());
    survivor_.resize(unfolded_.size());
    judged_.reserve(pairs_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (i % pairs_between_questions == 0 && rule_.stopped && rule_.stopped()) return;
      judge(pairs_[i]);
    }
  }

  void judge(const SeenPair& pair) {
    const auto [value, error] = likeness(pair.later, pair.earlier);
    const bool reaches = value >= rule_.threshold;
    bool goes = reaches;
    std::uint32_t keeper = pair.earlier;
    if (reaches && whole() && removed_[keeper]) {
      keeper = survivor_[keeper];
      goes = likeness(pair.later, keeper).value >= rule_.threshold;
    }
    const std::uint64_t shared =
        intersect(pair.later, pair.earlier, 0, [&](std::size_t later, std::size_t earlier) {
          if (reaches) shows_clustered_[later] = shows_clustered_[earlier] = true;
          if (goes) shows_removed_[later] = true;
        });
    const double seen = chance(shared) * probe_share();
    judged_.push_back({pair, seen, reaches});
    if (reaches) {
      together_->unite(pair.later, pair.earlier);
      follows_[pair.later] = true;
    }
    if (!probe(pair.later)) return;
    if (value + checked_errors * error >= rule_.threshold) out_.checked += 1 / seen;
    if (value >= 0) {
      const auto bin = static_cast<std::size_t>(value * Forecast::bins);
      out_.by_resemblance[std::min<std::size_t>(bin, Forecast::bins - 1)] += 1 / seen;
    }
    // Who has a survivor is not held against another one.
    if (reaches && !removed_[pair.later]) {
      out_.judged_tokens += (static_cast<double>(unfolded_[pair.later].tokens) +
                             static_cast<double>(unfolded_[pair.earlier].tokens)) /
                            seen;
    }
    if (goes && !removed_[pair.later]) {
      removed_[pair.later] = true;
      survivor_[pair.later] = keeper;
    }
  }

  /// What is connected was seen or not seen together.
  std::size_t draw(std::uint32_t i) const { return whole() ? together_->find(i) : i; }

  void add_pairs() {
    WeightedSum candidates(unfolded_.size());
    WeightedSum reached(unfolded_.size());
    for (const Judged& one : judged_) {
      if (!probe(one.pair.later)) continue;
      candidates.add(1, one.chance, draw(one.pair.later));
      if (one.reaches) reached.add(1, one.chance, draw(one.pair.later));
    }
    out_.candidates = candidates.predicted();
    out_.pairs = reached.predicted();
  }

  /// Removals, and clusters with their members.
  void add_documents() {
    WeightedSum gone(unfolded_.size());
    WeightedSum clusters(unfolded_.size());
    WeightedSum members(unfolded_.size());
    for (std::uint32_t i = 0; i < unfolded_.size(); ++i) {
      // Who has copies is in a cluster, whoever else is.
      if (unfolded_[i].copies > 0) {
        members.add(1, chance(all_keys(i)), draw(i));
      }
      if (!probe(i)) continue;
      if (removed_[i]) gone.add(1, chance(marks(shows_removed_, i)) * probe_share(), draw(i));
      const std::uint64_t shown = marks(shows_clustered_, i);
      if (shown > 0) {
        const double seen = chance(shown) * probe_share();
        if (unfolded_[i].copies == 0) members.add(1, seen, draw(i));
        const double bytes = static_cast<double>(unfolded_[i].text_bytes) / seen;
        out_.judged_bytes += bytes;
        if (!removed_[i]) out_.survivor_bytes += bytes;
        const bool first = whole() ? together_->find(i) == i : !follows_[i];
        if (first) clusters.add(1, seen, draw(i));
      } else if (unfolded_[i].copies > 0) {
        const double seen = chance(all_keys(i)) * probe_share();
        clusters.add(1, seen, draw(i));
      }
    }
    // Of the copies themselves, which a single text may have by the million, more is known.
    const double different = std::max(0.0, documents_ - out_.copies.value);
    out_.removed = at_most(gone.predicted(), different);
    out_.clusters = at_most(clusters.predicted(), different);
    out_.clustered = sum(at_most(members.predicted(), different), out_.copies);
  }

  /// The normal interval is too short where little was seen: its upper end is moved by
  /// the score interval's constant, and to what may be there unseen with 95 % where none
  /// was seen of what a single key shows.
  void allow_for_unseen() {
    const double chance_of_one = key_share() * probe_share();
    if (chance_of_one == 1) return;
    const double unseen = std::log(0.05) / std::log1p(-chance_of_one);
    const double few = normal_95 * normal_95 / 2 * (1 - chance_of_one) / chance_of_one;
    const auto allow = [=](Predicted& predicted, double most) {
      predicted.high = std::min(most, std::max(predicted.high + few, predicted.value + unseen));
    };
    const double different = std::max(0.0, documents_ - out_.copies.value);
    const double pairs = different * (different - 1) / 2;
    for (Predicted* const of_pairs : {&out_.candidates, &out_.pairs}) allow(*of_pairs, pairs);
    for (Predicted* const of_documents : {&out_.removed, &out_.clusters}) {
      allow(*of_documents, different);
    }
    allow(out_.clustered, documents_);
    // Of meetings one key may bring any number.
    const double keys = std::numeric_limits<double>::max();
    for (Predicted* const of_keys : {&out_.groups, &out_.common_keys}) allow(*of_keys, keys);
  }

  /// By which the document came into the sample, common ones too.
  std::uint64_t all_keys(std::uint32_t i) const { return all_keys_[i]; }

  static Predicted at_most(const Predicted& predicted, double most) {
    return {std::min(predicted.value, most), std::min(predicted.low, most),
            std::min(predicted.high, most)};
  }

  std::uint64_t marks(const std::vector<bool>& places, std::uint32_t i) const {
    const auto begin = places.begin() + static_cast<std::ptrdiff_t>(unfolded_[i].first_key);
    return static_cast<std::uint64_t>(std::count(begin, begin + unfolded_[i].keys, true));
  }

  const SampleBatch& sampled_;
  const Scheme& scheme_;
  const ForecastRule& rule_;
  const bool counts_;
  double documents_ = 0;
  unsigned key_halvings_;
  std::uint64_t most_pairs_ = 0;
  unsigned probe_halvings_ = 0;
  std::vector<KeyHolder> unfolded_;
  std::vector<std::uint32_t> all_keys_;  ///< before common ones were cut
  std::vector<bool> probes_;
  std::vector<KeyOfDocument> rows_;  ///< by key, then document
  std::vector<SeenPair> pairs_;
  std::vector<Judged> judged_;
  std::vector<std::uint64_t> keys_;  ///< of unfolded documents, each's in order
  std::vector<bool> shows_clustered_;
  std::vector<bool> shows_removed_;
  std::unique_ptr<UnionFind> together_;
  std::vector<bool> removed_;
  std::vector<bool> follows_;  ///< reaches the threshold with an earlier one
  std::vector<std::uint32_t> survivor_;
  Forecast out_;
};

}  // namespace

Predicted sum(const Predicted& a, const Predicted& b) {
  const double value = a.value + b.value;
  return {value, value - std::hypot(a.value - a.low, b.value - b.low),
          value + std::hypot(a.high - a.value, b.high - b.value)};
}

Forecast forecast(const KeySample& sample, const SampleBatch& sampled, std::uint64_t documents,
                  const Scheme& scheme, const ForecastRule& rule) {
  return Forecaster(sample, sampled, scheme, rule).run(sample, documents);
}

}  // namespace twinset
