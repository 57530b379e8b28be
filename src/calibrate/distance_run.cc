// This file's interface is calibrate/distance_run.h; the rest is private.
#include "calibrate/distance_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
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
#include "calibrate/observe.h"
#include "calibrate/pair_sample.h"
#include "calibrate/sampled_documents.h"
#include "collection/output_files.h"
#include "evaluate/document_sample.h"
#include "evaluate/random.h"
#include "join/held_pairs.h"
#include "join/verify.h"
#include "run/collector.h"
#include "run/common_options.h"
#include "run/matcher.h"
#include "run/read_fates.h"
#include "run/run_verb.h"
#include "run/texts.h"
#include "system/threads.h"
#include "twinset/cluster.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_recall_pairs = 100'000;
constexpr std::uint64_t original_purpose = 26;
constexpr std::uint64_t recall_half_purpose = 27;
constexpr std::uint64_t label_pair_purpose = 28;
/// Pairs, or documents, that a worker takes at a time.
constexpr std::size_t block_items = 64;

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

VerbOptions distance_verb(const CalibrateOptions& options) {
  VerbOptions verb = calibrate_verb();
  verb.reads_again = true;
  verb.new_files = {{"output", options.output}};
  if (!options.labels.empty()) verb.fields = {options.labels};
  return verb;
}

class DistanceRun final : public VerbSteps {
 public:
  DistanceRun(const CalibrateOptions& options, const RunControl& control)
      : options_(filled(options)),
        run_(collection_of(options_, comparison_of(options_)), distance_verb(options_), control) {}

  Result<Calibration> run() { return run_verb(run_, made_, *this); }

 private:
  Status check() override {
    TWINSET_TRY(check_analyzer(options_, job()));
    TWINSET_TRY(check_reads_texts(scheme()));
    return check_verify(options_, scheme());
  }

