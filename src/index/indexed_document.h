// A document as an index holds it: everything but its sketches, its keys and its text.
//
//   append_document(document, out);
//   IndexedDocument read;
//   if (!read_document(out, read)) ...               // damaged
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "text/markup.h"
#include "twinset/index.h"

namespace twinset {

/// Views of the bytes that it was read from.
struct IndexedDocument {
  std::string_view id;           ///< a JSON value
  std::string_view url;          ///< empty: none
  std::string_view date;         ///< as the record has it; empty: none
  std::string_view fields;       ///< the chosen ones, a JSON object; empty: none
  Markup markup = Markup::none;  ///< of its text
  std::uint64_t text_bytes = 0;
  std::uint64_t tokens = 0;
  std::uint64_t bytes_hash = 0;  ///< of the text's bytes
  Fingerprint tokens_hash;       ///< RecordView::lexical_fingerprint()

  bool operator==(const IndexedDocument&) const = default;
};

void append_document(const IndexedDocument& document, std::string& out);
/// False if `bytes` are not one whole document.
bool read_document(std::string_view bytes, IndexedDocument& out);

/// The names of a document, for callers.
IndexDocument named_document(const IndexedDocument& document);

/// The keys under which a document is found by its id, its URL, and its tokens.
std::uint64_t name_key(std::string_view name);
inline std::uint64_t tokens_key(const Fingerprint& tokens) { return tokens.high; }

}  // namespace twinset
