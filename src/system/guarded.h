// Work that may throw: a failed allocation, or a library's exception, becomes an Error.
//
//   Status done = guarded([&] { return run(); });
//
// Threads: the work runs on the calling one.
#pragma once

#include <functional>

#include "twinset/result.h"

namespace twinset {

/// What `work` returns. Error (io) if it throws.
Status guarded(const std::function<Status()>& work) noexcept;

}  // namespace twinset
