// The files that a run reads and makes: the disk, or a caller's own. A run reaches files only
// through the FileSystem of its RunControl.
//
//   class ReadOnly final : public ForwardingFiles {  // answers about a run, and makes no file
//    public:
//     ReadOnly() : ForwardingFiles(disk()) {}
//     Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
//       if (mode != OpenMode::read) return io_error("cannot write " + path + ": read-only");
//       return below().open(path, mode);
//     }
//   };
//   ReadOnly files;
//   const Shown seen = show({.folder = "clean"}, {nullptr, nullptr, &files}).value();
//
// Paths are bytes. A failure is an Error (io) that names the path and gives the system's reason,
// and has no effect unless its function says so; a run shows it as it is. No method may throw.
//
// A power loss keeps everything that was synced, and any part of the rest, in any order: the bytes
// of a file need sync(); the name of a file or folder that was made, renamed or removed needs
// sync_directory() of the folder that holds it. rename() does that itself for the new name, and
// sync_tree() does both. A run that is killed continues from what was synced.
//
// Threads: a run calls a FileSystem from all its threads at once, and read_at() and write_at() of
// one File, too, beside which one thread may call append(). A FileSystem must outlive the runs that
// use it; no run's File, Mapping or FileLock outlives the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/result.h"

namespace twinset {

/// A run opens this for reading if an input is the program's standard input, "-".
inline constexpr const char* standard_input_path = "/dev/stdin";

/// What a path names: the part of stat(2)'s answer that runs use.
struct FileStatus {
  enum class Kind : std::uint8_t { missing, regular, directory, other };
  Kind kind = Kind::missing;
  std::uint64_t size = 0;     ///< bytes of a regular file
  std::int64_t mtime_ns = 0;  ///< shows that an input has changed
  std::uint64_t device = 0;   ///< device and inode are equal for two names of one file
  std::uint64_t inode = 0;
  bool link = false;     ///< the path is a symbolic link; the other members describe its target
  bool for_all = false;  ///< users beyond its owner and group may read or write it
};

enum class OpenMode : std::uint8_t {
  read,    ///< must exist
  create,  ///< must not exist; read and write
  append,  ///< created if missing; read and write, append() goes to its end
};

/// Bytes of a file, mapped into memory for as long as this object lives, even if the File is
/// closed.
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
  /// Up to `size` bytes at the current position, which moves behind them; 0 at the end.
  virtual Result<std::size_t> read(char* out, std::size_t size) = 0;
  /// Up to `size` bytes at `offset`; fewer only at the end of the file. The position stays.
  virtual Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) = 0;
  /// All of `bytes` at the end of the file. A failure may leave a part of them there.
  virtual Status append(std::string_view bytes) = 0;
  /// All of `bytes` at `offset`. A failure may leave a part of them there.
  virtual Status write_at(std::uint64_t offset, std::string_view bytes) = 0;
  /// Makes the file that long; new bytes are 0.
  virtual Status truncate(std::uint64_t size) = 0;
  /// Makes the bytes durable. After a failure, any of the bytes written since the last sync() may
  /// be lost.
  virtual Status sync() = 0;
  /// Lets the system begin to write the bytes out, so that a later sync() has less to wait for.
  /// Promises nothing.
  virtual void start_sync() {}
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

/// Files and folders by their paths.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) = 0;
  /// Follows symbolic links; `missing` is not an error.
  virtual Result<FileStatus> status(const std::string& path) = 0;
  /// True if this process has the permission to read the file; false also if it is missing.
  virtual Result<bool> readable(const std::string& path) = 0;
  /// Names in a folder, sorted by bytes, without `.` and `..`. A missing folder is an error.
  virtual Result<std::vector<std::string>> list(const std::string& path) = 0;
  /// Makes a folder; its parent must exist. An existing folder is not an error.
  virtual Status make_directory(const std::string& path) = 0;
  /// Atomic; then syncs the folder that holds `to`. A file of that name is replaced. After a
  /// failure of the sync, `to` has the new file.
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  /// A missing file is an error.
  virtual Status remove_file(const std::string& path) = 0;
  /// Removes a folder that must be empty.
  virtual Status remove_directory(const std::string& path) = 0;
  /// Removes a folder and all within it; a missing one is not an error. A failure may leave a part.
  virtual Status remove_tree(const std::string& path) = 0;
  /// Makes a folder durable with all that is below it. After a failure, as File::sync().
  virtual Status sync_tree(const std::string& path) = 0;
  /// Makes the names in a folder durable; not the bytes of its files.
  virtual Status sync_directory(const std::string& path) = 0;
  /// Locks the file `path`, made if missing, and replaces its content by `note`. If another holder
  /// has the lock, in this process too, returns null and sets `holder` to that one's note.
  virtual Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                                 std::string& holder) = 0;
  /// Bytes that can still be written below `path`.
  virtual Result<std::uint64_t> free_bytes(const std::string& path) = 0;
};

/// The real file system.
FileSystem& disk();

/// Passes every call on to another file system: derive from it to change some.
class ForwardingFiles : public FileSystem {
 public:
  explicit ForwardingFiles(FileSystem& below) : below_(below) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    return below_.open(path, mode);
  }
  Result<FileStatus> status(const std::string& path) override { return below_.status(path); }
  Result<bool> readable(const std::string& path) override { return below_.readable(path); }
  Result<std::vector<std::string>> list(const std::string& path) override {
    return below_.list(path);
  }
  Status make_directory(const std::string& path) override { return below_.make_directory(path); }
  Status rename(const std::string& from, const std::string& to) override {
    return below_.rename(from, to);
  }
  Status remove_file(const std::string& path) override { return below_.remove_file(path); }
  Status remove_directory(const std::string& path) override {
    return below_.remove_directory(path);
  }
  Status remove_tree(const std::string& path) override { return below_.remove_tree(path); }
  Status sync_tree(const std::string& path) override { return below_.sync_tree(path); }
  Status sync_directory(const std::string& path) override { return below_.sync_directory(path); }
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                         std::string& holder) override {
    return below_.lock(path, note, holder);
  }
  Result<std::uint64_t> free_bytes(const std::string& path) override {
    return below_.free_bytes(path);
  }

 protected:
  FileSystem& below() const { return below_; }

 private:
  FileSystem& below_;
};

}  // namespace twinset
