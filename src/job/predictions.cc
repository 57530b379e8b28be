#include "job/predictions.h"

#include <algorithm>
#include <utility>

#include "job/stage_clock.h"

namespace twinset {
namespace {

/// A smaller collection is done with before what is foretold would be of use.
constexpr std::uint64_t least_text_bytes = std::uint64_t{256} << 20;
/// Little of the budget: what a run foretells of itself must cost it nothing.
constexpr std::uint64_t most_memory = std::uint64_t{256} << 20;
constexpr std::uint64_t memory_part = 32;
/// Meetings looked at: what some hundredths of the time of reading pay for.
constexpr std::uint64_t text_bytes_a_candidate = 400;
constexpr std::uint64_t text_bytes_a_meeting = 1600;
constexpr std::uint64_t fewest_pairs = 50'000;
constexpr std::uint64_t most_pairs = 4'000'000;

std::uint64_t sample_memory(const DedupJob& job) {
  return std::min(most_memory, job.context.memory_bytes / memory_part);
}

Predicted known(double value) { return {value, value, value}; }

/// Texts are no longer than what they are written as, but for compressed files.
bool surely_small(const DedupJob& job) {
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < job.sources(); ++i) {
    if (job.source(i).compression != Compression::none) return false;
    bytes += job.source(i).status.size;
  }
  return bytes < least_text_bytes;
}

}  // namespace

std::uint64_t sampled_bytes(const DedupJob& job, const ReadState& state) {
  if (surely_small(job)) return 0;
  const std::uint64_t all = state.documents * (sizeof(KeyHolder) + job.stored_sketch_bytes()) +
                            state.keys * sizeof(std::uint64_t);
  return std::min(sample_memory(job), 2 * all);
}

void Predictions::begin(DedupJob& job) {
  if (job.reference_sources > 0 || job.thresholds.containment.has_value()) return;
  const SharedKey shared = job.scheme->declaration().shared_key;
  if (shared == SharedKey::equal || !job.scheme->estimates() || surely_small(job)) return;
  sample_ = std::make_unique<KeySample>(sample_memory(job));
  job.sample = sample_.get();
}

void Predictions::foretell(DedupJob& job, const ReadState& state, const StageTime& read,
                           Costs (*cost_of)(const DedupJob&, const ReadState&, const Forecast&,
                                            const ReadCost&)) {
  job.sample = nullptr;
  const std::unique_ptr<KeySample> sample = std::move(sample_);
  if (sample == nullptr || state.text_bytes < least_text_bytes) return;
  const SampleBatch& sampled = sample->finish();
  const ReadCost cost{read, peak_memory_bytes(), sampled.bytes(), true};
  const bool counts = job.scheme->declaration().shared_key == SharedKey::count;
  const std::uint64_t pairs =
      state.text_bytes / (counts ? text_bytes_a_meeting : text_bytes_a_candidate);
  seen_ = forecast(*sample, sampled, state.documents, *job.scheme,
                   {.threshold = job.thresholds.resemblance.value(),
                    .max_group = job.options.max_group,
                    .most_pairs = std::clamp(pairs, fewest_pairs, most_pairs),
                    .stopped = [&job] { return job.context.cancelled(); }});
  costs_ = cost_of(job, state, seen_, cost);
  made_ = true;
}

void Predictions::add(std::string what, const Predicted& predicted, double actual) {
  if (made_ && predicted.predictable) predictions_.push_back({std::move(what), predicted, actual});
}

void Predictions::finish(RunFacts& facts) {
  if (!made_) return;
  double predicted_seconds = 0;
  for (const StageTime& stage : costs_.stages) predicted_seconds += stage.seconds;
  double seconds = 0;
  for (const StageTime& stage : facts.stages) {
    if (stage.stage != "read" && stage.stage != "foretell") seconds += stage.seconds;
  }
  add("seconds_left", known(predicted_seconds), seconds);
  add("peak_memory_bytes", known(costs_.peak_memory), static_cast<double>(facts.peak_memory_bytes));
  add("spilled_bytes", known(costs_.spilled), static_cast<double>(facts.spilled_bytes));
  facts.predictions = std::move(predictions_);
  facts.predicted_from = seen_.key_share;
}

}  // namespace twinset
