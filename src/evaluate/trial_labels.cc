// Clusters at the user's threshold, made four ways: from every true pair; as a run of dedup
// decided; from the pairs that each scheme passes by itself; and from those pairs, verified. All
// except the run's are made both as stars and as components.
//
// The truth needs its own join, which loses nothing: truth_keys().
//
// This file's interface is try_labels(), declared in trial.h; the rest is private.
#include <algorithm>
#include <optional>
#include <utility>

#include "evaluate/groupings.h"
#include "evaluate/labels.h"
#include "evaluate/trial.h"
#include "evaluate/truth.h"
#include "join/held_pairs.h"
#include "join/key_partners.h"
#include "system/threads.h"

namespace twinset {
namespace {

class Labeler {
 public:
  Labeler(const std::vector<LabeledDocument>& documents, const ShingleCollection& collection,
          const TrialOptions& options)
      : collection_(collection), options_(options), truth_(make_truth(options.truth_rule())) {
    for (const LabeledDocument& document : documents) {
      views_.emplace_back(document.text, document.analysis, std::span<const std::uint64_t>(),
                          options.analyzer);
      labels_.push_back(document.label);
      bytes_.push_back(document.text.size());
    }
  }

  Result<std::vector<LabelEvaluation>> run(std::span<const std::uint32_t> survivors,
                                           const std::vector<std::string>& names) {
    const KeyPartners rarest(truth_keys(collection_, *truth_), 0);
    const AcceptPair truth = [&](std::uint32_t a, std::uint32_t b) {
      return truth_->due(collection_.pair(a, b));
    };
    TWINSET_TRY(add("every pair", "exact", rarest, truth));
    if (!survivors.empty()) TWINSET_TRY(add_clusters("dedup", "as run", true, survivors));
    for (std::size_t i = 0; i < options_.specs.size(); ++i) {
      const Result<std::unique_ptr<Scheme>> scheme =
          make_scheme(options_.specs[i], options_.resemblance.value());
      // The report says why a scheme is left out.
      if (!scheme.ok() || !check_views(*scheme.value(), views_).ok()) continue;
      TWINSET_TRY(try_scheme(*scheme.value(), names[i]));
    }
    return std::move(evaluations_);
  }

 private:
  Status try_scheme(const Scheme& scheme, const std::string& name) {
    const SketchedDocuments sketched = sketch_documents(scheme, views_, options_.threads);
    const KeyPartners shared(scheme, sketched.keys, options_.max_group);
    const auto judge = [&](std::uint32_t a, std::uint32_t b) {
      return judge_pair(scheme, compare_pair(scheme, sketched, a, b), options_.resemblance);
    };
    const AcceptPair passes = [&](std::uint32_t a, std::uint32_t b) { return judge(a, b).passed; };
    const AcceptPair truth = [&](std::uint32_t a, std::uint32_t b) {
      return truth_->due(collection_.pair(a, b));
    };
    switch (scheme.declaration().shared_key) {
      case SharedKey::equal:
        // An equivalence: stars and components are the same, and there is nothing to verify.
        return add_one(name, "estimate", true, shared, passes);
      case SharedKey::candidate:
        TWINSET_TRY(add(name, "estimate", shared, passes));
        return add(name, "verified", shared, truth);
      case SharedKey::count:
        break;
    }
    // Many pairs share a counted key and few are found, so the found ones are collected first.
    TWINSET_ASSIGN(const auto found, found_pairs(shared, judge));
    const KeyPartners noted(found, 0);
    TWINSET_TRY(add(name, "estimate", noted, [](std::uint32_t, std::uint32_t) { return true; }));
    return add(name, "verified", noted, truth);
  }

  /// Gives each found pair a key of its own, on both of its documents.
  template <class Judge>
  Result<std::vector<std::vector<std::uint64_t>>> found_pairs(const KeyPartners& shared,
                                                              const Judge& judge) const {
    const std::size_t documents = views_.size();
    std::vector<std::vector<std::uint32_t>> before(documents);
    const unsigned threads = std::max(1U, options_.threads);
    TWINSET_TRY(run_workers(threads, [&](unsigned worker) -> Status {
      PartnerReader partners(shared);
      for (std::size_t d = worker; d < documents; d += threads) {
        if (options_.keep_going) TWINSET_TRY(options_.keep_going());
        const auto document = static_cast<std::uint32_t>(d);
        for (const std::uint32_t partner : partners.before(document)) {
          if (judge(partner, document).found) before[d].push_back(partner);
        }
      }
      return {};
    }));
    std::vector<std::vector<std::uint64_t>> keys(documents);
    std::uint64_t next = 0;
    for (std::size_t d = 0; d < documents; ++d) {
      for (const std::uint32_t partner : before[d]) {
        keys[d].push_back(next);
        keys[partner].push_back(next++);
      }
    }
    return keys;
  }

  Status add(const std::string& name, const char* accepted, const KeyPartners& shared,
             const AcceptPair& accept) {
    for (const bool stars : {true, false}) {
      TWINSET_TRY(add_one(name, accepted, stars, shared, accept));
    }
    return {};
  }

  Status add_one(const std::string& name, const char* accepted, bool stars,
                 const KeyPartners& shared, const AcceptPair& accept) {
    if (options_.keep_going) TWINSET_TRY(options_.keep_going());
    return add_clusters(name, accepted, stars,
                        stars ? star_clusters(shared, accept) : component_clusters(shared, accept));
  }

  Status add_clusters(const std::string& name, const char* accepted, bool stars,
                      std::span<const std::uint32_t> clusters) {
    constexpr std::uint64_t seed = 41;
    TWINSET_ASSIGN(LabelMeasures measures,
                   measure_labels(clusters, labels_, bytes_, seed, options_.keep_going));
    evaluations_.push_back({name, accepted, stars, measures});
    return {};
  }

  const ShingleCollection& collection_;
  const TrialOptions& options_;
  const std::unique_ptr<Truth> truth_;
  std::vector<GivenView> views_;
  std::vector<std::uint32_t> labels_;
  std::vector<std::uint64_t> bytes_;
  std::vector<LabelEvaluation> evaluations_;
};

}  // namespace

Result<std::vector<LabelEvaluation>> try_labels(const std::vector<LabeledDocument>& documents,
                                                std::span<const std::uint32_t> survivors,
                                                unsigned shingle_tokens, std::uint64_t memory_bytes,
                                                const TrialOptions& options) {
  std::vector<std::span<const std::uint64_t>> tokens;
  tokens.reserve(documents.size());
  for (const LabeledDocument& document : documents) {
    tokens.emplace_back(document.analysis.tokens);
  }
  TWINSET_ASSIGN(const ShingleCollection collection,
                 truth_features(options.truth_rule(), tokens, shingle_tokens, memory_bytes));
  return Labeler(documents, collection, options).run(survivors, trial_names(options.specs));
}

}  // namespace twinset
