// This file's interface is index/quotes.h.
#include "index/quotes.h"

#include <algorithm>
#include <span>

#include "base/message.h"
#include "join/common_runs.h"
#include "text/anchors.h"
#include "web/url.h"

namespace twinset {
namespace {

/// Without a scheme that is sure of any.
constexpr unsigned standard_tokens = 50;
/// Stretches of a host that are held before they are merged.
constexpr std::size_t most_unmerged = 4096;

/// Sorts stretches and merges those that touch.
template <class Stretches>
void merge(Stretches& stretches) {
  if (stretches.empty()) return;
  std::ranges::sort(stretches, {}, [](const auto& each) { return each.begin; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < stretches.size(); ++i) {
    if (stretches[i].begin > stretches[last].end) {
      stretches[++last] = stretches[i];
    } else {
      stretches[last].end = std::max(stretches[last].end, stretches[i].end);
    }
  }
  stretches.resize(last + 1);
}

}  // namespace

Status IndexQuotes::begin(const IndexSigner& signer, const RecordView* view,
                          const std::vector<Marks>& marks, const QuerySettings& query) {
  *this = IndexQuotes();
  analyzer_ = signer.view().analyzer;
  view_ = view;
  reads_texts_ = view != nullptr && signer.settings().texts && !query.sketches;
  const std::optional<std::size_t> sure = signer.sure_scheme();
  const Scheme* const scheme = sure ? signer.schemes()[*sure].scheme.get() : nullptr;
  if (scheme != nullptr) sure_run_ = scheme->facts().sure_run;
  const std::uint64_t least =
      query.min_tokens.value_or(sure_run_ > 0 ? sure_run_ : standard_tokens);
  if (least < 1 || least > most_span_tokens) {
    return usage_error(option("min_tokens", std::to_string(least)) + " is not from 1 to " +
                       std::to_string(most_span_tokens));
  }
  least_tokens_ = static_cast<unsigned>(least);
  if (view == nullptr) return {};
  analyze(*analyzer_, view->text(), view->markup(), Offsets::keep, mine_);
  if (scheme == nullptr) return {};
  for (std::size_t i = 0; i < *sure; ++i) {
    first_key_ += static_cast<std::uint32_t>(marks[i].keys.size());
  }
  const std::vector<std::uint64_t>& keys = marks[*sure].keys;
  end_key_ = first_key_ + static_cast<std::uint32_t>(keys.size());
  std::vector<KeyPlace> places;
  scheme->key_places(*view, places);
  for (const KeyPlace& place : places) {
    const auto number = std::ranges::lower_bound(keys, place.key) - keys.begin();
    places_.push_back({place, first_key_ + static_cast<std::uint32_t>(number)});
  }
  return {};
}

bool IndexQuotes::may_quote(const std::vector<std::uint32_t>& keys) const {
  return std::ranges::any_of(
      keys, [this](std::uint32_t key) { return first_key_ <= key && key < end_key_; });
}

void IndexQuotes::compare(std::string_view text, Markup markup, IndexHit& hit) {
  analyze(*analyzer_, text, markup, Offsets::keep, other_);
  const CommonRuns found = find_common_runs(mine_.tokens, other_.tokens, least_tokens_);
  quoted_.clear();
  for (const CommonRun& run : found.runs) {
    const Stretch mine{run.a, run.a + run.tokens};
    const TokenOffsets here = byte_range(mine_.offsets, mine);
    const TokenOffsets there = byte_range(other_.offsets, {run.b, run.b + run.tokens});
    hit.passages.push_back({here.begin, here.end, there.begin, there.end, run.tokens});
    quoted_.push_back(mine);
  }
}

void IndexQuotes::guess(const std::vector<std::uint32_t>& keys, IndexHit& hit) {
  quoted_ = stretches([&](std::uint32_t key) { return std::ranges::binary_search(keys, key); });
  for (const Stretch& mine : quoted_) {
    const TokenOffsets here = byte_range(mine_.offsets, mine);
    hit.passages.push_back({here.begin, here.end, {}, {}, mine.end - mine.begin});
  }
}

void IndexQuotes::count(std::string_view url, IndexHit& hit) {
  if (hit.passages.empty()) return;
  Host& host = hosts_[host_of(url)];
  ++host.facts.documents;
  host.facts.passages += hit.passages.size();
  merge(quoted_);
  hit.quoted = tokens_of(quoted_);
  host.covered.insert(host.covered.end(), quoted_.begin(), quoted_.end());
  if (host.covered.size() >= host.merge_at) {
    merge(host.covered);
    host.merge_at = 2 * host.covered.size() + most_unmerged;
  }
}

std::vector<QuotingHost> IndexQuotes::hosts() {
  std::vector<QuotingHost> all;
  for (auto& [name, host] : hosts_) {
    merge(host.covered);
    host.facts.host = name;
    host.facts.quoted = tokens_of(host.covered);
    all.push_back(host.facts);
  }
  return all;
}

void IndexQuotes::tell_common(const std::vector<bool>& skipped,
                              std::vector<CommonPassage>& common) const {
  const auto has = [&](std::uint32_t key) { return key < skipped.size() && skipped[key]; };
  for (const Stretch& stretch : stretches(has)) {
    const TokenOffsets bytes = byte_range(mine_.offsets, stretch);
    common.push_back({bytes.begin, bytes.end});
  }
}

std::optional<std::uint64_t> IndexQuotes::sure_tokens(const std::vector<bool>& skipped) const {
  if (view_ == nullptr || sure_run_ == 0) return std::nullopt;
  for (std::uint32_t key = first_key_; key < end_key_; ++key) {
    if (skipped[key]) return std::nullopt;
  }
  return std::max(sure_run_, least_tokens_);
}

/// From the first to the last of keys in a row that `has` holds for.
template <class Has>
std::vector<IndexQuotes::Stretch> IndexQuotes::stretches(Has has) const {
  std::vector<Stretch> found;
  bool goes_on = false;
  for (const auto& [place, key] : places_) {
    const bool is_in = has(key);
    const auto size = static_cast<std::uint32_t>(mine_.tokens.size());
    const std::uint32_t end = std::min(place.token + place.tokens, size);
    if (is_in && goes_on) {
      found.back().end = end;
    } else if (is_in) {
      found.push_back({place.token, end});
    }
    goes_on = is_in;
  }
  return found;
}

std::uint64_t IndexQuotes::tokens_of(const std::vector<Stretch>& merged) {
  std::uint64_t tokens = 0;
  for (const Stretch& each : merged) tokens += each.end - each.begin;
  return tokens;
}

TokenOffsets IndexQuotes::byte_range(const std::vector<TokenOffsets>& offsets,
                                     const Stretch& tokens) {
  return twinset::byte_range(std::span(offsets).subspan(tokens.begin, tokens.end - tokens.begin));
}

}  // namespace twinset
