// A signature as text, in lines that others can store (docs/formats/signatures.md).
//
// A distance is told by one signature, written as the hex digits of its bits; a coordinate by
// several, an array of them, with null for none at a place; all other stored forms are base64.
// Without a signature: null.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/scheme.h"

namespace twinset {

/// Appends the JSON value of a scheme's stored form; empty: there is no signature.
void append_signature_json(std::string& out, Tells tells, std::span<const std::uint8_t> stored);

/// Reads a string of whole hex words, such as "00ff..." of 16 digits, into `out`; false if it is
/// none.
bool read_hex_words(std::string_view text, std::vector<std::uint64_t>& out);

}  // namespace twinset
