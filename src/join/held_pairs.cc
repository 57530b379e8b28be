// This file's interface is join/held_pairs.h; the rest is private.
#include "join/held_pairs.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>

#include "join/hamming.h"
#include "scheme/little_endian.h"
#include "system/threads.h"
#include "text/shingler.h"

namespace twinset {
namespace {

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

void DocumentSketcher::make(const GivenView& document) {
  if (scheme_.shingle_tokens() > 0) {
    shingle(document.analysis().tokens, scheme_.shingle_tokens(), shingles_);
  }
  scheme_.sketch(document.with(shingles_), sketch);
  keys.clear();
  scheme_.keys(sketch, keys);
}

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
    DocumentSketcher sketcher(scheme);
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
                        std::uint32_t b, std::span<const std::uint64_t> common) {
  if (scheme.equal_keys()) return {};
  return scheme.compare(sketched.stored[a], sketched.stored[b], common);
}

PairVerdict judge_pair(const Scheme& scheme, const Comparison& comparison, const Ratio& threshold) {
  const Verdict seen =
      verdict(comparison, {.resemblance = threshold, .distance = usual_join_distance});
  const bool reached = seen == Verdict::reached;
  if (scheme.counts_keys()) return {reached, reached};
  // A pair passes if the sketches cannot tell.
  return {true, seen != Verdict::below};
}

bool finds_containment(const Scheme& scheme, const Comparison& comparison,
                       const Ratio& containment) {
  if (!scheme.counts_keys()) return true;
  return verdict(comparison, {.resemblance = {}, .containment = containment}) == Verdict::reached;
}

}  // namespace twinset
