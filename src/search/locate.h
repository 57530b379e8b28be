// Lost and found (B 6.2): where the page of a URL is now, by documents of several sweeps.
//
//   TWINSET_ASSIGN(const SweepDates dates, SweepDates::read(snapshot));
//   TWINSET_ASSIGN(const PageLocation found, locate_page(snapshot, dates, "http://a.org/x", {}));
//
// Threads: pure functions of a snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

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

  /// Reads each document of the index: 24 bytes of memory and some for each host.
  static Result<SweepDates> read(const IndexSnapshot& snapshot);

  /// Nullptr: no document has a date.
  const Seen* newest() const { return newest_.written.empty() ? nullptr : &newest_; }
  /// Of the host of a URL.
  const Seen* of_host(std::string_view url) const;

 private:
  Seen newest_;
  std::unordered_map<std::uint64_t, Seen> hosts_;  ///< by hash of the host
};

/// Errors: as Index::locate().
Result<PageLocation> locate_page(const IndexSnapshot& snapshot, const SweepDates& dates,
                                 std::string_view url, const LocateSettings& settings);

}  // namespace twinset
