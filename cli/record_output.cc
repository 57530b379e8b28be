#include "record_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace twinset::cli {

RecordOutput::RecordOutput() {
  std::fflush(stdout);
  descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (descriptor_ >= 0) ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

RecordOutput::~RecordOutput() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status RecordOutput::write(std::string_view bytes) {
  if (descriptor_ < 0) return io_error("standard output is closed");
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status RecordOutput::close() {
  if (descriptor_ < 0) return {};
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  return closed == 0 ? Status{} : failed(errno);
}

Status RecordOutput::failed(int error) {
  reader_left_ = error == EPIPE;
  return io_error("cannot write standard output: " + std::string(std::strerror(error)));
}

}  // namespace twinset::cli
