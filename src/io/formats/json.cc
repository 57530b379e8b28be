// A JSON array of objects: each element is a record. Its bytes are the object and what stands
// before it: white space, and the comma after the element before. The bracket at the end is
// carried, and frames every output; that at the beginning is written by the sink, which drops the
// comma of the first element that it is given, and closes an array that ends without a bracket.
//
// Elements are checked as they are split, so that a damaged one is known where it is damaged. The
// next element is then the next object that is JSON, stands after the same bytes as the elements
// before, and begins with the same key: objects within the damaged one do not, or seldom.
//
// This file's interface is io/reader.h (json_format); the rest is private.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/bytes.h"
#include "io/format_list.h"
#include "io/json_fields.h"
#include "io/json_scan.h"
#include "io/line_reader.h"
#include "io/piece_reader.h"

namespace twinset {

extern const FormatEntry jsonl_format;

namespace {

/// If the bytes end within a token, its fault is so near to their end at most, but for a number's,
/// which is at its beginning.
constexpr std::size_t cut_token_bytes = 16;
/// Objects that are searched in damaged bytes are nested no deeper, as each may be read in vain.
constexpr std::size_t most_searched_depth = 64;
/// A separator or key is remembered up to so many bytes.
constexpr std::size_t most_shape_bytes = 256;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

std::size_t space_bytes(std::string_view bytes, std::size_t from = 0) {
  const char* const end = bytes.data() + bytes.size();
  return static_cast<std::size_t>(skip_json_space(bytes.data() + from, end) - bytes.data());
}

/// Where the value of an element begins: after white space, a comma and white space.
std::size_t value_begin(std::string_view bytes) { return bytes.size() - object_of(bytes).size(); }

JsonValue scan(std::string_view bytes, std::size_t depth, JsonFault& fault) {
  return scan_json_value(bytes.data(), bytes.data() + bytes.size(), depth, fault);
}

/// Is it perhaps no fault, since more bytes follow those that end here?
bool may_be_cut(std::string_view bytes, const JsonFault& fault) {
  const std::string_view token = bytes.substr(static_cast<std::size_t>(fault.at - bytes.data()));
  return token.size() <= cut_token_bytes ||
         token.find_first_not_of("+-.0123456789eE") == token.npos;
}

class ElementScanner final : public PieceScanner {
 public:
  RecordPiece next(std::string_view bytes, Rest rest) override {
    switch (state_) {
      case State::opening:
        return open(bytes, rest);
      case State::elements:
        return element(bytes, rest);
      case State::closed:
        return lost("bytes follow the end of the array");
    }
    return {};
  }

  void begin_search() override { searched_ = 1; }

  Found find(std::string_view bytes, Rest rest) override {
    if (state_ != State::elements) return {bytes.size(), false};
    for (std::size_t at = searched_; at < bytes.size(); ++at) {
      at = std::min(bytes.find(separator_.empty() ? "," : std::string_view(separator_), at),
                    bytes.size());
      if (at == bytes.size()) break;
      const std::string_view from = bytes.substr(at);
      const std::size_t begin = value_begin(from);
      const std::string_view value = from.substr(begin);
      bool undecided = value.size() < most_shape_bytes;
      // Before two elements have shown what separates them, the first may show that lines do.
      const bool on_a_line = from.substr(0, begin).find('\n') != from.npos ||
                             (at > 0 ? bytes[at - 1] : before_) == '\n';
      if ((separator_.empty() ? on_a_line || !on_lines_ : begin == separator_.size()) &&
          value.starts_with(key_.empty() ? "{" : std::string_view(key_))) {
        JsonFault fault;
        const JsonValue object = scan(value, most_searched_depth, fault);
        if (object.kind == JsonKind::object) {
          const std::size_t after = begin + object.raw.size();
          const std::size_t next = space_bytes(from, after);
          if (next < from.size() && (from[next] == ',' || from[next] == ']')) {
            searched_ = 1;
            return {at, true};
          }
          undecided = next == from.size();
        } else {
          undecided = may_be_cut(value, fault);
        }
      }
      if (undecided && (rest == Rest::more || (rest == Rest::full && at > 0))) {
        searched_ = 0;
        if (at > 0) before_ = bytes[at - 1];
        return {at, false};
      }
    }
    // A separator may begin in the last bytes.
    const std::size_t kept = rest == Rest::end ? 0 : separator_.size();
    std::size_t passed = bytes.size() - std::min(kept, bytes.size());
    if (rest == Rest::full) passed = std::max<std::size_t>(passed, 1);
    if (passed > 0) {
      searched_ = 0;
      before_ = bytes[passed - 1];
    }
    return {passed, false};
  }

  BadReason after_damage() const override { return BadReason::invalid_json; }

 private:
  enum class State : std::uint8_t { opening, elements, closed };

  RecordPiece open(std::string_view bytes, Rest rest) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (rest == Rest::more && bytes.size() < mark.size() && mark.starts_with(bytes)) return {};
    const std::size_t at = space_bytes(bytes, bytes.size() - line_of(bytes).size());
    if (at < bytes.size()) {
      if (bytes[at] != '[') return lost("no array begins here");
      state_ = State::elements;
      return {at + 1, RecordPiece::Kind::nothing};
    }
    return rest == Rest::end ? RecordPiece{at, RecordPiece::Kind::nothing} : RecordPiece();
  }

