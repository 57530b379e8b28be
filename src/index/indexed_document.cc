// This file's interface is index/indexed_document.h.
#include "index/indexed_document.h"

#include <cstring>
#include <span>
#include <tuple>

#include "base/plain_bytes.h"
#include "base/sized_text.h"
#include "base/varint.h"
#include "io/json.h"
#include "io/json_string.h"

namespace twinset {
namespace {

/// A text's markup is in the lowest bits of its size.
constexpr unsigned markup_bits = 2;
/// Beside a fate.
constexpr unsigned folded_bit = 0x80;

/// The hashes, which come first.
struct Hashes {
  Fingerprint bytes;
  Fingerprint tokens;
};

/// What a removed document has at its end. False if that is damaged.
bool take_survivor(std::span<const std::uint8_t> rest, std::optional<Survivor>& out) {
  out.reset();
  if (rest.empty()) return true;
  Survivor survivor{.fate = static_cast<Fate>(rest.front() & ~folded_bit),
                    .folded = (rest.front() & folded_bit) != 0};
  rest = rest.subspan(1);
  if (!is_removed(survivor.fate) || !take_varint(rest, survivor.serial)) return false;
  if (is_judged_out(survivor.fate)) {
    if (rest.size() != sizeof survivor.link) return false;
    std::memcpy(&survivor.link, rest.data(), sizeof survivor.link);
    if (survivor.link.kind > LinkKind::nothing) return false;
    rest = {};
  }
  out = survivor;
  return rest.empty();
}

}  // namespace

void append_document(const IndexedDocument& document, std::string& out) {
  out += bytes_of(Hashes{document.bytes_hash, document.tokens_hash});
  append_varint(document.text_bytes << markup_bits | static_cast<std::uint64_t>(document.markup),
                out);
  append_varint(document.tokens, out);
  append_varint(document.serial, out);
  for (const std::string_view part : {document.id, document.url, document.date, document.fields}) {
    append_sized(part, out);
  }
  if (!document.survivor.has_value()) return;
  out += static_cast<char>(static_cast<unsigned>(document.survivor->fate) |
                           (document.survivor->folded ? folded_bit : 0));
  append_varint(document.survivor->serial, out);
  if (is_judged_out(document.survivor->fate)) out += bytes_of(document.survivor->link);
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
  for (std::uint64_t* number : {&out.text_bytes, &out.tokens, &out.serial}) {
    if (!take_varint(rest, *number)) return false;
  }
  const std::uint64_t markup = out.text_bytes & ((1U << markup_bits) - 1);
  if (markup > static_cast<std::uint64_t>(Markup::loose_xhtml)) return false;
  out.markup = static_cast<Markup>(markup);
  out.text_bytes >>= markup_bits;
  for (std::string_view* part : {&out.id, &out.url, &out.date, &out.fields}) {
    if (!take_sized(rest, *part)) return false;
  }
  return take_survivor(rest, out.survivor);
}

bool IndexedDocument::repeats(const IndexedDocument& other) const {
  const auto content = [](const IndexedDocument& of) {
    return std::tie(of.bytes_hash, of.tokens_hash, of.id, of.url, of.date, of.fields, of.markup,
                    of.text_bytes, of.tokens);
  };
  return !survivor.has_value() && !other.survivor.has_value() && content(*this) == content(other);
}

IndexDocument named_document(const IndexedDocument& document) {
  return {std::string(document.id),
          std::string(document.url),
          std::string(document.date),
          std::string(document.fields),
          {}};
}

void append_id(std::string_view json, std::string& out) {
  if (!json.starts_with('"')) {
    out += json;
    return;
  }
  std::string id;
  append_json_token_value(id, json);
  append_json_string(out, id);
}

std::uint64_t name_key(std::string_view name) { return checksum(name); }

}  // namespace twinset
