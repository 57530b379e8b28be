// Pairs are checked in blocks: one worker takes a block under the cursor's lock
// and checks it; blocks leave in the order they were taken.
#include "join/sketch_check.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>

#include "base/threads.h"

namespace twinset {
namespace {

constexpr std::size_t block_pairs = 8192;

/// A share's standard error over so many samples.
double standard_error(double share, double samples) {
  return std::sqrt(share * (1 - share) / std::max(samples, 1.0));
}

/// Takes blocks of pairs and puts back what passed, in order.
class Blocks {
 public:
  Blocks(const RunContext& context, RowCursor<Pair>& pairs, RowFile<Edge>& out)
      : context_(context), pairs_(pairs), out_(out) {}

  /// The next block and its number; empty at the end.
  Status take(std::vector<Pair>& block, std::uint64_t& number) {
    const std::lock_guard lock(mutex_);
    block.clear();
    TWINSET_TRY(context_.check_cancelled());
    number = taken_++;
    while (!failed_ && block.size() < block_pairs) {
      Result<const Pair*> next = pairs_.next();
      TWINSET_TRY(next);
      if (next.value() == nullptr) break;
      block.push_back(*next.value());
    }
    return {};
  }

  Status put(std::uint64_t number, const std::vector<Edge>& passed, std::uint64_t dropped) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return failed_ || written_ == number; });
    if (failed_) return {};
    for (const Edge& edge : passed) TWINSET_TRY(out_.append(edge));
    dropped_ += dropped;
    ++written_;
    turn_.notify_all();
    return {};
  }

  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    turn_.notify_all();
  }

  std::uint64_t dropped() const { return dropped_; }

 private:
  const RunContext& context_;
  RowCursor<Pair>& pairs_;
  RowFile<Edge>& out_;
  std::mutex mutex_;
  std::condition_variable turn_;
  bool failed_ = false;
  std::uint64_t taken_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t dropped_ = 0;
};

Status check_blocks(Blocks& blocks, SketchCheck& check) {
  std::vector<Pair> block;
  std::vector<Edge> passed;
  for (;;) {
    std::uint64_t number = 0;
    TWINSET_TRY(blocks.take(block, number));
    if (block.empty()) return {};
    passed.clear();
    for (const Pair& pair : block) {
      Result<bool> passes = check.passes(pair);
      TWINSET_TRY(passes);
      if (passes.value()) passed.push_back({.pair = pair});
    }
    TWINSET_TRY(blocks.put(number, passed, block.size() - passed.size()));
  }
}

}  // namespace

Result<std::optional<Estimate>> SketchCheck::estimate(const Pair& pair) {
  if (!has_later_ || later_document_ != pair.later.document) {
    TWINSET_TRY(source_.stored(pair.later.document, later_));
    later_document_ = pair.later.document;
    has_later_ = true;
  }
  TWINSET_TRY(source_.stored(pair.earlier.document, earlier_));
  return scheme_.compare(later_, earlier_).resemblance;
}

Result<bool> SketchCheck::passes(const Pair& pair) {
  Result<std::optional<Estimate>> found = estimate(pair);
  TWINSET_TRY(found);
  if (!found.value().has_value()) return true;
  const Estimate& estimate = *found.value();
  return estimate.value >= threshold_ - dropped_standard_errors * estimate.standard_error;
}

Result<bool> SketchCheck::passes(const Pair& pair, const Ratio& containment,
                                 std::uint32_t later_size, std::uint32_t earlier_size) {
  Result<std::optional<Estimate>> found = estimate(pair);
  TWINSET_TRY(found);
  if (!found.value().has_value()) return true;
  const Estimate& estimate = *found.value();
  const double most = estimate.value + dropped_standard_errors * estimate.standard_error;
  if (most >= threshold_) return true;
  // shared = r (a + b) / (1 + r), so this is the most that containment can be.
  const double both = static_cast<double>(later_size) + earlier_size;
  return most * both / ((1 + most) * std::max(later_size, 1U)) >= containment.value();
}

Status SketchJudge::judge(Edge& edge) {
  Result<std::optional<Estimate>> found = check_.estimate(edge.pair);
  TWINSET_TRY(found);
  edge.state = EdgeState::below;
  if (!found.value().has_value()) return {};
  const double clamped = std::clamp(found.value()->value, 0.0, 1.0);
  const auto scaled = static_cast<std::uint32_t>(std::floor(clamped * estimate_scale));
  if (!resemblance_.reached_by(scaled, estimate_scale)) return {};
  edge.state = EdgeState::sketch;
  edge.shared = scaled;
  edge.later =
      static_cast<std::uint32_t>(std::lround(found.value()->standard_error * estimate_scale));
  edge.earlier = 0;
  return {};
}

Result<std::uint64_t> check_pairs(const RunContext& context, RowCursor<Pair>& pairs,
                                  const Scheme& scheme, const Ratio& resemblance,
                                  SketchSource& source, RowFile<Edge>& out) {
  Blocks blocks(context, pairs, out);
  TWINSET_TRY(run_workers(context.threads, [&](unsigned) -> Status {
    SketchCheck check(scheme, resemblance, source);
    Status done = check_blocks(blocks, check);
    if (!done.ok()) blocks.fail();
    return done;
  }));
  return blocks.dropped();
}

bool counted_pair_passes(const CountedPair& pair, std::uint32_t later_keys,
                         std::uint32_t earlier_keys, const Thresholds& thresholds, Moduli moduli) {
  const auto shared = static_cast<double>(pair.shared);
  const auto reaches = [&](const Ratio& ratio, double keys) {
    if (keys <= 0) return true;
    const double threshold = ratio.value();
    return shared / keys >= threshold - dropped_standard_errors * standard_error(threshold, keys);
  };
  const double all = moduli == Moduli::one ? static_cast<double>(later_keys) + earlier_keys - shared
                                           : std::min(later_keys, earlier_keys);
  if (reaches(thresholds.resemblance, all)) return true;
  return thresholds.containment.has_value() && reaches(*thresholds.containment, later_keys);
}

}  // namespace twinset
