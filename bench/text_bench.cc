// What it costs to read a text: tokens with and without offsets, and shingles, at
// each SIMD level.
//
//   text_bench --benchmark_filter='words.*english'
//   TWINSET_TEXT=some.txt text_bench     # a text of one's own, beside those made here
//
// The texts made here are of documents of some 3.5 KB: words of a Zipf-like
// vocabulary in Latin letters (english), the same with a letter in thirty beyond
// ASCII (german), in Cyrillic (russian), ideographs with punctuation (chinese), and
// phrases without spaces of letters with their marks (thai) and of kana and ideographs
// (japanese).
// `times_memcpy` is the time beside that of copying the same bytes, taken in turn.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "cpu_seconds.h"
#include "text/analyzer.h"
#include "text/shingler.h"
#include "text/utf8.h"

namespace twinset {
namespace {

constexpr std::size_t text_bytes = 2'000'000;
constexpr std::size_t document_bytes = 3'500;

struct Text {
  std::string name;
  std::string bytes;
  std::vector<std::string_view> documents;
};

void append(std::uint32_t code_point, std::string& text) {
  std::uint8_t bytes[utf8::max_bytes] = {};
  const std::uint32_t count = utf8::encode(code_point, bytes);
  text.append(reinterpret_cast<const char*>(bytes), count);
}

enum class Language { english, german, russian, chinese, thai, japanese };

bool has_spaces(Language language) {
  return language != Language::chinese && language != Language::thai &&
         language != Language::japanese;
}

/// A letter of Thai with the marks it has now and then, or one of Japanese.
void append_unspaced(Language language, std::mt19937_64& random, std::string& word) {
  const auto any = [&](std::uint32_t first, std::uint32_t count) {
    append(static_cast<std::uint32_t>(first + random() % count), word);
  };
  if (language == Language::thai) {
    any(0xE01, 45);
    if (random() % 3 == 0) any(0xE34, 5);
    if (random() % 5 == 0) any(0xE48, 4);
  } else if (random() % 5 == 0) {
    any(0x4E00, 6000);
  } else {
    any(random() % 4 == 0 ? 0x30A2 : 0x3042, 80);
  }
}

std::string random_word(Language language, std::mt19937_64& random) {
  constexpr std::string_view letters = "etaoinshrdlucmfwygpbvkxqjz";
  constexpr std::uint32_t umlauts[] = {0xE4, 0xF6, 0xFC, 0xDF};
  std::string word;
  if (language == Language::chinese) {
    append(static_cast<std::uint32_t>(0x4E00 + random() % 6000), word);
    return word;
  }
  const std::size_t length = 1 + random() % 5 + random() % 6;
  if (!has_spaces(language)) {
    for (std::size_t i = 0; i < length; ++i) append_unspaced(language, random, word);
    return word;
  }
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t letter = random() % letters.size() * (random() % letters.size()) / 26;
    if (language == Language::russian) {
      append(static_cast<std::uint32_t>(0x430 + letter), word);
    } else if (language == Language::german && random() % 30 == 0) {
      append(umlauts[random() % 4], word);
    } else {
      word += letters[letter];
    }
  }
  return word;
}

std::string generated(Language language) {
  std::mt19937_64 random(7);
  std::vector<std::string> vocabulary;
  for (int i = 0; i < 20000; ++i) vocabulary.push_back(random_word(language, random));
  std::string text;
  while (text.size() < text_bytes) {
    std::string word = vocabulary[random() % vocabulary.size() * (random() % vocabulary.size()) /
                                  vocabulary.size()];
    if (random() % 15 == 0 && word[0] >= 'a') word[0] = static_cast<char>(word[0] - 'a' + 'A');
    text += word;
    if (!has_spaces(language)) {
      if (random() % 12 == 0) append(random() % 2 != 0 ? 0xFF0C : 0x3002, text);
    } else {
      text += random() % 12 == 0 ? ", " : random() % 16 == 0 ? ".\n" : " ";
    }
  }
  return text;
}

Text cut(std::string name, std::string bytes) {
  Text text{std::move(name), std::move(bytes), {}};
  for (std::size_t begin = 0; begin < text.bytes.size();) {
    std::size_t end = text.bytes.find(' ', begin + document_bytes);
    if (end == std::string::npos || end > begin + 2 * document_bytes) end = begin + document_bytes;
    text.documents.push_back(std::string_view(text.bytes).substr(begin, end - begin));
    begin = end;
  }
  return text;
}

const std::vector<Text>& texts() {
  static const std::vector<Text> all = [] {
    std::vector<Text> some;
    some.push_back(cut("english", generated(Language::english)));
    some.push_back(cut("german", generated(Language::german)));
    some.push_back(cut("russian", generated(Language::russian)));
    some.push_back(cut("chinese", generated(Language::chinese)));
    some.push_back(cut("thai", generated(Language::thai)));
    some.push_back(cut("japanese", generated(Language::japanese)));
    if (const char* path = std::getenv("TWINSET_TEXT")) {
      std::ifstream file(path, std::ios::binary);
      std::string bytes(8 * text_bytes, '\0');
      file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      bytes.resize(static_cast<std::size_t>(file.gcount()));
      some.push_back(cut("yours", std::move(bytes)));
    }
    return some;
  }();
  return all;
}

void measure_words(benchmark::State& state, const Text& text, SimdLevel level, Offsets offsets) {
  if (!limit_simd(level).ok()) return state.SkipWithError("level");
  const Analyzer& words = *find_analyzer("words");
  Analysis analysis;
  std::vector<char> copy(4 * document_bytes);
  std::size_t tokens = 0;
  double seconds = 0;
  double copy_seconds = 0;
  for (auto _ : state) {
    tokens = 0;
    const double start = cpu_seconds();
    for (const std::string_view document : text.documents) {
      words.analyze(document, offsets, analysis);
      tokens += analysis.tokens.size();
    }
    const double taken = cpu_seconds() - start;
    state.SetIterationTime(taken);
    seconds += taken;
    const double copy_start = cpu_seconds();
    for (const std::string_view document : text.documents) {
      std::memcpy(copy.data(), document.data(), document.size());
      benchmark::DoNotOptimize(copy.data());
      benchmark::ClobberMemory();
    }
    copy_seconds += cpu_seconds() - copy_start;
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.SetBytesProcessed(static_cast<std::int64_t>(rounds) *
                          static_cast<std::int64_t>(text.bytes.size()));
  state.counters["per_token"] = seconds / rounds / static_cast<double>(tokens);
  state.counters["times_memcpy"] = seconds / copy_seconds;
}

/// Another analyzer beside `words`, taken in turn: `of_words` is the part of its speed (I-01).
void measure_beside_words(benchmark::State& state, const Text& text, const std::string& name) {
  const Analyzer& words = *find_analyzer("words");
  const Analyzer& other = *find_analyzer(name);
  Analysis analysis;
  double seconds = 0;
  double words_seconds = 0;
  const auto take = [&](const Analyzer& analyzer) {
    const double start = cpu_seconds();
    for (const std::string_view document : text.documents) {
      analyzer.analyze(document, Offsets::drop, analysis);
      benchmark::DoNotOptimize(analysis.tokens.data());
    }
    return cpu_seconds() - start;
  };
  for (auto _ : state) {
    const double taken = take(other);
    state.SetIterationTime(taken);
    seconds += taken;
    words_seconds += take(words);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text.bytes.size()));
  state.counters["of_words"] = words_seconds / seconds;
}

void measure_shingles(benchmark::State& state, SimdLevel level, unsigned width) {
  if (!limit_simd(level).ok()) return state.SkipWithError("level");
  std::vector<Analysis> analyses;
  std::size_t tokens = 0;
  for (const std::string_view document : texts()[0].documents) {
    find_analyzer("words")->analyze(document, Offsets::drop, analyses.emplace_back());
    tokens += analyses.back().tokens.size();
  }
  std::vector<std::uint64_t> shingles;
  for (auto _ : state) {
    for (const Analysis& analysis : analyses) {
      shingle(analysis.tokens, width, shingles);
      benchmark::DoNotOptimize(shingles.data());
    }
  }
  state.counters["per_token"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(tokens),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

[[maybe_unused]] const bool registered = [] {
  for (const SimdLevel level : supported_simd_levels()) {
    const std::string at = "/" + std::string(simd_level_name(level));
    for (std::size_t i = 0; i < texts().size(); ++i) {
      for (const Offsets offsets : {Offsets::drop, Offsets::keep}) {
        const std::string name = offsets == Offsets::keep ? "words_offsets/" : "words/";
        benchmark::RegisterBenchmark(
            (name + texts()[i].name + at).c_str(),
            [=](benchmark::State& state) { measure_words(state, texts()[i], level, offsets); })
            ->UseManualTime()
            ->MinTime(0.2);
      }
    }
    for (std::size_t i = 0; i < texts().size() && level == supported_simd_levels().back(); ++i) {
      for (const char* name :
           {"words(min_chars=4,max_digits=1)", "words(min_chars=4,max_digits=1,min_different=5)",
            "words(min_chars=4,max_digits=1,punctuation=keep)",
            "words(min_chars=4,max_digits=1,punctuation=drop)", "words_nfkc", "skeleton",
            "skeleton(digits=letters)", "skeleton(digits=letters,spaced=join)"}) {
        benchmark::RegisterBenchmark(
            (name + ("/" + texts()[i].name)).c_str(),
            [=](benchmark::State& state) { measure_beside_words(state, texts()[i], name); })
            ->UseManualTime()
            ->MinTime(0.2);
      }
    }
    for (const unsigned width : {5u, 10u}) {
      benchmark::RegisterBenchmark(
          ("shingle/" + std::to_string(width) + at).c_str(),
          [=](benchmark::State& state) { measure_shingles(state, level, width); })
          ->MinTime(0.2);
    }
  }
  return true;
}();

}  // namespace
}  // namespace twinset
