// The disk, as the command line reads it: an interrupt ends the wait for a pipe at once. The file
// layer alone would wait on, because a signal does not break its calls.
//
// Threads: any.
#pragma once

#include "twinset/files.h"

namespace twinset::cli {

/// Waits until the descriptor has bytes, has ended or fails; false if an interrupt comes first.
bool wait_to_read(int descriptor);

/// disk(), but standard input and other pipes are read by wait_to_read(): read() then is an Error
/// (interrupted).
FileSystem& interruptible_disk();

}  // namespace twinset::cli
