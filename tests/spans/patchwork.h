// Made texts that share passages, for tests of spans.
//
// Threads: a pure function.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support_runs/job_testing.h"

namespace twinset::testing {

/// Texts over a few words, parts of which stand in others and in themselves.
inline std::vector<std::string> patchwork(std::uint64_t seed, std::size_t texts,
                                          std::uint64_t alphabet) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::string>> words;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < texts; ++i) {
    std::vector<std::string>& text = words.emplace_back();
    const std::size_t parts = random() % 6;
    for (std::size_t part = 0; part < parts; ++part) {
      const std::vector<std::string> from = words[random() % words.size()];
      if (random() % 2 == 0 || from.empty()) {
        for (std::size_t j = random() % 40; j > 0; --j) {
          text.push_back("w" + std::to_string(random() % alphabet));
        }
      } else {
        const std::size_t begin = random() % from.size();
        const std::size_t size = random() % (from.size() - begin + 1);
        text.insert(text.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
                    from.begin() + static_cast<std::ptrdiff_t>(begin + size));
      }
    }
    std::string& joined = out.emplace_back();
    for (const std::string& word : text) joined += (joined.empty() ? "" : ", ") + word;
  }
  return out;
}

inline std::string json_lines(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += MadeRecord{"", text, ""}.line();
  return all;
}

}  // namespace twinset::testing
