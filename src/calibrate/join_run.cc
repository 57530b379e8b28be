// This file's interface is calibrate/join_run.h; the rest is private.
//
// The values of a distance are those of one join. The values of a resemblance, and those of
// I-Match, have schemes of their own: one pass makes the keys of all of them, and each is joined by
// itself. Keys that are counted are the same for every value.
#include "calibrate/join_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/message.h"
#include "calibrate/calibration_fields.h"
#include "calibrate/choice.h"
#include "calibrate/conclusions.h"
#include "calibrate/drawn_choice.h"
#include "calibrate/found_pairs.h"
#include "calibrate/observe.h"
#include "calibrate/pair_sample.h"
#include "calibrate/sampled_documents.h"
#include "collection/output_files.h"
#include "evaluate/document_sample.h"
#include "evaluate/oracle.h"
#include "evaluate/random.h"
#include "join/held_pairs.h"
#include "join/shared_keys.h"
#include "join/sketch_check.h"
#include "join/verify.h"
#include "rows/sorted_rows.h"
#include "run/collector.h"
#include "run/common_options.h"
#include "run/lost_keys.h"
#include "run/matcher.h"
#include "run/meetings.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "run/texts.h"
#include "scheme/spec.h"
#include "system/threads.h"
#include "twinset/cluster.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_recall_pairs = 100'000;
/// Documents whose texts are held at a time: so many, or until they have so many bytes.
constexpr std::size_t most_held = 512;
constexpr std::uint64_t most_held_bytes = std::uint64_t{4} << 20;
constexpr std::uint64_t original_purpose = 26;
constexpr std::uint64_t recall_half_purpose = 27;
constexpr std::uint64_t label_pair_purpose = 28;
/// Pairs, or documents, that a worker takes at a time.
constexpr std::size_t block_items = 64;
/// Pairs whose texts are compared between two looks at the next ones.
constexpr std::size_t block_pairs = 65'536;

/// A pair of a later and an earlier document, and the values at which it may be found.
struct UnreadPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t values = 0;
};
struct UnreadPairLess {
  static std::uint64_t radix(const UnreadPair& pair) {
    return std::uint64_t{pair.a} << 32 | pair.b;
  }
  bool operator()(const UnreadPair& x, const UnreadPair& y) const {
    return std::pair(radix(x), x.values) < std::pair(radix(y), y.values);
  }
};
using UnreadPairs = SortedRows<UnreadPair, UnreadPairLess>;

struct LabelRows final : Collector::Rows {
  void begin(const BatchPlace& place) override {
    first_line = place.first_line;
    labels.assign(place.last_line - place.first_line, 0);
  }
  void release_large() override { labels = {}; }

  std::uint64_t first_line = 0;
  std::vector<std::uint64_t> labels;
};

/// A hash of each document's label, by index; 0: it has none.
class Labels final : public CollectorOf<LabelRows> {
 public:
  std::uint64_t operator[](std::uint64_t index) const { return labels_[index]; }
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& record, LabelRows& rows) const override {
    if (!record.is_document() || record.view.analysis().tokens.empty()) return {};
    const std::optional<std::string> label = plain_value(record.record.field(0));
    if (!label) return {};
    rows.labels[record.id.record() - rows.first_line - 1] = checksum(*label) | 1;
    return {};
  }
  Status put(LabelRows& rows) override {
    labels_.insert(labels_.end(), rows.labels.begin(), rows.labels.end());
    return {};
  }

  std::vector<std::uint64_t> labels_;
};

/// The pair i < j of this number, if they are numbered (0, 1), (0, 2), (1, 2), (0, 3), ...
std::pair<std::uint64_t, std::uint64_t> pair_of_number(std::uint64_t number) {
  auto j = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(number))) / 2);
  while (j * (j - 1) / 2 > number) --j;
  while ((j + 1) * j / 2 <= number) ++j;
  return {number - j * (j - 1) / 2, j};
}

/// A document of this label.
struct Member {
  std::uint64_t label = 0;
  std::uint32_t index = 0;
  auto operator<=>(const Member&) const = default;
};

CalibrateOptions filled(CalibrateOptions options) {
  options.resources.checkpoint = UINT64_MAX;
  return options;
}

VerbOptions join_verb(const CalibrateOptions& options) {
  VerbOptions verb = calibrate_verb();
  verb.reads_again = true;
  verb.new_files = {{"output", options.output}};
  if (!options.labels.empty()) verb.fields = {options.labels};
  return verb;
}

class JoinRun final : public VerbSteps {
 public:
  JoinRun(const CalibrateOptions& options, const RunControl& control)
      : options_(filled(options)),
        run_(collection_of(options_, comparison_of(options_)), join_verb(options_), control) {}

