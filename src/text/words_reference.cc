// One loop over code points and one open token: read the class, then close,
// extend or start a token.
//
// This file's interface is text/words_reference.h; the rest is private.
#include "text/words_reference.h"

#include <optional>

#include "text/token_hash.h"
#include "text/unicode_table.h"
#include "text/utf8.h"

namespace twinset {
namespace {

void add_folded(std::uint32_t code_point, TokenHasher& hasher) {
  std::uint8_t bytes[utf8::max_bytes];
  const std::uint32_t count = utf8::encode(unicode::fold(code_point), bytes);
  hasher.add(bytes, count);
}

/// A token being read: its offsets so far and the hash of its folded bytes.
struct OpenToken {
  TokenOffsets offsets;
  TokenHasher hasher;
};

void close(std::optional<OpenToken>& token, Offsets offsets, Analysis& out) {
  if (!token) return;
  out.tokens.push_back(token->hasher.value());
  if (offsets == Offsets::keep) out.offsets.push_back(token->offsets);
  token.reset();
}

}  // namespace

void words_reference(std::string_view text, Offsets offsets, Analysis& out) {
  out.tokens.clear();
  out.offsets.clear();
  out.replaced = 0;

  std::optional<OpenToken> token;
  std::uint32_t position = 0;
  while (position < text.size()) {
    const utf8::Decoded decoded = utf8::decode(text, position);
    const std::uint32_t begin = position;
    position += decoded.bytes;
    if (!decoded.valid) ++out.replaced;

    // U+FFFD, which stands for what is invalid, is a separator.
    switch (unicode::word_class(decoded.code_point)) {
      case unicode::WordClass::separator:
        close(token, offsets, out);
        break;
      case unicode::WordClass::word:
        if (!token) token.emplace().offsets.begin = begin;
        token->offsets.end = position;
        add_folded(decoded.code_point, token->hasher);
        break;
      case unicode::WordClass::ideograph:
        close(token, offsets, out);
        token.emplace().offsets = {begin, position};
        add_folded(decoded.code_point, token->hasher);
        close(token, offsets, out);
        break;
      case unicode::WordClass::ignorable:
        if (token) token->offsets.end = position;
        break;
    }
  }
  close(token, offsets, out);
}

void append_folded_token(std::string_view token, std::string& out) {
  for (std::size_t position = 0; position < token.size();) {
    const utf8::Decoded decoded = utf8::decode(token, position);
    position += decoded.bytes;
    if (unicode::word_class(decoded.code_point) == unicode::WordClass::ignorable) continue;
    std::uint8_t bytes[utf8::max_bytes];
    const std::uint32_t count = utf8::encode(unicode::fold(decoded.code_point), bytes);
    out.append(reinterpret_cast<const char*>(bytes), count);
  }
}

std::uint64_t folded_token_hash(std::string_view token) {
  std::string folded;
  append_folded_token(token, folded);
  return token_hash(folded);
}

}  // namespace twinset
