// The costs of a byte of rows and of taking a byte of text from a file were measured on the machine
// of docs/performance.md; the rest is that of plan/costs.h.
#include "plan/shard_costs.h"

#include <algorithm>
#include <cmath>

#include "base/message.h"
#include "base/number_pair.h"

namespace twinset {
namespace {

/// To write a byte of a shard's rows, and to take it over.
constexpr double moved_byte = 0.8e-9;
/// What the one thread that takes a shard's bytes spends on each: it reads, sums and splits them.
constexpr double taken_byte = 0.2e-9;
/// A shard's folder besides its rows: the state of its pass, and its summary.
constexpr double state_bytes = 20'000;
/// A thread's batch and what it has in work.
constexpr double thread_memory = 4 << 20;
constexpr std::uint64_t most_machines = 1'000'000;
constexpr std::uint64_t most_cores = 4096;

}  // namespace

Result<std::optional<PlannedCluster>> read_cluster(const std::string& text,
                                                   std::uint64_t documents) {
  if (text.empty()) {
    if (documents == 0) return std::optional<PlannedCluster>();
    return usage_error(option("documents") + " are those of a run on many machines: add " +
                       option("cluster", "100x16"));
  }
  const auto numbers = number_pair(text, 'x');
  if (!numbers.has_value() || numbers->first < 1 || numbers->first > most_machines ||
      numbers->second < 1 || numbers->second > most_cores) {
    return usage_error(option("cluster", text) +
                       " is no cluster: 100x16 is 100 machines of 16 cores; at most " +
                       std::to_string(most_machines) + " machines of " +
                       std::to_string(most_cores) + " cores are planned for");
  }
  PlannedCluster cluster;
  cluster.machines = numbers->first;
  cluster.cores = numbers->second;
  cluster.documents = documents;
  return std::optional(std::move(cluster));
}

// As sources_of(), for all shards at once: a source is in the shard in which its middle lies.
double largest_share(std::uint64_t shards, std::span<const Source> sources) {
  double total = 0;
  for (const Source& source : sources) total += static_cast<double>(source.stored_bytes + 1);
  double before = 0;
  double shard = -1;
  double of_shard = 0;
  double most = 0;
  for (const Source& source : sources) {
    const auto bytes = static_cast<double>(source.stored_bytes + 1);
    const double number = std::floor((before + bytes / 2) * static_cast<double>(shards) / total);
    if (number != shard) of_shard = 0;
    shard = number;
    of_shard += bytes;
    before += bytes;
    most = std::max(most, of_shard);
  }
  return total > 0 ? most / total : 1;
}

PlannedWork planned_work(const Job& job, PlannedRun run, const ReadState& state,
                         const Forecast& seen, const ReadCost& read, std::uint64_t machines) {
  PlannedWork work{run, state, seen, read};
  const auto sources = job.collection->sources();
  work.files = static_cast<double>(sources.size());
  for (const Source& source : sources) {
    work.stored_bytes += static_cast<double>(source.stored_bytes);
  }
  work.largest_share = largest_share(machines, sources);
  return work;
}

void scale(const PlannedCluster& cluster, PlannedWork& work) {
  if (work.state.documents == 0 || cluster.documents == work.state.documents) return;
  const double factor =
      static_cast<double>(cluster.documents) / static_cast<double>(work.state.documents);
  // More files are shared out more evenly.
  const auto machines = static_cast<double>(cluster.machines);
  work.largest_share = std::max(std::min(1.0, work.largest_share / factor), 1 / machines);
  for (std::uint64_t* count : {&work.state.documents, &work.state.records, &work.state.text_bytes,
                               &work.state.tokens, &work.read.keys, &work.read.name_bytes}) {
    *count = static_cast<std::uint64_t>(std::llround(static_cast<double>(*count) * factor));
  }
  for (double* amount :
       {&work.files, &work.stored_bytes, &work.read.time.seconds, &work.read.time.cpu_seconds,
        &work.seen.copies.value, &work.seen.candidates.value, &work.seen.groups.value,
        &work.seen.meetings.value, &work.seen.pairs.value, &work.seen.removed.value,
        &work.seen.clustered.value, &work.seen.checked, &work.seen.judged_bytes,
        &work.seen.cached_bytes, &work.seen.judged_tokens}) {
    *amount *= factor;
  }
}

std::vector<PlannedStage> shard_stages(const Job& job, const PlannedWork& work,
                                       const PlannedCluster& cluster) {
  const auto cores = static_cast<unsigned>(cluster.cores);
  const auto machines = static_cast<double>(cluster.machines);
  const Machine machine = machine_of(cores, job, work.state, work.read);
  const RowBytes rows = row_bytes(job, work.run, work.state, work.read);
  const double moved = rows.all() + machines * state_bytes;
  const double packed = packed_share(job);
  const double more_threads =
      std::max(0.0, machine.workers - std::max(1U, job.context.threads)) * thread_memory;
  std::vector<PlannedStage> stages;

  PlannedStage& read = stages.emplace_back();
  read.stage = "read";
  read.machines = static_cast<std::uint64_t>(std::clamp(work.files, 1.0, machines));
  read.cpu_seconds = work.read.time.cpu_seconds + moved * moved_byte;
  const double taking =
      static_cast<double>(work.state.text_bytes) * (taken_byte + packed * unpacked_byte);
  read.seconds = std::max(read.cpu_seconds / machine.threads, taking) * work.largest_share;
  read.input_bytes = work.stored_bytes;
  read.memory_bytes =
      work.read.base_memory() + more_threads +
      held_rows({rows.fold * work.largest_share, rows.keys * work.largest_share}, machine);

  const Costs merge = work.run == PlannedRun::dedup
                          ? dedup_costs(job, work.state, work.seen, work.read, machine)
                          : cluster_costs(job, work.state, work.seen, work.read, machine);
  PlannedStage& taken = stages.emplace_back();
  taken.stage = "take over";
  taken.moved_bytes = moved;
  taken.seconds = taken.cpu_seconds = moved * moved_byte;
  for (const StageTime& cost : merge.stages) {
    PlannedStage& stage = stages.emplace_back();
    stage.stage = cost.stage;
    stage.seconds = cost.seconds;
    stage.cpu_seconds = cost.cpu_seconds;
    if (cost.stage == "verify" && work.state.text_bytes > 0) {
      // Packed inputs are unpacked whole for the texts of pairs.
      const double judged =
          std::min(1.0, work.seen.judged_bytes / static_cast<double>(work.state.text_bytes));
      stage.input_bytes = work.stored_bytes * (judged > 0 ? packed + (1 - packed) * judged : 0);
    }
    if (cost.stage == "write" && work.run == PlannedRun::dedup) {
      stage.input_bytes = work.stored_bytes;
      stage.seconds = std::max(stage.seconds, taking);
    }
  }
  for (std::size_t i = 1; i < stages.size(); ++i) {
    stages[i].memory_bytes = merge.peak_memory + more_threads;
  }
  return stages;
}

}  // namespace twinset
