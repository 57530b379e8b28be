// Simhash (Charikar 2002; Manku, Jain, Das Sarma 2007; S chapter 3): the features of a document
// vote on each bit of its signature, each with its weight. A small change of the document moves few
// votes, so signatures of near duplicates differ in few bits. Random documents differ in half.
//
//   features -> weights -> cuts -> signs of sums
//
// Each step is a pure function of a file of its own: scheme/features.h, scheme/signature.h.
#include <array>
#include <bit>

#include "base/cpu.h"
#include "scheme/features.h"
#include "scheme/little_endian.h"
#include "scheme/scheme.h"
#include "scheme/signature.h"
#include "text/shingler.h"

namespace twinset {
namespace {

enum class Weighting : std::uint8_t { unit, tf };
constexpr std::array<std::string_view, 2> weighting_names{"unit", "tf"};
constexpr std::array<std::string_view, 2> bits_names{"64", "128"};

namespace parameter {
enum : std::size_t { shingle, bits, weights, least, most, top, clip, count };
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"shingle", 1, max_shingle_tokens, 1, "tokens in a feature: 1 for words, 2 for bigrams"},
    choice_parameter("bits", bits_names, 0, "bits of a signature"),
    choice_parameter("weights", weighting_names, 1,
                     "weight of a feature: 1, or the number of its occurrences"),
    share_parameter("least", "0", "a feature below this share of the largest weight is left out"),
    share_parameter("most", "1", "a feature above this share of the largest weight is left out"),
    {"top", 0, UINT32_MAX, 0, "only so many features count, the heaviest; 0: all"},
    {"clip", 0, UINT32_MAX, 0,
     "no weight counts more than the one of this rank, the largest being 1; 0: as they are"},
}};

constexpr SchemeDeclaration simhash_declaration{
    "simhash",
    1,
    SharedKey::candidate,
    "signatures of 64 or 128 bits that differ in few bits if documents do",
    "Seshasai: Efficient near duplicate document detection for specialized corpora, 2009",
    parameters,
    Tells::distance};

/// The first byte of a stored signature.
constexpr std::uint8_t stored_form = 1;

class SimhashScheme final : public Scheme {
 public:
  explicit SimhashScheme(const Parameters& values)
      : Scheme(simhash_declaration, values,
               {.stored_bytes = 1 + bits_of(values) / 8,
                .most_stored_bytes = 1 + bits_of(values) / 8,
                .uses_shingles = false,
                .signature_bits = bits_of(values)}),
        weighting_(static_cast<Weighting>(values[parameter::weights])),
        level_(simd_level()) {}

  void fill(const DocumentView& document, Sketch& out) const override {
    std::vector<std::uint64_t> hashes;
    shingle(document.analysis().tokens, static_cast<unsigned>(value(parameter::shingle)), hashes);
    if (hashes.empty()) return;
    if (votes_alike()) return keep(signs_of_unweighted(hashes, bits(), level_), out);
    const FeatureList features = weighted_features(hashes);
    if (features.size() == 0) return;
    SignatureSums sums(bits(), level_);
    sums.add(features);
    keep(sums.signs(), out);
  }

  void keys(const Sketch&, std::vector<std::uint64_t>&) const override {}

  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    if (!is_signature(a) || !is_signature(b)) return {};
    Comparison comparison;
    comparison.distance = BitDistance{0, bits()};
    for (std::size_t at = 1; at < a.size(); at += sizeof(std::uint64_t)) {
      comparison.distance->differ += static_cast<std::uint32_t>(std::popcount(
          load_little_endian<std::uint64_t>(&a[at]) ^ load_little_endian<std::uint64_t>(&b[at])));
    }
    return comparison;
  }

 private:
  static unsigned bits_of(const Parameters& values) {
    return values[parameter::bits] == 0 ? 64 : 128;
  }
  unsigned bits() const { return facts().signature_bits; }

  bool is_signature(std::span<const std::uint8_t> stored) const {
    return stored.size() == facts().stored_bytes && stored[0] == stored_form;
  }

  /// Does each occurrence have one vote? Then nothing has to be added up by feature.
  bool votes_alike() const { return weighting_ == Weighting::tf && !cuts(); }
  bool cuts() const {
    return values().share(parameter::least).numerator() != 0 ||
           values().share(parameter::most).value() != 1 || value(parameter::top) != 0 ||
           value(parameter::clip) != 0;
  }

  FeatureList weighted_features(std::span<const std::uint64_t> hashes) const {
    FeatureList features = sum_repeats(hashes, {});
    if (weighting_ == Weighting::unit) features.weights.assign(features.size(), 1);
    if (value(parameter::clip) != 0) clip_top(features, value(parameter::clip));
    keep_between(features, values().share(parameter::least), values().share(parameter::most));
    if (value(parameter::top) != 0) keep_top(features, value(parameter::top));
    return features;
  }

  void keep(const Signature& signature, Sketch& out) const {
    out.empty = false;
    out.values.assign(signature.begin(), signature.begin() + bits() / 64);
    out.stored.assign(1, stored_form);
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }

  Weighting weighting_;
  SimdLevel level_;
};

Result<std::unique_ptr<Scheme>> make_simhash(const SchemeArguments& arguments) {
  return std::unique_ptr<Scheme>(std::make_unique<SimhashScheme>(arguments.values));
}

}  // namespace

extern const SchemeEntry simhash_scheme;
const SchemeEntry simhash_scheme{&simhash_declaration, make_simhash};

}  // namespace twinset
