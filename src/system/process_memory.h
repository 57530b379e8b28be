// The memory of this process: the most that it has taken, and the shares of it that its runs lease,
// so that two runs at once do not count on the same bytes.
//
//   const MemoryLease lease = process_memory().take(
//       0, [&](std::uint64_t others) { return (machine - others) / 2; });
//   lease.bytes();   // leased until `lease` is destroyed
//
// It is an account: nothing is allocated, and a lease of any size is granted. A run starts other
// runs, such as the one that learns templates, on its own thread and within its own memory: leases
// of one thread count once.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace twinset {

/// Peak resident size of the process so far.
std::uint64_t peak_memory_bytes();

class MemoryLedger;

/// Memory that a run has leased; its destructor gives it back.
class MemoryLease {
 public:
  MemoryLease() = default;
  MemoryLease(MemoryLease&& other) noexcept { *this = std::move(other); }
  MemoryLease& operator=(MemoryLease&& other) noexcept;
  ~MemoryLease() { give_back(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  friend class MemoryLedger;
  void give_back();
  MemoryLedger* ledger_ = nullptr;
  std::thread::id thread_;
  std::uint64_t bytes_ = 0;
  std::uint64_t added_ = 0;  ///< to what its thread had leased before
};

class MemoryLedger {
 public:
  using Choose = std::function<std::uint64_t(std::uint64_t others)>;

  /// Leases `bytes`; if that is 0, what this thread has leased already, or else what `choose` says
  /// if other threads have leased `others` bytes. Nobody else leases meanwhile, and `choose` must
  /// not call the ledger.
  MemoryLease take(std::uint64_t bytes, const Choose& choose);
  /// Bytes that other threads have leased.
  std::uint64_t others() const;

 private:
  friend class MemoryLease;
  std::uint64_t others_locked() const;

  mutable std::mutex mutex_;
  std::map<std::thread::id, std::uint64_t> leased_;  ///< no value is 0
};

/// The one ledger of this process, whose memory all runs share.
MemoryLedger& process_memory();

}  // namespace twinset
