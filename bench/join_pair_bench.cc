// Exact resemblance of two texts of 5 kB, as a program asks for it, beside what one would
// write first: words by isalnum() and tolower(), five of them to a string, two hash sets.
//
//   build/bench/bench/join_pair_bench
//   TWINSET_TEXT=some.txt build/bench/bench/join_pair_bench   # pieces of a text of one's own
//
// Pairs are of two texts with no passage in common (unlike), and of a text and its copy with
// one word in fifty replaced (copies). `microseconds` is the least time a pair in a row of 64,
// and `times_plain` how often as long the plain way takes, in turn with ours.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "twinset/pair.h"

namespace twinset {
namespace {

constexpr std::size_t text_bytes = 5'000;
constexpr std::size_t texts_made = 64;

/// Words of 1 to 12 letters; frequent ones are short, as in English.
std::string made_text(std::size_t bytes) {
  std::mt19937_64 random(1);
  std::vector<std::string> words(20'000);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t letters = 1 + random() % 3 + static_cast<std::size_t>(std::log2(i + 1) / 2);
    for (std::size_t k = 0; k < letters; ++k) words[i] += static_cast<char>('a' + random() % 26);
  }
  std::uniform_real_distribution<double> rank(0, std::log(static_cast<double>(words.size())));
  std::string text;
  while (text.size() < bytes) {
    text += words[static_cast<std::size_t>(std::exp(rank(random))) - 1];
    text += random() % 12 == 0 ? ". " : " ";
  }
  return text;
}

struct Texts {
  std::vector<std::string> originals;
  std::vector<std::string> copies;
};

const Texts& texts() {
  static const Texts made = [] {
    const char* const path = std::getenv("TWINSET_TEXT");
    std::string all = made_text(text_bytes * texts_made);
    if (path != nullptr) {
      std::ifstream file(path, std::ios::binary);
      all.assign(std::istreambuf_iterator<char>(file), {});
    }
    Texts out;
    std::mt19937_64 random(2);
    for (std::size_t at = 0; at + text_bytes <= all.size() && at < text_bytes * texts_made;
         at += text_bytes) {
      out.originals.push_back(all.substr(at, text_bytes));
      std::string copy = out.originals.back();
      for (std::size_t i = 1; i < copy.size(); ++i) {
        if (copy[i - 1] == ' ' && random() % 50 == 0) copy[i] = copy[i] == 'q' ? 'z' : 'q';
      }
      out.copies.push_back(std::move(copy));
    }
    return out;
  }();
  return made;
}

std::unordered_set<std::string> plain_shingles(const std::string& text) {
  std::unordered_set<std::string> shingles;
  std::deque<std::string> last;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const auto c = static_cast<unsigned char>(i < text.size() ? text[i] : ' ');
    if (std::isalnum(c) != 0) {
      word += static_cast<char>(std::tolower(c));
    } else if (!word.empty()) {
      last.push_back(std::move(word));
      word.clear();
      if (last.size() > 5) last.pop_front();
      if (last.size() < 5) continue;
      std::string shingle;
      for (const std::string& each : last) shingle += each + ' ';
      shingles.insert(std::move(shingle));
    }
  }
  return shingles;
}

double plain_resemblance(const std::string& a, const std::string& b) {
  const std::unordered_set<std::string> of_a = plain_shingles(a);
  const std::unordered_set<std::string> of_b = plain_shingles(b);
  std::size_t shared = 0;
  for (const std::string& shingle : of_a) shared += of_b.count(shingle);
  return static_cast<double>(shared) / static_cast<double>(of_a.size() + of_b.size() - shared);
}

/// The mean time of a call, over all pairs.
template <class Call>
double seconds_a_pair(std::size_t pairs, Call call) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < pairs; ++i) benchmark::DoNotOptimize(call(i));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
         static_cast<double>(pairs);
}

void compare(benchmark::State& state, bool copies) {
  const std::vector<std::string>& a = texts().originals;
  if (a.size() < 2) return state.SkipWithError("TWINSET_TEXT is shorter than two texts");
  const auto other = [&](std::size_t i) -> const std::string& {
    return copies ? texts().copies[i] : a[(i + 1) % a.size()];
  };
  double ours = 1;
  double plain = 1;
  for (auto _ : state) {
    plain = std::min(plain, seconds_a_pair(a.size(), [&](std::size_t i) {
                       return plain_resemblance(a[i], other(i));
                     }));
    ours = std::min(ours, seconds_a_pair(a.size(), [&](std::size_t i) {
                      return resemblance(a[i], other(i)).value().value;
                    }));
  }
  state.counters["microseconds"] = ours * 1e6;
  state.counters["times_plain"] = plain / ours;
}

BENCHMARK_CAPTURE(compare, unlike, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, copies, true)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace twinset
