// Mailboxes: a message a record, with its From_ line, so that an output is a mailbox of whole
// messages.
//
// This file's interface is io/reader.h (mbox_format); the rest is private.
#include <array>

#include "io/format_list.h"
#include "io/mail_record.h"
#include "io/mbox_reader.h"

namespace twinset {
namespace {

void decode_mbox(const FieldNames& fields, RecordBatch& batch) {
  decode_mails(fields, /*mailbox=*/true, batch);
}

constexpr MboxSyntax syntax{.text_bytes = mail_text_bytes, .decode = decode_mbox};

std::unique_ptr<Reader> make_reader_of_mbox(std::unique_ptr<ByteSource> bytes,
                                            const ReaderLimits& limits) {
  return make_mbox_reader(std::move(bytes), limits, syntax);
}

constexpr std::array<std::string_view, 1> extensions{".mbox"};

constexpr FormatDeclaration declaration{.name = "mbox",
                                        .extensions = extensions,
                                        .summary = "mailboxes, a message a record",
                                        .made_texts = true};

}  // namespace

extern const FormatEntry mbox_format;
const FormatEntry mbox_format{.declaration = &declaration,
                              .make = make_reader_of_mbox,
                              .decode = decode_mbox,
                              .missing = mail_missing};

}  // namespace twinset
