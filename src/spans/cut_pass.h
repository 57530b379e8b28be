// Edited copies of the inputs, without the passages that are cut: --cut.
//
// In JSON Lines the string of the text field is shortened where it stands; every other byte of the
// record is as it was. Of a table only the column of texts changes. A text file is shortened
// itself; one in UTF-16 or UTF-32 becomes UTF-8 if something is cut. What is cut ends where the
// next token begins, so that no double space stays, or where the text ends; of a text that is cut
// as a whole nothing stays.
//
// Threads: uses the job's threads.
#pragma once

#include <cstdint>

#include "join/documents.h"
#include "run/job.h"
#include "spans/cuts.h"
#include "twinset/result.h"

namespace twinset {

/// The folder of the copies, below the output.
inline constexpr const char* cut_folder = "cut/";

/// Error (usage) if an input's texts are pages or lists of features, which cutting would break, or
/// are joined of several fields.
Status check_cuttable(const Job& job);

/// Writes a copy of each input, without the records that could not be read. Returns the bytes of
/// text that were cut. Errors: as InputFeed.
Result<std::uint64_t> write_cut_inputs(const Job& job, const ReadState& state,
                                       const DocumentTable& documents, const CutRows& cuts);

}  // namespace twinset
