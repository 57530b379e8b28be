// Mails in files of their own, as mail programs save them (.eml), and the messages of a Maildir.
// The whole file is one document, record 1, and is written back as it is.
//
// This file's interface is io/reader.h (eml_format); the rest is private.
#include <array>
#include <utility>

#include "io/bytes.h"
#include "io/format_list.h"
#include "io/mail_record.h"

namespace twinset {

extern const FormatEntry text_format;

namespace {

void decode_eml(const FieldNames& fields, RecordBatch& batch) {
  decode_mails(fields, /*mailbox=*/false, batch);
}

/// Reads files as text is read, and decodes them as mails.
class EmlReader final : public Reader {
 public:
  explicit EmlReader(std::unique_ptr<Reader> reader, const ReaderLimits& limits)
      : reader_(std::move(reader)), limits_(limits) {}

  Result<bool> read(RecordBatch& batch) override {
    Result<bool> more = reader_->read(batch);
    for (Record& record : batch.records) {
      if (record.bad != BadReason::none) continue;
      record.text_bytes = mail_text_bytes(record.raw);
      if (record.text_bytes > limits_.max_record_bytes) {
        record.bad = BadReason::record_too_long;
      } else if (record.text_bytes > limits_.max_held_bytes) {
        record.bad = BadReason::over_memory;
      }
    }
    return more;
  }
  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    decode_eml(fields, batch);
  }

 private:
  const std::unique_ptr<Reader> reader_;
  const ReaderLimits limits_;
};

// text_format is used only when called: it may be initialized after this format.
std::unique_ptr<Reader> make_eml_reader(std::unique_ptr<ByteSource> bytes,
                                        const ReaderLimits& limits) {
  return std::make_unique<EmlReader>(text_format.make(std::move(bytes), limits), limits);
}

constexpr std::array<std::string_view, 1> extensions{".eml"};

constexpr FormatDeclaration declaration{.name = "eml",
                                        .extensions = extensions,
                                        .summary = "one mail a file, and the mails of a Maildir",
                                        .one_document = true,
                                        .made_texts = true};

}  // namespace

extern const FormatEntry eml_format;
const FormatEntry eml_format{.declaration = &declaration,
                             .make = make_eml_reader,
                             .decode = decode_eml,
                             .missing = mail_missing};

}  // namespace twinset
