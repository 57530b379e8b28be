// Tells a file with a text a line from a text that has lines: people keep sentences, queries and
// messages so, and read as one text they are one document.
//
//   has_text_per_line(queries)   // true: 5,000 lines of three to nine words
//   has_text_per_line(novel)     // false: blank lines, or lines that end at a margin
//
// Threads: pure functions.
#pragma once

#include <string_view>

namespace twinset {

/// Are these at least 1,000 lines of words, each of at most a sentence or two, that no margin
/// ended? False of word lists, of wrapped prose, of code and of tables. Looks at the first 512 KiB.
bool has_text_per_line(std::string_view text);

}  // namespace twinset
