// Any bytes in every charset: the text is UTF-8, but for that of UTF-8 itself, and at most three
// times as long; labels, pages and guesses never fail.
#include <string>

#include "fuzz/input.h"
#include "text/charset.h"
#include "text/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  fuzzing::FuzzInput input(data, size);
  const auto charset = static_cast<Charset>(input.below(37));
  const std::string_view bytes = input.rest();
  std::string text;
  append_utf8(charset, bytes, text);
  require(text.size() <= 3 * bytes.size() + 3);
  if (charset != Charset::utf8 && charset != Charset::unknown) {
    for (std::size_t i = 0; i < text.size();) {
      const utf8::Decoded decoded = utf8::decode(text, i);
      require(decoded.valid);
      i += decoded.bytes;
    }
  }
  require(guess_charset(bytes) != Charset::unknown);
  charset_of_label(bytes.substr(0, 40));
  charset_in_page(bytes);
  return 0;
}
