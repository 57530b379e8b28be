// Counts over pages: of a host, of the collection, of months.
//
//   PageTally tally(summary, 20);
//   tally.add(version);                 // of a page, in any number
//   tally.end_page(page, ends);
//   hosts.write(tally.end_host("a.org"));
//   tally.finish();
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "text/dates.h"
#include "twinset/index.h"

namespace twinset {

/// What a page's line does not tell.
struct PageEnds {
  Date first;
  Date last;
  bool between = false;  ///< hosts, if it has moved
};

class PageTally {
 public:
  /// The summary has so many hosts and pages at most.
  PageTally(TrackSummary& summary, std::uint64_t most) : summary_(summary), most_(most) {}

  void add(const TrackedVersion& version);
  void end_page(const TrackedPage& page, const PageEnds& ends);
  TrackedHost end_host(std::string_view host);
  void finish();

 private:
  TrackedMonth& month_of(const Date& date);

  TrackSummary& summary_;
  std::uint64_t most_;
  TrackCounts host_;
  std::map<std::string, TrackedMonth> months_;
  // Of the page at hand:
  bool came_back_ = false;
  std::optional<std::uint64_t> hash_;  ///< of the bytes of its last version
};

}  // namespace twinset
