#include "judge/categories.h"

#include <algorithm>

#include "base/message.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t most_name_letters = 32;
constexpr std::string_view commands = "bq";

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

Status check_name(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  if (name.empty() || name.size() > most_name_letters || !plain || !is_letter(name.front())) {
    return usage_error(option("categories") + ": '" + visible_name(name) +
                       "' is no name: at most 32 of a-z, 0-9, - and _, a letter first");
  }
  if (commands.find(name.front()) != std::string_view::npos) {
    return usage_error(option("categories") + ": '" + name +
                       "' begins with b or q, the letters for back and quit; choose another word");
  }
  return {};
}

}  // namespace

Result<Categories> Categories::parse(std::string_view list) {
  Categories out;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string name(list.substr(at, end - at));
    TWINSET_TRY(check_name(name));
    const std::optional<std::size_t> other = out.find(name.front());
    if (other.has_value()) {
      return usage_error(option("categories") + ": " + out.names_[*other] + " and " + name +
                         " share their first letter, which is the judge's answer");
    }
    out.names_.push_back(std::move(name));
    at = end + 1;
  }
  if (out.names_.size() - (out.dropped().has_value() ? 1 : 0) < 2) {
    return usage_error(option("categories") + " needs two names or more beside unclear");
  }
  if (out.dropped() == 0U) {
    return usage_error(option("categories") +
                       ": the first name is the good one; unclear cannot be it");
  }
  return out;
}

std::optional<std::size_t> Categories::find(char letter) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].front() == letter) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> Categories::find(std::string_view name) const {
  const auto at = std::ranges::find(names_, name);
  if (at == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - names_.begin());
}

std::string Categories::text() const {
  std::string out;
  for (const std::string& name : names_) out += (out.empty() ? "" : ",") + name;
  return out;
}

}  // namespace twinset
