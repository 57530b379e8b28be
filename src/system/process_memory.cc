// This file's interface is system/process_memory.h; the rest is private.
#include "system/process_memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "system/files.h"

namespace twinset {

// Prefers /proc to getrusage(): the peak of the latter includes the program that started this one,
// because that forked before it called exec().
std::uint64_t peak_memory_bytes() {
  constexpr std::string_view label = "VmHWM:";  // "VmHWM:     1234 kB"
  const Result<std::string> status = read_whole_file(disk(), "/proc/self/status", 1 << 16);
  const std::string_view text = status.ok() ? status.value() : std::string_view{};
  if (const std::size_t at = text.find(label); at != std::string_view::npos) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    std::uint64_t kibibytes = 0;
    if (begin != std::string_view::npos &&
        std::from_chars(text.data() + begin, text.data() + text.size(), kibibytes).ec ==
            std::errc()) {
      return kibibytes * 1024;
    }
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

MemoryLease& MemoryLease::operator=(MemoryLease&& other) noexcept {
  if (this == &other) return *this;
  give_back();
  ledger_ = std::exchange(other.ledger_, nullptr);
  thread_ = other.thread_;
  bytes_ = std::exchange(other.bytes_, 0);
  added_ = other.added_;
  return *this;
}

void MemoryLease::give_back() {
  if (ledger_ == nullptr) return;
  const std::lock_guard lock(ledger_->mutex_);
  const auto held = ledger_->leased_.find(thread_);
  if (held == ledger_->leased_.end()) return;
  held->second -= added_;
  if (held->second == 0) ledger_->leased_.erase(held);
}

MemoryLease MemoryLedger::take(std::uint64_t bytes, const Choose& choose) {
  const std::lock_guard lock(mutex_);
  MemoryLease lease;
  const auto own = leased_.find(std::this_thread::get_id());
  const std::uint64_t leased = own != leased_.end() ? own->second : 0;
  lease.bytes_ = bytes != 0 ? bytes : leased != 0 ? leased : choose(others_locked());
  if (lease.bytes_ == 0) return lease;
  lease.ledger_ = this;
  lease.thread_ = std::this_thread::get_id();
  lease.added_ = lease.bytes_ - std::min(lease.bytes_, leased);
  leased_[lease.thread_] = leased + lease.added_;
  return lease;
}

std::uint64_t MemoryLedger::others() const {
  const std::lock_guard lock(mutex_);
  return others_locked();
}

std::uint64_t MemoryLedger::others_locked() const {
  std::uint64_t sum = 0;
  for (const auto& [thread, bytes] : leased_) {
    if (thread != std::this_thread::get_id()) sum += bytes;
  }
  return sum;
}

MemoryLedger& process_memory() {
  static MemoryLedger ledger;  // The memory of a process is one.
  return ledger;
}

}  // namespace twinset
