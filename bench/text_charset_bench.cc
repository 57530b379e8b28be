// What it costs to read a text in another charset than UTF-8, and to see that one is in UTF-8.
//
//   text_charset_bench --benchmark_filter='decode'
//
// The texts are 1 MB of one word after another, in the bytes of each charset; bytes are those read.
#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "text/charset.h"
#include "text/utf8_check.h"

namespace twinset {
namespace {

constexpr std::size_t text_bytes = 1'000'000;

std::string repeated(std::string_view words) {
  std::string text;
  while (text.size() < text_bytes) text += words;
  return text;
}

void decode(benchmark::State& state, Charset charset, std::string_view words) {
  const std::string text = repeated(words);
  std::string out;
  for (auto _ : state) {
    out.clear();
    append_utf8(charset, text, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

BENCHMARK_CAPTURE(decode, windows_1252, Charset::windows_1252, "une r\xe9publique la\xefque, ");
BENCHMARK_CAPTURE(
    decode, windows_1251, Charset::windows_1251,
    "\xd0\xee\xf1\xf1\xe8\xe9\xf1\xea\xe0\xff \xf4\xe5\xe4\xe5\xf0\xe0\xf6\xe8\xff, ");
BENCHMARK_CAPTURE(
    decode, koi8_r, Charset::koi8_r,
    "\xf2\xcf\xd3\xd3\xc9\xca\xd3\xcb\xc1\xd1 \xc6\xc5\xc4\xc5\xd2\xc1\xc3\xc9\xd1, ");
BENCHMARK_CAPTURE(decode, iso_8859_2, Charset::iso_8859_2,
                  "wolni i r\xf3wni pod wzgl\xea"
                  "dem, ");
BENCHMARK_CAPTURE(decode, shift_jis, Charset::shift_jis,
                  "\x93\xfa\x96{\x8d\x91\x96\xaf\x82\xcd\x90\xb3\x93\x96\x82\xc9");
BENCHMARK_CAPTURE(decode, euc_jp, Charset::euc_jp,
                  "\xc6\xfc\xcb\xdc\xb9\xf1\xcc\xb1\xa4\xcf\xc0\xb5\xc5\xf6\xa4\xcb");
BENCHMARK_CAPTURE(decode, gb18030, Charset::gb18030,
                  "\xd6\xd0\xbb\xaa\xc8\xcb\xc3\xf1\xb9\xb2\xba\xcd\xb9\xfa\xca\xc7");
BENCHMARK_CAPTURE(decode, big5, Charset::big5,
                  "\xa4\xa4\xb5\xd8\xa5\xc1\xb0\xea\xb0\xf2\xa9\xf3\xa4T\xa5\xc1");
BENCHMARK_CAPTURE(decode, euc_kr, Charset::euc_kr,
                  "\xb4\xeb\xc7\xd1\xb9\xce\xb1\xb9\xc0\xc7 \xb1\xb9\xb9\xce\xc0\xcc ");

void check(benchmark::State& state, std::string_view words) {
  const std::string text = repeated(words);
  for (auto _ : state) benchmark::DoNotOptimize(is_utf8(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

BENCHMARK_CAPTURE(check, english, "one republic, indivisible and ");
BENCHMARK_CAPTURE(check, russian,
                  "\xd0\xbc\xd0\xb8\xd1\x80 \xd0\xb8 \xd1\x82\xd1\x80\xd1\x83\xd0\xb4, ");

}  // namespace
}  // namespace twinset
