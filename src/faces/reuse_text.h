// Numbers and words that the texts of discovery and detection share.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

/// An expected number of false matches: "0" of none, "2.4e-18", "0.013", "44".
std::string expected_text(double expected);

/// A count and its words, as a line of either.
std::string reuse_line(std::uint64_t count, const std::string& what);
/// The same with one word for one and another for all other counts.
std::string reuse_line(std::uint64_t count, const char* one, const char* more,
                       const std::string& rest = "");

/// A label's first words on one line, safe for a terminal: at most so many bytes.
std::string words_text(std::string_view text, std::size_t most_bytes);

}  // namespace twinset
