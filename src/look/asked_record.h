// A record as a user names it: by its id, or as FILE:RECORD.
//
//   AskedRecord("n4").names("\"n4\"", "a.jsonl", 4);             // true
//   AskedRecord("a.jsonl:4").names("\"n4\"", "a.jsonl", 4);      // true
//   AskedRecord("[1,2]").names("[1, 2]", "a.jsonl", 5);          // true: spaces do not matter
//
// A user names a string without its quotes. A record with the id null, or without the field, is
// named by its place; a file that is one document by its name alone.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json.h"
#include "io/json_read.h"
#include "io/reader.h"
#include "io/record.h"
#include "twinset/look.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// A record of a finished run.
struct RecordPlace {
  RecordName document;
  std::uint64_t fingerprint = 0;  ///< of its bytes; 0: not known
};

/// An id as a user writes it: a string without its quotes, anything else unchanged.
std::string id_text(const JsonNode& id);

/// The record that the fields "id", "file", "record" and "fingerprint" name, each with
/// `prefix` before it.
RecordPlace read_place(const JsonNode& line, const std::string& prefix);

RecordPlace place_of(const NamedDocument& document);

class AskedRecord {
 public:
  explicit AskedRecord(std::string text);
  const std::string& text() const { return text_; }
  /// `id` is a JSON value as written; empty: the record has none.
  bool names(std::string_view id, std::string_view file, std::uint64_t record) const;
  bool names(const RecordPlace& place) const;
  /// `record` is decoded.
  bool names(const Input& input, const Record& record) const;
  /// False if no JSON with these bytes can name the record: then the line need not be parsed.
  bool may_be_in(std::string_view json) const;
  /// Was this record asked for as FILE:RECORD?
  bool is_place(std::string_view file, std::uint64_t record) const;

 private:
  std::string text_;
  std::string compact_;  ///< of an array or object, without spaces; else empty
};

/// Records, each once, in the order in which they were added.
class PlaceList {
 public:
  /// False if it was added before.
  bool add(RecordPlace place);
  const std::vector<RecordPlace>& all() const { return places_; }

 private:
  std::vector<RecordPlace> places_;
  std::set<std::pair<std::string, std::uint64_t>> known_;
};

/// Sets what a line of removed records says of its record.
void explain_removal(const Removal& line, Explanation& out);

/// The error (usage) that several records have the requested id; lists some of them.
Error several_records(const std::string& asked, const std::vector<RecordPlace>& places);

}  // namespace twinset
