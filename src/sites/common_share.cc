#include "sites/common_share.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <unordered_map>

#include "base/message.h"
#include "run/shard.h"

namespace twinset {
namespace {

/// One shingle in so many is kept.
constexpr std::uint64_t sampled_part = 16;
/// A shingle of more than one page in so many is common, but not of a few: those may be copies.
constexpr std::size_t common_part = 50;
constexpr std::size_t most_copies = 4;
/// A form is most of a collection of its texts; a fiftieth may be copies of one.
constexpr std::size_t common_part_of_texts = 5;
/// Of the manuals of LLVM and cppreference .66 and .35 are common, of 17 manuals in one collection
/// .25, of 90 articles of as many sites .00.
constexpr double warned_share = 0.2;
constexpr const char* share_state = "common_share";

}  // namespace

std::vector<Collector*> CommonShare::collectors(const Job& job) {
  const Analyzer& analyzer = *job.signer.view.analyzer;
  if (job.signer.view.templates != nullptr || analyzer.reads_markup()) return {};
  texts_ = !job.signer.view.pages;
  if (texts_ && analyzer.takes_features()) return {};
  return {this};
}

Status CommonShare::open(const StateFile* checkpoint) {
  pages_.clear();
  highest_ = UINT64_MAX;
  return checkpoint == nullptr ? Status() : add_pages_of(*checkpoint);
}

Status CommonShare::take_over(const ShardFolder& shard) { return add_pages_of(shard.state()); }

Status CommonShare::add_pages_of(const StateFile& checkpoint) {
  // Pages end with ";", the rank comes first.
  const std::string state = checkpoint.text(share_state);
  SampledPages added;
  std::vector<std::uint64_t> numbers;
  for (const char* at = state.data(); at != state.data() + state.size();) {
    std::uint64_t number = 0;
    at = std::from_chars(at, state.data() + state.size(), number, 16).ptr;
    numbers.push_back(number);
    const bool ends = *at++ == ';';
    if (!ends) continue;
    added.pages.push_back({numbers.front(), {numbers.begin() + 1, numbers.end()}});
    numbers.clear();
  }
  return put(added);
}

Status CommonShare::checkpoint(StateFile& file) {
  std::string state;
  const auto append = [&](std::uint64_t number, char after) {
    char digits[16];
    state.append(digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr);
    state += after;
  };
  for (const auto& [rank, keys] : pages_) {
    append(rank, keys.empty() ? ';' : ',');
    for (std::size_t i = 0; i < keys.size(); ++i) append(keys[i], i + 1 < keys.size() ? ',' : ';');
  }
  file.set(share_state, state);
  return {};
}

Status CommonShare::take(const ReadRecord& record, SampledPages& rows) const {
  if (!record.is_document() || texts_ == is_page(record.view.markup())) return {};
  const std::uint64_t rank = record.view.lexical_fingerprint().low;
  if (rank > highest_.load(std::memory_order_relaxed)) return {};
  SampledPages::Page page{rank, {}};
  std::span<const std::uint64_t> shingles = record.view.shingles();
  if (texts_) shingles = shingles.first(std::min(shingles.size(), most_shingles_of_text));
  for (const std::uint64_t shingle : shingles) {
    if (shingle % sampled_part == 0) page.keys.push_back(static_cast<std::uint32_t>(shingle >> 32));
  }
  std::sort(page.keys.begin(), page.keys.end());
  page.keys.erase(std::unique(page.keys.begin(), page.keys.end()), page.keys.end());
  rows.pages.push_back(std::move(page));
  return {};
}

Status CommonShare::put(SampledPages& rows) {
  for (SampledPages::Page& page : rows.pages) {
    pages_.emplace(page.rank, std::move(page.keys));
    if (pages_.size() > most()) pages_.erase(std::prev(pages_.end()));
  }
  if (pages_.size() == most()) highest_ = pages_.rbegin()->first;
  return {};
}

double CommonShare::share() const {
  if (pages_.size() < (texts_ ? least_texts : least_pages)) return 0;
  const std::size_t part = texts_ ? common_part_of_texts : common_part;
  std::unordered_map<std::uint32_t, std::size_t> pages_of;
  for (const auto& [rank, keys] : pages_) {
    for (const std::uint32_t key : keys) ++pages_of[key];
  }
  double sum = 0;
  for (const auto& [rank, keys] : pages_) {
    if (keys.empty()) continue;
    const auto common = std::count_if(keys.begin(), keys.end(), [&](std::uint32_t key) {
      const std::size_t of = pages_of[key];
      return of > most_copies && of * part > pages_.size();
    });
    sum += static_cast<double>(common) / static_cast<double>(keys.size());
  }
  return sum / static_cast<double>(pages_.size());
}

std::string CommonShare::warning() const {
  const double common = share();
  if (common < warned_share) return {};
  if (texts_) {
    return "much of these texts is common to many: " +
           std::to_string(static_cast<int>(common * 100)) +
           " % of a text on average. If they are of one form (contracts, tickets, letters), those "
           "that differ in a few words of their own look like copies; " +
           option("templates", "drop") + " compares what is their own";
  }
  return "much of these pages is common to many: " +
         std::to_string(static_cast<int>(common * 100)) +
         " % of a page on average. Pages of other content may look alike; try " +
         option("templates", "drop");
}

}  // namespace twinset
