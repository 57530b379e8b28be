// The real file system, on POSIX calls.
//
// Reading moves the descriptor's own position; appending never does: it asks for
// the file's size and writes there, so one descriptor can append and be read
// back. O_APPEND would be shorter, but with it Linux ignores the offset of
// pwrite. Calls broken by a signal are made again, and short writes go on where
// they stopped.
//
// This file's interface is system/files.h; the rest is private.
#include "system/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace twinset {
namespace {

/// "cannot write out/x: No space left on device".
Error system_error(std::string_view verb, const std::string& path, int error_number) {
  std::string message = "cannot ";
  message += verb;
  message += ' ';
  message += path;
  message += ": ";
  message += std::generic_category().message(error_number);
  if (error_number == EFBIG) message += " (the limit that `ulimit -f` shows)";
  return io_error(std::move(message));
}

/// Makes a system call again for as long as a signal breaks it.
template <class Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

/// Linux moves at most 2 GiB in one call; a smaller step also keeps a signal's
/// wait short.
constexpr std::size_t largest_transfer_bytes = std::size_t{1} << 30;

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }

 private:
  int value_;
};

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

class DiskMapping final : public Mapping {
 public:
  DiskMapping(void* first, std::size_t size) : first_(first), size_(size) {}
  ~DiskMapping() override { ::munmap(first_, size_); }
  DiskMapping(const DiskMapping&) = delete;
  DiskMapping& operator=(const DiskMapping&) = delete;
  std::string_view bytes() const override { return {static_cast<const char*>(first_), size_}; }
  void release(std::size_t begin, std::size_t end) const override {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    begin = begin / page * page;
    // A refusal harms nothing.
    if (begin < end) ::madvise(static_cast<char*>(first_) + begin, end - begin, MADV_DONTNEED);
  }

 private:
  void* first_;
  std::size_t size_;
};

class DiskFile final : public File {
 public:
  DiskFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  Result<std::size_t> read(char* out, std::size_t size) override {
    const ssize_t got = uninterrupted(
        [&] { return ::read(descriptor_.get(), out, std::min(size, largest_transfer_bytes)); });
    if (got < 0) return system_error("read", path_, errno);
    return static_cast<std::size_t>(got);
  }

  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t got = uninterrupted([&] {
        return ::pread(descriptor_.get(), out + done, std::min(size - done, largest_transfer_bytes),
                       static_cast<off_t>(offset + done));
      });
      if (got < 0) return system_error("read", path_, errno);
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  Status append(std::string_view bytes) override {
    TWINSET_ASSIGN(const std::uint64_t end, size());
    return write_at(end, bytes);
  }

  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t put = uninterrupted([&] {
        return ::pwrite(descriptor_.get(), bytes.data() + done,
                        std::min(bytes.size() - done, largest_transfer_bytes),
                        static_cast<off_t>(offset + done));
      });
      if (put < 0) return system_error("write", path_, errno);
      if (put == 0) return system_error("write", path_, EIO);
      done += static_cast<std::size_t>(put);
    }
    return {};
  }

  Status truncate(std::uint64_t size) override {
    const int failed =
        uninterrupted([&] { return ::ftruncate(descriptor_.get(), static_cast<off_t>(size)); });
    if (failed != 0) return system_error("truncate", path_, errno);
    return {};
  }

  Status sync() override {
    if (uninterrupted([&] { return ::fsync(descriptor_.get()); }) != 0) {
      return system_error("sync", path_, errno);
    }
    return {};
  }

  void start_sync() override {
#ifdef SYNC_FILE_RANGE_WRITE
    ::sync_file_range(descriptor_.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
  }

  Result<std::uint64_t> size() override {
    struct stat found;
    if (::fstat(descriptor_.get(), &found) != 0) return system_error("stat", path_, errno);
    return static_cast<std::uint64_t>(found.st_size);
  }

  std::unique_ptr<Mapping> map() override {
    const Result<std::uint64_t> bytes = size();
    if (!bytes.ok() || bytes.value() > PTRDIFF_MAX) return nullptr;
    const auto length = static_cast<std::size_t>(bytes.value());
    void* const first = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor_.get(), 0);
    if (first == MAP_FAILED) return nullptr;  // An empty file is refused, too.
    return std::make_unique<DiskMapping>(first, length);
  }

 private:
  Descriptor descriptor_;
  std::string path_;
};

