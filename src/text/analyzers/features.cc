// Features instead of words (B section 6): a document is a list of ids of any kind - phonemes,
// frames of a video, lines of a program, keys of a database - written as a JSON array of integers
// and strings:
//
//   [17, -4, 123456789012345678901234567890, "C#m7", 17]
//
// Each element is a token; with shingles of one token a document's shingles are its
// features, and resemblance is the exact Jaccard resemblance of the two sets of
// ids. Equal elements are equal ids, and nothing else is: 7 and "7" are two
// features, "a" and "\u0061" are one, -0 is 0, integers have any size.
//
// A token's hash covers its canonical bytes: an integer's digits; a string's decoded bytes after a
// quotation mark, with which no integer begins. Readers reject everything but JSON arrays
// (io/feature_list.h), so this code only has to be safe on other bytes: it splits them at brackets,
// commas and white space.
//
// This file's interface is text/analyzer.h; the rest is private.
#include <algorithm>
#include <string>

#include "text/analyzer_list.h"
#include "text/token_hash.h"
#include "text/utf8.h"

namespace twinset {
namespace {

bool is_between(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '[' || c == ']' || c == ',';
}

/// The end of the string that begins with the quotation mark at `begin`.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return text.size();
}

std::size_t end_of_number(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && !is_between(text[end]) && text[end] != '"') ++end;
  return end;
}

/// Four hexadecimal digits at `at`, or nothing.
bool read_hex(std::string_view text, std::size_t at, std::uint32_t& value) {
  if (text.size() < at + 4) return false;
  value = 0;
  for (const char c : text.substr(at, 4)) {
    std::uint32_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<std::uint32_t>(c - '0');
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      digit = static_cast<std::uint32_t>((c | 0x20) - 'a' + 10);
    } else {
      return false;
    }
    value = value << 4 | digit;
  }
  return true;
}

/// Appends the meaning of the escape at `at`, a backslash; returns its end. An unpaired surrogate
/// becomes the bytes that UTF-8 would give it; an invalid escape stays as written.
std::size_t append_escape(std::string_view text, std::size_t at, std::string& out) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  const char letter = at + 1 < text.size() ? text[at + 1] : '\0';
  std::uint32_t code_point = 0;
  if (letter == 'u' && read_hex(text, at + 2, code_point)) {
    at += 6;
    std::uint32_t low = 0;
    if (code_point >= 0xD800 && code_point < 0xDC00 && text.substr(at, 2) == "\\u" &&
        read_hex(text, at + 2, low) && low >= 0xDC00 && low < 0xE000) {
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
      at += 6;
    }
    std::uint8_t bytes[utf8::max_bytes];
    const std::uint32_t count = utf8::encode(code_point, bytes);
    out.append(reinterpret_cast<const char*>(bytes), count);
    return at;
  }
  const std::size_t known = letters.find(letter);
  if (letter != '\0' && known != std::string_view::npos) {
    out += meant[known];
    return at + 2;
  }
  out += '\\';
  return at + 1;
}

/// A string's bytes, between its quotation marks, decoded.
void append_decoded(std::string_view body, std::string& out) {
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t escape = std::min(body.find('\\', at), body.size());
    out += body.substr(at, escape - at);
    at = escape == body.size() ? escape : append_escape(body, escape, out);
  }
}

/// The bytes between a string's quotation marks; up to its end if the second is missing.
std::string_view body_of(std::string_view quoted) {
  quoted.remove_prefix(1);
  std::size_t end = 0;
  while (end < quoted.size() && quoted[end] != '"') end += quoted[end] == '\\' ? 2 : 1;
  return quoted.substr(0, end);
}

std::string_view canonical_number(std::string_view digits) {
  return digits == "-0" ? digits.substr(1) : digits;
}

std::uint64_t hash_of(std::string_view token, std::string& scratch) {
  if (token.front() != '"') return token_hash(canonical_number(token));
  const std::string_view body = body_of(token);
  scratch = '"';
  append_decoded(body, scratch);
  return token_hash(scratch);
}

class Features final : public Analyzer {
 public:
  std::string_view name() const override { return "features"; }
  std::uint32_t version() const override { return 1; }
  std::string_view summary() const override {
    return "a JSON array of integers and strings: each element a token, in shingles of one token";
  }
  bool takes_features() const override { return true; }

  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    out.tokens.clear();
    out.offsets.clear();
    out.replaced = 0;
    std::string scratch;
    for (std::size_t at = 0; at < text.size();) {
      if (is_between(text[at])) {
        ++at;
        continue;
      }
      const std::size_t end = text[at] == '"' ? end_of_string(text, at) : end_of_number(text, at);
      out.tokens.push_back(hash_of(text.substr(at, end - at), scratch));
      if (offsets == Offsets::keep) {
        out.offsets.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
      }
      at = end;
    }
  }

  /// A string without its quotation marks.
  void append_token(std::string_view text, TokenOffsets offsets, std::string& out) const override {
    const std::string_view token = text.substr(offsets.begin, offsets.end - offsets.begin);
    if (token.starts_with('"')) {
      append_decoded(body_of(token), out);
    } else {
      out += canonical_number(token);
    }
  }
};

const Features features;

}  // namespace

extern const AnalyzerEntry features_analyzer;
const AnalyzerEntry features_analyzer{features};

}  // namespace twinset
