// The file layer: every read, write and lock on disk passes through here, so that a test can
// replace the disk by one that is full, fails or loses power.
//
// FileSystem, which is public, is the replaceable part, and disk() the real one. Functions over
// any FileSystem follow.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "twinset/files.h"
#include "twinset/result.h"

namespace twinset {

/// Writes `bytes` to `path` so that a crash leaves the old or the new content.
Status write_file_atomically(FileSystem& files, const std::string& path, std::string_view bytes);

/// Makes a folder and each missing one above it, all of them durable.
Status make_directories(FileSystem& files, const std::string& path);

/// Tries what write_file_atomically() would do, and leaves nothing. Error (io) if it
/// would fail now: a name too long, no permission, a full or read-only disk.
Status check_writable(FileSystem& files, const std::string& path);

/// The folder that holds `path`: "a/b" -> "a", "b" -> ".", "/b" -> "/".
std::string parent_of(const std::string& path);

/// The path without slashes at its end: "a/b/" -> "a/b", "/" -> "/".
std::string folder_path(std::string path);

/// The whole of a file of at most `max_bytes`.
Result<std::string> read_whole_file(FileSystem& files, const std::string& path,
                                    std::uint64_t max_bytes);

/// The fingerprint of a file's bytes.
Result<Fingerprint> fingerprint_file(FileSystem& files, const std::string& path);

}  // namespace twinset
