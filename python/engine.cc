// Dedup's steps over columns of numbers, for engines that move rows between machines: the module
// twinset/spark.py stands on it. A place is the position of a document in keep order. Each function
// takes a part of the rows and knows nothing of the others; the rules are those of twinset/group.h.
//
// This file's interface is verbs.h; the rest is private.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numbers.h"
#include "options.h"
#include "texts.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"
#include "twinset/group.h"
#include "twinset/keep.h"
#include "twinset/pair.h"
#include "twinset/scheme.h"
#include "verbs.h"

namespace twinset::python {
namespace {

using Place = std::int64_t;

/// Finds copies among rows that come in batches, those of equal tokens one after the other and by
/// ascending place.
class CopyScan {
 public:
  /// For each row the place of the document that stands for it, and 0; or 1 for a copy of equal
  /// bytes, 2 for one of equal tokens.
  nb::tuple add(const Numbers& token_high, const Numbers& token_low, const Numbers& byte_high,
                const Numbers& byte_low, const Numbers& places) {
    check_sizes(places, token_high, token_low, byte_high, byte_low);
    const std::size_t rows = places.shape(0);
    std::vector<std::int64_t> firsts(rows);
    std::vector<std::int64_t> kinds(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const Row row{{token_high.data()[i], token_low.data()[i]},
                    {byte_high.data()[i], byte_low.data()[i]},
                    places.data()[i]};
      if (!started_ || row.tokens != group_[0].tokens) {
        started_ = true;
        group_[0] = row;
      } else {
        group_[1] = row;
        fold(
            std::span<const Row>(group_), [](const Row& each) { return each.bytes; },
            [&](const Row&, const Row&, CopyKind kind) {
              kinds[i] = kind == CopyKind::identical ? 1 : 2;
            });
      }
      firsts[i] = group_[0].place;
    }
    return nb::make_tuple(column(std::move(firsts)), column(std::move(kinds)));
  }

 private:
  struct Row {
    std::array<std::int64_t, 2> tokens{};
    std::array<std::int64_t, 2> bytes{};
    Place place = 0;
  };
  bool started_ = false;
  std::array<Row, 2> group_;  ///< the first of its tokens, and the one that came
};

/// Pairs the documents of each key, of rows that come in batches, by key and ascending place.
class PairScan {
 public:
  /// The pairs that these rows add: later places, earlier places.
  nb::tuple add(const Numbers& keys, const Numbers& places) {
    check_sizes(keys, places);
    std::vector<std::int64_t> later;
    std::vector<std::int64_t> earlier;
    for (std::size_t i = 0; i < keys.shape(0); ++i) {
      const std::int64_t key = keys.data()[i];
      if (!started_ || key != key_) {
        started_ = true;
        key_ = key;
        members_ = 0;
        pairs_.start_group();
      }
      largest_ = std::max(largest_, ++members_);
      pairs_.add(places.data()[i], false, [&](Place one, Place other) {
        later.push_back(one);
        earlier.push_back(other);
      });
    }
    return nb::make_tuple(column(std::move(later)), column(std::move(earlier)));
  }
  /// The most documents of one key so far.
  std::uint64_t largest() const { return largest_; }

 private:
  GroupPairs<Place> pairs_;
  std::int64_t key_ = 0;
  bool started_ = false;
  std::uint64_t members_ = 0;
  std::uint64_t largest_ = 0;
};

/// A pair as verify() leaves it.
enum class PairState : std::uint8_t {
  refused,  ///< its sketches cannot reach the threshold
  below,    ///< its texts do not
  reached
};

/// Judges pairs by sketches and texts that stand beside them.
class PairJudge {
 public:
  PairJudge(const TextScheme& scheme, const std::string& analyzer, bool html,
            const std::string& resemblance)
      : scheme_(scheme), resemblance_(or_raise(Ratio::parse(resemblance))) {
    shingling_.analyzer = analyzer;
    shingling_.shingle_tokens = scheme.shingle_tokens();
    shingling_.html = html;
  }

