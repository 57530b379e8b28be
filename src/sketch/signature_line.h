// A line of twinset sketch, read again (docs/formats/signatures.md).
//
//   SignatureLine line;
//   if (!read_signature_line(text, line)) ...   // text is no such line
//   // line.name == "\"id\": 7, \"file\": \"a.jsonl\", \"record\": 3"
//
// Threads: a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {

/// The document that a line names, and the words of its signature.
struct SignatureLine {
  std::string name;  ///< members of a JSON object: "id", "file" and "record"
  std::string scheme;
  std::string fingerprint;
  /// Empty: there is no signature, or the scheme's are neither near nor equal to others. Of a list
  /// of signatures a word each; 0 is none.
  std::vector<std::uint64_t> words;
};

/// Replaces `line`; false, with `line` in any state, if `text` is none. Any bytes are accepted.
bool read_signature_line(std::string_view text, SignatureLine& line);

}  // namespace twinset
