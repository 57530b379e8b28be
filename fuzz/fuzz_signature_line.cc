// A line of signatures of any bytes is read or refused. What was read is written and read as the
// same again, so its id is whole JSON.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "scheme/scheme.h"
#include "sketch/signature_line.h"
#include "sketch/signature_text.h"

namespace {

using twinset::SignatureLine;
using twinset::Tells;

/// A replaced byte becomes three, and a longer spec is refused.
constexpr std::size_t longest_scheme = 256;

/// The stored form of these words; a byte precedes those of a distance.
std::vector<std::uint8_t> stored(const std::vector<std::uint64_t>& words, Tells tells) {
  std::vector<std::uint8_t> bytes(tells == Tells::distance ? 1 : 0);
  for (const std::uint64_t word : words) {
    for (int shift = 0; shift < 64; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(word >> shift));
    }
  }
  return bytes;
}

std::string written(const SignatureLine& line) {
  const twinset::SchemeDeclaration* const scheme = twinset::declared_scheme(line.scheme);
  std::string signature = "null";
  if (!line.words.empty()) {
    signature.clear();
    append_signature_json(signature, scheme->tells, stored(line.words, scheme->tells));
  }
  std::string rest;
  twinset::JsonObject object(rest);
  object.string("scheme", line.scheme).string("fingerprint", line.fingerprint);
  object.raw("signature", signature);
  object.end();
  return "{" + line.name + ", " + rest.substr(1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SignatureLine line;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!twinset::read_signature_line(text, line) || line.scheme.size() > longest_scheme) return 0;
  // Bytes that are not UTF-8 are replaced when they are written first.
  SignatureLine again;
  if (!twinset::read_signature_line(written(line), again)) std::abort();
  const std::string stable = written(again);
  SignatureLine third;
  if (!twinset::read_signature_line(stable, third)) std::abort();
  if (again.words != line.words || third.words != line.words || written(third) != stable) {
    std::abort();
  }
  return 0;
}
