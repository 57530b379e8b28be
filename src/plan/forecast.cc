// This file's interface is forecast(); the rest is private. Groups the sample's keys, makes pairs
// of the groups as candidates.h or shared_keys.h would, compares the pairs by their sketches, and
// decides the documents in order; each count adds the weights of the things seen. Documents are
// decided three times: a pair that reaches the threshold with only one end of its interval is an
// edge in some of these.
//
// If that would be too many pairs, a part of the documents are probes: all pairs of a probe are
// looked at, and a probe represents as many documents as were left out. The other document of a
// pair may be any one, so the number of pairs falls with the share of probes, not with its square.
#include "plan/forecast.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "join/candidates.h"
#include "join/sketch_check.h"
#include "join/union_find.h"
#include "plan/key_forecast.h"
#include "scheme/estimate.h"

namespace twinset {
namespace {

/// A number that is not small and rests on fewer draws of equal weight is not predicted.
constexpr double fewest_draws = 10;
constexpr double small_number = 100;
constexpr std::size_t fewest_probes = 64;
/// Of so many documents under a key that only names candidates, all meet.
constexpr std::size_t complete_group = leaders_per_group + 1;
/// If more of the meetings are in larger groups, their pairs are seen less often than the keys that
/// they share say, because they do not meet under each of these.
constexpr double most_incomplete = 0.25;
constexpr std::size_t pairs_between_questions = 4096;

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

/// A sum of weights, with the sums by draw from which its variance is computed.
class WeightedSum {
 public:
  explicit WeightedSum(std::size_t draws) : by_draw_(draws) {}
  /// Adds `count` things that were seen with probability `chance`, as part of `draw`.
  void add(double count, double chance, std::size_t draw) {
    sum_ += count / chance;
    by_draw_[draw].sum += count / chance;
    by_draw_[draw].chance = std::max(by_draw_[draw].chance, chance);
  }
  double value() const { return sum_; }
  Predicted predicted() const {
    double variance = 0;
    for (const Draw& draw : by_draw_) variance += draw.sum * draw.sum * (1 - draw.chance);
    return around(sum_, variance);
  }
  /// The number of draws of equal weight that would give this variance. Draws that are certain to
  /// be seen do not count.
  double effective_draws() const {
    double sum = 0;
    double squares = 0;
    for (const Draw& draw : by_draw_) {
      if (draw.chance == 1) continue;
      sum += draw.sum;
      squares += draw.sum * draw.sum;
    }
    return squares > 0 ? sum * sum / squares : std::numeric_limits<double>::infinity();
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

/// The estimate, and the results if every pair were as unlike, or as alike, as its sketches allow.
enum Case : std::size_t { estimated, unlike, alike, cases };

/// The number of documents that hold each of some keys. Open addressing; key 0 means none.
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

/// Sorts by buckets first; each bucket has few rows. `bucket` is in [0, buckets).
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
        counts_(scheme.counts_keys()),
        key_halvings_(sample.halvings()) {}

  Forecast run(const KeySample& sample, std::uint64_t documents) {
    documents_ = static_cast<double>(documents);
    left_out_ = static_cast<double>(sample.left_out());
    out_.copies = copies(sample, documents);
    out_.estimates = scheme_.estimates();
    if (counts_) {
      const KeyForecast keys = forecast_keys(sampled_, sample.halvings(), rule_.max_group);
      out_.groups = keys.groups;
      out_.common_keys = keys.common_keys;
      out_.meetings = keys.meetings;
      common_known_ = keys.common_known;
    }
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
    allow_for_left_out();
    // Fewer keys than were sampled: a few groups make more pairs than can be looked at.
    if (key_halvings_ > sample.halvings() || !common_known_) {
      for (Predicted* const each :
           {&out_.candidates, &out_.pairs, &out_.removed, &out_.clusters, &out_.clustered}) {
        each->predictable = false;
      }
    }
    // Alike pairs share many keys, so few common ones do not rule them.
    if (!out_.meetings.predictable || hides_pairs_) out_.candidates.predictable = false;
    return out_;
  }

 private:
  /// A pair, judged once, whichever of its documents is a probe.
  struct Judged {
    SeenPair pair;
    double chance = 1;
    std::array<bool, cases> reaches{};
  };

  /// The fates of the documents in one of the cases.
  struct Decided {
    std::unique_ptr<UnionFind> together;
    std::vector<bool> removed;
    std::vector<bool> follows;  ///< reaches the threshold with an earlier document
    std::vector<std::uint32_t> survivor;
  };

  /// True if every document is a probe: then it is known who is kept, not only which pairs meet.
  bool whole() const { return probe_halvings_ == 0; }
  double key_share() const { return std::ldexp(1.0, -static_cast<int>(key_halvings_)); }
  double probe_share() const { return std::ldexp(1.0, -static_cast<int>(probe_halvings_)); }
  bool probe(std::uint32_t i) const { return probes_[i]; }
  /// The chance to see something that `keys` keys show.
  double chance(std::uint64_t keys) const {
    return 1 - std::pow(1 - key_share(), static_cast<double>(std::max<std::uint64_t>(keys, 1)));
  }

  /// Documents minus distinct texts. A share of the texts is sampled, whatever the number of their
  /// copies: a text that half of the collection repeats counts like any other.
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
    // A pair of long samples costs as much as many pairs of short ones.
    const std::uint64_t mean = keys / std::max<std::uint64_t>(1, unfolded_.size());
    most_pairs_ = std::max<std::uint64_t>(1000, rule_.most_pairs / (1 + mean / 128));
  }

