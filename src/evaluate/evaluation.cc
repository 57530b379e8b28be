// Planning: for each edit, length class and cluster size, originals are taken
// from the class's sample in turn (again from the first when they run out), and
// every copy is edited with a seed of its own. Copies are not stored: a document
// is (original, edit, seed).
//
// Measuring, first pass: the documents of one original side by side, so that its
// shingle set is made once; each pair's exact ratios say whether it ought to be
// resolved. Second pass: removed documents by survivor, the same way. Workers
// take contiguous shares and their rows are added up in order, so the report does
// not depend on their number.
#include "evaluate/evaluation.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/threads.h"
#include "evaluate/random.h"

namespace twinset {

LengthClass length_class(std::size_t tokens) {
  if (tokens < 50) return LengthClass::under_50;
  if (tokens < 200) return LengthClass::under_200;
  return tokens < 1000 ? LengthClass::under_1000 : LengthClass::longer;
}

std::string_view length_class_name(LengthClass length) {
  constexpr std::array<std::string_view, length_classes> names = {"<50", "50-199", "200-999",
                                                                  "1000+"};
  return names[static_cast<std::size_t>(length)];
}

OriginalSample::OriginalSample(const EvaluationOptions& options)
    : seed_(options.seed), max_original_bytes_(options.max_original_bytes), wanted_(0) {
  for (const PlantedClusters& planted : options.clusters) wanted_ += planted.clusters;
  wanted_ *= edits().size();
}

void OriginalSample::add(std::string_view text, std::size_t tokens) {
  if (tokens == 0 || text.size() > max_original_bytes_) return;
  auto& texts = texts_[static_cast<std::size_t>(length_class(tokens))];
  const Fingerprint rank = fingerprint_bytes(text, seed_);
  if (texts.size() >= wanted_ && !(rank < texts.rbegin()->first)) return;
  texts.try_emplace(rank, text);
  if (texts.size() > wanted_) texts.erase(std::prev(texts.end()));
}

Result<EvaluationPlan> EvaluationPlan::make(const EvaluationOptions& options,
                                            OriginalSample sample) {
  if (options.analyzer == nullptr) return usage_error("an evaluation needs an analyzer");
  EvaluationPlan plan;
  plan.options_ = options;
  for (std::size_t length = 0; length < length_classes; ++length) {
    plan.plant(static_cast<LengthClass>(length), std::move(sample.texts_[length]));
  }
  if (plan.originals_.empty()) {
    return usage_error("nothing to evaluate on: no document has a token and at most " +
                       std::to_string(options.max_original_bytes) + " bytes");
  }
  plan.mix();
  return plan;
}

void EvaluationPlan::plant(LengthClass length, std::map<Fingerprint, std::string> texts) {
  const std::size_t first = originals_.size();
  const std::size_t count = texts.size();
  for (auto& [rank, text] : texts) originals_.push_back(std::move(text));
  if (count == 0) return;
  // Each class may fill an equal part of the budget.
  const std::uint64_t limit = options_.max_planted_bytes / length_classes;
  std::uint64_t planted_bytes = 0;
  std::vector<std::uint32_t> document_of(count, PlantedOutcome::outside);
  std::size_t next = 0;
  const auto plant_cluster = [&](const Edit& edit, std::uint32_t copies) {
    const std::size_t at = next++ % count;
    const auto source = static_cast<std::uint32_t>(first + at);
    const std::uint64_t bytes = originals_[source].size();
    if (planted_bytes + bytes * (copies + 1) > limit) return;
    PlantedTruth truth{nullptr, document_of[at], copies, length};
    if (truth.original == PlantedOutcome::outside) {
      truth.original = document_of[at] = static_cast<std::uint32_t>(documents_.size());
      documents_.push_back({truth, source, 0});
      planted_bytes += bytes;
    }
    truth.edit = &edit;
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
      documents_.push_back({truth, source, derive_seed(options_.seed, 1, documents_.size())});
    }
    planted_bytes += bytes * copies;
  };
  for (const PlantedClusters& planted : options_.clusters) {
    for (std::uint32_t cluster = 0; cluster < planted.clusters; ++cluster) {
      for (const Edit& edit : edits()) plant_cluster(edit, planted.copies);
    }
  }
}