  /// `pairs`: a table with the columns text_later, text_earlier, sketch_later, sketch_earlier. Its
  /// columns: the PairState, shared shingles, those of the later text, those of the earlier one.
  nb::tuple judge(nb::handle pairs) const {
    const auto strings = [&](const char* name) { return Texts::of(pairs, {name, "", {}}); };
    const auto later = strings("text_later");
    const auto earlier = strings("text_earlier");
    const auto later_sketches = strings("sketch_later");
    const auto earlier_sketches = strings("sketch_earlier");
    const std::size_t rows = later->size();
    std::array<std::vector<std::int64_t>, 4> columns;
    for (auto& each : columns) each.reserve(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto state_of = [&](const ShingleCounts& found) {
        return found.shared_shingles > 0 &&
                       resemblance_.reached_by(found.shared_shingles, found.all_shingles())
                   ? PairState::reached
                   : PairState::below;
      };
      ShingleCounts found;
      PairState state = PairState::refused;
      if (can_reach(view(*later_sketches, i), view(*earlier_sketches, i))) {
        found = or_raise(
            count_shingles(later->texts.views()[i], earlier->texts.views()[i], shingling_));
        state = state_of(found);
      }
      columns[0].push_back(static_cast<std::int64_t>(state));
      columns[1].push_back(static_cast<std::int64_t>(found.shared_shingles));
      columns[2].push_back(static_cast<std::int64_t>(found.shingles_a));
      columns[3].push_back(static_cast<std::int64_t>(found.shingles_b));
    }
    return nb::make_tuple(column(std::move(columns[0])), column(std::move(columns[1])),
                          column(std::move(columns[2])), column(std::move(columns[3])));
  }

 private:
  static std::span<const std::uint8_t> view(const Texts& sketches, std::size_t i) {
    if (!sketches.texts.has(i)) return {};
    const std::string_view bytes = sketches.texts.views()[i];
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  }

  bool can_reach(std::span<const std::uint8_t> later, std::span<const std::uint8_t> earlier) const {
    return verdict(scheme_.compare(later, earlier), {.resemblance = resemblance_,
                                                     .distance = UINT32_MAX,
                                                     .granted_errors = granted_standard_errors}) !=
           Verdict::below;
  }

  const TextScheme& scheme_;
  Ratio resemblance_;
  Shingling shingling_;
};

/// Decides which documents go, from all judged pairs, in rounds:
///
///   add(pairs); asked = sweep(); while any are asked: judge them, add(those), asked = sweep()
///
/// A pair is looked at only when dedup() would compare its texts, so that the answers are its.
class Decisions {
 public:
  /// Judged pairs, new ones each time, as PairJudge gives them; refused ones may be left out.
  void add(const Numbers& later, const Numbers& earlier, const Numbers& state,
           const Numbers& shared, const Numbers& later_shingles, const Numbers& earlier_shingles) {
    check_sizes(later, earlier, state, shared, later_shingles, earlier_shingles);
    std::uint64_t added = 0;
    for (std::size_t i = 0; i < later.shape(0); ++i) {
      const auto found = static_cast<PairState>(state.data()[i]);
      if (found == PairState::refused) continue;
      ++added;
      pairs_.push_back({later.data()[i], earlier.data()[i], number(shared, i),
                        number(later_shingles, i), number(earlier_shingles, i),
                        found == PairState::reached, LinkState::unjudged});
    }
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
      return std::pair(a.later, a.earlier) < std::pair(b.later, b.earlier);
    });
    if (swept_) repair_pairs_ += added;
    fresh_ = added > 0;
  }

