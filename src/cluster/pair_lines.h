// pairs.jsonl.zst: what cluster counted, and all that recut needs, a line for each
// document that is in a pair or a copy (docs/formats/pairs.md).
//
//   {"id": "d2", "number": 1, "fingerprint": "59b2a0c3..."}
//   {"id": "d7", "number": 6, "fingerprint": "...", "pairs": [[1, 12, 14, 15], [3, 9, 14, 14]]}
//   {"id": "d9", "number": 8, "fingerprint": "...", "identical": 1}
//
// The fingerprint is of the record's bytes; older files lack it. The number is the document's
// place among all lines of all inputs, from 0; lines are in this order. A pair is [the other
// document's number, which is smaller; shared keys; keys of this document; keys of the other],
// or shingles in place of keys if pairs were verified. A copy, identical or lexical, names the
// document that stands for it and has no pairs of its own.
//
// Threads: pure functions; a PairLine is reused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "join/documents.h"
#include "join/shared_keys.h"
#include "twinset/result.h"

namespace twinset {

struct PairLine {
  std::uint32_t number = 0;
  std::uint64_t fingerprint = 0;  ///< of the record's bytes; 0: not known
  Fate kind = Fate::near;         ///< identical or lexical: a copy of `original`
  std::uint32_t original = 0;
  std::vector<SharedPair> pairs;  ///< a is `number`
};

/// `id` is a JSON value as written.
void append_pair_line(std::string& out, const PairLine& line, std::string_view id);

/// Reads line `number_in_file` of `file` back; replaces `line`; `id` points into
/// `raw`. Error (io) names the place.
Status read_pair_line(std::string_view raw, const std::string& file, std::uint64_t number_in_file,
                      PairLine& line, std::string_view& id);

}  // namespace twinset