FileStatus::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileStatus::Kind::regular;
  if (S_ISDIR(mode)) return FileStatus::Kind::directory;
  return FileStatus::Kind::other;
}

int open_flags(OpenMode mode) {
  switch (mode) {
    case OpenMode::read:
      return O_RDONLY;
    case OpenMode::create:
      return O_RDWR | O_CREAT | O_EXCL;
    case OpenMode::append:
      return O_RDWR | O_CREAT;
  }
  return O_RDONLY;
}

/// flock(2): the lock belongs to the open file, so a second one in this process is
/// refused too, and the kernel drops it however the process ends.
class DiskLock final : public FileLock {
 public:
  explicit DiskLock(int descriptor) : descriptor_(descriptor) {}

 private:
  Descriptor descriptor_;
};

class DiskFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    // Opening /dev/stdin anew fails for a socket or another user's pipe.
    const bool standard_input = mode == OpenMode::read && path == standard_input_path;
    const int descriptor = uninterrupted([&] {
      return standard_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                            : ::open(path.c_str(), open_flags(mode) | O_CLOEXEC | O_NOCTTY, 0666);
    });
    if (descriptor < 0) {
      return system_error(mode == OpenMode::create ? "create" : "open", path, errno);
    }
    return std::unique_ptr<File>(std::make_unique<DiskFile>(descriptor, path));
  }

  Result<FileStatus> status(const std::string& path) override {
    struct stat found;
    int failed = ::lstat(path.c_str(), &found);
    const bool link = failed == 0 && S_ISLNK(found.st_mode);
    if (link) failed = ::stat(path.c_str(), &found);
    if (failed != 0) {
      if (errno == ENOENT || errno == ENOTDIR) return FileStatus{};
      return system_error("stat", path, errno);
    }
    FileStatus status;
    status.link = link;
    status.kind = kind_of(found.st_mode);
    status.for_all = (found.st_mode & (S_IROTH | S_IWOTH)) != 0;
    status.size = static_cast<std::uint64_t>(found.st_size);
    status.mtime_ns = static_cast<std::int64_t>(found.st_mtim.tv_sec) * 1'000'000'000 +
                      static_cast<std::int64_t>(found.st_mtim.tv_nsec);
    status.device = static_cast<std::uint64_t>(found.st_dev);
    status.inode = static_cast<std::uint64_t>(found.st_ino);
    return status;
  }

  Result<bool> readable(const std::string& path) override {
    return ::access(path.c_str(), R_OK) == 0;
  }

  Result<std::vector<std::string>> list(const std::string& path) override {
    const OpenFolder folder(::opendir(path.c_str()));
    if (!folder) return system_error("list", path, errno);
    std::vector<std::string> names;
    TWINSET_TRY(read_names(*folder, path, names));
    std::sort(names.begin(), names.end());
    return names;
  }

  Status make_directory(const std::string& path) override {
    if (::mkdir(path.c_str(), 0777) == 0) return {};
    const int error_number = errno;
    struct stat found;
    if (error_number == EEXIST && ::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) {
      return {};
    }
    return system_error("make the folder", path, error_number);
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) {
      return system_error("rename " + from + " to", to, errno);
    }
    return sync_one(parent_of(to));
  }

  Status remove_file(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return system_error("remove", path, errno);
    return {};
  }

  Status remove_directory(const std::string& path) override {
    if (::rmdir(path.c_str()) != 0) return system_error("remove", path, errno);
    return {};
  }

  Status remove_tree(const std::string& path) override {
    std::vector<std::string> below;
    TWINSET_TRY(walk(path, "remove", below));
    for (auto entry = below.rbegin(); entry != below.rend(); ++entry) {
      if (std::remove(entry->c_str()) == 0) continue;
      if (errno != ENOENT && errno != ENOTDIR) return system_error("remove", *entry, errno);
    }
    return {};
  }

  Status sync_tree(const std::string& path) override {
    std::vector<std::string> below;
    TWINSET_TRY(walk(path, "sync", below, most_synced_singly));
    if (below.size() > most_synced_singly) return sync_file_system(path);
    // A folder is durable after everything it names.
    for (auto entry = below.rbegin(); entry != below.rend(); ++entry) TWINSET_TRY(sync_one(*entry));
    return {};
  }

  Status sync_directory(const std::string& path) override { return sync_one(path); }

  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                         std::string& holder) override {
    const int descriptor =
        uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644); });
    if (descriptor < 0) return system_error("make", path, errno);
    std::unique_ptr<FileLock> made = std::make_unique<DiskLock>(descriptor);
    if (uninterrupted([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) != 0) {
      if (errno != EWOULDBLOCK) return system_error("lock", path, errno);
      char bytes[128] = {};
      const ssize_t got = ::pread(descriptor, bytes, sizeof bytes, 0);
      holder.assign(bytes, got > 0 ? static_cast<std::size_t>(got) : 0);
      return std::unique_ptr<FileLock>();
    }
    if (::ftruncate(descriptor, 0) != 0 ||
        ::pwrite(descriptor, note.data(), note.size(), 0) != static_cast<ssize_t>(note.size())) {
      return system_error("write", path, errno);
    }
    return made;
  }

  Result<std::uint64_t> free_bytes(const std::string& path) override {
    struct statvfs found;
    if (uninterrupted([&] { return ::statvfs(path.c_str(), &found); }) != 0) {
      return system_error("ask for the free space of", path, errno);
    }
    return static_cast<std::uint64_t>(found.f_bavail) * found.f_frsize;
  }

 private:
  /// With more entries than this, one sync of the whole file system beats a wait for each file.
  static constexpr std::size_t most_synced_singly = 64;

  static Status read_names(DIR& folder, const std::string& path, std::vector<std::string>& names) {
    errno = 0;
    while (const dirent* entry = ::readdir(&folder)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
      errno = 0;
    }
    return errno == 0 ? Status() : system_error("list", path, errno);
  }

  /// A path and all below it, each folder before what it holds; ends once there are more than
  /// `most`. Links are not followed. (The walk of std::filesystem ends the process if it gets no
  /// memory.)
  static Status walk(const std::string& path, std::string_view verb,
                     std::vector<std::string>& below, std::size_t most = SIZE_MAX) {
    below.push_back(path);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < below.size() && below.size() <= most; ++i) {
      const int descriptor = uninterrupted([&] {
        return ::open(below[i].c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      });
      // A file, a link, or gone: what is done with it next tells.
      if (descriptor < 0 && (errno == ENOTDIR || errno == ELOOP || errno == ENOENT)) continue;
      const OpenFolder folder(descriptor < 0 ? nullptr : ::fdopendir(descriptor));
      if (!folder) {
        const Error error = system_error(verb, below[i], errno);
        if (descriptor >= 0) ::close(descriptor);
        return error;
      }
      names.clear();
      TWINSET_TRY(read_names(*folder, below[i], names));
      for (const std::string& name : names) below.push_back(below[i] + "/" + name);
    }
    return {};
  }

  static Status sync_one(const std::string& path) {
    const Descriptor entry(
        uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
    if (entry.get() < 0) return system_error("sync", path, errno);
    // Some network file systems refuse to sync a folder; they have nothing to sync.
    if (uninterrupted([&] { return ::fsync(entry.get()); }) != 0 && errno != EINVAL) {
      return system_error("sync", path, errno);
    }
    return {};
  }

  static Status sync_file_system(const std::string& path) {
    const Descriptor folder(
        uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (folder.get() < 0 || uninterrupted([&] { return ::syncfs(folder.get()); }) != 0) {
      return system_error("sync", path, errno);
    }
    return {};
  }
};

}  // namespace

