// This file's interface is calibrate/sampled_documents.h; the rest is private.
#include "calibrate/sampled_documents.h"

#include <algorithm>

#include "evaluate/edits.h"
#include "evaluate/random.h"
#include "system/threads.h"

namespace twinset {
namespace {

constexpr std::uint64_t copy_purpose = 23;

}  // namespace

std::vector<std::uint64_t> SampledDocuments::tokens() const {
  std::vector<std::uint64_t> tokens;
  tokens.reserve(texts.size());
  for (const SampledText& each : texts) tokens.push_back(each.analysis.tokens.size());
  return tokens;
}

std::vector<GivenView> SampledDocuments::views(const Analyzer& analyzer) const {
  std::vector<GivenView> views;
  views.reserve(texts.size());
  for (const SampledText& each : texts) {
    views.emplace_back(each.text, each.analysis, std::span<const std::uint64_t>(), &analyzer);
  }
  return views;
}

std::string planted_copy(std::string_view text, std::size_t rate, std::uint64_t seed,
                         std::uint64_t original) {
  return replace_distinct_words(
      text, planted_per_mille[rate],
      derive_seed(seed, copy_purpose, original * planted_per_mille.size() + rate));
}

Status plant_copies(const Analyzer& analyzer, std::uint64_t seed, unsigned threads,
                    const KeepGoing& keep_going, SampledDocuments& sample) {
  sample.texts.resize(sample.originals * (1 + planted_per_mille.size()));
  threads = std::max(1U, threads);
  return run_workers(threads, [&](unsigned worker) -> Status {
    Analysis analysis;
    for (std::size_t original = worker; original < sample.originals; original += threads) {
      if (keep_going) TWINSET_TRY(keep_going());
      for (std::size_t rate = 0; rate < planted_per_mille.size(); ++rate) {
        SampledText& made =
            sample.texts[sample.copy_of(static_cast<std::uint32_t>(original), rate)];
        made.text = planted_copy(sample.texts[original].text, rate, seed, original);
        analyzer.analyze(made.text, Offsets::drop, analysis);
        made.analysis.tokens = analysis.tokens;
      }
    }
    return {};
  });
}

}  // namespace twinset
