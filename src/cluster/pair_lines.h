// pairs.jsonl.zst: what cluster counted, and all that recut needs, a line for each
// document that is in a pair or a copy (docs/formats/pairs.md).
//
//   {"id": "d2", "input": 0, "record": 2, "fingerprint": "59b2a0c3..."}
//   {"id": "d7", "input": 0, "record": 7, "fingerprint": "...",
//    "pairs": [[0, 2, 12, 14, 15], [0, 4, 9, 14, 14]]}
//   {"id": "d9", "input": 1, "record": 3, "fingerprint": "...", "identical": [0, 2]}
//
// A document is named by its input's place in the "files" of summary.json, from 0, and its
// record there, from 1; lines are in this order. A pair is [input and record of the other
// document, which is earlier; shared keys; keys of this document; keys of the other], or
// shingles in place of keys if pairs were verified. A run with --mark-templates adds "rests", with
// the shingles of what is left of the two texts of each pair: [shared, of this one, of the other].
// A run with --lead adds the document's place in lead order, "rank", after the fingerprint. A copy,
// identical, lexical or by its shingles, names the document that stands for it and has no pairs of
// its own. The fingerprint is of the record's bytes.
//
// Threads: pure functions; a PairLine is reused.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "join/fate.h"
#include "join/link.h"
#include "join/threshold.h"
#include "system/files.h"
#include "twinset/field.h"
#include "twinset/result.h"

namespace twinset {

/// The other document of a pair, and what the two share.
struct PairedDocument {
  DocumentId document;
  Overlap keys;
};

struct PairLine {
  std::uint64_t number = 0;  ///< of the line in its file, from 1; not written
  std::string_view id;       ///< a JSON value as written
  std::uint64_t input = 0;   ///< of the document
  std::uint64_t record = 0;
  std::uint64_t fingerprint = 0;         ///< of the record's bytes; 0: not known
  std::optional<std::uint32_t> rank;     ///< in lead order, if the run has one
  std::vector<std::uint64_t> identical;  ///< of a copy: input and record of its original
  std::vector<std::uint64_t> lexical;
  std::vector<std::uint64_t> shingles;
  std::vector<PairedDocument> pairs;  ///< with earlier documents
  /// Of each pair the shingles of the texts without templates; empty if the run does not mark
  /// template pairs.
  std::vector<Overlap> rests;

  DocumentId document() const { return {input, record}; }
  /// Is the rest of a pair, by its place in `pairs`, known and below the threshold?
  bool is_template(std::size_t pair, const PairFloor& threshold) const {
    return !rests.empty() && !threshold.reached_by(rests[pair]);
  }
  /// Identical, lexical or shingles: a copy of original().
  Fate kind() const {
    return !identical.empty()  ? Fate::identical
           : !lexical.empty()  ? Fate::lexical
           : !shingles.empty() ? Fate::shingles
                               : Fate::near;
  }
  /// The original of a copy of this kind.
  std::vector<std::uint64_t>& original_as(Fate kind) {
    return kind == Fate::identical ? identical : kind == Fate::lexical ? lexical : shingles;
  }
  DocumentId original() const {
    const auto& copy = !identical.empty() ? identical : !lexical.empty() ? lexical : shingles;
    return {copy[0], copy[1]};
  }
};
std::vector<Field> fields_of(PairLine& line);

/// Reads line `number` of `file` back; replaces `line`, whose id points into `raw`. Errors
/// name the place: io, usage (a file of an older version).
Status read_pair_line(std::string_view raw, const std::string& file, std::uint64_t number,
                      PairLine& line);

/// Gives all lines of a file in turn. Errors as above; io also: the file cannot be read to its
/// end, or its documents are not in order.
Status for_each_pair_line(FileSystem& files, const std::string& path,
                          const std::function<Status(const PairLine&)>& use);

/// The error (io) that a line names a document that is not there.
Error unknown_document(const std::string& file, const PairLine& line);

}  // namespace twinset
