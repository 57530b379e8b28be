// Serves a filter at a local socket: lines of JSON come, and each is answered by one, in order for
// each client (docs/filter.md).
//
// One thread moves bytes and never waits for a client or a disk; others check; one changes the
// prototypes, and makes what several clients ask for durable at once. A client has one piece of
// work at a time, so that none stands in the way of the others.
//
// Threads: one call for each socket.
#pragma once

#include "filter/prototypes.h"
#include "twinset/filter.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// Until control.cancel is set; then the changes that were begun are made, and the socket is
/// removed. A question that fails is answered by an error. Errors: as LocalListener::open(); io (no
/// descriptors are left).
Status serve_filter(const FilterOptions& options, Prototypes& prototypes, const RunControl& control,
                    FilterSummary& summary);

}  // namespace twinset
