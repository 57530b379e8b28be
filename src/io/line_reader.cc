// Splitting looks for line ends only (io/piece_reader.h has the rest).
//
// This file's interface is io/line_reader.h; the rest is private.
#include "io/line_reader.h"

#include <utility>

#include "io/json_scan.h"

namespace twinset {
namespace {

bool is_blank(std::string_view line) {
  return skip_json_space(line.data(), line.data() + line.size()) == line.data() + line.size();
}

class LineScanner final : public PieceScanner {
 public:
  RecordPiece next(std::string_view bytes, Rest rest) override {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos && rest != Rest::end) return {};
    const std::string_view line = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
    return {line.size(),
            is_blank(line_of(line)) ? RecordPiece::Kind::blank : RecordPiece::Kind::record};
  }

  Found find(std::string_view bytes, Rest) override {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return {bytes.size(), false};
    return {end + 1, true};
  }
};

}  // namespace

std::unique_ptr<Reader> make_line_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits, DecodeBatch decode) {
  return make_piece_reader(std::move(bytes), limits, std::make_unique<LineScanner>(), decode);
}

std::string_view line_of(std::string_view raw) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (raw.starts_with(byte_order_mark)) raw.remove_prefix(byte_order_mark.size());
  return raw;
}

}  // namespace twinset
