// This file's interface is system/local_socket.h.
#include "system/local_socket.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace twinset {
namespace {

constexpr int most_waiting_clients = 1024;

Error system_failure(const std::string& what) {
  return io_error("cannot " + what + ": " + std::generic_category().message(errno));
}

LocalSocket::Moved moved(ssize_t bytes) {
  if (bytes > 0) return {static_cast<std::size_t>(bytes), LocalSocket::State::open};
  const bool is_busy = bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  return {0, is_busy ? LocalSocket::State::busy : LocalSocket::State::closed};
}

std::uint32_t events_of(Poller::Ready wanted) {
  return (wanted.read ? static_cast<std::uint32_t>(EPOLLIN) : 0U) |
         (wanted.write ? static_cast<std::uint32_t>(EPOLLOUT) : 0U);
}

/// Removes a socket that no process serves, such as one that a kill has left.
Status make_way(const std::string& path, const sockaddr_un& address) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    return errno == ENOENT ? Status() : Status(system_failure("look at " + path));
  }
  if (!S_ISSOCK(status.st_mode)) {
    return usage_error(path + " exists and is no socket; name a new path");
  }
  const OwnedDescriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return usage_error("another process serves " + path + "; end that, or name another path");
  }
  if (errno != ECONNREFUSED) return system_failure("connect to " + path);
  if (::unlink(path.c_str()) != 0) return system_failure("remove " + path);
  return {};
}

}  // namespace

OwnedDescriptor::~OwnedDescriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

LocalSocket::Moved LocalSocket::read(char* out, std::size_t size) const {
  return moved(::recv(descriptor_.get(), out, size, 0));
}

LocalSocket::Moved LocalSocket::write(std::string_view bytes) const {
  return moved(::send(descriptor_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

Result<std::unique_ptr<LocalListener>> LocalListener::open(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return usage_error("the path of a socket has at most " +
                       std::to_string(sizeof address.sun_path - 1) + " bytes, and " + path +
                       " has more");
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  TWINSET_TRY(make_way(path, address));
  OwnedDescriptor descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (descriptor.get() < 0) return system_failure("make a socket");
  // Nobody can connect before it listens, by when its mode is right.
  if (::bind(descriptor.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return system_failure("make the socket " + path);
  }
  std::unique_ptr<LocalListener> listener(new LocalListener(path, std::move(descriptor)));
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return system_failure("look at " + path);
  listener->inode_ = status.st_ino;
  if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0) {
    return system_failure("set the mode of " + path);
  }
  if (::listen(listener->descriptor(), most_waiting_clients) != 0) {
    return system_failure("listen at " + path);
  }
  return listener;
}

LocalListener::~LocalListener() {
  struct stat status {};
  if (::lstat(path_.c_str(), &status) == 0 && status.st_ino == inode_) ::unlink(path_.c_str());
}

std::optional<LocalSocket> LocalListener::accept() const {
  OwnedDescriptor client(
      ::accept4(descriptor_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (client.get() < 0) return std::nullopt;
  return LocalSocket(std::move(client));
}

Result<std::unique_ptr<Poller>> Poller::make() {
  OwnedDescriptor descriptor(::epoll_create1(EPOLL_CLOEXEC));
  if (descriptor.get() < 0) return system_failure("wait for clients");
  return std::unique_ptr<Poller>(new Poller(std::move(descriptor)));
}

Status Poller::watch(int descriptor, std::uint64_t token, Ready wanted) const {
  epoll_event event{};
  event.events = events_of(wanted);
  event.data.u64 = token;
  if (::epoll_ctl(descriptor_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0) return {};
  return system_failure("wait for a client");
}

void Poller::change(int descriptor, std::uint64_t token, Ready before, Ready wanted) const {
  const bool was_watched = before.read || before.write;
  const bool is_watched = wanted.read || wanted.write;
  const int how = !is_watched ? EPOLL_CTL_DEL : was_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  epoll_event event{};
  event.events = events_of(wanted);
  event.data.u64 = token;
  // It fails only where the memory of the system is full.
  ::epoll_ctl(descriptor_.get(), how, descriptor, &event);
}

Status Poller::wait(int milliseconds, const std::function<void(std::uint64_t, Ready)>& use) const {
  std::array<epoll_event, 256> events;
  const int count =
      ::epoll_wait(descriptor_.get(), events.data(), static_cast<int>(events.size()), milliseconds);
  if (count < 0 && errno != EINTR) return system_failure("wait for clients");
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    // A connection that has failed is told by the next read.
    const bool failed = (event.events & (EPOLLERR | EPOLLHUP)) != 0;
    use(event.data.u64, {failed || (event.events & EPOLLIN) != 0, (event.events & EPOLLOUT) != 0});
  }
  return {};
}

Result<std::unique_ptr<Waker>> Waker::make() {
  OwnedDescriptor descriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (descriptor.get() < 0) return system_failure("make an event");
  return std::unique_ptr<Waker>(new Waker(std::move(descriptor)));
}

void Waker::wake() const {
  const std::uint64_t one = 1;
  // It fails only if it is awake many times over.
  [[maybe_unused]] const ssize_t written = ::write(descriptor_.get(), &one, sizeof one);
}

void Waker::clear() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t read = ::read(descriptor_.get(), &count, sizeof count);
}

std::uint64_t most_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  if (limit.rlim_cur < limit.rlim_max) {
    rlimit raised = limit;
    raised.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return limit.rlim_cur;
}

}  // namespace twinset
