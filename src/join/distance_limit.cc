#include "join/distance_limit.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/message.h"

namespace twinset {
namespace {

bool read_number(std::string_view text, std::uint64_t& out) {
  const char* const end = text.data() + text.size();
  return !text.empty() && std::from_chars(text.data(), end, out).ptr == end;
}

}  // namespace

Result<DistanceLimit> DistanceLimit::parse(std::string_view text) {
  DistanceLimit limit;
  const std::string said = option("distance", text);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    const bool last = part.size() == rest.size();
    rest.remove_prefix(part.size() + (last ? 0 : 1));
    const std::size_t colon = part.find(':');
    std::uint64_t tokens = 0;
    std::uint64_t bits = 0;
    const bool has_tokens = colon != std::string_view::npos;
    const bool read = (!has_tokens || read_number(part.substr(0, colon), tokens)) &&
                      read_number(part.substr(has_tokens ? colon + 1 : 0), bits);
    const std::uint64_t before = limit.shorter_.empty() ? 0 : limit.shorter_.back().below_tokens;
    if (!read || has_tokens == last || (has_tokens && tokens <= before) ||
        (rest.empty() && !last)) {
      return usage_error(said +
                         " is neither BITS, such as 3, nor TOKENS:BITS,...,BITS with rising "
                         "TOKENS, such as 100:2,3: 2 if the shorter document has fewer than 100 "
                         "tokens, else 3");
    }
    if (bits > max_join_distance) {
      return usage_error(said + " is above " + std::to_string(max_join_distance) +
                         ", the largest that is searched for");
    }
    if (has_tokens) {
      limit.shorter_.push_back({tokens, static_cast<std::uint32_t>(bits)});
    } else {
      limit.longest_ = static_cast<std::uint32_t>(bits);
    }
  }
  return limit;
}

std::uint32_t DistanceLimit::of(std::uint64_t shorter_tokens) const {
  const auto found = std::ranges::find_if(
      shorter_, [&](const Class& each) { return shorter_tokens < each.below_tokens; });
  return found == shorter_.end() ? longest_ : found->bits;
}

std::uint32_t DistanceLimit::most() const {
  std::uint32_t most = longest_;
  for (const Class& each : shorter_) most = std::max(most, each.bits);
  return most;
}

}  // namespace twinset