  RecordPiece element(std::string_view bytes, Rest rest) {
    const std::size_t begin = value_begin(bytes);
    const std::size_t mark = space_bytes(bytes);
    if (mark < bytes.size() && bytes[mark] == ']') return close(bytes, mark + 1, rest);
    if (begin == bytes.size()) {
      return rest == Rest::end ? lost("the array is not closed") : RecordPiece();
    }
    const bool comma = bytes[mark] == ',';
    if (comma == first_) return lost(comma ? "an element is missing" : "a comma is missing");
    JsonFault fault;
    const std::string_view from = bytes.substr(begin);
    const JsonValue value = scan(from, max_json_depth, fault);
    const bool to_the_end = value.raw.size() == from.size();
    if (value.kind == JsonKind::none) {
      if (rest != Rest::end && may_be_cut(from, fault)) return {};
      return lost(fault.what);
    }
    // The next digit of a number may follow.
    if (to_the_end && value.kind != JsonKind::object && rest != Rest::end) return {};
    if (first_) on_lines_ = bytes.substr(0, begin).find('\n') != bytes.npos;
    first_ = false;
    const std::size_t end = begin + value.raw.size();
    if (value.kind != JsonKind::object) {
      detail_ = "an element is " + std::string(json_kind_name(value.kind)) + ", not an object";
      return {end, RecordPiece::Kind::record, BadReason::invalid_json, detail_};
    }
    if (comma && begin <= most_shape_bytes) separator_ = bytes.substr(0, begin);
    const std::size_t colon = value.raw.find(':');
    if (colon != std::string_view::npos && colon < most_shape_bytes) {
      key_ = value.raw.substr(0, colon);
    }
    return {end};
  }

  /// The bracket and the white space around it.
  RecordPiece close(std::string_view bytes, std::size_t end, Rest rest) {
    const std::size_t after = space_bytes(bytes, end);
    if (after == bytes.size() && rest == Rest::more) return {};
    state_ = State::closed;
    return {after, RecordPiece::Kind::frame};
  }

  RecordPiece lost(std::string_view why) {
    detail_ = why;
    first_ = false;
    return {0, RecordPiece::Kind::lost, BadReason::invalid_json, detail_};
  }

  State state_ = State::opening;
  bool first_ = true;      ///< no element has come
  bool on_lines_ = false;  ///< a line end is before the first element
  std::string separator_;  ///< before an element, once one came after another
  std::string key_;        ///< an element begins with it
  std::size_t searched_ = 0;
  char before_ = '\0';  ///< the bytes that are searched
  std::string detail_;
};

/// Writes an array from brackets and elements, of which some are left out.
class ArraySink final : public ByteSink {
 public:
  explicit ArraySink(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {}

  Status write(std::string_view bytes) override {
    if (!opened_) TWINSET_TRY(sink_->write("["));
    opened_ = true;
    if (!within_) {
      const std::size_t at = space_bytes(bytes);
      TWINSET_TRY(sink_->write(bytes.substr(0, at)));
      within_ = at < bytes.size();
      bytes.remove_prefix(at + (within_ && bytes[at] == ',' ? 1 : 0));
    }
    const auto last = std::find_if_not(bytes.rbegin(), bytes.rend(), is_space);
    if (last != bytes.rend()) closed_ = *last == ']';
    return bytes.empty() ? Status() : sink_->write(bytes);
  }

  Status finish() override {
    if (opened_ && !closed_) TWINSET_TRY(sink_->write("\n]\n"));
    return sink_->finish();
  }

 private:
  const std::unique_ptr<ByteSink> sink_;
  bool opened_ = false;
  bool within_ = false;  ///< more than white space has come
  bool closed_ = false;  ///< the last byte that is no white space is a bracket
};

std::unique_ptr<ByteSink> wrap_array(std::unique_ptr<ByteSink> sink) {
  return std::make_unique<ArraySink>(std::move(sink));
}

/// jsonl_format is used only when called: it may be initialized after this format.
void decode_json(const FieldNames& fields, RecordBatch& batch) {
  std::vector<std::string_view> raws;
  for (Record& record : batch.records) {
    raws.push_back(record.raw);
    record.raw = record.raw.substr(value_begin(record.raw));
  }
  jsonl_format.decode(fields, batch);
  for (std::size_t i = 0; i < raws.size(); ++i) batch.records[i].raw = raws[i];
}

std::unique_ptr<Reader> make_json_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits) {
  return make_piece_reader(std::move(bytes), limits, std::make_unique<ElementScanner>(),
                           decode_json);
}

constexpr FormatDeclaration declaration{
    .name = "json", .extensions = {}, .summary = "a JSON array of objects, each a record"};

}  // namespace

extern const FormatEntry json_format;
const FormatEntry json_format{&declaration, make_json_reader, decode_json,
                              nullptr,      nullptr,          wrap_array};

}  // namespace twinset
