// What a run foretells of itself when all is read, to be held beside what came.
//
//   Predictions predictions;
//   predictions.begin(job);                       // before pass 1: takes a sample
//   ...read...
//   predictions.foretell(job, state, read_cost, costs);   // dedup_costs, cluster_costs
//   ...
//   predictions.add("removed", seen.removed, actual);
//
// A collection of less than 256 MiB is done with before that would be of use. A run that
// goes on where another was killed has not seen all keys, and one with
// references or containment decides by more than its sketches say: they foretell
// nothing.
//
// Threads: one thread at a time.
#pragma once

#include <memory>
#include <string>

#include "job/costs.h"
#include "job/dedup_job.h"
#include "join/forecast.h"
#include "join/key_sample.h"
#include "twinset/dedup.h"

namespace twinset {

/// Bytes that the sample of such a run takes; 0 if it takes none.
std::uint64_t sampled_bytes(const DedupJob& job, const ReadState& state);

class Predictions {
 public:
  /// Makes pass 1 take a sample, where anything can be foretold.
  void begin(DedupJob& job);
  /// True once foretell() has.
  bool made() const { return made_; }
  /// From the sample, which then is given back.
  void foretell(DedupJob& job, const ReadState& state, const StageTime& read,
                Costs (*cost_of)(const DedupJob&, const ReadState&, const Forecast&,
                                 const ReadCost&));
  const Forecast& seen() const { return seen_; }
  /// Beside what came.
  void add(std::string what, const Predicted& predicted, double actual);
  /// Costs beside those of the finished run, which must be described; all to `facts`.
  void finish(RunFacts& facts);

 private:
  std::unique_ptr<KeySample> sample_;
  bool made_ = false;
  Forecast seen_;
  Costs costs_;
  std::vector<Prediction> predictions_;
};

}  // namespace twinset
