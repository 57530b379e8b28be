// The text of a record in UTF-8, whatever charset its file is in. Files, records of JSON Lines,
// texts in memory and the bodies of archives all pass here, so that equal pages give equal texts
// wherever they are.
//
//   set_text(record.raw, Charset::unknown, record, batch);  // sets record.text and record.charset
//
// Threads: as its batch.
#pragma once

#include <string_view>

#include "io/reader.h"
#include "io/record.h"

namespace twinset {

/// Sets the record's text to `bytes`: as they are if they are UTF-8, else decoded and kept in the
/// batch. `named`: the charset that a header says. Markup decides whether they may name one
/// themselves, so it is set before.
void set_text(std::string_view bytes, Charset named, Record& record, RecordBatch& batch);

/// The same for a text that is in UTF-8 by its format, and says nothing of other charsets: decoded
/// by a guess, if it is not.
void set_text_of_utf8(std::string_view bytes, Record& record, RecordBatch& batch);

/// Checks that the record's text is a list of features, if the fields ask for one: it becomes that
/// list, or the record is bad.
void check_features(const FieldNames& fields, Record& record, RecordBatch& batch);

/// A value of a column as a token of JSON: a string, kept in the batch.
std::string_view string_token(std::string_view value, RecordBatch& batch);
/// The same for a value without a type: a number if JSON writes one so, in at most 15 bytes, since
/// readers would round longer ones. `value` lies in the batch.
std::string_view value_token(std::string_view value, RecordBatch& batch);

}  // namespace twinset
