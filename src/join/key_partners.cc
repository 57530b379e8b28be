// Keys are sorted with their documents; a run of equal keys is a group. A group's members are
// adjacent and ascend, so a document reads a group from its beginning up to itself.
//
// This file's interface is join/key_partners.h; the rest is private.
#include "join/key_partners.h"

#include <algorithm>
#include <utility>

namespace twinset {

KeyPartners::KeyPartners(std::span<const std::vector<std::uint64_t>> keys, std::uint64_t max_group)
    : begins_(keys.size() + 1) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> rows;
  for (std::uint32_t d = 0; d < keys.size(); ++d) {
    for (const std::uint64_t key : keys[d]) rows.emplace_back(key, d);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto for_each_group = [&](const auto& visit) {
    for (std::size_t begin = 0; begin < rows.size();) {
      std::size_t end = begin;
      while (end < rows.size() && rows[end].first == rows[begin].first) ++end;
      visit(begin, end);
      begin = end;
    }
  };
  const auto counts = [&](std::size_t size) {
    return size > 1 && (max_group == 0 || size <= max_group);
  };
  for_each_group([&](std::size_t begin, std::size_t end) {
    if (!counts(end - begin)) {
      common_keys_ += end - begin > 1 ? 1 : 0;
      return;
    }
    for (std::size_t i = begin; i < end; ++i) ++begins_[rows[i].second + 1];
  });
  for (std::size_t d = 0; d < keys.size(); ++d) begins_[d + 1] += begins_[d];
  groups_.resize(begins_.back());
  members_.reserve(begins_.back());
  std::vector<std::uint64_t> next(begins_.begin(), begins_.end() - 1);
  for_each_group([&](std::size_t begin, std::size_t end) {
    if (!counts(end - begin)) return;
    const std::uint64_t group = members_.size();
    for (std::size_t i = begin; i < end; ++i) {
      members_.push_back(rows[i].second);
      groups_[next[rows[i].second]++] = group;
    }
  });
}

std::span<const std::uint32_t> PartnerReader::before(std::uint32_t document) {
  partners_.clear();
  ++call_;
  for (std::uint64_t i = shared_.begins_[document]; i < shared_.begins_[document + 1]; ++i) {
    for (std::uint64_t at = shared_.groups_[i]; shared_.members_[at] != document; ++at) {
      const std::uint32_t partner = shared_.members_[at];
      if (seen_[partner] == call_) continue;
      seen_[partner] = call_;
      partners_.push_back(partner);
    }
  }
  return partners_;
}

}  // namespace twinset
