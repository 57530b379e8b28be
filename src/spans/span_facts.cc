#include "spans/span_facts.h"

#include "run/pair_collector.h"

namespace twinset {
namespace {

constexpr std::size_t most_drawn_pairs = 60;
constexpr std::size_t most_listed_texts = 24;

/// More shared tokens first.
bool shares_more(const SharedPassages& x, const SharedPassages& y) {
  if (x.tokens != y.tokens) return x.tokens > y.tokens;
  return x.later != y.later ? x.later < y.later : x.earlier < y.earlier;
}

bool reuses_more(const ReusedShare& x, const ReusedShare& y) {
  return x.reused != y.reused ? x.reused > y.reused : x.index < y.index;
}

}  // namespace

Status SpanFacts::add(const SharedPassages& shared) {
  if (shared.earlier != shared.later) {
    insert_bounded(most_shared_, shared, most_drawn_pairs, shares_more);
  }
  const std::pair<std::uint64_t, std::uint64_t> pair{shared.earlier.source(),
                                                     shared.later.source()};
  const auto known = sources_.find(pair);
  if (known == sources_.end() && sources_.size() == most_counted_sources) {
    too_many_sources_ = true;
    return {};
  }
  SourcePair& sums = sources_[pair];
  ++sums.text_pairs;
  sums.spans += shared.spans;
  sums.tokens += shared.tokens;
  return {};
}

void SpanFacts::add_text(const ReusedShare& text) {
  insert_bounded(most_reused_, text, most_listed_texts, reuses_more);
}

}  // namespace twinset
