#include "run/names.h"

#include "io/json.h"
#include "io/json_string.h"
#include "run/known_documents.h"

namespace twinset {

std::string plain_id(std::string_view json) {
  if (json.size() < 2 || json.front() != '"') return std::string(json);
  std::string id;
  append_json_token_value(id, json);
  return id;
}

Status Names::find(std::uint64_t index, DocumentName& out) {
  const DocumentId document = documents_.document(index);
  if (job_.known != nullptr && job_.known->has(document)) {
    TWINSET_ASSIGN(const IndexedDocument known, job_.known->document(document));
    out.id = known.id;
    out.file = job_.known->shown();
    out.record = known.serial + 1;
    out.fingerprint = known.bytes_hash.low;
    return {};
  }
  TWINSET_ASSIGN(RecordRow row, records_.row(index));
  TWINSET_TRY(records_.names(index, out.id, order_value_));
  set_place(index, row, out);
  return {};
}

void Names::set_place(std::uint64_t index, const RecordRow& row, DocumentName& out) const {
  const DocumentId document = documents_.document(index);
  const Source& source = job_.source(document.source());
  out.file = source.shown;
  out.record = document.record();
  out.fingerprint = row.fingerprint;
  if (!out.id.empty()) return;
  append_json_string(out.id, made_id(source, out.record));
}

Status JsonNames::find(std::uint64_t index, std::string& json) {
  TWINSET_TRY(names_.find(index, name_));
  *line_ = named(name_);
  json.clear();
  line_.append_json(json);
  return {};
}

}  // namespace twinset
