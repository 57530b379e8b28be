// A document as an index holds it: everything but its sketches, its keys and its text.
//
//   append_document(document, out);
//   IndexedDocument read;
//   if (!read_document(out, read)) ...               // damaged
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "join/fate.h"
#include "join/link.h"
#include "text/markup.h"
#include "twinset/index.h"

namespace twinset {

/// Of a document that was removed: the one that stays in its place.
struct Survivor {
  std::uint64_t serial = 0;  ///< IndexedDocument::serial of it
  Fate fate = Fate::near;    ///< of the removed one
  Link link{};               ///< between them, if it is near or contained
  /// It equals another document before it, by whose keys and tokens both are found.
  bool folded = false;
};

/// Views of the bytes that it was read from.
struct IndexedDocument {
  std::string_view id;           ///< a JSON value
  std::string_view url;          ///< empty: none
  std::string_view date;         ///< as the record has it; empty: none
  std::string_view fields;       ///< the chosen ones, a JSON object; empty: none
  Markup markup = Markup::none;  ///< of its text
  std::uint64_t text_bytes = 0;
  std::uint64_t tokens = 0;
  Fingerprint bytes_hash{};  ///< identical_fingerprint() of the text
  Fingerprint tokens_hash;   ///< RecordView::lexical_fingerprint()
  std::uint64_t serial = 0;  ///< its number in the order of adding, in all the life of the index
  /// It was removed: its keys, if it has any, lead to another document, and nothing else finds it
  /// but its names.
  std::optional<Survivor> survivor{};

  /// Are they of the same names, text and fields? No removed one is.
  bool repeats(const IndexedDocument& other) const;
};

void append_document(const IndexedDocument& document, std::string& out);
/// False if `bytes` are not one whole document.
bool read_document(std::string_view bytes, IndexedDocument& out);

/// The names of a document, for callers, without its survivor.
IndexDocument named_document(const IndexedDocument& document);

/// Appends an id, a JSON value, in one form whatever escapes its writer chose.
void append_id(std::string_view json, std::string& out);

/// The keys under which a document is found by its id, its URL, and its tokens.
std::uint64_t name_key(std::string_view name);
inline std::uint64_t tokens_key(const Fingerprint& tokens) { return tokens.high; }

}  // namespace twinset
