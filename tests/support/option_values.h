// Random values of options: each is one that its option takes, as typed.
//
// Threads: pure, except for `random`.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "twinset/option.h"

namespace twinset::testing {

class RandomValue {
 public:
  explicit RandomValue(std::mt19937_64& random) : random_(random) {}

  std::string operator()(const bool*) { return below(2) == 0 ? "true" : "false"; }
  std::string operator()(const std::uint64_t*) { return std::to_string(random_() >> below(64)); }
  std::string operator()(const unsigned*) { return std::to_string(random_() >> (32 + below(32))); }
  std::string operator()(const Bytes&) {
    return std::to_string(1 + (random_() >> (1 + below(60))));
  }
  std::string operator()(const Ratio*) {
    const std::uint64_t denominator = 1 + below(1'000'000);
    return std::to_string(below(denominator + 1)) + "/" + std::to_string(denominator);
  }
  std::string operator()(const RatioRange*) { return "0." + std::to_string(below(1000)) + ":1"; }
  std::string operator()(const Choice& choice) {
    return std::string(choice.words[below(choice.words.size())]);
  }
  std::string operator()(const std::string*) {
    static constexpr std::string_view letters[] = {
        "a", "Z", " ", "\"", "\\", "\n", "\t", "\x01", "/", "\xc3\xa9", "\xf0\x9f\x98\x80"};
    std::string text;
    for (std::uint64_t length = below(12); length > 0; --length) text += letters[below(11)];
    return text;
  }
  std::string operator()(const std::vector<std::string>*) { return (*this)(&text_); }
  template <class Value>
  std::string operator()(const std::optional<Value>*) {
    return (*this)(static_cast<const Value*>(nullptr));
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::mt19937_64& random_;
  std::string text_;
};

inline std::string random_value(const Option& option, std::mt19937_64& random) {
  return std::visit(RandomValue(random), option.member);
}

}  // namespace twinset::testing