/// Shuffles the documents and says where each original went.
void EvaluationPlan::mix() {
  std::vector<std::uint32_t> order(documents_.size());
  std::iota(order.begin(), order.end(), 0U);
  SeededRandom random(derive_seed(options_.seed, 2));
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
  std::vector<std::uint32_t> place(order.size());
  std::vector<Document> mixed;
  mixed.reserve(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    mixed.push_back(documents_[order[i]]);
  }
  for (Document& document : mixed) document.truth.original = place[document.truth.original];
  documents_ = std::move(mixed);
}

std::string EvaluationPlan::text(std::size_t document) const {
  const Document& planted = documents_[document];
  const std::string& original = originals_[planted.source];
  return planted.truth.edit == nullptr ? original
                                       : planted.truth.edit->apply(original, planted.seed);
}

namespace {

constexpr std::uint64_t resemblance_scale = 1'000'000'000;

/// A row while it is added up.
struct Tally {
  std::uint64_t planted = 0;
  std::uint64_t resemblance = 0;  // summed in parts of resemblance_scale: exact in any order
  Share recall;
  Share precision;

  void add(const Tally& other) {
    planted += other.planted;
    resemblance += other.resemblance;
    recall.add(other.recall);
    precision.add(other.precision);
  }
};

/// Bands of exact resemblance: names and lower bounds, closest first.
struct ResemblanceBand {
  std::string_view label;
  Ratio at_least;
};
constexpr std::array<ResemblanceBand, 7> resemblance_bands = {{{">= 0.95", {19, 20}},
                                                               {"0.90-0.95", {9, 10}},
                                                               {"0.85-0.90", {17, 20}},
                                                               {"0.80-0.85", {4, 5}},
                                                               {"0.70-0.80", {7, 10}},
                                                               {"0.50-0.70", {1, 2}},
                                                               {"< 0.50", {0, 1}}}};

struct Tallies {
  Tally all;
  std::vector<Tally> by_edit = std::vector<Tally>(edits().size());
  std::array<Tally, length_classes> by_length;
  std::array<Tally, 4> by_copies;
  std::array<Tally, resemblance_bands.size()> by_resemblance;
  std::vector<WrongRemoval> wrong;

  void add(const Tallies& other) {
    all.add(other.all);
    const auto add_each = [](auto& mine, const auto& theirs) {
      for (std::size_t i = 0; i < mine.size(); ++i) mine[i].add(theirs[i]);
    };
    add_each(by_edit, other.by_edit);
    add_each(by_length, other.by_length);
    add_each(by_copies, other.by_copies);
    add_each(by_resemblance, other.by_resemblance);
    wrong.insert(wrong.end(), other.wrong.begin(), other.wrong.end());
  }
};

constexpr std::size_t most_wrong_listed = 100;

/// Everything a worker needs to judge documents of a plan.
class Measurer {
 public:
  Measurer(const EvaluationPlan& plan, std::span<const PlantedOutcome> outcomes)
      : plan_(plan), outcomes_(outcomes) {}

  /// A planted pair: copy `document` and its original, `fixed`.
  void measure_pair(std::uint32_t document, Tallies& tallies) {
    const PlantedTruth& truth = plan_.truth(document);
    fix(truth.original, {});
    const ExactShingles copy = shingles(plan_.text(document));
    const Fraction resemblance = exact_resemblance(copy, *fixed_);
    const bool copy_goes = goes(document, copy.size(), truth.original, fixed_->size());
    const bool due = meets(resemblance, copy_goes ? exact_containment(copy, *fixed_)
                                                  : exact_containment(*fixed_, copy));
    const bool resolved = !(outcomes_[document].kept && outcomes_[truth.original].kept);
    // Counts are below 2^32 each, so the product fits.
    const std::uint64_t scaled =
        resemblance.known() ? resemblance.numerator * resemblance_scale / resemblance.denominator
                            : 0;
    for_each_tally(truth, &resemblance, tallies, [&](Tally& tally) {
      ++tally.planted;
      tally.resemblance += scaled;
      if (due) tally.recall.add(resolved);
    });
  }

