// The name of a document in the output: its id as written in its record, or "file:record"; and its
// place.
//
// Threads: values; one at a time.
#pragma once

#include <string>
#include <string_view>

#include "io/field_json.h"
#include "join/documents.h"
#include "run/job.h"
#include "run/record_files.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct DocumentName {
  std::string id;  ///< a JSON value
  std::string_view file;
  std::uint64_t record = 0;
  std::uint64_t fingerprint = 0;  ///< of its bytes: a changed record has another
};

/// The name in the form for callers, with views of `name`.
inline NamedDocument named(const DocumentName& name) {
  return {name.id, name.file, name.record, name.fingerprint};
}

/// An id for people to read: the value of a JSON string, any other value as written.
std::string plain_id(std::string_view json);

/// Looks up names in the record files.
class Names {
 public:
  Names(const Job& job, const RecordFiles& records, const DocumentTable& documents)
      : job_(job), records_(records), documents_(documents) {}
  Status find(std::uint64_t index, DocumentName& out);

 private:
  void set_place(std::uint64_t index, const RecordRow& row, DocumentName& out) const;

  const Job& job_;
  const RecordFiles& records_;
  const DocumentTable& documents_;
  std::string order_value_;
};

/// The same as JSON: {"id", "file", "record", "fingerprint"}, the form in clusters.jsonl.zst.
class JsonNames {
 public:
  JsonNames(const Job& job, const RecordFiles& records, const DocumentTable& documents)
      : names_(job, records, documents) {}
  /// Replaces `json`.
  Status find(std::uint64_t index, std::string& json);

 private:
  Names names_;
  DocumentName name_;
  FieldLine<NamedDocument> line_;
};

}  // namespace twinset
