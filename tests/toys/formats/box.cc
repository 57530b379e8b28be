// A toy format: notes between lines of dashes. The dashes belong to the file, not to a note, so
// they are carried to the output.
//
// Threads: as a Reader.
#include <array>
#include <string>

#include "io/bytes.h"
#include "io/format_list.h"
#include "io/scratch.h"

namespace twinset {
namespace {

void decode_box(const FieldNames&, RecordBatch& batch) {
  for (Record& record : batch.records) {
    if (!record.carried) record.text = record.raw;
  }
}

class BoxReader final : public Reader {
 public:
  explicit BoxReader(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {}

  /// The whole file in one batch: a toy.
  Result<bool> read(RecordBatch& batch) override {
    prepare_batch(batch, 0);
    batch.lines = records_;
    if (finished_) return false;
    finished_ = true;
    std::string all;
    std::string piece(1 << 16, '\0');
    for (;;) {
      Result<std::size_t> got = bytes_->read(piece.data(), piece.size());
      TWINSET_TRY(got);
      if (got.value() == 0) break;
      all.append(piece, 0, got.value());
    }
    prepare_batch(batch, all.size());
    all.copy(batch.bytes.data(), all.size());
    split(batch, all.size());
    batch.lines = records_;
    batch.stored_bytes = bytes_->stored_bytes_read();
    return true;
  }
  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    decode_box(fields, batch);
  }

 private:
  void split(RecordBatch& batch, std::size_t size) {
    const std::string_view bytes = std::string_view(batch.bytes).substr(0, size);
    for (std::size_t at = 0; at < size;) {
      const bool dashes = bytes.substr(at).starts_with("--");
      std::size_t end = dashes ? bytes.find('\n', at) : bytes.find("\n--", at);
      end = end == std::string_view::npos ? size : end + 1;
      Record& record = batch.records.emplace_back();
      record.number = ++records_;
      record.offset = at;
      record.length = end - at;
      record.raw = bytes.substr(at, end - at);
      record.carried = dashes;
      at = end;
    }
  }

  const std::unique_ptr<ByteSource> bytes_;
  std::uint64_t records_ = 0;
  bool finished_ = false;
};

std::unique_ptr<Reader> make_box_reader(std::unique_ptr<ByteSource> bytes, const ReaderLimits&) {
  return std::make_unique<BoxReader>(std::move(bytes));
}

constexpr std::array<std::string_view, 1> extensions{".box"};
constexpr FormatDeclaration declaration{
    .name = "box", .extensions = extensions, .summary = "notes between lines of dashes"};

}  // namespace

extern const FormatEntry box_format;
const FormatEntry box_format{&declaration, make_box_reader, decode_box};

}  // namespace twinset
