// Super shingles (B section 5.3), as of 1997: a sketch of a sketch. The sampled shingles of a
// document (MOD_m), sorted by hash, are shingled once more: each `window` of them in a row is a
// super shingle. Sorted, the samples of two documents are one sequence, except for those that only
// one of them has. So a window is shared exactly where that many samples of their union in a row
// are in both: a run of `window` heads in tosses whose chance of heads is the resemblance. B does
// not print the window. With 4 the chance of a shared super shingle is, by resemblance and samples
// in the union,
//
//            0.5    0.8    0.9
//     12    .299   .890   .983
//     20    .478   .982   .999
//     30    .639   .998      1
//     60    .881      1      1
//
// B's own warnings hold. A document of few shingles has few super shingles or none: below
// blind_shingles() it has none with a chance above 1 %. And the additions of a longer document fall
// between the samples, so containment is not seen at all. One key in common is reason enough to
// read the texts, not to remove one.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/hash.h"
#include "scheme/estimate.h"
#include "scheme/little_endian.h"
#include "scheme/sample.h"
#include "scheme/scheme.h"
#include "scheme/spec.h"
#include "text/shingler.h"

namespace twinset {
namespace {

constexpr std::uint64_t max_modulus = std::uint64_t{1} << 32;

namespace parameter {
enum : std::size_t { shingle, modulus, window, seed, secret, count };
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"shingle", 1, max_shingle_tokens, default_shingle_tokens, "tokens in a shingle"},
    {"modulus", 1, max_modulus, 25, "one shingle in this many is sampled"},
    {"window", 1, 64, 4, "sampled shingles in a super shingle"},
    seed_parameter,
    sampling_secret,
}};

constexpr SchemeDeclaration super_shingle_declaration{
    "super_shingle",
    1,
    SharedKey::candidate,
    "super shingles: windows over the sorted sample of a long document, one in common",
    "Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web, 1997, section 5.3",
    parameters,
    Tells::nothing};

constexpr std::uint64_t shingle_multiplier = 0x589965cc75374cc3ULL;
constexpr std::uint64_t window_multiplier = 0xa0761d6478bd642fULL;
constexpr std::uint64_t window_start = 0x9e3779b97f4a7c15ULL;

std::uint64_t super_shingle_of(std::span<const std::uint64_t> window) {
  std::uint64_t hash = window_start;
  for (const std::uint64_t value : window) {
    hash = multiply_fold(hash ^ value, window_multiplier) + window_start;
  }
  return mix64(hash);
}

/// Chance that fewer than `needed` of `count` shingles are sampled. The share is below 1, and count
/// * share small enough that (1 - share)^count does not vanish.
double chance_of_fewer(std::uint64_t needed, std::uint64_t count, double share) {
  const auto all = static_cast<double>(count);
  double term = std::exp(all * std::log1p(-share));
  double sum = 0;
  for (std::uint64_t i = 0; i < needed; ++i) {
    sum += term;
    const auto sampled = static_cast<double>(i);
    term *= std::max(all - sampled, 0.0) / (sampled + 1) * share / (1 - share);
  }
  return sum;
}

/// The shortest document that has a super shingle in 99 of 100 cases.
std::uint64_t blind_shingles(std::uint64_t modulus, std::uint64_t window) {
  if (modulus == 1) return window;
  const auto blind = [&](std::uint64_t count) {
    return chance_of_fewer(window, count, 1 / static_cast<double>(modulus)) > 0.01;
  };
  std::uint64_t most = window;
  while (blind(most)) most *= 2;
  std::uint64_t least = most / 2;
  while (least < most) {
    const std::uint64_t middle = least + (most - least) / 2;
    if (blind(middle)) {
      least = middle + 1;
    } else {
      most = middle;
    }
  }
  return most;
}

class SuperShingleScheme final : public Scheme {
 public:
  explicit SuperShingleScheme(const Parameters& values)
      : Scheme(super_shingle_declaration, values,
               {.blind_shingles =
                    blind_shingles(values[parameter::modulus], values[parameter::window])}),
        hash_{mix64(values.random_seed(parameter::seed, parameter::secret) + 5),
              shingle_multiplier} {}

  /// Stores the number of samples, then the super shingles in order.
  void fill(const DocumentView& document, Sketch& out) const override {
    const std::span<const std::uint64_t> shingles = document.shingles(shingle_tokens());
    out.empty = shingles.empty();
    if (out.empty) return;
    std::vector<std::uint64_t>& sample = out.values;
    sample_shingles(hash_, shingles, UINT64_MAX / modulus(), sample);
    const std::uint64_t samples = sample.size();
    append_little_endian<std::uint64_t>({&samples, 1}, out.stored);
    const std::size_t count = samples < window() ? 0 : samples - window() + 1;
    for (std::size_t i = 0; i < count; ++i) {
      sample[i] = super_shingle_of({&sample[i], window()});
    }
    sample.resize(count);
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }

  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const override {
    out.insert(out.end(), sketch.values.begin(), sketch.values.end());
  }

  /// Equal super shingles mean equal samples; different ones only mean that the documents differ.
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    constexpr std::size_t word = sizeof(std::uint64_t);
    if (a.size() < 2 * word || a.size() % word != 0 || !std::ranges::equal(a, b)) return {};
    const std::uint64_t samples = a.size() / word - 1 + window() - 1;
    const Estimate equal = estimate_share(samples, samples, 1 / static_cast<double>(modulus()));
    return {{equal, equal, equal}, {}};
  }

 private:
  std::uint64_t modulus() const { return value(parameter::modulus); }
  std::size_t window() const { return static_cast<std::size_t>(value(parameter::window)); }

  ShingleHash hash_;
};

Result<std::unique_ptr<Scheme>> make_super_shingle(const SchemeArguments& arguments) {
  return std::unique_ptr<Scheme>(std::make_unique<SuperShingleScheme>(arguments.values));
}

}  // namespace

extern const SchemeEntry super_shingle_scheme;
const SchemeEntry super_shingle_scheme{&super_shingle_declaration, make_super_shingle};

}  // namespace twinset
