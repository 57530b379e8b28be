// MinHash (Broder 1997; B section 3 names it beside its own samples): k hash functions, and for
// each the smallest value over a document's shingles. Two documents agree in a value with
// probability equal to their resemblance.
//
// Kept for users who know it; fss is cheaper and, on short documents, more accurate. The hash of a
// slot is an exclusive or and a multiplication of 32 bits, over a 32-bit hash of the shingle: a
// vector instruction each.
#include <algorithm>
#include <array>

#include "base/cpu.h"
#include "base/hash.h"
#include "scheme/banded_scheme.h"
#include "scheme/kernels/minhash_slots.h"
#include "scheme/little_endian.h"
#include "text/shingler.h"

namespace twinset {
namespace {

constexpr std::uint64_t max_values = 1024;

namespace parameter {
enum : std::size_t { values, shingle, seed, bands, rows, secret, count };
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"values", 16, max_values, 128, "hash values in a sketch"},
    {"shingle", 1, max_shingle_tokens, default_shingle_tokens, "tokens in a shingle"},
    seed_parameter,
    {"bands", 0, max_values, 0, "bands of a sketch; 0: chosen for the threshold"},
    {"rows", 0, max_values, 0, "values in a band; 0: chosen for the threshold"},
    sampling_secret,
}};

constexpr SchemeDeclaration minhash_declaration{
    "minhash",
    1,
    SharedKey::candidate,
    "MinHash: resemblance from independent minima of 32 bits",
    "Broder: On the resemblance and containment of documents, 1997",
    parameters};

class MinHashScheme final : public BandedScheme {
 public:
  MinHashScheme(const Parameters& values, const BandPlan& plan)
      : BandedScheme(minhash_declaration, values,
                     {.stored_bytes = values[parameter::values] * sizeof(std::uint32_t),
                      .compared_values = values[parameter::values]},
                     plan),
        slots_(values[parameter::values], values.random_seed(parameter::seed, parameter::secret)),
        shingle_key_(mix64(values.random_seed(parameter::seed, parameter::secret) + 2)),
        level_(simd_level()) {}

  void fill(const DocumentView& document, Sketch& out) const override {
    const std::span<const std::uint64_t> shingles = document.shingles(shingle_tokens());
    out.empty = shingles.empty();
    if (out.empty) return;
    std::array<std::uint32_t, max_values> minima;
    find_minima(slots_, shingle_key_, shingles, {minima.data(), slots_.padded()}, level_);
    out.values.assign(minima.begin(), minima.begin() + static_cast<std::ptrdiff_t>(slots_.count));
    append_little_endian<std::uint32_t>({minima.data(), slots_.count}, out.stored);
  }

 private:
  MinHashSlots slots_;
  std::uint64_t shingle_key_;
  SimdLevel level_;
};

Result<std::unique_ptr<Scheme>> make_minhash(const SchemeArguments& arguments) {
  Parameters values = arguments.values;
  TWINSET_ASSIGN(const BandPlan plan, take_band_plan(values, parameter::values, parameter::bands,
                                                     parameter::rows, arguments.threshold));
  return std::unique_ptr<Scheme>(std::make_unique<MinHashScheme>(values, plan));
}

}  // namespace

extern const SchemeEntry minhash_scheme;
const SchemeEntry minhash_scheme{&minhash_declaration, make_minhash};

}  // namespace twinset
