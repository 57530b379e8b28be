// Any bytes in every charset: the text is at most three times as long, its end is that of the
// bytes, and what is UTF-8 is guessed to be that; labels, pages and guesses never fail.
#include <string>
#include <vector>

#include "fuzz/input.h"
#include "text/charset.h"
#include "text/utf8_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  fuzzing::FuzzInput input(data, size);
  const auto charset = static_cast<Charset>(input.below(charset_count));
  const std::string_view bytes = input.rest();
  std::string text;
  append_utf8(charset, bytes, text);
  require(text.size() <= 3 * bytes.size() + 3);
  require(is_utf8(bytes) == is_utf8_portable(bytes));
  std::vector<std::uint64_t> ends{0, text.size()};
  if (marked_charset(bytes) == Charset::unknown && find_in_charset(charset, bytes, ends)) {
    require(ends[0] == 0 && ends[1] == bytes.size());
  }
  require(guess_charset(bytes) != Charset::unknown);
  const FoundCharset found = find_charset(bytes, charset, true);
  require(found.charset != Charset::unknown);
  if (is_utf8(bytes) && found.why == FoundCharset::Why::guess && !is_utf16(found.charset)) {
    require(found.charset == Charset::utf8 || found.charset == Charset::iso_2022_jp);
  }
  charset_of_label(bytes.substr(0, 40));
  charset_in_page(bytes);
  return 0;
}
