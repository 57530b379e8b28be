// Splits mailboxes (mbox) into messages, each with its From_ line.
//
// A message ends where the next From_ line begins (io/mail_scan.h), or, if one stands within it,
// where its Content-Length says: that is believed only if a From_ line or the end of the file
// follows right there. Every byte of the file belongs to exactly one record. Bytes before the first
// message are carried; without any message they are one bad record. A file that is cut off ends
// with a message. The records do not depend on the batches in which they come.
//
// Threads: as a Reader.
#pragma once

#include <cstdint>
#include <memory>

#include "io/bytes.h"
#include "io/reader.h"

namespace twinset {

/// Of io/formats/mbox.cc.
struct MboxSyntax {
  /// The bytes that the text of a message takes, if these may be more than its own.
  std::uint64_t (*text_bytes)(std::string_view record);
  void (*decode)(const FieldNames& fields, RecordBatch& batch);
};

std::unique_ptr<Reader> make_mbox_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits, const MboxSyntax& syntax);

}  // namespace twinset
