// This file's interface is scheme/identity.h.
#include "scheme/identity.h"

#include <algorithm>

namespace twinset {
namespace {

constexpr std::uint64_t no_token_seed = 0x746f6b656e6c6573ULL;
constexpr std::uint64_t undecodable_seed = 0x756e6465636f6465ULL;
constexpr std::uint64_t shingle_set_seed = 0x7368696e676c6573ULL;

Fingerprint no_token_fingerprint(std::string_view text) {
  return fingerprint_bytes(text, no_token_seed);
}

}  // namespace

Fingerprint identical_fingerprint(std::string_view text) { return fingerprint_bytes(text); }

Fingerprint lexical_fingerprint(std::string_view text, const Analysis& analysis) {
  return analysis.tokens.empty() ? no_token_fingerprint(text) : analysis.lexical_fingerprint();
}

Fingerprint undecodable_fingerprint(std::string_view visible) {
  return fingerprint_bytes(visible, undecodable_seed);
}

Fingerprint shingle_set_fingerprint(std::string_view text, std::span<const std::uint64_t> shingles,
                                    std::vector<std::uint64_t>& scratch) {
  if (shingles.empty()) return no_token_fingerprint(text);
  scratch.assign(shingles.begin(), shingles.end());
  std::sort(scratch.begin(), scratch.end());
  scratch.erase(std::unique(scratch.begin(), scratch.end()), scratch.end());
  // Little-endian bytes; text/analyzer.cc asserts that of this machine.
  return fingerprint_bytes(
      {reinterpret_cast<const char*>(scratch.data()), scratch.size() * sizeof scratch[0]},
      shingle_set_seed);
}

}  // namespace twinset
