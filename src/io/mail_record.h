// Makes the document of a mail: its text, and its header fields as fields of a record.
//
//   decode_mails(fields, true, batch);   // Reader::decode() of io/formats/mbox.cc
//
// The text named "text" is the subject and the body. Other names are "subject", "body",
// "attachments", or that of any header field.
//
// Threads: as a Reader's decode().
#pragma once

#include <cstdint>
#include <string_view>

#include "io/reader.h"
#include "io/record.h"

namespace twinset {

/// Reader::decode() of a format of mails. `mailbox`: the records begin with From_ lines, and lines
/// ">From " in them are quoted.
void decode_mails(const FieldNames& fields, bool mailbox, RecordBatch& batch);

/// Record::text_bytes of a mail: of a long one the bytes of its text, if they are more than its
/// own.
std::uint64_t mail_text_bytes(std::string_view record);

/// What a build without mail says of one, after its name; else empty.
std::string_view mail_missing();

}  // namespace twinset
