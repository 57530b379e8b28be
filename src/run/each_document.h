// Reads the documents of a collection once, on one thread; evaluate samples from them.
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <functional>

#include "collection/input_troubles.h"
#include "io/reader.h"
#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

/// Calls `use` for each record that is a document, decoded, in order, up to --limit records in
/// all; notes the other records in `troubles`. Errors: of the collection, of `use`; usage, if a
/// record does not fit into the memory; interrupted.
Status for_each_document(
    const Job& job, const FieldNames& fields, InputTroubles& troubles,
    const std::function<Status(std::uint64_t source, const Record& record)>& use);

}  // namespace twinset
