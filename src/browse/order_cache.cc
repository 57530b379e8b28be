#include "browse/order_cache.h"

#include <algorithm>
#include <utility>

#include "system/stoppable_lock.h"

namespace twinset {
namespace {

std::uint64_t bytes_of_order(const RowOrder& order) {
  return order.rows.capacity() * sizeof(std::uint32_t);
}

}  // namespace

Result<SharedOrder> OrderCache::get(const std::string& key,
                                    const std::function<Result<RowOrder>()>& make,
                                    const std::atomic<bool>* cancel) {
  if (SharedOrder found = find(key)) return found;
  TWINSET_ASSIGN(const std::unique_lock making, lock_unless_stopped(making_, cancel));
  if (SharedOrder found = find(key)) return found;
  TWINSET_ASSIGN(RowOrder made, make());
  made.rows.shrink_to_fit();
  auto order = std::make_shared<const RowOrder>(std::move(made));
  keep({key, order});
  return SharedOrder(order);
}

std::uint64_t OrderCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

SharedOrder OrderCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return found->order;
}

void OrderCache::keep(Entry entry) {
  const std::lock_guard lock(mutex_);
  bytes_ += bytes_of_order(*entry.order);
  entries_.push_front(std::move(entry));
  while (entries_.size() > most_orders || (bytes_ > most_bytes_ && !entries_.empty())) {
    bytes_ -= bytes_of_order(*entries_.back().order);
    entries_.pop_back();
  }
}

}  // namespace twinset
