// What the verbs of an index have in common: opening it, telling what it holds, and what is inside
// an Index.
//
// Threads: pure functions but for files.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/snapshot.h"
#include "search/locate.h"
#include "system/context.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

/// Error (usage) if no index is named.
Result<IndexSnapshot> open_index(FileSystem& files, const std::string& index);

IndexStats stats_of(const std::string& index, const IndexSnapshot& snapshot);

/// The document that a person names by its id, a string without its quotes, or by its URL, of whose
/// documents the last one added counts; nullopt if there is none.
Result<std::optional<IndexPlace>> find_named(const IndexSnapshot& snapshot, std::string_view name,
                                             bool by_url);

/// The dates that one Index of a folder has read, for later ones.
class KnownDates {
 public:
  /// Null: none has.
  std::shared_ptr<const SweepDates> get() const {
    const std::lock_guard lock(mutex_);
    return dates_;
  }
  void set(SweepDates dates) {
    auto shared = std::make_shared<const SweepDates>(std::move(dates));
    const std::lock_guard lock(mutex_);
    dates_ = std::move(shared);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const SweepDates> dates_;
};

/// An Index and the snapshot that it asks.
class OpenIndex {
 public:
  static Index of(std::string folder, std::shared_ptr<const IndexSnapshot> snapshot,
                  std::shared_ptr<KnownDates> dates = nullptr);
  static const IndexSnapshot& snapshot(const Index& index);
};

}  // namespace twinset
