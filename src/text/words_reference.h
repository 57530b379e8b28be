// The analyzer `words`, written to be obviously right: a code point at a time.
// It defines the tokens; text/words_kernel.h makes the same ones twenty times as
// fast, and tests hold the two equal.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/analyzer.h"

namespace twinset {

/// Tokens are maximal runs of word characters, and single ideographs
/// (text/unicode_table.h); their bytes are those of the folded code points, less
/// the ignorable ones; their hash is text/token_hash.h's. An ignorable behind a
/// word character belongs to the word, so offsets include it; elsewhere it is
/// skipped. Invalid UTF-8 is counted and separates. Replaces `out`.
void words_reference(std::string_view text, Offsets offsets, Analysis& out);

/// Appends the folded bytes of the one token whose bytes in the text are `token`.
void append_folded_token(std::string_view token, std::string& out);

/// The hash of the one token whose bytes in the text are `token`.
std::uint64_t folded_token_hash(std::string_view token);

}  // namespace twinset