  /// A removed document and the survivor it is said to have.
  void measure_removal(std::uint32_t document, Tallies& tallies) {
    const PlantedOutcome& outcome = outcomes_[document];
    fix(outcome.survivor, outcome.outside_text);
    const std::string text = plan_.text(document);
    const ExactShingles gone = shingles(text);
    const Fraction resemblance = exact_resemblance(gone, *fixed_);
    const bool survivor_kept =
        outcome.survivor == PlantedOutcome::outside || outcomes_[outcome.survivor].kept;
    const bool right = survivor_kept && (text == fixed_text_ ||
                                         meets(resemblance, exact_containment(gone, *fixed_)));
    for_each_tally(plan_.truth(document), nullptr, tallies,
                   [&](Tally& tally) { tally.precision.add(right); });
    if (!right && tallies.wrong.size() < most_wrong_listed) {
      tallies.wrong.push_back({document, outcome.survivor, resemblance});
    }
  }

 private:
  bool meets(const Fraction& resemblance, const Fraction& containment) const {
    const EvaluationOptions& options = plan_.options();
    return resemblance.at_least(options.resemblance) ||
           (options.containment && containment.at_least(*options.containment));
  }

  /// Is the first of two the one that would go?
  bool goes(std::uint32_t one, std::size_t one_size, std::uint32_t other,
            std::size_t other_size) const {
    const KeptOfTwo kept = plan_.options().kept;
    if (kept == KeptOfTwo::earlier || one_size == other_size) return one > other;
    return (one_size < other_size) == (kept == KeptOfTwo::larger);
  }

  ExactShingles shingles(std::string_view text) {
    plan_.options().analyzer->analyze(text, Offsets::drop, analysis_);
    return {analysis_.tokens, plan_.options().shingle_tokens};
  }

  /// Makes `document` (or the text, outside the plan) the one compared with.
  void fix(std::uint32_t document, std::string_view outside_text) {
    if (fixed_ && fixed_document_ == document && document != PlantedOutcome::outside) return;
    fixed_document_ = document;
    fixed_text_ =
        document == PlantedOutcome::outside ? std::string(outside_text) : plan_.text(document);
    fixed_.emplace(shingles(fixed_text_));
  }

  template <class Visit>
  void for_each_tally(const PlantedTruth& truth, const Fraction* resemblance, Tallies& tallies,
                      const Visit& visit) {
    visit(tallies.all);
    visit(tallies.by_length[static_cast<std::size_t>(truth.length)]);
    if (truth.edit != nullptr) {
      visit(tallies.by_edit[static_cast<std::size_t>(truth.edit - edits().data())]);
    }
    const auto& clusters = plan_.options().clusters;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      if (clusters[i].copies == truth.copies) {
        visit(tallies.by_copies[i]);
        break;
      }
    }
    if (resemblance == nullptr) return;
    for (std::size_t i = 0; i < resemblance_bands.size(); ++i) {
      if (resemblance->at_least(resemblance_bands[i].at_least)) {
        visit(tallies.by_resemblance[i]);
        break;
      }
    }
  }

  const EvaluationPlan& plan_;
  std::span<const PlantedOutcome> outcomes_;
  Analysis analysis_;
  std::optional<ExactShingles> fixed_;
  std::string fixed_text_;
  std::uint32_t fixed_document_ = PlantedOutcome::outside;
};

/// `judge` for each of `documents`, spread over threads, added up in order.
template <class Judge>
Tallies judge_all(const EvaluationPlan& plan, std::span<const PlantedOutcome> outcomes,
                  const std::vector<std::uint32_t>& documents, unsigned threads,
                  const Judge& judge) {
  threads = std::max(1U, threads);
  std::vector<Tallies> parts(threads);
  const Status done = run_workers(threads, [&](unsigned worker) {
    Measurer measurer(plan, outcomes);
    const std::size_t end = documents.size() * (worker + 1) / threads;
    for (std::size_t i = documents.size() * worker / threads; i < end; ++i) {
      judge(measurer, documents[i], parts[worker]);
    }
    return Status();
  });
  assert(done.ok());
  Tallies sum;
  for (const Tallies& part : parts) sum.add(part);
  return sum;
}