  /// Looks at the pairs of at most about so many documents.
  void choose_probes(std::uint64_t most) {
    probes_.assign(unfolded_.size(), true);
    std::uint64_t left = unfolded_.size();
    for (; left > std::max<std::uint64_t>(most, 1); left /= 2) ++probe_halvings_;
    drop_probes();
  }

  /// Halves the probes; if these are few, the keys.
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

  /// Collects the rows of the sampled keys that a probe holds, and counts all holders of these.
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
    // A key's hash chooses its bucket, so that rows of one key are together.
    const auto bits = static_cast<unsigned>(std::bit_width(rows_.size() / 4 + 1));
    sort_in_buckets(rows_, std::size_t{1} << bits,
                    [&](const KeyOfDocument& row) { return mix64(row.key) >> (64 - bits); });
    sort_keys(holders);
  }

  /// Sorts each unfolded document's keys, for their intersections. Keys that more documents of the
  /// sample hold than the run allows will surely be cut.
  void sort_keys(const KeyCounts& holders) {
    const bool cuts = counts_ && rule_.max_group != 0;
    for (KeyHolder& document : unfolded_) {
      const auto keys = sampled_.keys_of(document);
      document.first_key = keys_.size();
      keys_.insert(keys_.end(), keys.begin(), keys.end());
      const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(document.first_key);
      if (!std::is_sorted(begin, keys_.end())) std::sort(begin, keys_.end());
    }
    marks_.resize(keys_.size());
    earlier_in_.resize(unfolded_.size());
    cut_keys_.resize(unfolded_.size());
    for (std::size_t i = 0; cuts && i < unfolded_.size(); ++i) {
      const std::size_t begin = unfolded_[i].first_key;
      for (std::size_t at = begin; at < begin + unfolded_[i].keys; ++at) {
        if (holders.documents(keys_[at]) <= rule_.max_group) continue;
        marks_[at] = cut_mark;
        ++cut_keys_[i];
      }
    }
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

  /// The pairs of a group in which one document is a probe, as candidates.h or shared_keys.h make
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

  /// The number of pairs that make_pairs() will look at.
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

  /// Makes the distinct pairs that meet in a group.
  void make_pairs() {
    std::size_t incomplete = 0;
    for_each_group([&](std::span<const KeyOfDocument> group) {
      if (common(group.size())) return;
      const std::size_t before = pairs_.size();
      for_each_pair(group, [&](std::uint32_t later, std::uint32_t earlier) {
        pairs_.push_back({later, earlier});
      });
      if (!counts_ && group.size() > complete_group) incomplete += pairs_.size() - before;
    });
    hides_pairs_ = key_share() < 1 && static_cast<double>(incomplete) >
                                          most_incomplete * static_cast<double>(pairs_.size());
    sort_in_buckets(pairs_, unfolded_.size(), [](const SeenPair& pair) { return pair.later; });
  }

  /// The keys that two documents share, cut and not cut; `use` gets the places in keys_ of those
  /// not cut.
  struct Shared {
    std::uint64_t counted = 0;
    std::uint64_t cut = 0;
  };
  template <class Use>
  Shared intersect(std::uint32_t a, std::uint32_t b, unsigned level, Use&& use) const {
    std::size_t i = unfolded_[a].first_key;
    std::size_t j = unfolded_[b].first_key;
    const std::size_t i_end = i + unfolded_[a].keys;
    const std::size_t j_end = j + unfolded_[b].keys;
    Shared shared;
    while (i < i_end && j < j_end) {
      if (keys_[i] < keys_[j]) {
        ++i;
      } else if (keys_[j] < keys_[i]) {
        ++j;
      } else {
        const bool cut = (marks_[i] & cut_mark) != 0;
        if (level == 0 || scheme_.key_level(keys_[i]) >= level) {
          ++(cut ? shared.cut : shared.counted);
        }
        if (!cut) use(i, j);
        ++i;
        ++j;
      }
    }
    return shared;
  }

  /// A document's keys of a level, cut and not cut.
  Shared keys_at(std::uint32_t i, unsigned level) const {
    if (level <= unfolded_[i].level) return {unfolded_[i].keys - cut_keys_[i], cut_keys_[i]};
    Shared keys;
    const std::size_t begin = unfolded_[i].first_key;
    for (std::size_t at = begin; at < begin + unfolded_[i].keys; ++at) {
      if (scheme_.key_level(keys_[at]) < level) continue;
      ++((marks_[at] & cut_mark) != 0 ? keys.cut : keys.counted);
    }
    return keys;
  }

  /// The resemblance of two texts in each of the cases, as far as their sketches tell.
  struct Likeness {
    std::array<double, cases> at{-1, -1, -1};  ///< -1: unknown
    double error = 0;
    bool read = true;  ///< would the run compare the texts?

    bool reaches(Case in, const Ratio& threshold) const {
      Comparison seen;
      if (at[in] >= 0) seen.resemblance = Estimate{{at[in], at[in], at[in]}, error};
      return read && verdict(seen, {.resemblance = threshold}) == Verdict::reached;
    }
  };
  Likeness likeness(std::uint32_t a, std::uint32_t b) const {
    if (!out_.estimates) return {};
    if (counts_ && !scheme_.facts().counts_unions) return counted_likeness(a, b);
    const Comparison said =
        scheme_.compare(sampled_.sketch_of(unfolded_[a]), sampled_.sketch_of(unfolded_[b]));
    return said.resemblance.has_value() ? likeness(*said.resemblance) : Likeness{};
  }
  static Likeness likeness(const Estimate& estimate) {
    return {{estimate.value, estimate.low, estimate.high}, estimate.standard_error, true};
  }

  /// Cut keys do not count when the run looks for pairs, but they are in the texts that it then
  /// compares.
  Likeness counted_likeness(std::uint32_t a, std::uint32_t b) const {
    const unsigned level = std::max(unfolded_[a].level, unfolded_[b].level);
    const Shared shared = intersect(a, b, level, [](std::size_t, std::size_t) {});
    const Shared of_a = keys_at(a, level);
    const Shared of_b = keys_at(b, level);
    const std::uint64_t either = of_a.counted + of_b.counted - shared.counted;
    if (shared.counted == 0) return {};
    const std::uint64_t all = either + of_a.cut + of_b.cut - shared.cut;
    const double one_modulus = scheme_.facts().key_chance;
    const double sampled =
        one_modulus > 0 ? one_modulus : std::ldexp(1.0, -static_cast<int>(level));
    Likeness said = likeness(estimate_share(shared.counted + shared.cut, all, sampled));
    const PairFloor floor{rule_.threshold, {}, granted_standard_errors};
    const auto counted = static_cast<std::uint32_t>(shared.counted);
    said.read = floor.reached_by({counted, static_cast<std::uint32_t>(either), counted});
    return said;
  }

  /// Compares each pair and decides each document, in order.
  void judge() {
    const auto documents = static_cast<std::uint32_t>(unfolded_.size());
    for (Decided& decided : decided_) {
      decided.together = std::make_unique<UnionFind>(documents);
      decided.removed.resize(documents);
      decided.follows.resize(documents);
      decided.survivor.resize(documents);
    }
    judged_.reserve(pairs_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (i % pairs_between_questions == 0 && rule_.stopped && rule_.stopped()) return;
      judge(pairs_[i]);
    }
  }

  void judge(const SeenPair& pair) {
    const Likeness said = likeness(pair.later, pair.earlier);
    estimates_ = estimates_ || (said.read && said.at[unlike] < said.at[alike]);
    std::array<bool, cases> reaches{};
    std::uint8_t of_both = 0;
    std::uint8_t of_later = 0;
    const bool was_removed = decided_[estimated].removed[pair.later];
    for (const Case each : {estimated, unlike, alike}) {
      reaches[each] = said.reaches(each, rule_.threshold);
      if (!reaches[each]) continue;
      of_both |= clustered_mark << each;
      Decided& decided = decided_[each];
      decided.together->unite(pair.later, pair.earlier);
      decided.follows[pair.later] = true;
      std::uint32_t keeper = pair.earlier;
      bool goes = true;
      if (whole() && decided.removed[keeper]) {
        keeper = decided.survivor[keeper];
        goes = likeness(pair.later, keeper).reaches(each, rule_.threshold);
      }
      if (!goes) continue;
      of_later |= removed_mark << each;
      if (decided.removed[pair.later] || !probe(pair.later)) continue;
      decided.removed[pair.later] = true;
      decided.survivor[pair.later] = keeper;
    }
    const bool checked =
        said.read && said.at[estimated] >= 0 &&
        said.at[estimated] + granted_standard_errors * said.error >= rule_.threshold.value();
    if (counts_ ? checked : reaches[estimated]) of_both |= judged_mark;
    const Shared shared =
        intersect(pair.later, pair.earlier, 0, [&](std::size_t later, std::size_t earlier) {
          marks_[later] |= of_both | of_later;
          marks_[earlier] |= of_both;
        });
    const double seen = chance(shared.counted) * probe_share();
    judged_.push_back({pair, seen, reaches});
    if (!probe(pair.later)) return;
    if (checked) out_.checked += 1 / seen;
    if (said.at[estimated] >= 0) {
      const auto bin = static_cast<std::size_t>(said.at[estimated] * Forecast::bins);
      out_.by_resemblance[std::min<std::size_t>(bin, Forecast::bins - 1)] += 1 / seen;
    }
    // A document with a survivor is not compared with another; of counted pairs each is judged.
    if (counts_ ? checked : reaches[estimated] && !was_removed) {
      earlier_in_[pair.earlier] = std::min(earlier_in_[pair.earlier] + 1, 2);
      out_.judged_tokens += (static_cast<double>(unfolded_[pair.later].tokens) +
                             static_cast<double>(unfolded_[pair.earlier].tokens)) /
                            seen;
    }
  }

  /// Connected documents are seen or missed together.
  std::size_t draw(std::uint32_t i, Case in = alike) const {
    return key_share() < 1 || whole() ? decided_[in].together->find(i) : i;
  }

  void add_pairs() {
    WeightedSum candidates(unfolded_.size());
    std::vector<WeightedSum> reached(cases, WeightedSum(unfolded_.size()));
    for (const Judged& one : judged_) {
      if (!probe(one.pair.later)) continue;
      candidates.add(1, one.chance, draw(one.pair.later));
      for (std::size_t each = 0; each < cases; ++each) {
        if (one.reaches[each]) reached[each].add(1, one.chance, draw(one.pair.later));
      }
    }
    out_.candidates = predicted(candidates);
    out_.pairs = at_most(predicted(reached), out_.candidates.high);
  }

  /// Adds removals, and clusters with their members.
  void add_documents() {
    std::vector<WeightedSum> gone(cases, WeightedSum(unfolded_.size()));
    std::vector<WeightedSum> clusters(cases, WeightedSum(unfolded_.size()));
    std::vector<WeightedSum> members(cases, WeightedSum(unfolded_.size()));
    for (const Case each : {estimated, unlike, alike}) {
      add_documents(each, gone[each], clusters[each], members[each]);
    }
    for (std::uint32_t i = 0; i < unfolded_.size(); ++i) {
      const std::uint64_t shown = marks(judged_mark, i);
      if (!probe(i) || shown == 0) continue;
      const double bytes =
          static_cast<double>(unfolded_[i].text_bytes) / (chance(shown) * probe_share());
      out_.judged_bytes += bytes;
      if (earlier_in_[i] > 1) out_.cached_bytes += bytes;
    }
    // The number of copies, of which a single text may have a million, is known better.
    const double different = std::max(0.0, documents_ - out_.copies.value);
    out_.removed = at_most(predicted(gone), different);
    out_.clusters = at_most(allow_for_splits(predicted(clusters)), different);
    out_.clustered = sum(at_most(predicted(members), different), out_.copies);
  }

  /// A document near the threshold may split a cluster or join two, whatever the others do; assumes
  /// that a random half of them do.
  Predicted allow_for_splits(Predicted clusters) const {
    double undecided = 0;
    for (std::uint32_t i = 0; i < unfolded_.size(); ++i) {
      const bool in_stars = decided_[unlike].removed[i] != decided_[alike].removed[i];
      const bool in_components = decided_[unlike].follows[i] != decided_[alike].follows[i];
      undecided += (rule_.stars ? in_stars : in_components) ? 1 : 0;
    }
    const double half = normal_95 * std::sqrt(undecided / 4);
    clusters.low = std::max(0.0, clusters.low - half);
    clusters.high += half;
    return clusters;
  }

  void add_documents(Case in, WeightedSum& gone, WeightedSum& clusters, WeightedSum& members) {
    Decided& decided = decided_[in];
    const bool stars = rule_.stars && whole();
    std::vector<bool> stands_for_others(stars ? unfolded_.size() : 0);
    for (std::uint32_t i = 0; stars && i < unfolded_.size(); ++i) {
      if (decided.removed[i]) stands_for_others[decided.survivor[i]] = true;
    }
    for (std::uint32_t i = 0; i < unfolded_.size(); ++i) {
      // A document with copies is in a cluster in any case.
      const bool copied = unfolded_[i].copies > 0;
      if (copied) members.add(1, chance(all_keys(i)), draw(i));
      if (!probe(i)) continue;
      if (decided.removed[i]) {
        gone.add(1, shown(in, removed_mark, i) * probe_share(), draw(i));
      }
      const bool in_pair = marks(static_cast<std::uint8_t>(clustered_mark << in), i) > 0;
      const bool in_cluster = stars ? decided.removed[i] || stands_for_others[i] : in_pair;
      const double seen =
          (in_pair ? shown(in, clustered_mark, i) : chance(all_keys(i))) * probe_share();
      if (in_cluster && !copied) members.add(1, seen, draw(i));
      const bool first = stars      ? !decided.removed[i] && (stands_for_others[i] || copied)
                         : !in_pair ? copied
                         : whole()  ? decided.together->find(i) == i
                                    : !decided.follows[i];
      if (first) clusters.add(1, seen, draw(i));
    }
  }

  /// Chance to see the result that some of a document's keys show. Keys of unseen partners may show
  /// it, too; the lower end assumes that all keys do.
  double shown(Case in, std::uint8_t mark, std::uint32_t i) const {
    return chance(in == unlike ? all_keys(i) : marks(static_cast<std::uint8_t>(mark << in), i));
  }

  /// The interval goes from the lowest end to the highest of all cases. Even far from the
  /// threshold, one pair may still be on its other side.
  Predicted predicted(const std::vector<WeightedSum>& sums) const {
    Predicted out = predicted(sums[estimated]);
    for (const WeightedSum& each : sums) {
      const Predicted other = each.predicted();
      out.low = std::min(out.low, other.low);
      out.high = std::max(out.high, other.high);
    }
    if (estimates_) {
      out.low = std::max(0.0, out.low - 1);
      out.high += 1;
    }
    return out;
  }
  Predicted predicted(const WeightedSum& sum) const {
    Predicted out = sum.predicted();
    out.predictable = sum.value() < small_number || sum.effective_draws() >= fewest_draws;
    return out;
  }

  /// The normal interval is too short if little was seen. So its upper end is moved by the score
  /// interval's constant, and at least to the number that may exist unseen with 95 % if a single
  /// key shows it.
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
  }

