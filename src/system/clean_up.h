// The end of an object that leaves files behind if it cannot remove them, which is harmless.
//
//   Sorter::~Sorter() {
//     clean_up([&] { return discard(); });
//   }
//
// Threads: any.
#pragma once

#include <exception>

#include "twinset/result.h"

namespace twinset {

/// Nobody is told of an Error, nor of what is thrown: a destructor also runs when no memory is
/// left.
template <class Work>
void clean_up(Work work) noexcept {
  try {
    [[maybe_unused]] const Status done = work();
  } catch (const std::exception&) {
  }
}

}  // namespace twinset
