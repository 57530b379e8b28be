// A socket that programs of one machine reach by a path, and what is needed to serve many of them
// with one thread: no call waits but Poller::wait().
//
//   TWINSET_ASSIGN(const auto listener, LocalListener::open("/run/filter.sock"));
//   TWINSET_ASSIGN(const auto poller, Poller::make());
//   TWINSET_TRY(poller->watch(listener->descriptor(), 0, {.read = true}));
//   TWINSET_TRY(poller->wait(100, [&](std::uint64_t token, Poller::Ready ready) { ... }));
//
// Threads: one at a time, but for Waker::wake().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "twinset/result.h"

namespace twinset {

/// A descriptor, closed by its destructor.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~OwnedDescriptor();
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// The end of a connection that this process has.
class LocalSocket {
 public:
  enum class State : std::uint8_t {
    open,
    busy,   ///< not now
    closed  ///< the other end is gone
  };
  struct Moved {
    std::size_t bytes = 0;
    State state = State::open;
  };

  explicit LocalSocket(OwnedDescriptor descriptor) : descriptor_(std::move(descriptor)) {}
  int descriptor() const { return descriptor_.get(); }
  Moved read(char* out, std::size_t size) const;
  Moved write(std::string_view bytes) const;

 private:
  OwnedDescriptor descriptor_;
};

class LocalListener {
 public:
  /// Makes the socket, which only this user may use (mode 0600), in place of one that no process
  /// serves. Errors: usage (the path is too long, or names something else; a process serves it),
  /// io.
  static Result<std::unique_ptr<LocalListener>> open(const std::string& path);
  /// Removes the path, if it is still its own.
  ~LocalListener();
  LocalListener(const LocalListener&) = delete;
  LocalListener& operator=(const LocalListener&) = delete;

  int descriptor() const { return descriptor_.get(); }
  /// The next connection; nullopt: there is none now, or there are no descriptors left.
  std::optional<LocalSocket> accept() const;

 private:
  LocalListener(std::string path, OwnedDescriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

  std::string path_;
  OwnedDescriptor descriptor_;
  std::uint64_t inode_ = 0;  ///< of the path, which may have another one's socket by now
};

/// Waits for many descriptors at once.
class Poller {
 public:
  struct Ready {
    bool read = false;
    bool write = false;
  };
  static Result<std::unique_ptr<Poller>> make();
  /// From now on wait() tells when it is ready for these, under this token.
  Status watch(int descriptor, std::uint64_t token, Ready wanted) const;
  /// Watches for others than before; for none, and not for a connection that has failed either. A
  /// descriptor that is closed is no longer watched.
  void change(int descriptor, std::uint64_t token, Ready before, Ready wanted) const;
  /// Calls `use` for what is ready; waits so many milliseconds at most, less if a signal comes.
  Status wait(int milliseconds, const std::function<void(std::uint64_t, Ready)>& use) const;

 private:
  explicit Poller(OwnedDescriptor descriptor) : descriptor_(std::move(descriptor)) {}
  OwnedDescriptor descriptor_;
};

/// Ends another thread's Poller::wait().
class Waker {
 public:
  static Result<std::unique_ptr<Waker>> make();
  int descriptor() const { return descriptor_.get(); }
  void wake() const;
  /// Once it was read.
  void clear() const;

 private:
  explicit Waker(OwnedDescriptor descriptor) : descriptor_(std::move(descriptor)) {}
  OwnedDescriptor descriptor_;
};

/// Lets this process have as many descriptors as the system allows it, and tells how many.
std::uint64_t most_descriptors();

}  // namespace twinset
