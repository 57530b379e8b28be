// A line of signatures of any bytes is read or refused. What was read is written and read as the
// same again, so its id and its signature are whole JSON.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "io/field_json.h"
#include "sketch/signature_line.h"

using twinset::FieldLine;
using twinset::SignatureLine;

namespace {

using Words = std::vector<std::uint64_t>;

/// A replaced byte becomes three, and a longer spec is refused.
constexpr std::size_t longest_scheme = 256;

/// Reads a line that must be one, which has these words, and writes it.
std::string written_again(const std::string& text, const Words& words) {
  FieldLine<SignatureLine> line;
  Words again;
  if (!line.read(text, "line").ok() || !read_words(*line, again) || again != words) std::abort();
  std::string out;
  line.append(out);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FieldLine<SignatureLine> line;
  Words words;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!line.read(text, "line").ok() || !read_words(*line, words)) return 0;
  if (line->scheme.size() > longest_scheme) return 0;
  // Bytes that are not UTF-8 are replaced when they are written first.
  std::string first;
  line.append(first);
  if (written_again(first, words) != first) std::abort();
  return 0;
}
