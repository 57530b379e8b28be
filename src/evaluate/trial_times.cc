// Times are processor time of the calling thread: other programs still slow it through caches and
// clocks, so the least of several is taken.
//
// This file's interface is evaluate/trial_times.h; the rest is private.
#include "evaluate/trial_times.h"

#include <time.h>

#include <algorithm>

#include "join/key_partners.h"
#include "scheme/shingle_set.h"
#include "text/shingler.h"

namespace twinset {
namespace {

double processor_seconds() {
  ::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <class Pass>
double least_microseconds(std::size_t documents, const Pass& pass) {
  constexpr int repetitions = 3;
  constexpr double long_enough = 2;  // seconds
  if (documents == 0) return 0;
  double least = 0;
  for (int i = 0; i < repetitions && least < long_enough; ++i) {
    const double begin = processor_seconds();
    pass();
    const double seconds = processor_seconds() - begin;
    least = i == 0 ? seconds : std::min(least, seconds);
  }
  return least * 1e6 / static_cast<double>(documents);
}

}  // namespace

double time_sketches(const Scheme& scheme, std::span<const GivenView> documents) {
  DocumentSketcher sketcher(scheme);
  return least_microseconds(documents.size(), [&] {
    for (const GivenView& document : documents) sketcher.make(document);
  });
}

double time_analysis(const Analyzer& analyzer, std::span<const GivenView> documents) {
  Analysis analysis;
  return least_microseconds(documents.size(), [&] {
    for (const GivenView& document : documents) {
      analyzer.analyze(document.text(), Offsets::drop, analysis);
    }
  });
}

double time_verification(const Analyzer& analyzer, unsigned shingle_tokens,
                         std::span<const GivenView> documents) {
  Analysis analysis;
  std::vector<std::uint64_t> shingles;
  ShingleProber prober;
  ShingleSet set;
  return least_microseconds(documents.size(), [&] {
    for (const GivenView& document : documents) {
      analyzer.analyze(document.text(), Offsets::drop, analysis);
      shingle(analysis.tokens, shingle_tokens, shingles);
      prober.shingles() = shingles;
      prober.ready();
      set.take(shingles);
      prober.count(set);
    }
  });
}

double time_join(const Scheme& scheme, const SketchedDocuments& sketched, std::uint64_t max_group,
                 const Ratio& threshold) {
  std::uint64_t passed = 0;
  const double microseconds = least_microseconds(sketched.keys.size(), [&] {
    const KeyPartners shared(scheme, sketched.keys, max_group);
    PartnerReader partners(shared);
    for (std::uint32_t d = 0; d < sketched.keys.size(); ++d) {
      for (const std::uint32_t partner : partners.before(d)) {
        const Comparison comparison = compare_pair(scheme, sketched, partner, d);
        passed += judge_pair(scheme, comparison, threshold).passed ? 1 : 0;
      }
    }
  });
  // Uses the result, so that the compiler keeps the loop.
  return passed == ~std::uint64_t{0} ? 0 : microseconds;
}

std::vector<GivenView> documents_to_time(std::span<const GivenView> documents) {
  constexpr std::size_t most = 400;
  constexpr std::uint64_t most_bytes = std::uint64_t{4} << 20;
  const std::size_t step = std::max<std::size_t>(1, documents.size() / most);
  std::vector<GivenView> out;
  std::uint64_t bytes = 0;
  for (std::size_t d = 0; d < documents.size(); d += step) {
    bytes += documents[d].text().size();
    if (bytes > most_bytes && !out.empty()) break;
    out.push_back(documents[d]);
  }
  return out;
}

}  // namespace twinset
