// Shares and paragraphs in tables of text. Shares are cut, never rounded, to four decimals: 1.0000
// means all.
//
//   share_columns({998, 1000, .992, 1});      // "0.9980 .992-1.00"
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "twinset/evaluate.h"

namespace twinset {

/// Columns of a page of text.
inline constexpr std::size_t page_width = 100;

/// "0.9980"; the share must be known.
std::string cut_share(const Share& share);
/// ".954-1.00": each end is cut outward.
std::string interval_text(double low, double high);
/// "0.9983 .992-1.00", 16 columns; a dash if the total is 0.
std::string share_columns(const Share& share);

/// Appends a line without blanks at its end.
void append_line(std::string& out, std::string line);
/// Appends words, broken into lines of the page's width.
void append_paragraph(std::string& out, std::string_view text);

}  // namespace twinset