  /// Allows for documents with too many keys to be sampled.
  void allow_for_left_out() {
    if (left_out_ == 0) return;
    for (Predicted* const of_keys :
         {&out_.groups, &out_.common_keys, &out_.meetings, &out_.candidates, &out_.pairs}) {
      of_keys->predictable = false;
    }
    out_.removed.high += left_out_;
    out_.clusters.low = std::max(0.0, out_.clusters.low - left_out_);
    out_.clusters.high += left_out_;
    out_.clustered.high += 2 * left_out_;
  }

  /// The keys by which the document came into the sample, common ones included.
  std::uint64_t all_keys(std::uint32_t i) const { return all_keys_[i]; }

  static Predicted at_most(Predicted predicted, double most) {
    for (double* const each : {&predicted.value, &predicted.low, &predicted.high}) {
      *each = std::min(*each, most);
    }
    return predicted;
  }

  /// The number of a document's keys with a mark.
  std::uint64_t marks(std::uint8_t mark, std::uint32_t i) const {
    const auto begin = marks_.begin() + static_cast<std::ptrdiff_t>(unfolded_[i].first_key);
    return static_cast<std::uint64_t>(std::count_if(
        begin, begin + unfolded_[i].keys, [mark](std::uint8_t all) { return (all & mark) != 0; }));
  }

