// The file is lines of facts, as a checkpoint's (run/workspace.h).
//
// This file's interface is filter/match_counts.h.
#include "filter/match_counts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <span>
#include <tuple>

#include "run/workspace.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;
constexpr std::uint64_t file_version = 1;
/// Moments are told apart to so many seconds.
constexpr std::int64_t moment = 60;
constexpr std::size_t most_moments = 10'000;

/// "17 1764241200 1764244800 ", and then anything.
std::string text_of(std::initializer_list<std::int64_t> numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += std::to_string(number) + " ";
  return text;
}

/// Takes so many numbers from the front; false if there are fewer.
bool take_numbers(std::string_view& text, std::span<std::int64_t> numbers) {
  for (std::int64_t& number : numbers) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto size = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || size == text.size() || text[size] != ' ') return false;
    text.remove_prefix(size + 1);
  }
  return true;
}

template <class Clock>
std::int64_t seconds_of() {
  return std::chrono::duration_cast<std::chrono::seconds>(Clock::now().time_since_epoch()).count();
}

}  // namespace

Clocks system_clocks() {
  return {seconds_of<std::chrono::system_clock>, seconds_of<std::chrono::steady_clock>};
}

Result<std::unique_ptr<MatchCounts>> MatchCounts::read(FileSystem& files, const std::string& path,
                                                       const Clocks& clocks) {
  std::unique_ptr<MatchCounts> read(new MatchCounts(clocks));
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind == FileStatus::Kind::missing) return read;
  TWINSET_ASSIGN(const std::string bytes, read_whole_file(files, path, most_bytes));
  StateFile state;
  const auto damaged = [&] {
    return io_error(path +
                    " is damaged, or of another version of twinset; take a copy of it, or remove "
                    "it, and matches are counted from 0 on");
  };
  if (!StateFile::decode(bytes, state) || state.number("version") != file_version) return damaged();
  std::array<std::int64_t, 3> numbers{};
  for (std::uint64_t i = 0; i < state.number("matches"); ++i) {
    const std::string fact = state.text("match." + std::to_string(i));
    std::string_view id = fact;
    if (!take_numbers(id, numbers)) return damaged();
    read->counts_[std::string(id)] = {static_cast<std::uint64_t>(numbers[0]), numbers[1],
                                      numbers[2]};
  }
  for (std::uint64_t i = 0; i < state.number("moments"); ++i) {
    const std::string fact = state.text("moment." + std::to_string(i));
    std::string_view rest = fact;
    if (!take_numbers(rest, std::span(numbers).first(2))) return damaged();
    read->added_.emplace_back(static_cast<std::uint64_t>(numbers[0]), numbers[1]);
  }
  read->begun_ = std::max(read->begun_, static_cast<std::int64_t>(state.number("time")));
  return read;
}

Status MatchCounts::write(FileSystem& files, const std::string& path) {
  StateFile state;
  {
    const std::lock_guard lock(mutex_);
    state.set("version", file_version);
    state.set("time", static_cast<std::uint64_t>(std::max<std::int64_t>(now(), 0)));
    std::uint64_t facts = 0;
    for (const auto& [id, count] : counts_) {
      state.set("match." + std::to_string(facts++),
                text_of({static_cast<std::int64_t>(count.matches), count.first, count.last}) + id);
    }
    state.set("matches", facts);
    for (std::size_t i = 0; i < added_.size(); ++i) {
      state.set("moment." + std::to_string(i),
                text_of({static_cast<std::int64_t>(added_[i].first), added_[i].second}));
    }
    state.set("moments", added_.size());
    has_changed_ = false;
  }
  const Status written = write_file_atomically(files, path, state.encode());
  if (written.ok()) return {};
  const std::lock_guard lock(mutex_);
  has_changed_ = true;
  return written;
}

std::int64_t MatchCounts::now() const {
  return begun_ + std::max<std::int64_t>(clocks_.steady() - steady_begun_, 0);
}

void MatchCounts::matched(std::string_view id) {
  const std::int64_t at = now();
  const std::lock_guard lock(mutex_);
  auto found = counts_.find(id);
  if (found == counts_.end()) found = counts_.emplace(id, Count{.first = at}).first;
  ++found->second.matches;
  found->second.last = std::max(found->second.last, at);
  has_changed_ = true;
}

void MatchCounts::added_until(std::uint64_t serials) {
  const std::int64_t at = now();
  const std::lock_guard lock(mutex_);
  const std::uint64_t before = added_.empty() ? 0 : added_.back().first;
  if (serials <= before) return;
  has_changed_ = true;
  if (!added_.empty() && at - added_.back().second < moment && added_.size() > 1) {
    added_.back().first = serials;
  } else {
    added_.emplace_back(serials, at);
  }
  if (added_.size() < most_moments) return;
  // Of the older half every second one goes: what was added before it counts as added a little
  // later.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < added_.size(); ++i) {
    if (i >= added_.size() / 2 || i % 2 == 1) added_[kept++] = added_[i];
  }
  added_.resize(kept);
}

void MatchCounts::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  has_changed_ = counts_.erase(id) > 0 || has_changed_;
}

std::optional<MatchCounts::Count> MatchCounts::of(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(id);
  return found == counts_.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t MatchCounts::added(std::uint64_t serial) const {
  const std::lock_guard lock(mutex_);
  const auto after =
      std::ranges::upper_bound(added_, serial, {}, &std::pair<std::uint64_t, std::int64_t>::first);
  return after == added_.end() ? now() : after->second;
}

std::vector<std::pair<std::string, MatchCounts::Count>> MatchCounts::most(std::uint64_t top) const {
  std::vector<std::pair<std::string, Count>> all;
  {
    const std::lock_guard lock(mutex_);
    all.assign(counts_.begin(), counts_.end());
  }
  const auto more = [](const auto& a, const auto& b) {
    return std::tuple(b.second.matches, b.second.last, a.first) <
           std::tuple(a.second.matches, a.second.last, b.first);
  };
  const auto kept = static_cast<std::size_t>(std::min<std::uint64_t>(top, all.size()));
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), more);
  all.resize(kept);
  return all;
}

bool MatchCounts::has_changed() const {
  const std::lock_guard lock(mutex_);
  return has_changed_;
}

}  // namespace twinset
