// Super shingles as they came to be used on the Web after B section 5.3, and the pairs of them that
// Fetterly, Manasse and Najork call megashingles: 84 min-hashes in 6 groups of 14. The hash of a
// group is a super shingle, which two documents of resemblance r share with probability p = r^14.
// Two documents in which at least 2 of 6 agree are near duplicates:
//
//   1 - (1 - p)^6 - 6 p (1 - p)^5    r = .8: .026, .9: .415, .95: .879, .98: .996
//
// Each pair of groups makes a key, 15 in all, so a shared key is an agreement in
// two. With `shared` 1 the 6 super shingles are the keys. 48 bytes are kept.
//
// The curve is steep but late: at a threshold of 0.8 it finds next to nothing, and no plan of
// groups is chosen from the threshold; use fss for that. Kept for users who know it, or want its
// results again.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/cpu.h"
#include "base/hash.h"
#include "scheme/estimate.h"
#include "scheme/kernels/minhash_slots.h"
#include "scheme/little_endian.h"
#include "scheme/scheme.h"
#include "scheme/spec.h"
#include "text/shingler.h"

namespace twinset {
namespace {

constexpr std::uint64_t max_values = 1024;
constexpr std::uint64_t max_groups = 16;

namespace parameter {
enum : std::size_t { values, groups, shared, shingle, seed, secret, count };
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"values", 1, max_values, 84, "min-hashes of a document; a multiple of groups"},
    {"groups", 1, max_groups, 6, "groups of min-hashes; each gives a super shingle"},
    {"shared", 1, 2, 2, "super shingles that must be equal: 1, or 2 for megashingles"},
    {"shingle", 1, max_shingle_tokens, default_shingle_tokens, "tokens in a shingle"},
    seed_parameter,
    sampling_secret,
}};

constexpr SchemeDeclaration mega_shingle_declaration{
    "mega_shingle",
    1,
    SharedKey::candidate,
    "super shingles of grouped min-hashes, two in common: near copies of 0.95 and more",
    "Fetterly, Manasse, Najork: On the Evolution of Clusters of Near-Duplicate Web Pages, 2003",
    parameters,
    Tells::nothing};

constexpr std::uint64_t group_multiplier = 0xa0761d6478bd642fULL;
constexpr std::uint64_t group_start = 0x9e3779b97f4a7c15ULL;

/// A hash of `values` and of the number that they have.
std::uint64_t hash_of(std::uint64_t number, std::span<const std::uint32_t> values) {
  std::uint64_t hash = (number + 1) * group_start;
  for (const std::uint32_t value : values) {
    hash = multiply_fold(hash ^ value, group_multiplier) + group_start;
  }
  return mix64(hash);
}

class MegaShingleScheme final : public Scheme {
 public:
  explicit MegaShingleScheme(const Parameters& values)
      : Scheme(mega_shingle_declaration, values,
               {.stored_bytes = values[parameter::groups] * sizeof(std::uint64_t)}),
        slots_(values[parameter::values], values.random_seed(parameter::seed, parameter::secret)),
        shingle_key_(mix64(values.random_seed(parameter::seed, parameter::secret) + 6)),
        level_(simd_level()) {}

  void fill(const DocumentView& document, Sketch& out) const override {
    const std::span<const std::uint64_t> shingles = document.shingles(shingle_tokens());
    out.empty = shingles.empty();
    if (out.empty) return;
    std::array<std::uint32_t, max_values> minima;
    find_minima(slots_, shingle_key_, shingles, {minima.data(), slots_.padded()}, level_);
    for (std::size_t group = 0; group < groups(); ++group) {
      out.values.push_back(hash_of(group, {minima.data() + group * rows(), rows()}));
    }
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }

  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const override {
    if (value(parameter::shared) == 1) {
      out.insert(out.end(), sketch.values.begin(), sketch.values.end());
      return;
    }
    // A super shingle contains its group's number, so a key of two names both groups.
    for (std::size_t second = 1; second < sketch.values.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        out.push_back(mix64(multiply_fold(sketch.values[first] ^ group_start, group_multiplier) ^
                            sketch.values[second]));
      }
    }
  }

  /// If all super shingles are equal, so are all min-hashes. If some are, the resemblance is
  /// somewhere above the curve's knee.
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    if (a.size() != facts().stored_bytes || !std::ranges::equal(a, b)) return {};
    Comparison comparison;
    comparison.resemblance = estimate_share(slots_.count, slots_.count, 0);
    return comparison;
  }

  std::optional<double> match_probability(double j) const override {
    const auto all = static_cast<double>(groups());
    const double one = std::pow(std::clamp(j, 0.0, 1.0), static_cast<double>(rows()));
    const double none_agrees = std::pow(1 - one, all);
    if (value(parameter::shared) == 1) return 1 - none_agrees;
    return 1 - none_agrees - all * one * std::pow(1 - one, all - 1);
  }

 private:
  std::size_t groups() const { return static_cast<std::size_t>(value(parameter::groups)); }
  std::size_t rows() const { return slots_.count / groups(); }

  MinHashSlots slots_;
  std::uint64_t shingle_key_;
  SimdLevel level_;
};

Result<std::unique_ptr<Scheme>> make_mega_shingle(const SchemeArguments& arguments) {
  const std::uint64_t values = arguments.values[parameter::values];
  const std::uint64_t groups = arguments.values[parameter::groups];
  if (values % groups != 0) {
    return usage_error("scheme mega_shingle: values=" + std::to_string(values) + " do not make " +
                       std::to_string(groups) + " equal groups; values is a multiple of groups");
  }
  if (groups < arguments.values[parameter::shared]) {
    return usage_error(
        "scheme mega_shingle: groups=1 cannot share 2; give shared=1 or more groups");
  }
  return std::unique_ptr<Scheme>(std::make_unique<MegaShingleScheme>(arguments.values));
}

}  // namespace

extern const SchemeEntry mega_shingle_scheme;
const SchemeEntry mega_shingle_scheme{&mega_shingle_declaration, make_mega_shingle};

}  // namespace twinset