  /// Decides about every document, and returns the pairs that have to be judged next: later
  /// places, earlier places; none if all is decided.
  nb::tuple sweep() {
    std::vector<std::int64_t> later;
    std::vector<std::int64_t> earlier;
    // Without new pairs the same would be decided again.
    if (fresh_ || !swept_) {
      repair_rounds_ += swept_ ? 1 : 0;
      decide_all();
      const std::vector<std::pair<Place, Place>> next = asked();
      for (const auto& [one, other] : next) {
        later.push_back(one);
        earlier.push_back(other);
      }
      asked_.insert(asked_.end(), next.begin(), next.end());
      std::sort(asked_.begin(), asked_.end());
    }
    swept_ = true;
    fresh_ = false;
    return nb::make_tuple(column(std::move(later)), column(std::move(earlier)));
  }

  /// The documents that go: place, survivor, shared shingles, its own, its survivor's.
  nb::tuple removed() const {
    std::array<std::vector<std::int64_t>, 5> columns;
    for (const Fate& fate : fates_) {
      if (!fate.survivor.has_value()) continue;
      const Pair& pair = pairs_[fate.pair];
      columns[0].push_back(fate.document);
      columns[1].push_back(*fate.survivor);
      columns[2].push_back(pair.shared);
      columns[3].push_back(pair.later_shingles);
      columns[4].push_back(pair.earlier_shingles);
    }
    return nb::make_tuple(column(std::move(columns[0])), column(std::move(columns[1])),
                          column(std::move(columns[2])), column(std::move(columns[3])),
                          column(std::move(columns[4])));
  }

  std::uint64_t verified_pairs() const { return verified_pairs_; }
  std::uint64_t repair_rounds() const { return repair_rounds_; }
  std::uint64_t repair_pairs() const { return repair_pairs_; }

 private:
  struct Pair {
    Place later;
    Place earlier;
    std::uint32_t shared;
    std::uint32_t later_shingles;
    std::uint32_t earlier_shingles;
    bool reaches;     ///< what comparing its texts tells
    LinkState state;  ///< as far as it is known
  };
  struct Fate {
    Place document;
    std::optional<Place> survivor;  ///< none: it stays
    std::size_t pair = 0;           ///< that removed it
  };

  static std::uint32_t number(const Numbers& numbers, std::size_t i) {
    return static_cast<std::uint32_t>(numbers.data()[i]);
  }

  std::optional<Place> survivor_of(Place document) const {
    const auto at =
        std::lower_bound(fates_.begin(), fates_.end(), document,
                         [](const Fate& fate, Place wanted) { return fate.document < wanted; });
    return at != fates_.end() && at->document == document ? at->survivor : std::nullopt;
  }

  /// In keep order: whatever is earlier than a document is decided before it.
  void decide_all() {
    fates_.clear();
    const auto state_of = [](const Pair& pair) { return pair.state; };
    const auto fate_of = [this](const Pair& pair) {
      return survivor_of(pair.earlier).has_value() ? EarlierFate::removed : EarlierFate::stays;
    };
    for (std::size_t begin = 0; begin < pairs_.size();) {
      Fate fate{pairs_[begin].later, std::nullopt, 0};
      std::size_t end = begin;
      while (end < pairs_.size() && pairs_[end].later == fate.document) ++end;
      for (std::size_t at = begin;;) {
        const Decision next =
            decide(std::span<const Pair>(pairs_).subspan(at, end - at), state_of, fate_of);
        at += next.edge;
        if (next.step == Decision::Step::keep) break;
        if (next.step == Decision::Step::remove) {
          fate.survivor = pairs_[at].earlier;
          fate.pair = at;
          break;
        }
        pairs_[at].state = pairs_[at].reaches ? LinkState::reached : LinkState::below;
        ++verified_pairs_;
      }
      fates_.push_back(fate);
      begin = end;
    }
  }

