#include "run/read_fates.h"

#include <numeric>

namespace twinset {

std::uint64_t lines_of(const ReadState& state) {
  return std::accumulate(state.lines.begin(), state.lines.end(), std::uint64_t{0});
}

void count_records(const ReadState& state, RecordCounts& counts) {
  counts.read = state.records;
  counts.documents = state.documents;
  counts.quarantined = state.bad;
}

Status set_read_fates(const RecordFiles& records, DocumentTable& documents) {
  return records.for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
    if (row.fate() != Fate::kept) documents.set(index, {row.fate(), 0});
    return {};
  });
}

Result<std::unique_ptr<DocumentTable>> read_fates(const CollectionRun& run, RecordCounts& counts) {
  const Job& job = run.job;
  auto table = std::make_unique<DocumentTable>(run.state.lines, job.reference_sources);
  const std::uint64_t first = table->first_index(job.reference_sources);
  TWINSET_TRY(run.stores.records->for_each([&](std::uint64_t index, const RecordRow& row) {
    const Fate fate = row.fate();
    if (fate != Fate::kept) table->set(index, {fate, 0});
    if (index < first || fate == Fate::absent) return Status();
    ++counts.read;
    counts.documents += fate == Fate::kept ? 1 : 0;
    counts.quarantined += fate == Fate::bad ? 1 : 0;
    counts.filtered += fate == Fate::filtered ? 1 : 0;
    counts.carried += fate == Fate::carried ? 1 : 0;
    return Status();
  }));
  return table;
}

}  // namespace twinset
