// The file layer: every byte twinset reads or writes on disk passes here, so
// that a test can stand a full or failing disk in its place.
//
// FileSystem is the replaceable part; disk() is the real one. Paths are bytes.
// Every error names its path and says what the system said.
//
// Threads: a FileSystem may be used from any thread; a File's read_at and
// write_at too; append is for one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/result.h"

namespace twinset {

/// Opening this for reading gives the program's standard input.
inline constexpr const char* standard_input_path = "/dev/stdin";

/// What stat(2) says of a path that matters here.
struct FileStatus {
  enum class Kind : std::uint8_t { missing, regular, directory, other };
  Kind kind = Kind::missing;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool link = false;  ///< the path is a symbolic link; the rest is of what it leads to
};

enum class OpenMode : std::uint8_t {
  read,    ///< must exist
  create,  ///< must not exist; read and write
  append,  ///< created if missing; read and write, append() goes to its end
};

/// An open file. Closed by its destructor; errors of writing it out are seen by
/// sync() or FileSystem::sync_tree(), one of which makes it durable.
class File {
 public:
  virtual ~File() = default;
  /// Up to `size` bytes at the current position; 0 at the end.
  virtual Result<std::size_t> read(char* out, std::size_t size) = 0;
  /// Up to `size` bytes at `offset`; fewer only at the end of the file.
  virtual Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) = 0;
  /// All of `bytes` at the end of the file.
  virtual Status append(std::string_view bytes) = 0;
  /// All of `bytes` at `offset`.
  virtual Status write_at(std::uint64_t offset, std::string_view bytes) = 0;
  virtual Status truncate(std::uint64_t size) = 0;
  virtual Status sync() = 0;
  virtual Result<std::uint64_t> size() = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) = 0;
  /// Follows symbolic links; `missing` is not an error.
  virtual Result<FileStatus> status(const std::string& path) = 0;
  /// Names in a folder, sorted by bytes, without `.` and `..`.
  virtual Result<std::vector<std::string>> list(const std::string& path) = 0;
  /// Makes a folder; its parent must exist. An existing folder is not an error.
  virtual Status make_directory(const std::string& path) = 0;
  /// Atomic; then syncs the folder that holds `to`.
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status remove_file(const std::string& path) = 0;
  /// Removes a folder and all within it; a missing one is not an error.
  virtual Status remove_tree(const std::string& path) = 0;
  /// Makes a folder durable with all that is below it.
  virtual Status sync_tree(const std::string& path) = 0;
  virtual Result<std::uint64_t> free_bytes(const std::string& path) = 0;
};

/// The real file system.
FileSystem& disk();

/// Writes `bytes` to `path` so that a crash leaves the old or the new content.
Status write_file_atomically(FileSystem& files, const std::string& path, std::string_view bytes);

/// The whole of a file of at most `max_bytes`.
Result<std::string> read_whole_file(FileSystem& files, const std::string& path,
                                    std::uint64_t max_bytes);

}  // namespace twinset