  /// Flags of a key. Under each of the three estimates: its document is clustered, or removed.
  /// Also: its text is verified; the key is too common and is cut.
  static constexpr std::uint8_t clustered_mark = 1;
  static constexpr std::uint8_t removed_mark = clustered_mark << cases;
  static constexpr std::uint8_t judged_mark = removed_mark << cases;
  static constexpr std::uint8_t cut_mark = judged_mark << 1;

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
  std::vector<std::uint64_t> keys_;      ///< of unfolded documents, each document's sorted
  std::vector<int> earlier_in_;          ///< judged pairs, up to two, by their earlier document
  std::vector<std::uint8_t> marks_;      ///< of keys_
  std::vector<std::uint32_t> cut_keys_;  ///< of each document
  std::array<Decided, cases> decided_;
  bool estimates_ = false;    ///< some pair is known only by an estimate
  bool common_known_ = true;  ///< nearly all keys are known to be common or not
  bool hides_pairs_ = false;  ///< in groups of which not all documents meet
  double left_out_ = 0;       ///< documents that are never sampled
  Forecast out_;
};

}  // namespace

Predicted sum(const Predicted& a, const Predicted& b) {
  const double value = a.value + b.value;
  // hypot() is another function since glibc 2.35: without it a package runs on older systems.
  const auto both = [](double x, double y) { return std::sqrt(x * x + y * y); };
  return {value, value - both(a.value - a.low, b.value - b.low),
          value + both(a.high - a.value, b.high - b.value), a.predictable && b.predictable};
}

Forecast forecast(const KeySample& sample, const SampleBatch& sampled, std::uint64_t documents,
                  const Scheme& scheme, const ForecastRule& rule) {
  return Forecaster(sample, sampled, scheme, rule).run(sample, documents);
}

}  // namespace twinset
