#include "run/each_document.h"

#include <algorithm>

#include "run/prepare.h"

namespace twinset {

Status for_each_document(
    const Job& job, const FieldNames& fields, InputTroubles& troubles,
    const std::function<Status(std::uint64_t source, const Record& record)>& use) {
  const std::uint64_t limit = job.options.input.limit;
  std::uint64_t left = limit == 0 ? UINT64_MAX : limit;
  ReaderLimits limits = job.limits;
  limits.fields = &fields;
  RecordBatch batch;
  for (std::uint64_t source = 0; source < job.sources() && left > 0; ++source) {
    TWINSET_ASSIGN(std::unique_ptr<Reader> reader, job.collection->open(source, limits));
    InputTrouble trouble;
    trouble.source = source;
    const std::uint64_t left_before = left;
    while (left > 0) {
      TWINSET_TRY(job.context.check_cancelled());
      TWINSET_ASSIGN(const bool more, reader->read(batch));
      if (!more) break;
      BatchRoom room;
      const Status held = check_held(job, job.source(source), batch, room);
      if (!held.ok()) {
        const std::uint64_t after = left - std::min<std::uint64_t>(left, batch.records.size());
        return longest_record(job, held.error(), source, *reader, batch, after);
      }
      reader->decode(fields, batch);
      for (const Record& record : batch.records) {
        if (left == 0) break;
        --left;
        trouble.note(record);
        if (record.bad == BadReason::none && !record.carried) TWINSET_TRY(use(source, record));
      }
    }
    troubles.add(std::move(trouble));
    troubles.end_input(source, left_before - left);
  }
  return {};
}

}  // namespace twinset
