// A ByteSink that compresses and writes on a thread of its own, so that reading
// and packing overlap. The bytes written are the same.
//
// Threads: write() and finish() from one thread.
#pragma once

#include <memory>

#include "io/bytes.h"

namespace twinset {

/// Takes `sink` over. Holds at most a few MiB of bytes not yet written.
std::unique_ptr<ByteSink> write_in_background(std::unique_ptr<ByteSink> sink);

}  // namespace twinset
