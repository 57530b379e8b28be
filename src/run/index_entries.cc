// This file's interface is run/index_entries.h.
#include "run/index_entries.h"

#include "io/json.h"
#include "io/json_string.h"
#include "scheme/identity.h"

namespace twinset {

std::vector<std::string> IndexFields::names() const {
  std::vector<std::string> all = others;
  for (const std::string& field : {url, date}) {
    if (!field.empty()) all.push_back(field);
  }
  return all;
}

Status IndexEntries::take(const ReadRecord& read, IndexEntryRows& rows) const {
  if (!read.is_document()) return {};
  const Part part = part_of(read.id);
  if (part == Part::none) return {};
  IndexEntry& entry = rows.next();
  entry.id = read.id;
  set_names(read, entry);
  entry.text.clear();
  if (part == Part::names) {
    entry.marks.resize(signer_.schemes().size());
    for (Marks& marks : entry.marks) {
      marks.sketch.empty = true;
      marks.sketch.stored.clear();
      marks.keys.clear();
    }
  } else {
    signer_.mark(read.view, entry.marks);
    if (signer_.settings().texts && part == Part::all) entry.text = read.record.text;
  }
  IndexedDocument& document = entry.document;
  document.markup = read.record.markup;
  document.text_bytes = read.record.text.size();
  document.tokens = read.view.analysis().tokens.size();
  document.bytes_hash = identical_fingerprint(read.record.text);
  document.tokens_hash = read.view.lexical_fingerprint();
  document.survivor.reset();
  return {};
}

void IndexEntries::set_names(const ReadRecord& read, IndexEntry& entry) const {
  const Record& record = read.record;
  entry.name.clear();
  if (record.id.empty() || record.id == "null") {
    append_json_string(entry.name,
                       made_id(collection_.sources()[read.id.source()], read.id.record()));
  } else {
    append_id(record.id, entry.name);
  }
  entry.url.clear();
  if (!fields_.url.empty()) append_json_token_value(entry.url, record.field(fields_.url));
  if (entry.url.empty()) entry.url = record.url;
  entry.date.clear();
  if (!fields_.date.empty()) append_json_token_value(entry.date, record.field(fields_.date));
  entry.fields.clear();
  for (const std::string& name : fields_.others) {
    const std::string_view value = record.field(name);
    if (value.empty()) continue;
    entry.fields += entry.fields.empty() ? "{" : ", ";
    append_json_string(entry.fields, name);
    entry.fields += ": ";
    entry.fields += value;
  }
  if (!entry.fields.empty()) entry.fields += "}";
}

Status IndexEntries::put(IndexEntryRows& rows) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    IndexEntry& entry = rows.entries[i];
    entry.document.id = entry.name;
    entry.document.url = entry.url;
    entry.document.date = entry.date;
    entry.document.fields = entry.fields;
    TWINSET_TRY(take_entry(entry));
  }
  return {};
}

}  // namespace twinset
