// The share for large things is the memory of the longest record (--max-record), but at most three
// quarters of what the workers leave, so that a small budget has memory for rows too, and at least
// a third, so that a larger budget always holds a wider window: that of a later frame is not known
// until it is met, and half of 16 GB hold the widest. A window that the inputs are known to ask for
// takes up to three quarters, too.
//
// This file's interface is run/memory_plan.h; the rest is private.
#include "run/memory_plan.h"

#include <algorithm>
#include <thread>

#include "base/message.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
/// Memory besides the rows: code, tables, line buffers, usual zstd windows.
constexpr std::uint64_t fixed_memory = 64 * mebibyte;
/// A worker's batch, its decoded text, tokens and rows.
constexpr std::uint64_t worker_memory = 32 * mebibyte;
/// Bytes of analysis per byte of a long record: its raw and decoded text, folded copy, tokens and
/// shingles. Only one-letter words take so much.
constexpr std::uint64_t record_factor = 16;
/// Windows up to this size are part of the fixed memory: zstd levels up to 19 use them.
constexpr std::uint64_t usual_window = 8 * mebibyte;
/// The part of the budget above the floor that enlarges the workers' shares.
constexpr std::uint64_t workers_part = 16;
/// Half of a worker's share is for the record it works on, half for its batch.
constexpr std::uint64_t record_part = 2;

/// 0 means as many as fit into the budget, but at most one per processor.
unsigned threads_of(unsigned threads, std::uint64_t budget) {
  if (threads != 0) return threads;
  return std::min(std::max(1U, std::thread::hardware_concurrency()),
                  MemoryPlan::threads_in(budget));
}

/// The least budget for which `enough` is true, which must be more than one that is too little:
/// with a thread more, a budget may hold less than a smaller one with a thread less.
template <class Enough>
std::uint64_t least_budget(const MemoryPlan& plan, Enough enough) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  const std::uint64_t above = enough(plan.budget) ? 0 : plan.budget + 1;
  const unsigned last = threads_of(plan.threads, most);
  for (unsigned threads = plan.threads == 0 ? 1 : last; threads <= last; ++threads) {
    // With so many threads, more memory holds more.
    std::uint64_t low = std::max(above, MemoryPlan::floor(threads));
    std::uint64_t high = threads == last ? most : MemoryPlan::floor(threads + 1) - 1;
    if (low > high || !enough(high)) continue;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (enough(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return high;
  }
  return most;
}

}  // namespace

std::uint64_t MemoryPlan::floor(unsigned threads) {
  return fixed_memory + std::max(1U, threads) * worker_memory;
}

unsigned MemoryPlan::threads_in(std::uint64_t budget) {
  if (budget < floor(1)) return 1;
  return static_cast<unsigned>(
      std::min<std::uint64_t>((budget - fixed_memory) / worker_memory, UINT32_MAX));
}

MemoryPlan MemoryPlan::make(std::uint64_t budget, unsigned threads, std::uint64_t max_record_bytes,
                            std::uint64_t window_bytes) {
  MemoryPlan plan;
  plan.window_bytes = window_bytes;
  plan.budget = budget;
  plan.threads = threads;
  plan.max_record_bytes = max_record_bytes;
  const std::uint64_t longest = record_factor * max_record_bytes;
  const unsigned workers = threads_of(threads, budget);
  std::uint64_t left = budget - std::min(budget, floor(workers));
  const std::uint64_t more = std::min(record_part * longest, left / workers_part / workers);
  plan.worker = worker_memory + more;
  left -= more * workers;
  const std::uint64_t window = window_bytes > usual_window ? window_bytes : 0;
  plan.large = std::max(std::min(std::max(longest, window), left / 4 * 3), left / 3);
  plan.rows = left - plan.large;
  return plan;
}

std::uint64_t MemoryPlan::steady_record_bytes() const {
  return worker / record_part / record_factor;
}

std::uint64_t MemoryPlan::most_record_bytes() const {
  return std::max(steady_record_bytes(), large / record_factor);
}

std::uint64_t MemoryPlan::most_window_bytes() const { return std::max(usual_window, large); }

std::uint64_t MemoryPlan::large_bytes_of(std::uint64_t record_bytes, std::uint64_t window) const {
  return (record_bytes > steady_record_bytes() ? record_factor * record_bytes : 0) +
         (window > usual_window ? window : 0);
}

void MemoryPlan::release_large(std::uint64_t large_bytes) {
  const std::uint64_t freed = large - std::min(large, large_bytes);
  large -= freed;
  rows += freed;
}

std::uint64_t MemoryPlan::budget_for_large(std::uint64_t large_bytes) const {
  return least_budget(*this, [&](std::uint64_t some) {
    return make(some, threads, max_record_bytes, window_bytes).large >= large_bytes;
  });
}

std::uint64_t MemoryPlan::budget_for_rows(std::uint64_t row_bytes,
                                          std::uint64_t large_bytes) const {
  return least_budget(*this, [&](std::uint64_t some) {
    MemoryPlan plan = make(some, threads, max_record_bytes, window_bytes);
    plan.release_large(large_bytes);
    return plan.rows >= row_bytes;
  });
}

Error MemoryPlan::too_little(const std::string& what, std::uint64_t needed,
                             const std::string& remedy) const {
  return usage_error(option("memory") + " " + format_bytes(budget) + " is too little: " + what +
                     " needs " + std::to_string(needed) + " bytes (" + format_bytes(needed) + ")" +
                     (remedy.empty() ? "" : "; " + remedy));
}

}  // namespace twinset