EvaluationRow row_of(std::string label, const Tally& tally) {
  EvaluationRow row;
  row.label = std::move(label);
  row.planted = tally.planted;
  row.mean_resemblance = tally.planted == 0
                             ? 0
                             : static_cast<double>(tally.resemblance / tally.planted) /
                                   static_cast<double>(resemblance_scale);
  row.recall = tally.recall;
  row.precision = tally.precision;
  return row;
}

}  // namespace

Result<EvaluationReport> measure(const EvaluationPlan& plan,
                                 std::span<const PlantedOutcome> outcomes, unsigned threads) {
  if (outcomes.size() != plan.size()) {
    return usage_error("the plan has " + std::to_string(plan.size()) + " documents, but " +
                       std::to_string(outcomes.size()) + " outcomes were given");
  }
  std::vector<std::uint32_t> copies;
  std::vector<std::uint32_t> removed;
  EvaluationReport report;
  for (std::uint32_t d = 0; d < plan.size(); ++d) {
    const PlantedTruth& truth = plan.truth(d);
    if (truth.edit != nullptr) {
      copies.push_back(d);
    } else {
      ++report.originals[static_cast<std::size_t>(truth.length)];
    }
    if (outcomes[d].kept) continue;
    if (outcomes[d].survivor != PlantedOutcome::outside && outcomes[d].survivor >= plan.size()) {
      return usage_error("document " + std::to_string(d) + " names a survivor the plan lacks");
    }
    removed.push_back(d);
  }
  std::stable_sort(copies.begin(), copies.end(), [&](std::uint32_t a, std::uint32_t b) {
    return plan.truth(a).original < plan.truth(b).original;
  });
  std::stable_sort(removed.begin(), removed.end(), [&](std::uint32_t a, std::uint32_t b) {
    return outcomes[a].survivor < outcomes[b].survivor;
  });
  Tallies tallies = judge_all(plan, outcomes, copies, threads,
                              [](Measurer& measurer, std::uint32_t document, Tallies& part) {
                                measurer.measure_pair(document, part);
                              });
  tallies.add(judge_all(plan, outcomes, removed, threads,
                        [](Measurer& measurer, std::uint32_t document, Tallies& part) {
                          measurer.measure_removal(document, part);
                        }));

  const EvaluationOptions& options = plan.options();
  report.resemblance = options.resemblance;
  report.containment = options.containment;
  report.all = row_of("all", tallies.all);
  for (std::size_t i = 0; i < edits().size(); ++i) {
    report.by_edit.push_back(row_of(std::string(edits()[i].name), tallies.by_edit[i]));
  }
  for (std::size_t i = 0; i < length_classes; ++i) {
    const std::string name(length_class_name(static_cast<LengthClass>(i)));
    report.by_length.push_back(row_of(name + " tokens", tallies.by_length[i]));
  }
  for (std::size_t i = 0; i < options.clusters.size(); ++i) {
    const std::uint32_t count = options.clusters[i].copies;
    report.by_copies.push_back(
        row_of(std::to_string(count) + (count == 1 ? " copy" : " copies"), tallies.by_copies[i]));
  }
  for (std::size_t i = 0; i < resemblance_bands.size(); ++i) {
    report.by_resemblance.push_back(
        row_of(std::string(resemblance_bands[i].label), tallies.by_resemblance[i]));
  }
  std::sort(tallies.wrong.begin(), tallies.wrong.end(),
            [](const WrongRemoval& a, const WrongRemoval& b) { return a.document < b.document; });
  if (tallies.wrong.size() > most_wrong_listed) tallies.wrong.resize(most_wrong_listed);
  report.wrong = std::move(tallies.wrong);
  return report;
}

}  // namespace twinset
