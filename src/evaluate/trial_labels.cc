// Clusters at the user's threshold, three ways: from every true pair; from what
// each scheme lets pass by itself; and from that, verified. Each as stars and as
// components.
//
// The truth needs a join of its own that loses nothing: a pair at the threshold
// shares one of the rarest |d| - needed + 1 shingles of either document, so those
// of each are its keys. Ratios come from the numbered shingles of the oracle, which
// lie rarest first in one order for all documents and are merged in it.
//
// This file's interface is try_labels(), declared in trial.h; the rest is private.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/threads.h"
#include "evaluate/groupings.h"
#include "evaluate/key_partners.h"
#include "evaluate/trial.h"
#include "evaluate/trial_sketches.h"

namespace twinset {
namespace {

class LabelTrials {
 public:
  LabelTrials(const std::vector<LabelledDocument>& documents, const ShingleCollection& collection,
              const TrialOptions& options)
      : collection_(collection), options_(options) {
    for (const LabelledDocument& document : documents) {
      views_.emplace_back(document.text, document.analysis, std::span<const std::uint64_t>(),
                          options.analyzer);
      labels_.push_back(document.label);
      bytes_.push_back(document.text.size());
    }
  }

  Result<std::vector<LabelTrial>> run(const std::vector<std::string>& names) {
    const KeyPartners rarest(rarest_shingles(), 0);
    const AcceptPair truth = [&](std::uint32_t a, std::uint32_t b) { return alike(a, b); };
    TWINSET_TRY(add("every pair", true, rarest, truth));
    for (std::size_t i = 0; i < options_.specs.size(); ++i) {
      const Result<std::unique_ptr<Scheme>> scheme =
          make_scheme(options_.specs[i], options_.resemblance.value());
      if (!scheme.ok()) continue;  // the report says why
      TWINSET_TRY(try_scheme(*scheme.value(), names[i]));
    }
    return std::move(trials_);
  }

 private:
  Status try_scheme(const Scheme& scheme, const std::string& name) {
    const SharedKey shared_key = scheme.declaration().shared_key;
    const SketchedDocuments sketched = sketch_documents(scheme, views_, options_.threads);
    const KeyPartners shared(sketched.keys,
                             shared_key == SharedKey::count ? options_.max_group : 0);
    const auto judge = [&](std::uint32_t a, std::uint32_t b) {
      return judge_pair(shared_key, estimate_pair(scheme, sketched, a, b),
                        options_.resemblance.value());
    };
    const AcceptPair passes = [&](std::uint32_t a, std::uint32_t b) { return judge(a, b).passed; };
    const AcceptPair truth = [&](std::uint32_t a, std::uint32_t b) { return alike(a, b); };
    switch (shared_key) {
      case SharedKey::equal:
        // An equivalence: stars and components are one, and nothing is to be verified.
        return add_one(name, false, true, shared, passes);
      case SharedKey::candidate:
        TWINSET_TRY(add(name, false, shared, passes));
        return add(name, true, shared, truth);
      case SharedKey::count:
        break;
    }
    // Many pairs share a counted key and few are found: those are noted first.
    TWINSET_ASSIGN(std::vector<std::vector<std::uint64_t>> found, found_pairs(shared, judge));
    const KeyPartners noted(found, 0);
    TWINSET_TRY(add(name, false, noted, [](std::uint32_t, std::uint32_t) { return true; }));
    return add(name, true, noted, truth);
  }

  /// A key of its own for each pair that is found, on both of its documents.
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

  Status add(const std::string& name, bool verified, const KeyPartners& shared,
             const AcceptPair& accept) {
    for (const bool stars : {true, false}) {
      TWINSET_TRY(add_one(name, verified, stars, shared, accept));
    }
    return {};
  }

  Status add_one(const std::string& name, bool verified, bool stars, const KeyPartners& shared,
                 const AcceptPair& accept) {
    if (options_.keep_going) TWINSET_TRY(options_.keep_going());
    const std::vector<std::uint32_t> clusters =
        stars ? star_clusters(shared, accept) : component_clusters(shared, accept);
    trials_.push_back({name, stars, verified, measure_labels(clusters, labels_, bytes_)});
    return {};
  }

  std::vector<std::vector<std::uint64_t>> rarest_shingles() const {
    const Ratio& bound = options_.resemblance;
    std::vector<std::vector<std::uint64_t>> keys(views_.size());
    for (std::size_t d = 0; d < keys.size(); ++d) {
      const auto shingles = collection_.shingles(d);
      // The least n with n / |d| >= the threshold.
      const std::uint64_t needed = std::max<std::uint64_t>(
          1, (shingles.size() * bound.numerator() + bound.denominator() - 1) / bound.denominator());
      if (needed > shingles.size()) continue;
      const auto rarest = shingles.first(shingles.size() - needed + 1);
      keys[d].assign(rarest.begin(), rarest.end());
    }
    return keys;
  }

  bool alike(std::uint32_t a, std::uint32_t b) const {
    const auto left = collection_.shingles(a);
    const auto right = collection_.shingles(b);
    std::uint64_t shared = 0;
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
      if (left[i] == right[j]) {
        ++shared;
        ++i;
        ++j;
        continue;
      }
      const std::uint32_t f = collection_.frequency(left[i]);
      const std::uint32_t g = collection_.frequency(right[j]);
      if (std::pair(f, left[i]) < std::pair(g, right[j])) {
        ++i;
      } else {
        ++j;
      }
    }
    return Fraction{shared, left.size() + right.size() - shared}.at_least(options_.resemblance);
  }

  const ShingleCollection& collection_;
  const TrialOptions& options_;
  std::vector<GivenView> views_;
  std::vector<std::uint32_t> labels_;
  std::vector<std::uint64_t> bytes_;
  std::vector<LabelTrial> trials_;
};

}  // namespace

Result<std::vector<LabelTrial>> try_labels(const std::vector<LabelledDocument>& documents,
                                           unsigned shingle_tokens, std::uint64_t memory_bytes,
                                           const TrialOptions& options) {
  std::vector<std::span<const std::uint64_t>> tokens;
  tokens.reserve(documents.size());
  for (const LabelledDocument& document : documents) {
    tokens.emplace_back(document.analysis.tokens);
  }
  TWINSET_ASSIGN(const ShingleCollection collection,
                 ShingleCollection::make(tokens, shingle_tokens, memory_bytes));
  return LabelTrials(documents, collection, options).run(trial_names(options.specs));
}

}  // namespace twinset
