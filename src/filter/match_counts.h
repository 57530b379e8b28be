// How often messages matched each prototype of a set, first and last; and when prototypes were
// added. Kept in a file beside the set, which a kill leaves as it was some seconds ago.
//
//   TWINSET_ASSIGN(MatchCounts counts, MatchCounts::read(files, path, wall_clock()));
//   counts.matched("\"spam-17\"", counts.now());
//   counts.added_until(serials, counts.now());         // documents up to this serial are there now
//   TWINSET_TRY(counts.write(files, path));
//
// Time is that of the system at the beginning, and goes on by a clock that nobody sets; it is never
// before a time that was written. So a clock that is set back, or forward while this lives, makes
// no prototype older.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// Seconds since 1970, and those of a clock that never goes back.
struct Clocks {
  std::function<std::int64_t()> wall;
  std::function<std::int64_t()> steady;
};
Clocks system_clocks();

class MatchCounts {
 public:
  struct Count {
    std::uint64_t matches = 0;
    std::int64_t first = 0;  ///< seconds since 1970
    std::int64_t last = 0;
    bool operator==(const Count&) const = default;
  };

  /// Without a file, empty. Errors (io): it is damaged, or of another version.
  static Result<std::unique_ptr<MatchCounts>> read(FileSystem& files, const std::string& path,
                                                   const Clocks& clocks);
  /// Replaces the file in one rename.
  Status write(FileSystem& files, const std::string& path);

  /// Seconds since 1970.
  std::int64_t now() const;
  void matched(std::string_view id);
  /// All documents of serials below this one were added by now.
  void added_until(std::uint64_t serials);
  void forget(const std::string& id);
  std::optional<Count> of(const std::string& id) const;
  /// When a document was added: at this time at the latest.
  std::int64_t added(std::uint64_t serial) const;
  /// The prototypes with the most matches, the most first, then by the last match.
  std::vector<std::pair<std::string, Count>> most(std::uint64_t top) const;
  /// Since it was written.
  bool has_changed() const;

 private:
  explicit MatchCounts(Clocks clocks)
      : clocks_(std::move(clocks)), begun_(clocks_.wall()), steady_begun_(clocks_.steady()) {}

  Clocks clocks_;
  std::int64_t begun_;
  std::int64_t steady_begun_;
  mutable std::mutex mutex_;
  std::map<std::string, Count, std::less<>> counts_;  ///< by id
  /// Moments in their order: from which serial on documents were added after the one before.
  std::vector<std::pair<std::uint64_t, std::int64_t>> added_;
  bool has_changed_ = false;
};

}  // namespace twinset
