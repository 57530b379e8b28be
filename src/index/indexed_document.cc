// This file's interface is index/indexed_document.h.
#include "index/indexed_document.h"

#include <cstring>
#include <span>

#include "base/plain_bytes.h"
#include "base/varint.h"

namespace twinset {
namespace {

/// A text's markup is in the lowest bits of its size.
constexpr unsigned markup_bits = 2;

/// The hashes, which come first.
struct Hashes {
  std::uint64_t bytes = 0;
  Fingerprint tokens;
};

}  // namespace

void append_document(const IndexedDocument& document, std::string& out) {
  out += bytes_of(Hashes{document.bytes_hash, document.tokens_hash});
  append_varint(document.text_bytes << markup_bits | static_cast<std::uint64_t>(document.markup),
                out);
  append_varint(document.tokens, out);
  for (const std::string_view part : {document.id, document.url, document.date, document.fields}) {
    append_varint(part.size(), out);
    out += part;
  }
}

bool read_document(std::string_view bytes, IndexedDocument& out) {
  Hashes hashes;
  if (bytes.size() < sizeof hashes) return false;
  std::memcpy(&hashes, bytes.data(), sizeof hashes);
  out.bytes_hash = hashes.bytes;
  out.tokens_hash = hashes.tokens;
  std::span<const std::uint8_t> rest(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                     bytes.size());
  rest = rest.subspan(sizeof hashes);
  if (!take_varint(rest, out.text_bytes) || !take_varint(rest, out.tokens)) return false;
  const std::uint64_t markup = out.text_bytes & ((1U << markup_bits) - 1);
  if (markup > static_cast<std::uint64_t>(Markup::loose_xhtml)) return false;
  out.markup = static_cast<Markup>(markup);
  out.text_bytes >>= markup_bits;
  for (std::string_view* part : {&out.id, &out.url, &out.date, &out.fields}) {
    std::uint64_t size = 0;
    if (!take_varint(rest, size) || size > rest.size()) return false;
    *part = {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(size)};
    rest = rest.subspan(static_cast<std::size_t>(size));
  }
  return rest.empty();
}

IndexDocument named_document(const IndexedDocument& document) {
  return {std::string(document.id), std::string(document.url), std::string(document.date),
          std::string(document.fields)};
}

std::uint64_t name_key(std::string_view name) { return checksum(name); }

}  // namespace twinset
