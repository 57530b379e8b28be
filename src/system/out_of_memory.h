// The Error of memory that the system refuses.
//
//   } catch (const std::bad_alloc&) {
//     return out_of_memory();
//   }
//
// Threads: any.
#pragma once

#include <new>

#include "base/message.h"
#include "twinset/result.h"

namespace twinset {

/// Names the remedy, unless there is no memory for its words.
inline Error out_of_memory() noexcept {
  try {
    return io_error("out of memory; give a smaller " + option("memory") + " or fewer " +
                    option("threads"));
  } catch (const std::bad_alloc&) {
    return {ErrorCode::io, "out of memory"};  // So short a text is within the string.
  }
}

}  // namespace twinset