  Result<Calibration> run() { return run_verb(run_, made_, *this); }

 private:
  Status check() override {
    TWINSET_TRY(check_analyzer(options_, job()));
    TWINSET_TRY(check_reads_texts(scheme()));
    TWINSET_ASSIGN(ShingleCollection none, ShingleCollection::make({}, 1, UINT64_MAX));
    no_shingles_.emplace(std::move(none));
    TWINSET_ASSIGN(FoundPairs values, found_among({}, *no_shingles_));
    values_.emplace(std::move(values));
    if (values_->option() == "resemblance") return {};
    return check_verify(options_, scheme());
  }

  Status work() override {
    if (!options_.output.empty()) {
      TWINSET_ASSIGN(profile_file_,
                     WholeFile::create(*job().context.files, "output", options_.output));
    }
    std::vector<Collector*> own;
    if (labeled()) own.push_back(&labels_);
    make_keys();
    for (const auto& keys : keys_) own.push_back(keys.get());
    TWINSET_TRY(run_.read(DocumentKeys::Stored::sample, own));
    if (!by_distance() && run_.stores.bands != nullptr) run_.stores.bands->drop_rows();
    TWINSET_TRY(set_memory());
    TWINSET_TRY(fold());
    TWINSET_TRY(by_distance() ? join() : join_values());
    run_.clock.end("join");
    TWINSET_TRY(labeled() ? judge_by_labels() : judge_by_texts());
    run_.clock.end("judge");
    TWINSET_TRY(choose());
    run_.clock.end("choose");
    return {};
  }

  Status conclude() override {
    profile_.made = origin_json(made_, options_.inputs);
    made_.profile = profile_text(profile_);
    return {};
  }

  Status keep() override {
    if (profile_file_ == nullptr) return {};
    TWINSET_TRY(profile_file_->write(made_.profile));
    return profile_file_->publish();
  }

  void end(const Status&) override { profile_file_.reset(); }

  const Job& job() const { return run_.job; }
  const Scheme& scheme() const { return *job().signer.scheme; }
  bool labeled() const { return !options_.labels.empty(); }
  bool by_distance() const { return values_->option() == "distance"; }
  Check check_of_pairs() const {
    if (values_ && values_->option() != "resemblance") return Check::sketch;
    return options_.verify.value_or(labeled() ? Check::exact : Check::sketch);
  }
  KeepGoing keep_going() const {
    return [this] { return job().context.check_cancelled(); };
  }
  /// The values, and these texts under each of them.
  Result<FoundPairs> found_among(std::span<const GivenView> views,
                                 const ShingleCollection& shingles) const {
    FoundPairsOptions options;
    options.verify = check_of_pairs();
    options.threads = job().context.threads;
    options.files = job().context.files;
    options.common = common_keys_;
    options.of_lost = of_lost_;
    return FoundPairs::make(spec_for(*job().signer.view.analyzer, options_.scheme), views, shingles,
                            options);
  }
  std::uint32_t index(const Place& place) const {
    return static_cast<std::uint32_t>(table_->index(place.document));
  }
  std::uint64_t shorter(std::uint32_t a, std::uint32_t b) const {
    return std::min(tokens_[a], tokens_[b]);
  }
  /// Pairs of each length, distance and half.
  std::uint64_t most_pairs() const { return (sample_of(options_) + 1) / 2; }
  std::size_t half_of(std::uint64_t number) const {
    return derive_seed(options_.sample_seed, recall_half_purpose, number) & 1;
  }

  // ---- Finding ----

  Status set_memory() {
    const std::uint64_t records = lines_of(run_.state);
    const std::uint64_t labels = sizeof(std::uint64_t) + sizeof(Member);
    const std::uint64_t resident =
        DocumentTable::bytes_needed(records, false) + records * sizeof(std::uint32_t) +
        (scheme().counts_keys() ? KeyGroups::bytes_needed(records, job().context.threads) : 0) +
        // Both of these may have grown to twice their size.
        (labeled() ? 2 * records * labels : 0) +
        PairSample::bytes_needed(values_->values().size(), most_pairs());
    TWINSET_TRY(run_.check_memory(resident));
    const std::uint64_t budget = job().context.memory_bytes;
    memory_ = budget - std::min(budget, resident);
    return {};
  }