FileSystem& disk() {
  static DiskFileSystem files;  // Stateless.
  return files;
}

std::string parent_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.native();
}

std::string folder_path(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

Status make_directories(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind == FileStatus::Kind::directory) return {};
  const std::string parent = parent_of(path);
  if (parent != path) TWINSET_TRY(make_directories(files, parent));
  TWINSET_TRY(files.make_directory(path));
  return files.sync_directory(parent);
}

Status check_writable(FileSystem& files, const std::string& path) {
  // A whole block, because a full disk may still take an empty file.
  const std::string block(4096, '\0');
  const std::string partial = path + ".partial";
  TWINSET_ASSIGN(FileStatus left_over, files.status(partial));
  if (left_over.kind != FileStatus::Kind::missing) {
    TWINSET_TRY(files.remove_file(partial));
  }
  const Status written = [&]() -> Status {
    TWINSET_ASSIGN(std::unique_ptr<File> file, files.open(partial, OpenMode::create));
    return file->append(block);
  }();
  const Status removed = files.remove_file(partial);
  TWINSET_TRY(written);
  return removed;
}

Status write_file_atomically(FileSystem& files, const std::string& path, std::string_view bytes) {
  const std::string partial = path + ".partial";
  TWINSET_ASSIGN(const FileStatus left_over, files.status(partial));
  if (left_over.kind != FileStatus::Kind::missing) {
    TWINSET_TRY(files.remove_file(partial));
  }
  const Status written = [&]() -> Status {
    TWINSET_ASSIGN(std::unique_ptr<File> file, files.open(partial, OpenMode::create));
    TWINSET_TRY(file->append(bytes));
    TWINSET_TRY(file->sync());
    return files.rename(partial, path);
  }();
  if (!written.ok()) {
    // Report the first failure; the next attempt removes the file.
    [[maybe_unused]] const Status removed = files.remove_file(partial);
  }
  return written;
}

