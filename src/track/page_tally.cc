// This file's interface is track/page_tally.h.
#include "track/page_tally.h"

#include <algorithm>
#include <chrono>

namespace twinset {
namespace {

/// A change of more than this share of the shingles is much of the text.
constexpr double little_resemblance = 0.9;

void add_counts(const TrackCounts& more, TrackCounts& counts) {
  constexpr std::uint64_t TrackCounts::*numbers[] = {
      &TrackCounts::pages,         &TrackCounts::versions,
      &TrackCounts::same,          &TrackCounts::small,
      &TrackCounts::large,         &TrackCounts::broken,
      &TrackCounts::back,          &TrackCounts::bytes_only,
      &TrackCounts::small_of_much, &TrackCounts::large_of_little,
      &TrackCounts::moved_within,  &TrackCounts::moved_between,
      &TrackCounts::born,          &TrackCounts::died};
  for (const auto number : numbers) counts.*number += more.*number;
  constexpr double TrackCounts::*sums[] = {&TrackCounts::days, &TrackCounts::resemblance,
                                           &TrackCounts::containment, &TrackCounts::distance};
  for (const auto sum : sums) counts.*sum += more.*sum;
}

bool has_changed_more(const TrackedHost& a, const TrackedHost& b) {
  return a.counts.changed() != b.counts.changed() ? a.counts.changed() > b.counts.changed()
                                                  : a.host < b.host;
}

}  // namespace

void PageTally::add(const TrackedVersion& version) {
  ++host_.versions;
  TrackedMonth& month = month_of(parse_date(version.date).value_or(Date()));
  ++month.versions;
  const bool equals_last = hash_ == version.hash;
  hash_ = version.hash;
  if (!version.kind.has_value()) return;
  constexpr std::uint64_t TrackCounts::*by_kind[] = {&TrackCounts::same, &TrackCounts::small,
                                                     &TrackCounts::large, &TrackCounts::broken,
                                                     &TrackCounts::back};
  ++(host_.*by_kind[static_cast<std::size_t>(*version.kind)]);
  came_back_ = came_back_ || version.kind == ChangeKind::back;
  if (version.kind == ChangeKind::same && !equals_last) ++host_.bytes_only;
  if (version.kind != ChangeKind::small && version.kind != ChangeKind::large) return;
  ++month.changed;
  const double resemblance = version.resemblance.value_or(0);
  host_.resemblance += resemblance;
  host_.containment += version.containment.value_or(0);
  ++summary_.by_resemblance[static_cast<std::size_t>(resemblance * 20)];
  if (version.kind == ChangeKind::small && resemblance < little_resemblance) ++host_.small_of_much;
  if (version.kind == ChangeKind::large && resemblance >= little_resemblance) {
    ++host_.large_of_little;
  }
  if (!version.distance.has_value()) return;
  host_.distance += *version.distance;
  if (*version.distance < summary_.by_distance.size()) ++summary_.by_distance[*version.distance];
}

void PageTally::end_page(const TrackedPage& page, const PageEnds& ends) {
  ++host_.pages;
  host_.days += days_between(ends.first, ends.last);
  if (page.moved_to.has_value()) ++(ends.between ? host_.moved_between : host_.moved_within);
  host_.died += page.gone ? 1 : 0;
  host_.born += page.born ? 1 : 0;
  if (page.born) ++month_of(ends.first).born;
  if (page.gone || page.moved_to.has_value()) ++month_of(ends.last).gone;
  if (came_back_ && summary_.broken_pages.size() < most_) summary_.broken_pages.push_back(page.url);
  came_back_ = false;
  hash_.reset();
}

TrackedHost PageTally::end_host(std::string_view host) {
  TrackedHost ended{std::string(host), host_};
  host_ = {};
  add_counts(ended.counts, summary_.counts);
  ++summary_.hosts;
  // A heap with the least changed host first.
  std::vector<TrackedHost>& hosts = summary_.most_changed;
  hosts.push_back(ended);
  std::ranges::push_heap(hosts, has_changed_more);
  if (hosts.size() > most_) {
    std::ranges::pop_heap(hosts, has_changed_more);
    hosts.pop_back();
  }
  return ended;
}

void PageTally::finish() {
  std::ranges::sort_heap(summary_.most_changed, has_changed_more);
  for (auto& [name, month] : months_) summary_.months.push_back(std::move(month));
  months_.clear();
}

TrackedMonth& PageTally::month_of(const Date& date) {
  using namespace std::chrono;
  const auto day = floor<days>(sys_time<microseconds>(microseconds(date.microseconds)));
  const year_month_day of{day};
  std::string name = std::to_string(static_cast<int>(of.year()));
  name.insert(0, name.size() < 4 ? 4 - name.size() : 0, '0');
  const auto month = static_cast<unsigned>(of.month());
  name += month < 10 ? "-0" : "-";
  name += std::to_string(month);
  TrackedMonth& found = months_[name];
  found.month = name;
  return found;
}

}  // namespace twinset
