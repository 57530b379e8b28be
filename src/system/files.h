// The file layer: every read, write and lock on disk passes through here, so that a test can
// replace the disk by one that is full, fails or loses power.
//
// FileSystem is the replaceable part; disk() is the real one. Paths are bytes.
// Every error names its path and gives the system's reason.
//
// A power loss keeps everything that was synced, and any part of the rest, in any
// order: the bytes of a file need sync(); the name of a file or folder that was
// made, renamed or removed needs sync_directory() of the folder that holds it.
// rename() does that itself for the new name, and sync_tree() does both.
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

#include "base/hash.h"
#include "twinset/result.h"

namespace twinset {

/// Opening this for reading gives the program's standard input.
inline constexpr const char* standard_input_path = "/dev/stdin";

/// The part of stat(2)'s answer that is used here.
struct FileStatus {
  enum class Kind : std::uint8_t { missing, regular, directory, other };
  Kind kind = Kind::missing;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool link = false;  ///< the path is a symbolic link; the other members describe its target
};

enum class OpenMode : std::uint8_t {
  read,    ///< must exist
  create,  ///< must not exist; read and write
  append,  ///< created if missing; read and write, append() goes to its end
};

/// Bytes of a file, mapped into memory for as long as this object lives.
class Mapping {
 public:
  virtual ~Mapping() = default;
  virtual std::string_view bytes() const = 0;
  /// Tells the system that bytes [begin, end) will not be used soon: their pages are no longer in
  /// the memory of this process. They can still be used.
  virtual void release(std::size_t begin, std::size_t end) const = 0;
};

/// An open file, closed by its destructor. sync() or FileSystem::sync_tree() makes it
/// durable and reports errors of writing it out.
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
  /// The whole of a file that no longer changes, aligned to a page; null where the system
  /// cannot map it; then use read_at(). Pages are read when they are first touched: a disk
  /// that fails then, or a file that is cut short meanwhile, ends the process.
  virtual std::unique_ptr<Mapping> map() { return nullptr; }
};

/// A lock that is held until this object is destroyed or its process ends.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) = 0;
  /// Follows symbolic links; `missing` is not an error.
  virtual Result<FileStatus> status(const std::string& path) = 0;
  /// True if this process has the permission to read the file; false also if it is missing.
  virtual Result<bool> readable(const std::string& path) = 0;
  /// Names in a folder, sorted by bytes, without `.` and `..`.
  virtual Result<std::vector<std::string>> list(const std::string& path) = 0;
  /// Makes a folder; its parent must exist. An existing folder is not an error.
  virtual Status make_directory(const std::string& path) = 0;
  /// Atomic; then syncs the folder that holds `to`. A file of that name is replaced.
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status remove_file(const std::string& path) = 0;
  /// Removes a folder that must be empty.
  virtual Status remove_directory(const std::string& path) = 0;
  /// Removes a folder and all within it; a missing one is not an error.
  virtual Status remove_tree(const std::string& path) = 0;
  /// Makes a folder durable with all that is below it.
  virtual Status sync_tree(const std::string& path) = 0;
  /// Makes the names in a folder durable; not the bytes of its files.
  virtual Status sync_directory(const std::string& path) = 0;
  /// Locks the file `path`, made if missing, and replaces its content by `note`. If
  /// another holder has the lock, returns null and sets `holder` to that one's note.
  virtual Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                                 std::string& holder) = 0;
  virtual Result<std::uint64_t> free_bytes(const std::string& path) = 0;
};

/// The real file system.
FileSystem& disk();

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