  /// The pairs that repair derives and that are neither there nor were asked for before, sorted.
  std::vector<std::pair<Place, Place>> asked() const {
    std::vector<std::pair<Place, Place>> all;
    for (const Pair& pair : pairs_) {
      const auto next = repair(pair.later, pair.earlier, pair.state, survivor_of(pair.later),
                               survivor_of(pair.earlier));
      if (next.has_value() && !known(*next)) all.push_back(*next);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  bool known(const std::pair<Place, Place>& pair) const {
    if (std::binary_search(asked_.begin(), asked_.end(), pair)) return true;
    const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), pair,
                                     [](const Pair& each, const auto& wanted) {
                                       return std::pair(each.later, each.earlier) < wanted;
                                     });
    return at != pairs_.end() && std::pair(at->later, at->earlier) == pair;
  }

  std::vector<Pair> pairs_;                     ///< by later, then earlier place
  std::vector<std::pair<Place, Place>> asked_;  ///< by all sweeps; sorted
  std::vector<Fate> fates_;                     ///< of all later documents, by place
  bool swept_ = false;
  bool fresh_ = false;
  std::uint64_t verified_pairs_ = 0;
  std::uint64_t repair_rounds_ = 0;
  std::uint64_t repair_pairs_ = 0;
};

/// What a verb's options say of its texts and pairs, from values as they are typed. Raises what the
/// verb itself would say of a bad one.
template <class Options>
nb::dict text_settings(const nb::dict& typed) {
  Options options;
  set_options(options_of(options), typed);
  nb::dict settings;
  settings["scheme"] = text_of(options.scheme);
  settings["analyzer"] = text_of(options.analyzer);
  settings["format"] = text_of(options.input.format);
  settings["max_record"] = nb::int_(options.input.max_record);
  settings["resemblance"] = text_of(options.resemblance.text());
  return settings;
}

/// The connected documents of some pairs: each with the first of those that pairs connect with it.
nb::tuple components(const Numbers& later, const Numbers& earlier) {
  check_sizes(later, earlier);
  std::vector<std::int64_t> places(later.data(), later.data() + later.shape(0));
  places.insert(places.end(), earlier.data(), earlier.data() + earlier.shape(0));
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<std::size_t> parents(places.size());
  std::iota(parents.begin(), parents.end(), 0);
  const auto root_of = [&](Place place) {
    auto at = static_cast<std::size_t>(std::lower_bound(places.begin(), places.end(), place) -
                                       places.begin());
    while (parents[at] != at) at = parents[at] = parents[parents[at]];
    return at;
  };
  for (std::size_t i = 0; i < later.shape(0); ++i) {
    const std::size_t one = root_of(later.data()[i]);
    const std::size_t other = root_of(earlier.data()[i]);
    parents[std::max(one, other)] = std::min(one, other);
  }
  std::vector<std::int64_t> firsts;
  firsts.reserve(places.size());
  for (const Place place : places) firsts.push_back(places[root_of(place)]);
  return nb::make_tuple(column(std::move(places)), column(std::move(firsts)));
}

/// Does one key in common make a pair of this scheme that the texts decide on?
/// `needs_texts`: and not its signatures, if the caller does not say who decides?
bool pairs_by_keys(const std::string& spec, bool needs_texts) {
  const std::string_view name = std::string_view(spec).substr(0, spec.find('('));
  for (const SchemeDeclaration& scheme : known_schemes()) {
    if (scheme.name != name) continue;
    return scheme.shared_key == SharedKey::candidate && scheme.tells != Tells::distance &&
           (!needs_texts || scheme.tells != Tells::coordinate);
  }
  return false;
}

/// KeepKeys, of columns. Counts are (documents, missing, numbers, dates).
class KeepColumns {
 public:
  KeepColumns(const std::string& rule, const std::string& analyzer, bool html)
      : keys_(or_raise(KeepKeys::make(rule, analyzer, html))) {}

  const KeepKeys& keys() const { return keys_; }

