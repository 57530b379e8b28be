// A toy scheme of signatures: each word sets one of 64 bits. Texts of nearly the same words are
// near.
#include <array>
#include <bit>

#include "scheme/little_endian.h"
#include "scheme/scheme_list.h"
#include "scheme/spec.h"

namespace twinset {
namespace {

constexpr std::array<ParameterDeclaration, 1> parameters{
    {{"bits", 64, 128, 64, "of a signature; those above 64 repeat the others"}}};
constexpr SchemeDeclaration declaration{.name = "word_bits",
                                        .version = 1,
                                        .shared_key = SharedKey::candidate,
                                        .summary = "a bit for each word",
                                        .source = "a test",
                                        .parameters = parameters,
                                        .tells = Tells::distance};

SketchFacts facts_of(unsigned bits) {
  SketchFacts facts;
  facts.stored_bytes = 1 + bits / 8;
  facts.uses_shingles = false;
  facts.signature_bits = bits;
  return facts;
}

class WordBits final : public Scheme {
 public:
  explicit WordBits(const Parameters& values)
      : Scheme(twinset::declaration, values, facts_of(static_cast<unsigned>(values[0]))) {}
  void fill(const DocumentView& document, Sketch& out) const override {
    const auto& tokens = document.analysis().tokens;
    out.empty = tokens.empty();
    if (out.empty) return;
    std::uint64_t bits = 0;
    for (const std::uint64_t token : tokens) bits |= std::uint64_t{1} << token % 64;
    out.values.assign(facts().signature_bits / 64, bits);
    out.stored = {1};
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }
  void keys(const Sketch&, std::vector<std::uint64_t>&) const override {}
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    if (a.size() != facts().stored_bytes || b.size() != a.size() || a[0] == 0 || b[0] == 0) {
      return {};
    }
    Comparison found;
    found.distance = BitDistance{0, facts().signature_bits};
    for (std::size_t i = 1; i < a.size(); ++i) {
      found.distance->differ += static_cast<unsigned>(std::popcount(std::uint8_t(a[i] ^ b[i])));
    }
    return found;
  }
};

Result<std::unique_ptr<Scheme>> make_word_bits(const SchemeArguments& arguments) {
  if (arguments.values[0] % 64 != 0) return usage_error("scheme word_bits: bits is 64 or 128");
  return std::unique_ptr<Scheme>(std::make_unique<WordBits>(arguments.values));
}

}  // namespace

extern const SchemeEntry word_bits_scheme;
const SchemeEntry word_bits_scheme{&declaration, make_word_bits};

}  // namespace twinset
