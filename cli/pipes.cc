#include "pipes.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "common.h"

namespace twinset::cli {
namespace {

/// A signal may come to another thread, or just before the wait.
constexpr int poll_milliseconds = 100;

class Pipe final : public File {
 public:
  Pipe(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~Pipe() override { ::close(descriptor_); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  Result<std::size_t> read(char* out, std::size_t size) override {
    for (;;) {
      if (!wait_to_read(descriptor_)) return Error{ErrorCode::interrupted, "interrupted"};
      const ssize_t got = ::read(descriptor_, out, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR && errno != EAGAIN) return failed("read", errno);
    }
  }
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
    const ssize_t got =
        ::pread(descriptor_, out, size, static_cast<off_t>(offset));  // Of a device.
    if (got < 0) return failed("read", errno);
    return static_cast<std::size_t>(got);
  }
  Status append(std::string_view) override { return failed("write", EBADF); }
  Status write_at(std::uint64_t, std::string_view) override { return failed("write", EBADF); }
  Status truncate(std::uint64_t) override { return failed("truncate", EBADF); }
  Status sync() override { return failed("sync", EBADF); }
  Result<std::uint64_t> size() override { return std::uint64_t{0}; }

 private:
  Error failed(const char* verb, int error) const {
    return io_error("cannot " + (verb + (" " + path_)) + ": " + std::strerror(error));
  }

  const int descriptor_;
  const std::string path_;
};

class InterruptibleDisk final : public ForwardingFiles {
 public:
  InterruptibleDisk() : ForwardingFiles(disk()) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    if (mode != OpenMode::read) return below().open(path, mode);
    const Result<FileStatus> status = below().status(path);
    if (!status.ok() || status.value().kind != FileStatus::Kind::other) {
      return below().open(path, mode);
    }
    // Opening /dev/stdin anew fails for a socket or another user's pipe. A pipe in the file system
    // is not waited for until someone writes to it: read() does that.
    const bool standard_input = path == standard_input_path;
    const int descriptor = standard_input
                               ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                               : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) {
      return io_error("cannot open " + path + ": " + std::strerror(errno));
    }
    return std::unique_ptr<File>(std::make_unique<Pipe>(descriptor, path));
  }
};

}  // namespace

bool wait_to_read(int descriptor) {
  pollfd input{descriptor, POLLIN, 0};
  while (!interrupted().load()) {
    const int ready = ::poll(&input, 1, poll_milliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
  return false;
}

FileSystem& interruptible_disk() {
  static InterruptibleDisk files;  // Stateless.
  return files;
}

}  // namespace twinset::cli
