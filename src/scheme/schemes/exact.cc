// The identities of B section 5.2 as a scheme: one 128-bit fingerprint, kept
// whole, and one key made of it. At `level` 0 equal means the same bytes, at 1
// the same canonical tokens (lexically equivalent), at 2 the same set of shingles
// (shingle-equivalent, resemblance 1).
//
// A key has 64 bits; over a billion documents a few hundredths of a pair agree by chance. To remove
// documents because they are equal, compare the stored 128 bits.
#include <algorithm>
#include <array>

#include "base/hash.h"
#include "scheme/identity.h"
#include "scheme/little_endian.h"
#include "scheme/scheme.h"
#include "scheme/spec.h"
#include "text/shingler.h"

namespace twinset {
namespace {

enum Level : std::uint64_t { identical, lexical, shingle_set };

namespace parameter {
enum : std::size_t { level, shingle, count };
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"level", identical, shingle_set, lexical,
     "documents are equal in: 0 bytes, 1 tokens, 2 set of shingles"},
    {"shingle", 1, max_shingle_tokens, default_shingle_tokens, "tokens in a shingle, at level 2"},
}};

constexpr SchemeDeclaration exact_declaration{
    "exact",
    1,
    SharedKey::equal,
    "exact duplicates: by bytes, by canonical tokens, or by set of shingles",
    "Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web, 1997, section 5.2",
    parameters};

class ExactScheme final : public Scheme {
 public:
  explicit ExactScheme(const Parameters& values)
      : Scheme(exact_declaration, values,
               {.stored_bytes = sizeof(Fingerprint),
                .uses_shingles = values[parameter::level] == shingle_set}) {}

  void fill(const DocumentView& document, Sketch& out) const override {
    const Fingerprint fingerprint = fingerprint_of(document, out.values);
    out.values.assign({fingerprint.high, fingerprint.low});
    append_little_endian<std::uint64_t>(out.values, out.stored);
    out.empty = false;
  }

  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const override {
    if (!sketch.empty) out.push_back(sketch.values[0] ^ mix64(sketch.values[1]));
  }

  /// Equal fingerprints have resemblance 1; different ones tell nothing.
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    Comparison comparison;
    if (a.size() == facts().stored_bytes && std::ranges::equal(a, b)) {
      const Estimate certain{{1, 1, 1}, 0};
      comparison = {{certain, certain, certain}, {}};
    }
    return comparison;
  }

  /// Level 2 requires resemblance 1; levels 0 and 1 require more.
  std::optional<double> match_probability(double j) const override {
    if (level() != shingle_set) return std::nullopt;
    return j >= 1 ? 1.0 : 0.0;
  }

 private:
  std::uint64_t level() const { return value(parameter::level); }

  Fingerprint fingerprint_of(const DocumentView& document,
                             std::vector<std::uint64_t>& scratch) const {
    switch (level()) {
      case identical:
        return identical_fingerprint(document.text());
      case lexical:
        return lexical_fingerprint(document.text(), document.analysis());
      default:
        return shingle_set_fingerprint(document.text(), document.shingles(shingle_tokens()),
                                       scratch);
    }
  }
};

Result<std::unique_ptr<Scheme>> make_exact(const SchemeArguments& arguments) {
  return std::unique_ptr<Scheme>(std::make_unique<ExactScheme>(arguments.values));
}

}  // namespace

extern const SchemeEntry exact_scheme;
const SchemeEntry exact_scheme{&exact_declaration, make_exact};

}  // namespace twinset
