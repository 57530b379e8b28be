// The best items of a stream, of which no more are held.
//
//   Best<std::uint64_t, std::greater<>> largest(3, {});
//   for (const std::uint64_t size : sizes) largest.add(size);
//   std::move(largest).sorted();                    // the three largest, the largest first
//
// Threads: belongs to one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace twinset {

/// The best `most` of the added items; holds only these.
template <class Item, class Before>
class Best {
 public:
  Best(std::uint64_t most, Before before) : most_(most), before_(before) {}
  /// Would the item be among them?
  bool wants(const Item& item) const {
    return items_.size() < most_ || (most_ > 0 && before_(item, items_.front()));
  }
  void add(Item item) {
    if (!wants(item)) return;
    if (items_.size() == most_) {
      std::pop_heap(items_.begin(), items_.end(), before_);
      items_.pop_back();
    }
    items_.push_back(std::move(item));
    std::push_heap(items_.begin(), items_.end(), before_);
  }
  std::vector<Item> sorted() && {
    std::sort(items_.begin(), items_.end(), before_);
    return std::move(items_);
  }

 private:
  std::uint64_t most_;
  Before before_;
  std::vector<Item> items_;  ///< a heap with the worst item in front
};

}  // namespace twinset
