// Bytes as text of 64 plain characters (RFC 4648, section 4).
//
//   append_base64(out, bytes);   // "foob" is Zm9vYg==
//   from_base64("Zm9vYg")        // "foob"
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace twinset {

/// With padding.
void append_base64(std::string& out, std::span<const std::uint8_t> bytes);

/// With or without the padding; nullopt: another character.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace twinset