  Status fold() {
    table_ = std::make_unique<DocumentTable>(run_.state.lines, 0);
    RecordCounts counts;
    TWINSET_TRY(set_read_fates(*run_.stores.records, *table_, counts));
    tokens_.resize(table_->size());
    TWINSET_TRY(
        run_.stores.records->for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
          if (row.fate() != Fate::kept) return {};
          tokens_[index] = row.size;
          made_.documents += row.size > 0 ? 1 : 0;
          return {};
        }));
    if (made_.documents == 0) {
      TWINSET_TRY(run_.check_not_lost());
      return usage_error("nothing to calibrate on: no document has a token");
    }
    if (labeled()) leave_out_unlabeled();
    Matcher matcher(job(), run_.stores, *table_, memory_ / 4);
    TWINSET_TRY(matcher.fold(*table_));
    run_.spilled_bytes += matcher.spilled_bytes();
    return {};
  }

  /// A document without a label takes no part, as if it were a copy.
  void leave_out_unlabeled() {
    for (std::uint64_t index = 0; index < table_->size(); ++index) {
      if (labels_[index] != 0) {
        ++labeled_documents_;
      } else if (table_->standing(index).fate == Fate::kept) {
        table_->set(index, {Fate::lexical, index});
      }
    }
  }

  /// Joins at the loosest distance that compares no more signatures than cluster would.
  Status join() {
    for (unsigned bits = max_join_distance;; --bits) {
      const Status joined = join_within(bits);
      if (joined.ok() || joined.error().code != ErrorCode::usage || bits == 0) return joined;
    }
  }

  Status join_within(unsigned bits) {
    PairSample sample(bits + 1, {.most = most_pairs(), .seed = options_.sample_seed});
    const auto take = [&](std::span<const Edge> edges) -> Status {
      for (const Edge& edge : edges) {
        const std::uint32_t later = index(edge.pair.later);
        const std::uint32_t earlier = index(edge.pair.earlier);
        sample.add(later, earlier, shorter(later, earlier),
                   values_->values_of(0, comparison_of(edge.link)));
      }
      return {};
    };
    Matcher matcher(job(), run_.stores, *table_, memory_ / 4);
    Threshold threshold = job().thresholds;
    threshold.distance = DistanceLimit(bits);
    const std::uint64_t most_meetings = ClusterOptions().max_meetings;
    TWINSET_TRY(matcher.pair(*run_.stores.bands,
                             {scheme(), threshold, Check::sketch, most_meetings}, take));
    run_.spilled_bytes += matcher.spilled_bytes();
    drawn_ = std::move(sample).take();
    for (unsigned value = 0; value <= bits; ++value) made_.values.push_back(std::to_string(value));
    for (const auto& found : drawn_.found) made_.found += found[bits];
    if (bits < max_join_distance) {
      made_.warnings.push_back(
          fmt::format("distances above {} are not tried: they would compare over {} signatures",
                      bits, format_count(most_meetings)));
    }
    return {};
  }

  /// The distances at which two stored signatures are found.
  std::uint32_t found_by(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) const {
    if (a.empty() || b.empty() || a.front() == 0 || b.front() == 0) return 0;
    return values_->values_of(0, scheme().compare(a, b));
  }

  // ---- Finding by keys ----

  RowsOptions rows(const std::string& name, std::uint64_t memory) const {
    return {&job().context, job().spill + name, memory, job().signer.fingerprint};
  }

  /// The keys of each value's scheme, unless the run's own are those of all of them.
  void make_keys() {
    if (by_distance() || scheme().counts_keys()) return;
    const std::uint64_t memory = job().memory.rows / 10 * 4 / values_->schemes();
    for (std::size_t i = 0; i < values_->schemes(); ++i) {
      keys_.push_back(std::make_unique<DocumentKeys>(rows("values" + std::to_string(i), memory),
                                                     values_->scheme(i),
                                                     DocumentKeys::Stored::sketch));
    }
  }

  /// A pair that passed at these values, or if texts decide that may pass.
  Status take(PairSample& sample, std::uint32_t later, std::uint32_t earlier, std::uint32_t found) {
    if (found == 0) return {};
    if (check_of_pairs() == Check::exact) return unread_->append({later, earlier, found});
    sample.add(later, earlier, shorter(later, earlier), found);
    return {};
  }

  Status join_values() {
    made_.values = values_->values();
    PairSample sample(made_.values.size(), {.most = most_pairs(), .seed = options_.sample_seed});
    unread_ = std::make_unique<UnreadPairs>(rows("unread", memory_ / 4));
    if (scheme().counts_keys()) TWINSET_TRY(count_keys(sample));
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      TWINSET_TRY(join_keys(*keys_[i], values_->scheme(i), values_->loosest(i), i,
                            check_of_pairs() == Check::exact ? all_of(i) : 0, sample));
    }
    keys_.clear();
    TWINSET_TRY(unread_->seal());
    if (check_of_pairs() == Check::exact) TWINSET_TRY(compare_texts(sample));
    run_.spilled_bytes += unread_->spilled_bytes();
    unread_.reset();
    drawn_ = std::move(sample).take();
    for (const auto& found : drawn_.found) made_.found += found.back();
    return {};
  }

  /// The values of a scheme.
  std::uint32_t all_of(std::size_t scheme) const { return values_->values_of(scheme, {1, 1}); }

  /// Joins keys of documents: if texts decide, pairs may be found at `values`, else at those of the
  /// scheme of this number.
  Status join_keys(DocumentKeys& keys, const Scheme& scheme, const Ratio& least, std::size_t number,
                   std::uint32_t values, PairSample& sample) {
    const bool exact = check_of_pairs() == Check::exact;
    const auto take_edges = [&](std::span<const Edge> edges) -> Status {
      for (const Edge& edge : edges) {
        TWINSET_TRY(take(sample, index(edge.pair.later), index(edge.pair.earlier),
                         exact ? values : values_->values_of(number, comparison_of(edge.link))));
      }
      return {};
    };
    Matcher matcher(job(), run_.stores, *table_, memory_ / 4);
    Threshold threshold = job().thresholds;
    threshold.resemblance = least;
    TWINSET_TRY(matcher.pair(
        keys, {scheme, threshold, check_of_pairs(), ClusterOptions().max_meetings}, take_edges));
    run_.spilled_bytes += matcher.spilled_bytes();
    keys.stored().drop_held();
    return {};
  }

  /// Counts the keys that documents share; those of sketches that count unions are compared.
  Status count_keys(PairSample& sample) {
    std::vector<SampleSizes> sizes(table_->size());
    const auto take_size = [&](std::uint64_t index,
                               std::span<const std::uint8_t> stored) -> Status {
      std::memcpy(&sizes[index], stored.data(), sizeof sizes[index]);
      return {};
    };
    TWINSET_TRY(run_.stores.counted->stored().for_each(take_size));
    const bool unions = scheme().facts().counts_unions;
    const bool exact = check_of_pairs() == Check::exact;
    SharedPairStore pairs(rows("pairs", memory_ / 4));
    Matcher matcher(job(), run_.stores, *table_, memory_ / 4);
    PairFloor floor;
    floor.resemblance = unions ? Ratio(0, 1) : values_->loosest(0);
    floor.granted_errors = exact ? granted_standard_errors : 0;
    const auto check_cost = [&](const GroupReport& found) {
      common_keys_ = found.common_keys;
      return check_meetings(found, options_.max_group, ClusterOptions().max_meetings);
    };
    TWINSET_TRY(matcher.count(
        sizes, {.max_group = options_.max_group, .floor = floor, .gathered = check_cost}, pairs));
    run_.spilled_bytes += matcher.spilled_bytes();
    if (exact && !common_keys_.empty()) TWINSET_TRY(join_lost(sizes, sample));
    TWINSET_ASSIGN(FoundPairs values, found_among({}, *no_shingles_));
    values_.emplace(std::move(values));
    std::vector<std::uint8_t> a;
    std::vector<std::uint8_t> b;
    return for_each_row(pairs, [&](const SharedPair& pair) -> Status {
      if (!unions) return take(sample, pair.a, pair.b, values_->values_of_counted(0, pair.keys));
      TWINSET_TRY(run_.stores.counted->counted_sketch(pair.a, a));
      TWINSET_TRY(run_.stores.counted->counted_sketch(pair.b, b));
      const auto counts = scheme().compare(a, b, common_keys_).counts;
      if (!counts) return {};
      return take(sample, pair.a, pair.b, values_->values_of_counted(0, overlap_of(*counts)));
    });
  }

  /// Reads the documents that lost nearly all keys again, as cluster does, and pairs them by bands
  /// for each value. `left` are the sizes without common keys.
  Status join_lost(std::span<const SampleSizes> left, PairSample& sample) {
    std::vector<bool> lost(table_->size());
    TWINSET_TRY(run_.stores.counted->stored().for_each(
        [&](std::uint64_t index, std::span<const std::uint8_t> stored) -> Status {
          SampleSizes all;
          std::memcpy(&all, stored.data(), sizeof all);
          lost[index] = table_->standing(index).fate == Fate::kept &&
                        lost_nearly_all(all.keys[0], left[index].keys[0]);
          return {};
        }));
    if (std::ranges::find(lost, true) == lost.end()) return {};
    const std::size_t values = made_.values.size();
    std::vector<Collector*> own;
    for (std::size_t value = 0; value < values; ++value) {
      // Bands are found for every value: the lowest is high enough.
      TWINSET_ASSIGN(auto scheme, scheme_of_lost(job().signer.view.shingle_tokens,
                                                 ClusterOptions().seed, values_->threshold(value)));
      of_lost_.push_back(std::move(scheme));
      keys_.push_back(
          std::make_unique<DocumentKeys>(rows("lost" + std::to_string(value), memory_ / 4 / values),
                                         *of_lost_.back(), DocumentKeys::Stored::sketch));
      keys_.back()->take_only([&](DocumentId document) { return lost[table_->index(document)]; });
      own.push_back(keys_.back().get());
    }
    TWINSET_TRY(run_.read_again("reread", own));
    for (std::size_t value = 0; value < values; ++value) {
      TWINSET_TRY(join_keys(*keys_[value], *of_lost_[value], values_->threshold(value), 0,
                            std::uint32_t{1} << value, sample));
    }
    keys_.clear();
    return {};
  }

  /// Adds the pairs whose texts pass.
  Status compare_texts(PairSample& sample) {
    Texts texts(job(), *run_.stores.records, *table_);
    std::vector<bool> wanted(table_->size());
    TWINSET_TRY(for_each_row(*unread_, [&](const UnreadPair& pair) {
      wanted[pair.a] = wanted[pair.b] = true;
      texts.expect_earlier(pair.b);
    }));
    TWINSET_TRY(texts.extract(wanted));
    std::vector<UnreadPair> block;
    const auto compare_block = [&]() -> Status {
      TWINSET_TRY(confirm(block, texts));
      for (const UnreadPair& pair : block) {
        sample.add(pair.a, pair.b, shorter(pair.a, pair.b), pair.values);
      }
      block.clear();
      return {};
    };
    TWINSET_TRY(for_each_row(*unread_, [&](const UnreadPair& pair) -> Status {
      if (!block.empty() && block.back().a == pair.a && block.back().b == pair.b) {
        block.back().values |= pair.values;
        return {};
      }
      if (block.size() == block_pairs) TWINSET_TRY(compare_block());
      block.push_back(pair);
      return {};
    }));
    TWINSET_TRY(compare_block());
    run_.spilled_bytes += texts.extracted_bytes();
    return {};
  }

  /// Leaves each pair the values at which its texts pass.
  Status confirm(std::span<UnreadPair> pairs, Texts& texts) const {
    return verify_pairs(
        pairs.size(), values_->loosest(values_->schemes() - 1), texts,
        [&](std::size_t i) {
          return Pair{table_->place_at(pairs[i].a), table_->place_at(pairs[i].b)};
        },
        [&](std::size_t i, const Link& link) {
          const Fraction exact{link.numbers.shared, link.numbers.all()};
          std::uint32_t found = 0;
          for (std::size_t scheme = 0; scheme < values_->schemes(); ++scheme) {
            found |= values_->values_of(scheme, exact);
          }
          pairs[i].values &= found;
        });
  }

  // ---- Judging by labels ----

  Status judge_by_labels() {
    std::vector<Member> members;
    for (std::uint64_t index = 0; index < table_->size(); ++index) {
      if (labels_[index] == 0) continue;
      members.push_back({labels_[index], static_cast<std::uint32_t>(index)});
    }
    if (members.empty()) return usage_error(no_label(options_));
    std::ranges::sort(members);
    std::uint64_t labels = 1;
    for (std::size_t i = 1; i < members.size(); ++i) {
      labels += members[i].label != members[i - 1].label ? 1 : 0;
    }
    made_.sampled = members.size();
    TWINSET_TRY(check_labels(options_, labels, made_.sampled));
    made_.truth = truth_of_labels(options_, made_.sampled, labeled_documents_);
    for (DrawnPair& pair : drawn_.pairs) pair.same = labels_[pair.a] == labels_[pair.b];
    std::erase_if(members, [&](const Member& of) { return table_->standing(of.index).folded(); });
    return draw_label_pairs(members);
  }

  /// Draws pairs of one label, each with the same chance: all, if they are not too many.
  Status draw_label_pairs(std::span<const Member> members) {
    struct Group {
      std::size_t begin = 0;
      std::uint64_t pairs_before = 0;
    };
    std::vector<Group> groups;
    std::uint64_t pairs = 0;
    for (std::size_t begin = 0; begin < members.size();) {
      std::size_t end = begin;
      while (end < members.size() && members[end].label == members[begin].label) ++end;
      const std::uint64_t size = end - begin;
      if (size > 1) groups.push_back({begin, pairs});
      pairs += size * (size - 1) / 2;
      begin = end;
    }
    recall_.independent = true;
    SeededRandom random(derive_seed(options_.sample_seed, label_pair_purpose));
    std::vector<UnreadPair> of_label;
    // Those of a distance cost no reading.
    const std::uint64_t most = by_distance() ? most_recall_pairs : most_pairs();
    const std::uint64_t drawn = std::min(pairs, most);
    for (std::uint64_t i = 0; i < drawn; ++i) {
      if (i % block_items == 0) TWINSET_TRY(job().context.check_cancelled());
      const std::uint64_t number = drawn == pairs ? i : random.below(pairs);
      const Group& group =
          *std::prev(std::ranges::upper_bound(groups, number, {}, &Group::pairs_before));
      const auto [first, second] = pair_of_number(number - group.pairs_before);
      of_label.push_back({members[group.begin + second].index, members[group.begin + first].index});
    }
    TWINSET_TRY(by_distance() ? find_by_signatures(of_label) : find_by_texts(of_label));
    for (std::size_t i = 0; i < of_label.size(); ++i) {
      const UnreadPair& pair = of_label[i];
      recall_.pairs.push_back(
          {shorter(pair.a, pair.b), pair.values, half_of(i), static_cast<std::uint32_t>(i)});
    }
    return {};
  }

  Status find_by_signatures(std::span<UnreadPair> pairs) {
    std::vector<std::uint8_t> a;
    std::vector<std::uint8_t> b;
    for (UnreadPair& pair : pairs) {
      TWINSET_TRY(run_.stores.bands->stored().read(pair.b, a));
      TWINSET_TRY(run_.stores.bands->stored().read(pair.a, b));
      pair.values = found_by(a, b);
    }
    return {};
  }

  Status find_by_texts(std::span<UnreadPair> pairs) {
    Texts texts(job(), *run_.stores.records, *table_);
    std::vector<bool> wanted(table_->size());
    for (const UnreadPair& pair : pairs) {
      wanted[pair.a] = wanted[pair.b] = true;
      texts.expect_earlier(pair.b);
    }
    TWINSET_TRY(texts.extract(wanted));
    std::mutex long_texts;  // Memory holds only one such pair at a time.
    TWINSET_TRY(for_each_number(pairs.size(), [&] {
      return [&](std::size_t i) -> Status {
        UnreadPair& pair = pairs[i];
        std::unique_lock alone(long_texts, std::defer_lock);
        for (const std::uint32_t index : {pair.a, pair.b}) {
          TWINSET_ASSIGN(const bool is_long, texts.is_long(table_->document(index)));
          if (is_long && !alone.owns_lock()) alone.lock();
        }
        Held held;
        TWINSET_TRY(hold(pair.b, texts, held));
        TWINSET_TRY(hold(pair.a, texts, held));
        const auto views = held.documents.views(*job().signer.view.analyzer);
        for (std::size_t scheme = 0; scheme < values_->schemes(); ++scheme) {
          pair.values |= values_->compared(scheme, values_->sketch(scheme, views, 1), 0, 1);
        }
        return {};
      };
    }));
    if (check_of_pairs() == Check::exact) TWINSET_TRY(confirm(pairs, texts));
    run_.spilled_bytes += texts.extracted_bytes();
    return {};
  }

  struct Held {
    SampledDocuments documents;
    std::uint64_t bytes = 0;
    bool full() const { return documents.texts.size() >= most_held || bytes >= most_held_bytes; }
  };

  /// Adds a document's text and tokens, if the text is no longer than `most_bytes`.
  Status hold(std::uint32_t index, Texts& texts, Held& held,
              std::uint64_t most_bytes = UINT64_MAX) const {
    SampledText of;
    TokenRanges left_out;
    TWINSET_TRY(texts.see(table_->document(index), of.text, left_out));
    if (of.text.size() > most_bytes) return {};
    job().signer.view.analyzer->analyze(of.text, Offsets::drop, of.analysis);
    held.bytes += of.text.size();
    held.documents.texts.push_back(std::move(of));
    held.documents.originals = held.documents.texts.size();
    return {};
  }

  /// Calls `use` with these documents, which are few, under each value.
  Status find_in(const SampledDocuments& documents,
                 const std::function<void(const FoundPairs&)>& use) const {
    TWINSET_TRY(job().context.check_cancelled());
    std::vector<std::span<const std::uint64_t>> tokens;
    for (const SampledText& each : documents.texts) tokens.emplace_back(each.analysis.tokens);
    TWINSET_ASSIGN(const ShingleCollection shingles,
                   ShingleCollection::make(tokens, job().signer.view.shingle_tokens, UINT64_MAX));
    const std::vector<GivenView> views = documents.views(*job().signer.view.analyzer);
    TWINSET_ASSIGN(const FoundPairs found, found_among(views, shingles));
    use(found);
    return {};
  }

  // ---- Judging by texts ----

  Status judge_by_texts() {
    const std::vector<std::uint32_t> originals = draw_originals();
    Texts texts(job(), *run_.stores.records, *table_);
    std::vector<bool> wanted(table_->size());
    for (const std::uint32_t original : originals) wanted[original] = true;
    for (const DrawnPair& pair : drawn_.pairs) {
      wanted[pair.a] = wanted[pair.b] = true;
      texts.expect_earlier(pair.b);
    }
    TWINSET_TRY(texts.extract(wanted));
    TWINSET_TRY(judge_pairs(texts));
    TWINSET_TRY(plant(originals, texts));
    run_.spilled_bytes += texts.extracted_bytes();
    made_.truth = fmt::format(
        "pairs are the same from an exact resemblance of {}; recall is of planted copies of {} of "
        "{}",
        options_.resemblance.text(), format_count(made_.sampled),
        format_count(made_.documents, "document", "documents"));
    return {};
  }

  /// Calls a function that `make` returns, one for each thread, for each number below `count`.
  template <class Make>
  Status for_each_number(std::size_t count, const Make& make) const {
    std::atomic<std::size_t> next = 0;
    return run_workers(std::max(1U, job().context.threads), [&](unsigned) -> Status {
      auto use = make();
      for (std::size_t begin = 0; (begin = next.fetch_add(block_items)) < count;) {
        TWINSET_TRY(job().context.check_cancelled());
        for (std::size_t i = begin; i < std::min(count, begin + block_items); ++i) {
          TWINSET_TRY(use(i));
        }
      }
      return {};
    });
  }

  /// Calls `use` with the exact link of each pair, from any thread.
  template <class PairAt, class Use>
  Status verify_pairs(std::size_t count, const Ratio& resemblance, Texts& texts,
                      const PairAt& pair_at, const Use& use) const {
    Verifier verifier({resemblance, {}}, texts, memory_ / 4);
    return for_each_number(count, [&] {
      return [&, member = Verifier::Member()](std::size_t i) mutable -> Status {
        Edge edge{.pair = pair_at(i)};
        member.start(edge.pair.later.document);
        TWINSET_TRY(verifier.verify(member, edge));
        use(i, edge.link);
        return {};
      };
    });
  }

  Status judge_pairs(Texts& texts) {
    const auto pair_at = [&](std::size_t i) {
      const DrawnPair& pair = drawn_.pairs[i];
      return Pair{table_->place_at(pair.a), table_->place_at(pair.b)};
    };
    return verify_pairs(drawn_.pairs.size(), options_.resemblance, texts, pair_at,
                        [&](std::size_t i, const Link& link) {
                          drawn_.pairs[i].same = link.state == LinkState::reached;
                        });
  }

  /// Documents that are no copies, each with the same chance, whatever its length.
  std::vector<std::uint32_t> draw_originals() const {
    using Rank = std::pair<std::uint64_t, std::uint32_t>;
    std::vector<Rank> lowest;  // the highest of them first
    for (std::uint64_t index = 0; index < table_->size(); ++index) {
      if (tokens_[index] == 0 || table_->standing(index).folded()) continue;
      const Rank rank{derive_seed(options_.sample_seed, original_purpose, index),
                      static_cast<std::uint32_t>(index)};
      if (lowest.size() >= sample_of(options_)) {
        if (lowest.front() < rank) continue;
        std::ranges::pop_heap(lowest);
        lowest.pop_back();
      }
      lowest.push_back(rank);
      std::ranges::push_heap(lowest);
    }
    std::vector<std::uint32_t> originals;
    for (const auto& [rank, index] : lowest) originals.push_back(index);
    std::ranges::sort(originals);
    return originals;
  }

  /// An original with its copies.
  struct Planted {
    std::uint64_t tokens = 0;  ///< of the original; 0: it is too long to plant in
    std::array<std::uint64_t, planted_per_mille.size()> copy_tokens{};
    std::array<std::uint32_t, planted_per_mille.size()> found{};
  };

  Result<std::vector<Planted>> compare_copies(std::span<const std::uint32_t> originals,
                                              Texts& texts) const {
    std::vector<Planted> planted(originals.size());
    const Analyzer& analyzer = *job().signer.view.analyzer;
    TWINSET_TRY(for_each_number(originals.size(), [&] {
      return [&, sketcher = DocumentSketcher(scheme()), text = std::string(),
              left_out = TokenRanges(), analysis = Analysis()](std::size_t i) mutable -> Status {
        TWINSET_TRY(texts.see(table_->document(originals[i]), text, left_out));
        if (text.size() > SampleLimits().document_bytes) return {};
        const auto sketch = [&](const std::string& of) {
          analyzer.analyze(of, Offsets::drop, analysis);
          sketcher.make(GivenView(of, analysis, {}, &analyzer));
          return sketcher.sketch.stored;
        };
        const std::vector<std::uint8_t> original = sketch(text);
        planted[i].tokens = analysis.tokens.size();
        for (std::size_t rate = 0; rate < planted_per_mille.size(); ++rate) {
          const std::vector<std::uint8_t> copy =
              sketch(planted_copy(text, rate, options_.sample_seed, originals[i]));
          planted[i].copy_tokens[rate] = analysis.tokens.size();
          planted[i].found[rate] = found_by(original, copy);
        }
        return {};
      };
    }));
    return planted;
  }

  /// The same of other schemes: the texts of some originals and their copies are held at a time.
  Result<std::vector<Planted>> find_copies(std::span<const std::uint32_t> originals,
                                           Texts& texts) const {
    std::vector<Planted> planted(originals.size());
    for (std::size_t next = 0; next < originals.size();) {
      Held held;
      const std::uint64_t seed = derive_seed(options_.sample_seed, original_purpose, next);
      std::vector<Planted*> of;
      for (; next < originals.size() && !held.full(); ++next) {
        TWINSET_TRY(hold(originals[next], texts, held, SampleLimits().document_bytes));
        if (held.documents.originals > of.size()) of.push_back(&planted[next]);
      }
      SampledDocuments& documents = held.documents;
      TWINSET_TRY(plant_copies(*job().signer.view.analyzer, seed, job().context.threads,
                               keep_going(), documents));
      TWINSET_TRY(find_in(documents, [&](const FoundPairs& found) {
        for (std::uint32_t i = 0; i < of.size(); ++i) {
          of[i]->tokens = documents.texts[i].analysis.tokens.size();
          for (std::size_t rate = 0; rate < planted_per_mille.size(); ++rate) {
            const std::uint32_t copy = documents.copy_of(i, rate);
            of[i]->copy_tokens[rate] = documents.texts[copy].analysis.tokens.size();
            of[i]->found[rate] = found.at(i, copy);
          }
        }
      }));
    }
    return planted;
  }

  Status plant(std::span<const std::uint32_t> originals, Texts& texts) {
    TWINSET_ASSIGN(const std::vector<Planted> planted, by_distance()
                                                           ? compare_copies(originals, texts)
                                                           : find_copies(originals, texts));
    std::vector<PlantedCopy> copies;
    for (std::size_t i = 0; i < originals.size(); ++i) {
      const Planted& of = planted[i];
      if (of.tokens == 0) continue;
      ++made_.sampled;
      for (std::size_t rate = 0; rate < planted_per_mille.size(); ++rate) {
        copies.push_back({rate, of.tokens, of.found[rate]});
        recall_.pairs.push_back({std::min(of.tokens, of.copy_tokens[rate]), of.found[rate],
                                 half_of(originals[i]), originals[i]});
      }
    }
    made_.planted = planted_recall(copies, made_.values.size());
    return {};
  }

  // ---- Choosing ----

  Status choose() {
    ChoiceOptions options;
    options.precision = options_.precision;
    options.seed = options_.sample_seed;
    options.by_length = by_distance();
    options.prefer = values_->prefer();
    options.keep_going = keep_going();
    TWINSET_ASSIGN(Choices chosen, choose_drawn(drawn_, recall_, made_.values, options));
    made_.option = values_->option();
    made_.pairs = drawn_.pairs.size() + recall_.pairs.size();
    conclude_choice(options_, std::move(chosen), made_);
    TWINSET_ASSIGN(profile_, chosen_profile(job(), *values_, check_of_pairs(), made_));
    return {};
  }

  CalibrateOptions options_;
  CollectionRun run_;
  Calibration made_;
  Profile profile_;
  std::unique_ptr<WholeFile> profile_file_;
  std::unique_ptr<DocumentTable> table_;
  std::uint64_t memory_ = 0;
  Labels labels_;
  std::uint64_t labeled_documents_ = 0;
  std::vector<std::uint32_t> tokens_;  ///< by index; 0: it is no document, or an empty one
  std::optional<ShingleCollection> no_shingles_;
  std::vector<std::uint64_t> common_keys_;           ///< of counted keys
  std::vector<std::unique_ptr<Scheme>> of_lost_;     ///< by value; FoundPairsOptions has it
  std::optional<FoundPairs> values_;                 ///< of no documents
  std::vector<std::unique_ptr<DocumentKeys>> keys_;  ///< by scheme of the values
  std::unique_ptr<UnreadPairs> unread_;
  DrawnPairs drawn_;
  RecallPairs recall_;
};

}  // namespace

Result<Calibration> calibrate_by_join(const CalibrateOptions& options, const RunControl& control) {
  return JoinRun(options, control).run();
}

}  // namespace twinset
