// The canonical form of a word: the same however the word is written.
//
//   std::string out;
//   append_canonical("E\u0301tude", LetterCase::fold, out);  // "\u00E9tude", composed
//
// It is Unicode's canonical caseless form (definition D145: decompose, fold in full,
// decompose again) without ignorable characters (but the tags that tell flags apart) and marks that
// follow no letter, written composed (NFC): most text is already in that form, and then its bytes
// are canonical.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

enum class LetterCase : std::uint8_t { keep, fold };

/// Appends the canonical form of one word: the bytes of one token, or of a symbol and
/// its marks. Range: UTF-8. O(bytes), but O(n log n) in marks that follow each other.
void append_canonical(std::string_view word, LetterCase letter_case, std::string& out);

/// The hash (text/token_hash.h) of the canonical form.
std::uint64_t canonical_hash(std::string_view word, LetterCase letter_case);

}  // namespace twinset
