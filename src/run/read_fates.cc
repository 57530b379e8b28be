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

namespace {

void count_record(Fate fate, RecordCounts& counts) {
  if (fate == Fate::absent) return;
  ++counts.read;
  counts.documents += fate == Fate::kept ? 1 : 0;
  counts.quarantined += fate == Fate::bad ? 1 : 0;
  counts.filtered += fate == Fate::filtered ? 1 : 0;
  counts.carried += fate == Fate::carried ? 1 : 0;
}

}  // namespace

Status count_records(const RecordFiles& records, RecordCounts& counts) {
  return records.for_each([&](std::uint64_t, const RecordRow& row) -> Status {
    count_record(row.fate(), counts);
    return {};
  });
}

Status set_read_fates(const RecordFiles& records, DocumentTable& documents, RecordCounts& counts) {
  const std::uint64_t first = documents.first_index(documents.reference_sources());
  return records.for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
    const Fate fate = row.fate();
    if (fate != Fate::kept) documents.set(index, {fate, 0});
    if (index >= first) count_record(fate, counts);
    return {};
  });
}

}  // namespace twinset
