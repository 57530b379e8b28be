// Fast Similarity Sketching (Dahlgaard, Knudsen, Thorup, "Fast similarity
// sketching", FOCS 2017): the default scheme for resemblance.
//
// One permutation hashing throws each shingle into one of k bins and keeps each bin's smallest
// value; with few shingles bins stay empty. Here the shingles are thrown again, by another hash,
// until every bin has been reached: a bin keeps the smallest value of the first round that reached
// it, and after k such rounds round k + b fills bin b whatever the hashes. Two documents then agree
// in a bin with probability exactly their resemblance, and the bins are *more* evenly spread than
// independent draws: the variance is below the binomial one, so the binomial standard errors and
// the S-curve given here are bounds. It takes about one round if shingles are many, k ln k hashes
// if they are few.
//
// Keys are made of the full 32-bit bins; the stored form has `bits` bits of a hash of each bin (Li
// and Koenig, "b-bit minwise hashing", WWW 2010).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/cpu.h"
#include "base/hash.h"
#include "scheme/banded_scheme.h"
#include "scheme/kernels/fss_rounds.h"
#include "scheme/packed_bits.h"
#include "scheme/uniform_sort.h"
#include "text/shingler.h"

namespace twinset {
namespace {

namespace parameter {
enum : std::size_t { bins, bits, shingle, seed, bands, rows, secret, count };
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"bins", 64, max_fss_bins, 256, "values in a sketch; a power of two"},
    {"bits", 1, 8, 4, "bits kept of each value: 1, 2, 4 or 8"},
    {"shingle", 1, max_shingle_tokens, default_shingle_tokens, "tokens in a shingle"},
    seed_parameter,
    {"bands", 0, max_fss_bins, 0, "bands of a sketch; 0: chosen for the threshold"},
    {"rows", 0, max_fss_bins, 0, "values in a band; 0: chosen for the threshold"},
    sampling_secret,
}};

constexpr SchemeDeclaration fss_declaration{
    "fss",
    1,
    SharedKey::candidate,
    "fast similarity sketching: resemblance from few bytes, short documents included",
    "Dahlgaard, Knudsen, Thorup: Fast Similarity Sketching, FOCS 2017",
    parameters};

constexpr std::uint64_t first_round_multiplier = 0x9e3779b97f4a7c15ULL;
constexpr std::uint32_t word_multiplier = 0xc2b2ae35;

/// True if the bins that the first round left empty show that most shingles are repeats (linear
/// counting). A wrong answer only costs time.
bool mostly_repeats(std::size_t shingles, std::size_t empty, std::size_t bins) {
  const double distinct =
      static_cast<double>(bins) * std::log(static_cast<double>(bins) / static_cast<double>(empty));
  return static_cast<double>(shingles) > 2 * distinct + 64;
}

class FssScheme final : public BandedScheme {
 public:
  FssScheme(const Parameters& values, const BandPlan& plan)
      : BandedScheme(fss_declaration, values,
                     {.stored_bytes = static_cast<std::size_t>(values[parameter::bins] *
                                                               values[parameter::bits] / 8),
                      .compared_values = values[parameter::bins],
                      .value_bits = static_cast<unsigned>(values[parameter::bits])},
                     plan),
        rounds_(static_cast<unsigned>(std::countr_zero(values[parameter::bins])),
                values.random_seed(parameter::seed, parameter::secret)),
        first_round_key_(mix64(values.random_seed(parameter::seed, parameter::secret) + 1)),
        level_(simd_level()) {}

  void fill(const DocumentView& document, Sketch& out) const override {
    const std::span<const std::uint64_t> shingles = document.shingles(shingle_tokens());
    out.empty = shingles.empty();
    if (out.empty) return;
    std::array<std::uint32_t, max_fss_bins> words;
    fill_first_round(shingles, words.data());
    fill_later_rounds(shingles, words.data());
    const unsigned bins = rounds_.bins();
    out.values.assign(words.begin(), words.begin() + bins);
    out.stored.resize(facts().stored_bytes);
    pack_bits({words.data(), bins}, bits(), out.stored);
  }

 private:
  unsigned bits() const { return static_cast<unsigned>(value(parameter::bits)); }

  /// Every bin's smallest value in round 0; fss_empty if there is none, and also, harmlessly, if
  /// the value equals it: the bin is then filled later.
  void fill_first_round(std::span<const std::uint64_t> shingles, std::uint32_t* words) const {
    std::fill_n(words, rounds_.bins(), fss_empty);
    const unsigned shift = 64 - rounds_.log2_bins;
    for (const std::uint64_t shingle : shingles) {
      const std::uint64_t hash = multiply_fold(shingle ^ first_round_key_, first_round_multiplier);
      std::uint32_t& word = words[hash >> shift];
      word = std::min(word, static_cast<std::uint32_t>(hash));
    }
  }

  void fill_later_rounds(std::span<const std::uint64_t> shingles, std::uint32_t* words) const {
    const unsigned bins = rounds_.bins();
    std::array<std::uint16_t, max_fss_bins> empty;
    std::size_t empty_count = 0;
    for (unsigned bin = 0; bin < bins; ++bin) {
      empty[empty_count] = static_cast<std::uint16_t>(bin);
      empty_count += words[bin] == fss_empty ? 1 : 0;
    }
    if (empty_count == 0) return;
    // Removes repeats first: otherwise a text that repeats a few shingles would be thrown whole up
    // to 2k times.
    std::vector<std::uint64_t> distinct;
    if (mostly_repeats(shingles.size(), empty_count, bins)) {
      distinct.assign(shingles.begin(), shingles.end());
      sort_uniform(distinct, UINT64_MAX);
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      shingles = distinct;
    }
    std::array<std::uint32_t, max_fss_bins> later;
    fill_fss_bins(rounds_, shingles, {empty.data(), empty_count}, {later.data(), bins}, level_);
    for (std::size_t i = 0; i < empty_count; ++i) {
      words[empty[i]] = later[empty[i]] * word_multiplier;
    }
  }

  FssRounds rounds_;
  std::uint64_t first_round_key_;
  SimdLevel level_;
};

Result<std::unique_ptr<Scheme>> make_fss(const SchemeArguments& arguments) {
  Parameters values = arguments.values;
  if (!std::has_single_bit(values[parameter::bins])) {
    return usage_error("scheme fss: bins=" + std::to_string(values[parameter::bins]) +
                       "; bins is a power of two: 64, 128, 256 or 512");
  }
  if (!std::has_single_bit(values[parameter::bits])) {
    return usage_error("scheme fss: bits=" + std::to_string(values[parameter::bits]) +
                       "; bits is 1, 2, 4 or 8");
  }
  TWINSET_ASSIGN(const BandPlan plan, take_band_plan(values, parameter::bins, parameter::bands,
                                                     parameter::rows, arguments.threshold));
  return std::unique_ptr<Scheme>(std::make_unique<FssScheme>(values, plan));
}

}  // namespace

extern const SchemeEntry fss_scheme;
const SchemeEntry fss_scheme{&fss_declaration, make_fss};

}  // namespace twinset
