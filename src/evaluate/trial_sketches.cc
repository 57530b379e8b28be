// Times are processor time of the calling thread: other programs still slow it through caches and
// clocks, so the least of several is taken.
//
// This file's interface is evaluate/trial_sketches.h; the rest is private.
#include "evaluate/trial_sketches.h"

#include <time.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>

#include "base/threads.h"
#include "evaluate/key_partners.h"
#include "join/hamming.h"
#include "scheme/little_endian.h"
#include "scheme/shingle_set.h"
#include "text/shingler.h"

namespace twinset {
namespace {

double processor_seconds() {
  ::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// One thread's buffers for sketching documents one by one.
class Sketcher {
 public:
  explicit Sketcher(const Scheme& scheme) : scheme_(scheme) {}

  void make(const GivenView& document) {
    if (scheme_.shingle_tokens() > 0) {
      shingle(document.analysis().tokens, scheme_.shingle_tokens(), shingles_);
    }
    scheme_.sketch(document.with(shingles_), sketch);
    keys.clear();
    scheme_.keys(sketch, keys);
  }

  Sketch sketch;
  std::vector<std::uint64_t> keys;

 private:
  const Scheme& scheme_;
  std::vector<std::uint64_t> shingles_;
};

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

/// Gives near documents a key in common: one for all of a signature, and one for all of each two
/// near signatures.
template <std::size_t Words>
void key_signatures(unsigned threads, SketchedDocuments& documents) {
  std::map<Signature<Words>, std::vector<std::size_t>> equal;
  for (std::size_t d = 0; d < documents.stored.size(); ++d) {
    const std::vector<std::uint8_t>& stored = documents.stored[d];
    if (stored.empty()) continue;
    Signature<Words> signature;
    for (std::size_t i = 0; i < Words; ++i) {
      signature[i] = load_little_endian<std::uint64_t>(&stored[1 + i * 8]);
    }
    equal[signature].push_back(d);
  }
  std::vector<Signature<Words>> distinct;
  for (const auto& [signature, _] : equal) distinct.push_back(signature);
  std::mutex mutex;
  std::vector<NearPair> near;
  RunContext context;
  context.threads = threads;
  const Status joined =
      near_pairs<Words>(context, distinct, plan_tables<Words>(distinct, usual_join_distance),
                        [&](std::span<const NearPair> pairs) {
                          const std::lock_guard lock(mutex);
                          near.insert(near.end(), pairs.begin(), pairs.end());
                          return Status();
                        });
  assert(joined.ok());
  for (std::uint32_t i = 0; i < distinct.size(); ++i) near.push_back({i, i});
  std::ranges::sort(near);
  for (const NearPair& pair : near) {
    const std::uint64_t key = std::uint64_t{pair.a} << 32 | pair.b;
    for (const std::size_t d : equal[distinct[pair.a]]) documents.keys[d].push_back(key);
    if (pair.a == pair.b) continue;
    for (const std::size_t d : equal[distinct[pair.b]]) documents.keys[d].push_back(key);
  }
}

}  // namespace

Status check_views(const Scheme& scheme, std::span<const GivenView> documents) {
  const Analyzer* const analyzer = documents.empty() ? nullptr : documents.front().analyzer();
  return analyzer == nullptr ? Status() : check_analyzer(scheme, *analyzer);
}

SketchedDocuments sketch_documents(const Scheme& scheme, std::span<const GivenView> documents,
                                   unsigned threads) {
  SketchedDocuments out;
  out.stored.resize(documents.size());
  out.keys.resize(documents.size());
  threads = std::max(1U, threads);
  const Status done = run_workers(threads, [&](unsigned worker) {
    Sketcher sketcher(scheme);
    for (std::size_t d = worker; d < documents.size(); d += threads) {
      sketcher.make(documents[d]);
      if (!sketcher.sketch.empty) out.stored[d] = sketcher.sketch.stored;
      std::vector<std::uint64_t>& keys = sketcher.keys;
      std::sort(keys.begin(), keys.end());
      keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
      out.keys[d] = keys;
    }
    return Status();
  });
  assert(done.ok());
  if (scheme.facts().signature_bits == 64) key_signatures<1>(threads, out);
  if (scheme.facts().signature_bits == 128) key_signatures<2>(threads, out);
  return out;
}

Comparison compare_pair(const Scheme& scheme, const SketchedDocuments& sketched, std::uint32_t a,
                        std::uint32_t b) {
  if (scheme.equal_keys()) return {};
  return scheme.compare(sketched.stored[a], sketched.stored[b]);
}

PairVerdict judge_pair(SharedKey shared_key, const Comparison& comparison, const Ratio& threshold) {
  const Verdict seen =
      verdict(comparison, {.resemblance = threshold, .distance = usual_join_distance});
  const bool reached = seen == Verdict::reached;
  if (shared_key == SharedKey::count) return {reached, reached};
  // A pair passes if the sketches cannot tell.
  return {true, seen != Verdict::below};
}

bool finds_containment(SharedKey shared_key, const Comparison& comparison,
                       const Ratio& containment) {
  if (shared_key != SharedKey::count) return true;
  return verdict(comparison, {.resemblance = {}, .containment = containment}) == Verdict::reached;
}

double time_sketches(const Scheme& scheme, std::span<const GivenView> documents) {
  Sketcher sketcher(scheme);
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
  const SharedKey shared_key = scheme.declaration().shared_key;
  std::uint64_t passed = 0;
  const double microseconds = least_microseconds(sketched.keys.size(), [&] {
    const KeyPartners shared(sketched.keys, shared_key == SharedKey::count ? max_group : 0);
    PartnerReader partners(shared);
    for (std::uint32_t d = 0; d < sketched.keys.size(); ++d) {
      for (const std::uint32_t partner : partners.before(d)) {
        const Comparison comparison = compare_pair(scheme, sketched, partner, d);
        passed += judge_pair(shared_key, comparison, threshold).passed ? 1 : 0;
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
