// The categories of a judge: a few names, told apart by their first letters.
//
//   const Categories categories = Categories::parse("same,different,unclear").value();
//   categories.find('d');       // 1
//   categories.dropped();       // 2: verdicts of "unclear" do not count
//
// Threads: values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/result.h"

namespace twinset {

/// Verdicts of this category do not count.
inline constexpr std::string_view dropped_category = "unclear";

class Categories {
 public:
  /// Errors (usage): fewer than two names, a name that is not lower-case letters, digits, - and _,
  /// two names of one first letter, a first letter that is a command (b, q).
  static Result<Categories> parse(std::string_view list);

  const std::vector<std::string>& names() const { return names_; }
  std::optional<std::size_t> find(char letter) const;
  std::optional<std::size_t> find(std::string_view name) const;
  /// The category "unclear", if there is one.
  std::optional<std::size_t> dropped() const { return find(dropped_category); }
  std::string text() const;

 private:
  std::vector<std::string> names_;
};

}  // namespace twinset
