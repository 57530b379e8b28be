// Lost and found (B 6.2): where the page of a URL is now, by documents of several sweeps.
//
//   TWINSET_ASSIGN(const SweepDates dates, SweepDates::read(snapshot));
//   TWINSET_ASSIGN(const PageLocation found, locate_page(snapshot, dates, "http://a.org/x", {}));
//
// Threads: pure functions of a snapshot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/snapshot.h"
#include "text/dates.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

/// When the documents of an index were seen: its newest date, and that of each host. Documents
/// without a date that can be read do not count.
class SweepDates {
 public:
  struct Seen {
    Date date;
    std::string written;  ///< as its record has it
  };

  /// Reads each document of the index: 24 bytes of memory and some for each host of a segment.
  /// What is in `earlier` is not read again. `cancel`, here and below, may be null.
  static Result<SweepDates> read(const IndexSnapshot& snapshot, const SweepDates* earlier = nullptr,
                                 const std::atomic<bool>* cancel = nullptr);

  /// Nullptr: no document has a date.
  const Seen* newest() const { return newest_.written.empty() ? nullptr : &newest_; }
  /// Of the host of a URL; nullptr: none of its documents has one.
  const Seen* of_host(std::string_view url) const;

 private:
  /// Those of a segment.
  struct OfSegment {
    std::weak_ptr<const Segment> segment;  ///< that goes with its last reader
    std::uint64_t deleted = 0;             ///< so many of its documents did not count
    Seen newest;
    std::unordered_map<std::uint64_t, Seen> hosts;  ///< by hash of the host
  };

  static Result<std::shared_ptr<const OfSegment>> read_segment(const IndexSnapshot::Part& part,
                                                               const std::atomic<bool>* cancel);

  Seen newest_;
  std::vector<std::shared_ptr<const OfSegment>> segments_;
};

/// The URL as the index has it: as it is given, or in canonical form. Empty: it has neither.
Result<std::string> known_url(const IndexSnapshot& snapshot, std::string_view url);

/// Errors: as Index::locate().
Result<PageLocation> locate_page(const IndexSnapshot& snapshot, const SweepDates& dates,
                                 std::string_view url, const LocateSettings& settings,
                                 const std::atomic<bool>* cancel);

}  // namespace twinset