Result<std::string> read_whole_file(FileSystem& files, const std::string& path,
                                    std::uint64_t max_bytes) {
  TWINSET_ASSIGN(std::unique_ptr<File> file, files.open(path, OpenMode::read));
  TWINSET_ASSIGN(const std::uint64_t size, file->size());
  const auto too_large = [&] {
    return io_error("cannot read " + path + ": over the " + std::to_string(max_bytes) +
                    " bytes allowed here");
  };
  if (size > max_bytes) return too_large();
  // One byte more than the file should have, so that the first read also sees the end.
  std::string bytes;
  std::size_t filled = 0;
  bytes.resize(static_cast<std::size_t>(size) + 1);
  while (true) {
    if (filled == bytes.size()) bytes.resize(2 * bytes.size() + 4096);
    TWINSET_ASSIGN(const std::size_t got, file->read(bytes.data() + filled, bytes.size() - filled));
    if (got == 0) break;
    filled += got;
    if (filled > max_bytes) return too_large();
  }
  bytes.resize(filled);
  return bytes;
}

Result<Fingerprint> fingerprint_file(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const std::unique_ptr<File> file, files.open(path, OpenMode::read));
  RunningFingerprint fingerprint;
  std::string piece(std::size_t{1} << 20, '\0');
  for (;;) {
    TWINSET_ASSIGN(const std::size_t got, file->read(piece.data(), piece.size()));
    if (got == 0) return fingerprint.value();
    fingerprint.add(std::string_view(piece.data(), got));
  }
}

}  // namespace twinset
