#include "job/names.h"

#include "io/json.h"

namespace twinset {

Status Names::find(std::uint64_t index, DocumentName& out) {
  const DocumentId document = documents_.document(index);
  out.file = job_.source(document.source()).shown;
  out.record = document.record();
  Result<RecordRow> row = records_.row(index);
  TWINSET_TRY(row);
  TWINSET_TRY(records_.names(row.value(), out.id, order_value_));
  if (out.id.empty()) {
    append_json_string(out.id, std::string(out.file) + ":" + std::to_string(out.record));
  }
  return {};
}

}  // namespace twinset
