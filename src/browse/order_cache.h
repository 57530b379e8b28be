// Orders of rows that were asked for lately: numbers of rows as a filter and a sort give them.
//
//   OrderCache orders(std::uint64_t{64} << 20);
//   TWINSET_ASSIGN(const SharedOrder order, orders.get("by documents", make));
//   order->rows[offset];
//
// At most 8 are kept, of at most so many bytes together; the one that was not asked for the longest
// time goes first. An order is made once, however many ask for it.
//
// Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "twinset/result.h"

namespace twinset {

struct RowOrder {
  std::vector<std::uint32_t> rows;
  std::uint64_t documents = 0;  ///< of clusters: in all of them
};
using SharedOrder = std::shared_ptr<const RowOrder>;

class OrderCache {
 public:
  static constexpr std::size_t most_orders = 8;

  explicit OrderCache(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  /// The order of that key; made by `make` if it is not there. Error (interrupted): `cancel` was
  /// set while another one was made. Errors: as `make`.
  Result<SharedOrder> get(const std::string& key, const std::function<Result<RowOrder>()>& make,
                          const std::atomic<bool>* cancel = nullptr);
  /// Bytes of the orders that are kept.
  std::uint64_t bytes() const;

 private:
  struct Entry {
    std::string key;
    SharedOrder order;
  };
  SharedOrder find(const std::string& key);
  void keep(Entry entry);

  const std::uint64_t most_bytes_;
  std::mutex making_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< asked for last first
  std::uint64_t bytes_ = 0;
};

}  // namespace twinset