  nb::tuple count(const Texts& values) const {
    KeepCounts counts;
    const Strings& column = column_of(values);
    for (std::size_t i = 0; i < column.size(); ++i) keys_.count(value_of(column, i), counts);
    return nb::make_tuple(counts.documents, counts.missing, counts.numbers, counts.dates);
  }
  /// bytes for each row, or None.
  nb::list keys_of(const Texts& values, const nb::tuple& counted) const {
    const KeepCounts all = counts_of(counted);
    const Strings& column = column_of(values);
    nb::list keys;
    for (std::size_t i = 0; i < column.size(); ++i) {
      const auto key = keys_.key(value_of(column, i), all);
      keys.append(key.has_value() ? nb::object(nb::bytes(key->data(), key->size())) : nb::none());
    }
    return keys;
  }
  nb::object warning(const nb::tuple& counted) const {
    return text_of(render_message(Door::python, keys_.warning(counts_of(counted))));
  }

 private:
  static KeepCounts counts_of(const nb::tuple& counted) {
    const auto at = [&](std::size_t i) { return nb::cast<std::uint64_t>(counted[i]); };
    return {.documents = at(0), .missing = at(1), .numbers = at(2), .dates = at(3)};
  }
  static const Strings& column_of(const Texts& values) {
    return values.fields.empty() ? values.texts : values.fields.front().second;
  }
  static std::string_view value_of(const Strings& column, std::size_t i) {
    return column.has(i) ? column.views()[i] : std::string_view();
  }

  KeepKeys keys_;
};

}  // namespace

void add_engine(nb::module_& module) {
  nb::class_<CopyScan>(module, "CopyScan")
      .def(nb::init<>())
      .def("add", &CopyScan::add, nb::arg("token_high"), nb::arg("token_low"), nb::arg("byte_high"),
           nb::arg("byte_low"), nb::arg("places"));
  nb::class_<PairScan>(module, "PairScan")
      .def(nb::init<>())
      .def("add", &PairScan::add, nb::arg("keys"), nb::arg("places"))
      .def_prop_ro("largest", &PairScan::largest);
  nb::class_<PairJudge>(module, "PairJudge")
      .def(nb::init<const TextScheme&, const std::string&, bool, const std::string&>(),
           nb::keep_alive<1, 2>(), nb::arg("signer"), nb::arg("analyzer"), nb::arg("html"),
           nb::arg("resemblance"))
      .def("judge", &PairJudge::judge, nb::arg("pairs"));
  nb::class_<Decisions>(module, "Decisions")
      .def(nb::init<>())
      .def("add", &Decisions::add, nb::arg("later"), nb::arg("earlier"), nb::arg("state"),
           nb::arg("shared"), nb::arg("later_shingles"), nb::arg("earlier_shingles"))
      .def("sweep", &Decisions::sweep)
      .def("removed", &Decisions::removed)
      .def_prop_ro("verified_pairs", &Decisions::verified_pairs)
      .def_prop_ro("repair_rounds", &Decisions::repair_rounds)
      .def_prop_ro("repair_pairs", &Decisions::repair_pairs);
  nb::class_<KeepColumns>(module, "KeepKeys")
      .def(nb::init<const std::string&, const std::string&, bool>(), nb::arg("rule"),
           nb::arg("analyzer"), nb::arg("html"))
      .def_prop_ro("as_read", [](const KeepColumns& all) { return all.keys().as_read(); })
      .def_prop_ro("field", [](const KeepColumns& all) { return text_of(all.keys().field()); })
      .def_prop_ro("descending", [](const KeepColumns& all) { return all.keys().descending(); })
      .def("count", &KeepColumns::count, nb::arg("values"))
      .def("keys", &KeepColumns::keys_of, nb::arg("values"), nb::arg("counts"))
      .def("warning", &KeepColumns::warning, nb::arg("counts"));
  module.def("dedup_settings", &text_settings<DedupOptions>, nb::arg("typed"));
  module.def("cluster_settings", &text_settings<ClusterOptions>, nb::arg("typed"));
  module.def("components", &components, nb::arg("later"), nb::arg("earlier"));
  module.def("pairs_by_keys", &pairs_by_keys, nb::arg("spec"), nb::arg("needs_texts"));
}

}  // namespace twinset::python
