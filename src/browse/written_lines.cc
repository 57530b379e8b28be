#include "browse/written_lines.h"

#include <charconv>

#include "io/json_scan.h"
#include "join/fate.h"

namespace twinset {
namespace {

constexpr std::size_t fingerprint_digits = 16;

/// What is left of a line.
class Left {
 public:
  explicit Left(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  bool take(std::string_view text) {
    if (static_cast<std::size_t>(end_ - at_) < text.size()) return false;
    if (std::string_view(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }
  bool value(std::string_view& out) {
    if (plain_string(out)) return true;
    JsonFault fault;
    const JsonValue found = scan_json_value(at_, end_, max_json_depth, fault);
    out = found.raw;
    at_ += found.raw.size();
    return found.kind != JsonKind::none;
  }
  /// A string without escapes, its quotes left out.
  bool text(std::string_view& out) {
    if (!value(out) || out.size() < 2 || out.front() != '"') return false;
    out = out.substr(1, out.size() - 2);
    return out.find('\\') == std::string_view::npos;
  }
  template <class Number>
  bool number(Number& out) {
    const auto read = std::from_chars(at_, end_, out);
    if (read.ec != std::errc() || read.ptr == at_) return false;
    at_ = read.ptr;
    return true;
  }
  bool fingerprint(std::uint64_t& out) {
    if (static_cast<std::size_t>(end_ - at_) < fingerprint_digits) return false;
    const auto read = std::from_chars(at_, at_ + fingerprint_digits, out, 16);
    if (read.ec != std::errc() || read.ptr != at_ + fingerprint_digits) return false;
    at_ = read.ptr;
    return true;
  }
  bool ended() const { return at_ == end_; }

 private:
  /// Most strings: without escapes.
  bool plain_string(std::string_view& out) {
    if (at_ == end_ || *at_ != '"') return false;
    const char* p = at_ + 1;
    while (p != end_ && *p != '"' && *p != '\\' && static_cast<unsigned char>(*p) >= ' ') ++p;
    if (p == end_ || *p != '"') return false;
    out = std::string_view(at_, static_cast<std::size_t>(p + 1 - at_));
    at_ = p + 1;
    return true;
  }

  const char* at_;
  const char* end_;
};

bool take_place(Left& left, WrittenName& out) {
  return left.take("{\"id\": ") && left.value(out.id) && left.take(", \"file\": ") &&
         left.text(out.file) && left.take(", \"record\": ") && left.number(out.record);
}

}  // namespace

bool read_written_name(std::string_view line, WrittenName& out) {
  Left left(line);
  return take_place(left, out) && left.take(", \"fingerprint\": \"") &&
         left.fingerprint(out.fingerprint) && left.take("\"}") && left.ended();
}

bool read_written_removal(std::string_view line, WrittenRemoval& out) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (!line.ends_with('}')) return false;
  Left left(line);
  std::string_view skipped;
  std::uint64_t record = 0;
  std::string_view kind;
  if (!take_place(left, out.document) || !left.take(", \"kind\": ") || !left.text(kind) ||
      !left.take(", \"survivor_id\": ") || !left.value(skipped) ||
      !left.take(", \"survivor_file\": ") || !left.value(skipped) ||
      !left.take(", \"survivor_record\": ") || !left.number(record) ||
      !left.take(", \"resemblance\": ") || !left.number(out.resemblance)) {
    return false;
  }
  for (const RemovalKind known :
       {RemovalKind::identical, RemovalKind::lexical, RemovalKind::near, RemovalKind::contained}) {
    if (kind != name_of(known)) continue;
    out.kind = known;
    return true;
  }
  return false;
}

}  // namespace twinset
