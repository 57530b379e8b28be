// NITF, the News Industry Text Format: a story in XML a file, with its fields (io/news_elements.h).
//
// This file's interface is io/reader.h (nitf_format); the rest is private.
#include <array>

#include "io/bytes.h"
#include "io/decoded_text.h"
#include "io/format_list.h"
#include "io/news_elements.h"
#include "io/scratch.h"

namespace twinset {

extern const FormatEntry text_format;

namespace {

void decode_nitf(const FieldNames& fields, RecordBatch& batch) {
  batch.scratch->fields.clear();
  batch.scratch->fields.reserve(fields.named.size() * batch.records.size());
  for (Record& record : batch.records) {
    if (record.bad != BadReason::none) continue;
    // The declaration of XML may name the charset, as a page's does.
    record.markup = Markup::xhtml;
    set_text(record.raw, Charset::unknown, record, batch);
    record.markup = Markup::none;
    const FoundCharset charset = record.charset;
    decode_story(NewsStory(record.text), fields, record, batch);
    record.charset = charset;
  }
}

/// The reader of texts, whose records are decoded as stories.
class StoryReader final : public Reader {
 public:
  explicit StoryReader(std::unique_ptr<Reader> reader) : reader_(std::move(reader)) {}
  Result<bool> read(RecordBatch& batch) override { return reader_->read(batch); }
  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    decode_nitf(fields, batch);
  }

 private:
  const std::unique_ptr<Reader> reader_;
};

// text_format is used only when called: it may be initialized after this format.
std::unique_ptr<Reader> make_nitf_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits) {
  return std::make_unique<StoryReader>(text_format.make(std::move(bytes), limits));
}

constexpr std::array<std::string_view, 1> extensions{".nitf"};

constexpr FormatDeclaration declaration{.name = "nitf",
                                        .extensions = extensions,
                                        .summary = "NITF: a news story in XML a file",
                                        .one_document = true,
                                        .made_texts = true};

}  // namespace

extern const FormatEntry nitf_format;
const FormatEntry nitf_format{&declaration, make_nitf_reader, decode_nitf};

}  // namespace twinset
