// Exact resemblance of two strings. Most of the time goes into finding their words; one table,
// which fits into the first-level cache, takes both lists of shingles.
//
// This file's interface is twinset/pair.h; the rest is private.
#include <new>
#include <vector>

#include "scheme/document_view.h"
#include "scheme/shingle_set.h"
#include "text/analyzer.h"
#include "text/shingler.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

/// Longer pairs of texts get buffers of their own, freed after the call.
constexpr std::size_t most_kept_bytes = std::size_t{256} << 10;

/// Buffers that calls reuse: without them a short pair would spend most of its time on allocation.
struct Buffers {
  Analysis analysis;
  std::vector<std::uint64_t> shingles_a;
  std::vector<std::uint64_t> shingles_b;
  PairCounter counter;
};

Overlap count(const ViewRule& rule, std::string_view a, std::string_view b, Buffers& buffers) {
  const Markup markup = rule.pages ? Markup::html : Markup::none;
  const auto take = [&](std::string_view text, std::vector<std::uint64_t>& shingles) {
    analyze(*rule.analyzer, text, markup, Offsets::drop, buffers.analysis);
    shingle(buffers.analysis.tokens, rule.shingle_tokens, shingles);
  };
  take(a, buffers.shingles_a);
  take(b, buffers.shingles_b);
  return buffers.counter.count(buffers.shingles_a, buffers.shingles_b);
}

}  // namespace

Result<ShingleCounts> count_shingles(std::string_view a, std::string_view b,
                                     const Shingling& shingling) {
  TWINSET_ASSIGN(const ViewRule rule, view_rule(shingling));
  TWINSET_TRY(check_text_bytes(a));
  TWINSET_TRY(check_text_bytes(b));
  thread_local Buffers kept;
  Buffers own;
  try {
    Buffers& buffers = a.size() + b.size() <= most_kept_bytes ? kept : own;
    const Overlap found = count(rule, a, b, buffers);
    const bool no_tokens = found.later == 0 && found.earlier == 0;
    return ShingleCounts{found.later, found.earlier, found.shared, no_tokens && a == b};
  } catch (const std::bad_alloc&) {
    return io_error("not enough memory to compare texts of " + std::to_string(a.size()) + " and " +
                    std::to_string(b.size()) + " bytes");
  }
}

Result<ExactShare> resemblance(std::string_view a, std::string_view b, const Shingling& shingling) {
  TWINSET_ASSIGN(const ShingleCounts counts, count_shingles(a, b, shingling));
  return ExactShare{counts.resemblance().value_or(0), counts.shared_shingles,
                    counts.all_shingles()};
}

Result<ExactShare> containment(std::string_view a, std::string_view b, const Shingling& shingling) {
  TWINSET_ASSIGN(const ShingleCounts counts, count_shingles(a, b, shingling));
  return ExactShare{counts.containment_a_in_b().value_or(0), counts.shared_shingles,
                    counts.shingles_a};
}

}  // namespace twinset
