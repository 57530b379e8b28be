// A question that long work asks now and then: may it go on?
//
// Threads: asked by any.
#pragma once

#include <functional>

#include "twinset/result.h"

namespace twinset {

/// Its error ends the work. May be null.
using KeepGoing = std::function<Status()>;

}  // namespace twinset
