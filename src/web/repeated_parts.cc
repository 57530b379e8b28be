#include "web/repeated_parts.h"

#include <algorithm>
#include <vector>

#include "base/characters.h"

namespace twinset {
namespace {

constexpr std::size_t most_parts = 256;
constexpr std::size_t longest_run = 8;

bool is_number(std::string_view part) { return std::ranges::all_of(part, is_digit); }

/// The parts of a path that are not empty.
std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty() && parts.size() < most_parts) {
    const std::size_t length = std::min(path.find('/'), path.size());
    if (length > 0) parts.push_back(path.substr(0, length));
    path.remove_prefix(std::min(length + 1, path.size()));
  }
  return parts;
}

/// From the first byte of one part to the last of another.
std::string_view between(std::string_view first, std::string_view last) {
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

/// The first run of `length` parts that stands often enough in a row.
std::optional<RepeatedParts> find_run(const std::vector<std::string_view>& parts,
                                      std::size_t length, std::uint32_t repeats) {
  std::size_t equal = 0;  // parts that equal the one `length` before
  for (std::size_t i = length; i < parts.size(); ++i) {
    equal = parts[i] == parts[i - length] ? equal + 1 : 0;
    if (equal < length * (repeats - 1)) continue;
    const std::size_t begin = i + 1 - equal - length;
    if (std::all_of(parts.begin() + begin, parts.begin() + begin + length, is_number)) continue;
    while (i + 1 < parts.size() && parts[i + 1] == parts[i + 1 - length]) {
      ++i;
      ++equal;
    }
    return RepeatedParts{between(parts[begin], parts[begin + length - 1]),
                         static_cast<std::uint32_t>(equal / length + 1)};
  }
  return std::nullopt;
}

/// The most frequent part, if it stands often enough among few others.
std::optional<RepeatedParts> find_part(const std::vector<std::string_view>& parts,
                                       std::uint32_t repeats) {
  std::vector<std::string_view> sorted = parts;
  std::ranges::sort(sorted);
  std::size_t distinct = 0;
  RepeatedParts most;
  for (std::size_t i = 0; i < sorted.size(); ++distinct) {
    const std::size_t begin = i;
    while (i < sorted.size() && sorted[i] == sorted[begin]) ++i;
    if (i - begin > most.count && !is_number(sorted[begin])) {
      most = {sorted[begin], static_cast<std::uint32_t>(i - begin)};
    }
  }
  if (most.count < repeats || 2 * distinct > parts.size()) return std::nullopt;
  most.parts = *std::ranges::find(parts, most.parts);
  return most;
}

}  // namespace

std::optional<RepeatedParts> find_repeated_parts(std::string_view path, std::uint32_t repeats) {
  const std::vector<std::string_view> parts = split(path);
  for (std::size_t length = 1; length <= longest_run; ++length) {
    if (const auto found = find_run(parts, length, repeats)) return found;
  }
  return find_part(parts, repeats);
}

}  // namespace twinset
