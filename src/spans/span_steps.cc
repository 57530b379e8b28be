// The steps of spans over texts that another has brought together; this file's interface is
// SpanSteps, HeldTexts and EarlierPlaceScan, declared in twinset/spans.h.
#include <algorithm>
#include <map>
#include <utility>

#include "join/common_runs.h"
#include "join/run_hash.h"
#include "scheme/document_view.h"
#include "spans/follow_places.h"
#include "spans/placed_tokens.h"
#include "spans/run_places.h"
#include "spans/span_rule.h"
#include "text/anchors.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

Error other_text() { return usage_error("the anchors or places are not of this text"); }

void analyze_by(const SpanRule& rule, std::string_view text, Offsets offsets, Analysis& out) {
  analyze(*analyzer_of(rule).value(), text, rule.html ? Markup::html : Markup::none, offsets, out);
}

}  // namespace

Result<SpanSteps> SpanSteps::make(const SpanRule& rule) {
  if (const auto analyzer = analyzer_of(rule); !analyzer.ok()) return analyzer.error();
  return SpanSteps(rule, static_cast<std::uint32_t>(rule.least_tokens));
}

std::uint64_t SpanSteps::anchors(std::string_view text, std::vector<SpanAnchor>& out) const {
  Analysis analysis;
  analyze_by(rule_, text, Offsets::drop, analysis);
  std::vector<TextAnchor> found;
  AnchorSampler().sample(analysis.tokens, AnchorRule(run_tokens_), found);
  out.clear();
  for (const TextAnchor& anchor : found) out.push_back({anchor.key, anchor.first_run, anchor.runs});
  return analysis.tokens.size();
}

Status SpanSteps::runs(std::string_view text, std::uint32_t number,
                       std::span<const SpanAnchor> anchors, std::vector<RunRow>& out) const {
  Analysis analysis;
  analyze_by(rule_, text, Offsets::drop, analysis);
  const RunHasher hasher(run_tokens_);
  for (std::size_t i = 0; i < anchors.size();) {
    const std::size_t begin = anchors[i].first_run;
    std::size_t end = begin;
    for (; i < anchors.size() && anchors[i].first_run == end; ++i) end += anchors[i].runs;
    if (end + run_tokens_ - 1 > analysis.tokens.size()) return other_text();
    hasher.for_each(analysis.tokens, begin, end, [&](std::size_t at, const Key128& key) {
      out.push_back({key.high, key.low, number, static_cast<std::uint32_t>(at)});
    });
  }
  return {};
}

struct HeldTexts::State {
  std::map<std::uint32_t, PlacedTokens> texts;
  std::uint64_t bytes = 0;
  std::uint64_t most = 0;
  Analysis analysis;  ///< scratch
};

HeldTexts::HeldTexts(std::uint64_t memory_bytes) : state_(new State) {
  state_->most = memory_bytes;
}

HeldTexts::~HeldTexts() = default;

Result<FollowedText> SpanSteps::follow(
    std::string_view text, std::span<const EarlierPlaces> places,
    const std::function<std::string_view(std::uint32_t number)>& text_of, HeldTexts& held) const {
  FollowedText followed;
  if (places.empty()) return followed;
  HeldTexts::State& state = *held.state_;
  // Texts that are followed together name the same ones: what they need is soon there again.
  if (state.bytes > state.most) state.texts.clear(), state.bytes = 0;
  const auto tokens_of = [&](std::uint32_t number) -> const PlacedTokens& {
    const auto [at, is_new] = state.texts.try_emplace(number);
    if (is_new) {
      analyze_by(rule_, number == places.front().place.text ? text : text_of(number), Offsets::keep,
                 state.analysis);
      at->second.tokens = state.analysis.tokens;
      at->second.offsets = state.analysis.offsets;
      at->second.order();
      state.bytes += at->second.bytes();
    }
    return at->second;
  };
  const PlacedTokens& later = tokens_of(places.front().place.text);
  std::vector<FollowedRun> spans;
  TWINSET_ASSIGN(const bool fits,
                 follow_places(
                     places, run_tokens_, later.tokens,
                     [&](std::uint32_t number) {
                       return Result<std::span<const std::uint64_t>>(
                           std::span<const std::uint64_t>(tokens_of(number).tokens));
                     },
                     spans));
  if (!fits) return other_text();
  std::vector<CommonRun> runs;
  for (const FollowedRun& span : spans) {
    const CommonRun& run = span.run;
    runs.push_back(run);
    const TokenOffsets in_a = tokens_of(span.earlier).bytes_of(run.a, run.tokens);
    const TokenOffsets in_b = later.bytes_of(run.b, run.tokens);
    followed.spans.push_back({span.earlier,
                              {in_a.begin, in_a.end, in_b.begin, in_b.end, run.tokens},
                              span.is_first,
                              span.is_nearest});
  }
  followed.tokens = later.tokens.size();
  followed.reused_tokens = covered_tokens(std::move(runs), &CommonRun::b);
  return followed;
}

struct EarlierPlaceScan::State {
  EarlierPlaceFinder finder;
  RunRow last;
  bool started = false;
};

EarlierPlaceScan::EarlierPlaceScan(std::uint32_t run_tokens, bool across)
    : state_(new State{
          EarlierPlaceFinder(run_tokens, across ? PlacesIn::other_texts : PlacesIn::any_text, 0),
          {}}) {}

EarlierPlaceScan::~EarlierPlaceScan() = default;

std::optional<EarlierPlaces> EarlierPlaceScan::next(const RunRow& row) {
  const bool first =
      !state_->started || row.key != state_->last.key || row.check != state_->last.check;
  state_->started = true;
  state_->last = row;
  return state_->finder.next({row.text, row.begin}, first);
}

std::pair<std::uint64_t, std::vector<std::uint64_t>> EarlierPlaceScan::counts() {
  RunCounts counts = state_->finder.take_counts();
  return {counts.places, std::move(counts.by_documents)};
}

}  // namespace twinset