  Status work() override {
    if (!options_.output.empty()) {
      TWINSET_ASSIGN(profile_file_,
                     WholeFile::create(*job().context.files, "output", options_.output));
    }
    std::vector<Collector*> own;
    if (labeled()) own.push_back(&labels_);
    TWINSET_TRY(run_.read(DocumentKeys::Stored::sample, own));
    TWINSET_TRY(set_memory());
    TWINSET_TRY(fold());
    TWINSET_TRY(join());
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
  /// Pairs of each length, distance and half.
  std::uint64_t most_pairs() const { return (sample_of(options_) + 1) / 2; }
  std::size_t half_of(std::uint64_t number) const {
    return derive_seed(options_.sample_seed, recall_half_purpose, number) & 1;
  }

  // ---- Finding ----

  Status set_memory() {
    const std::uint64_t records = lines_of(run_.state);
    const std::uint64_t labels = sizeof(std::uint64_t) + sizeof(Member);
    const std::uint64_t resident = DocumentTable::bytes_needed(records, false) +
                                   records * sizeof(std::uint32_t) +
                                   // Both of these may have grown to twice their size.
                                   (labeled() ? 2 * records * labels : 0) +
                                   PairSample::bytes_needed(max_join_distance + 1, most_pairs());
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
        const std::uint64_t later = table_->index(edge.pair.later.document);
        const std::uint64_t earlier = table_->index(edge.pair.earlier.document);
        sample.add(static_cast<std::uint32_t>(later), static_cast<std::uint32_t>(earlier),
                   std::min(tokens_[later], tokens_[earlier]), edge.link.numbers.shared);
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

  /// The strictest value at which two stored signatures are found; beyond all values: at none.
  std::size_t value_of(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) const {
    const std::size_t none = made_.values.size();
    if (a.empty() || b.empty() || a.front() == 0 || b.front() == 0) return none;
    const auto distance = scheme().compare(a, b).distance;
    return distance ? std::min<std::size_t>(distance->differ, none) : none;
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
    std::vector<std::uint8_t> a;
    std::vector<std::uint8_t> b;
    const std::uint64_t drawn = std::min(pairs, most_recall_pairs);
    for (std::uint64_t i = 0; i < drawn; ++i) {
      if (i % block_items == 0) TWINSET_TRY(job().context.check_cancelled());
      const std::uint64_t number = drawn == pairs ? i : random.below(pairs);
      const Group& group =
          *std::prev(std::ranges::upper_bound(groups, number, {}, &Group::pairs_before));
      const auto [first, second] = pair_of_number(number - group.pairs_before);
      const std::uint32_t earlier = members[group.begin + first].index;
      const std::uint32_t later = members[group.begin + second].index;
      TWINSET_TRY(run_.stores.bands->stored().read(earlier, a));
      TWINSET_TRY(run_.stores.bands->stored().read(later, b));
      recall_.pairs.push_back({std::min(tokens_[earlier], tokens_[later]), value_of(a, b),
                               half_of(i), static_cast<std::uint32_t>(i)});
    }
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

  Status judge_pairs(Texts& texts) {
    Verifier verifier({options_.resemblance, {}}, texts, memory_ / 4);
    return for_each_number(drawn_.pairs.size(), [&] {
      return [&, member = Verifier::Member()](std::size_t i) mutable -> Status {
        DrawnPair& pair = drawn_.pairs[i];
        Edge edge{.pair = {table_->place_at(pair.a), table_->place_at(pair.b)}};
        member.start(edge.pair.later.document);
        TWINSET_TRY(verifier.verify(member, edge));
        pair.same = edge.link.state == LinkState::reached;
        return {};
      };
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
    std::array<std::size_t, planted_per_mille.size()> values{};
  };

  Result<std::vector<Planted>> compare_copies(std::span<const std::uint32_t> originals,
                                              Texts& texts) const {
    std::vector<Planted> planted(originals.size());
    const Analyzer& analyzer = *job().signer.view.analyzer;
    TWINSET_TRY(for_each_number(originals.size(), [&] {
      return [&, sketcher = DocumentSketcher(scheme()), text = std::string(),
              left_out = TokenRanges(), analysis = Analysis()](std::size_t i) mutable -> Status {
        TWINSET_TRY(texts.see(table_->document(originals[i]), text, left_out));
        if (text.size() > DocumentSampleOptions().max_document_bytes) return {};
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
          planted[i].values[rate] = value_of(original, copy);
        }
        return {};
      };
    }));
    return planted;
  }

  Status plant(std::span<const std::uint32_t> originals, Texts& texts) {
    TWINSET_ASSIGN(const std::vector<Planted> planted, compare_copies(originals, texts));
    std::vector<PlantedCopy> copies;
    for (std::size_t i = 0; i < originals.size(); ++i) {
      const Planted& of = planted[i];
      if (of.tokens == 0) continue;
      ++made_.sampled;
      for (std::size_t rate = 0; rate < planted_per_mille.size(); ++rate) {
        copies.push_back({rate, of.tokens, ~std::uint32_t{0} << of.values[rate]});
        recall_.pairs.push_back({std::min(of.tokens, of.copy_tokens[rate]), of.values[rate],
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
    options.keep_going = [this] { return job().context.check_cancelled(); };
    TWINSET_ASSIGN(Choices chosen, choose_drawn(drawn_, recall_, made_.values, options));
    made_.option = "distance";
    made_.pairs = drawn_.pairs.size() + recall_.pairs.size();
    conclude_choice(options_, std::move(chosen), made_);
    TWINSET_ASSIGN(profile_, chosen_profile(job(), scheme(), Check::none, made_));
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
  DrawnPairs drawn_;
  RecallPairs recall_;
};

}  // namespace

Result<Calibration> calibrate_distance(const CalibrateOptions& options, const RunControl& control) {
  return DistanceRun(options, control).run();
}

}  // namespace twinset
