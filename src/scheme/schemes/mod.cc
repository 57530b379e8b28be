// MOD_m (B section 3): the shingles whose hash is 0 modulo m, a sample of a document that other
// documents take in the same way. It is the only scheme that tells containment, both ways.
//
// A hash is "0 modulo m" here when it is at most (2^64 - 1) / m: as likely, and then samples nest:
// the sample of a multiple of m is a part of the sample of m. With `modulus` 0 each document takes
// the smallest power of two m that leaves it at most `samples` shingles: a short document is kept
// whole and known exactly, a long one costs no more. Documents of different m are compared at the
// larger one, at which both samples are known (B's V_i, with m fitted to the sample itself).
//
// With `scale` the modulus follows B's own rule, the size class of the document: with scale * 2^i
// up to scale * 2^(i+1) distinct shingles it keeps one in 2^i; a shorter one is whole. B prints
// scale 100 and samples of 50 to 100; that scale gives 100 to 200, and scale 50 the printed sizes.
//
// A document whose sample is empty under its m is unknown, neither 0 nor 1: at a fixed m a document
// of n shingles is so with probability (1 - 1/m)^n, which falls below 1 % at blind_shingles(). With
// `modulus` 0 it cannot happen.
//
// `hash` rabin takes the paper's fingerprints in place of twinset's own hash (text/rabin.h). That
// is for its results, and where a proof is asked for that unlike shingles are rarely equal; whoever
// wants to hide a copy is stopped by a `secret`, under either hash, and not by Rabin's.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/hash.h"
#include "scheme/estimate.h"
#include "scheme/little_endian.h"
#include "scheme/sample.h"
#include "scheme/scheme.h"
#include "scheme/spec.h"
#include "text/rabin.h"
#include "text/shingler.h"

namespace twinset {
namespace {

constexpr std::uint64_t max_modulus = std::uint64_t{1} << 32;
/// With a smaller scale a document's sample may be empty.
constexpr std::uint64_t min_scale = 16;
constexpr std::uint64_t max_scale = 65536;

namespace parameter {
enum : std::size_t {
  shingle,
  modulus,
  samples,
  scale,
  bits,
  seed,
  hash,
  polynomial,
  secret,
  count
};
}

enum Hash : std::uint64_t { mix, rabin };
constexpr std::array<std::string_view, 2> hashes{"mix", "rabin"};

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"shingle", 1, max_shingle_tokens, default_shingle_tokens, "tokens in a shingle"},
    {"modulus", 0, max_modulus, 0, "one shingle in this many is kept; 0: fitted to each document"},
    {"samples", 16, 65536, 256, "shingles kept of a document at most when modulus is 0"},
    {"scale", 0, max_scale, 0,
     "documents of scale * 2^i to scale * 2^(i+1) shingles keep 1 in 2^i; 0: off"},
    {"bits", 32, 64, 64, "bits of a shingle's fingerprint that are compared; the paper used 40"},
    seed_parameter,
    added(choice_parameter("hash", hashes, mix,
                           "fingerprint of a shingle: mix, the fastest, or rabin, as in the paper: "
                           "its words modulo an irreducible polynomial of so many bits, drawn by "
                           "the seed")),
    added(text_parameter("polynomial", "",
                         "with rabin: this one in place of a random one, in hexadecimal digits, "
                         "such as 10000000039 for t^40 + t^5 + t^4 + t^3 + 1")),
    sampling_secret,
}};

constexpr SchemeDeclaration mod_declaration{
    "mod",
    1,
    SharedKey::count,
    "MOD_m: resemblance, and containment both ways, from a sample of the shingles",
    "Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web, 1997, section 3",
    parameters};

constexpr std::uint64_t shingle_multiplier = 0xe7037ed1a0b428dbULL;

/// The largest value kept under a modulus.
constexpr std::uint64_t limit_of(std::uint64_t modulus) { return UINT64_MAX / modulus; }

/// A stored sample: its modulus, then its values, sorted, each once.
struct StoredSample {
  std::uint64_t modulus = 0;
  std::span<const std::uint8_t> bytes;

  std::size_t size() const { return bytes.size() / sizeof(std::uint64_t); }
  std::uint64_t operator[](std::size_t i) const {
    return load_little_endian<std::uint64_t>(&bytes[i * sizeof(std::uint64_t)]);
  }
  /// The number of values kept under a modulus that is not smaller: a prefix.
  std::size_t size_under(std::uint64_t coarser) const {
    const std::uint64_t limit = limit_of(coarser);
    std::size_t low = 0;
    std::size_t high = size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if ((*this)[middle] <= limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

std::optional<StoredSample> parse_sample(std::span<const std::uint8_t> stored) {
  if (stored.size() < sizeof(std::uint64_t) || stored.size() % sizeof(std::uint64_t) != 0) {
    return std::nullopt;
  }
  const auto modulus = load_little_endian<std::uint64_t>(stored.data());
  if (modulus == 0) return std::nullopt;
  return StoredSample{modulus, stored.subspan(sizeof(std::uint64_t))};
}

/// The sizes of two samples and of their common part, without the values whose keys are in
/// `common`, which is sorted.
struct SampleCommon {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t shared = 0;
};
SampleCommon count_common(const StoredSample& a, const StoredSample& b, std::uint64_t modulus,
                          std::span<const std::uint64_t> common) {
  const std::size_t a_size = a.size_under(modulus);
  const std::size_t b_size = b.size_under(modulus);
  SampleCommon found{a_size, b_size, 0};
  for (std::size_t i = 0, j = 0; i < a_size || j < b_size;) {
    const bool from_a = i < a_size && (j == b_size || a[i] <= b[j]);
    const bool from_b = j < b_size && (i == a_size || b[j] <= a[i]);
    if (!common.empty() && std::ranges::binary_search(common, mix64(from_a ? a[i] : b[j]))) {
      found.a -= from_a ? 1 : 0;
      found.b -= from_b ? 1 : 0;
    } else {
      found.shared += from_a && from_b ? 1 : 0;
    }
    i += from_a ? 1 : 0;
    j += from_b ? 1 : 0;
  }
  return found;
}

/// Under the modulus 2^k a sample keeps hashes that begin with k zeros: samples nest.
SketchFacts facts_of(std::uint64_t modulus) {
  SketchFacts facts;
  facts.nested = modulus == 0;
  if (modulus == 0) return facts;
  facts.key_chance = 1 / static_cast<double>(modulus);
  if (modulus == 1) return facts;
  facts.blind_shingles =
      static_cast<std::uint64_t>(std::ceil(std::log(0.01) / std::log1p(-facts.key_chance)));
  return facts;
}

/// Rabin's fingerprints "enhanced to behave as a random permutation" (B section 3): in the upper
/// bits of a word, and mixed by steps that can be undone, so that only equal fingerprints are
/// equal.
class PermutedRabin {
 public:
  PermutedRabin(const BinaryPolynomial& modulus, unsigned width, std::uint64_t key)
      : of_words_(modulus, width), of_numbers_(modulus, 1), bits_(modulus.degree), key_(key) {}

  /// Of a document's windows; of its shingles as they are if they were not made from words.
  void operator()(const DocumentView& document, std::span<const std::uint64_t> shingles,
                  std::vector<std::uint64_t>& out) const {
    const std::vector<std::uint64_t>& tokens = document.analysis().tokens;
    if (tokens.empty()) {
      of_numbers_(shingles, out);
    } else {
      of_words_(tokens, out);
    }
    for (std::uint64_t& print : out) print = permuted(print) << (64 - bits_);
  }

 private:
  std::uint64_t permuted(std::uint64_t x) const {
    const std::uint64_t all = UINT64_MAX >> (64 - bits_);
    x ^= key_ & all;
    for (const std::uint64_t odd : {0xff51afd7ed558ccdULL, 0xc4ceb9fe1a85ec53ULL}) {
      x ^= x >> bits_ / 2;
      x = x * odd & all;
    }
    return x ^ x >> bits_ / 2;
  }

  RabinShingles of_words_;
  RabinShingles of_numbers_;
  unsigned bits_;
  std::uint64_t key_;
};

class ModScheme final : public Scheme {
 public:
  /// `modulus`: of Rabin's fingerprints, if they are the hash.
  ModScheme(const Parameters& values, const std::optional<BinaryPolynomial>& modulus)
      : Scheme(mod_declaration, values, facts_of(values[parameter::modulus])),
        hash_{mix64(values.random_seed(parameter::seed, parameter::secret) + 3), shingle_multiplier,
              UINT64_MAX << (64 - values[parameter::bits])} {
    if (modulus) rabin_.emplace(*modulus, shingle_tokens(), hash_.key);
  }

  void fill(const DocumentView& document, Sketch& out) const override {
    std::span<const std::uint64_t> shingles = document.shingles(shingle_tokens());
    std::vector<std::uint64_t> prints;
    if (rabin_) {
      (*rabin_)(document, shingles, prints);
      shingles = prints;
    }
    out.empty = shingles.empty();
    if (out.empty) return;
    std::uint64_t modulus = value(parameter::modulus);
    if (value(parameter::scale) != 0) {
      modulus = classify(shingles, out.values);
    } else if (modulus == 0) {
      modulus = fit(shingles, out.values);
    } else {
      sample(shingles, limit_of(modulus), out.values);
    }
    out.level = facts().nested ? static_cast<unsigned>(std::countr_zero(modulus)) : 0;
    append_little_endian<std::uint64_t>({&modulus, 1}, out.stored);
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }

  /// The sample, mixed, because its high bits are all zeros.
  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const override {
    if (sketch.empty) return;
    const std::size_t begin = out.size();
    out.resize(begin + sketch.values.size());
    std::ranges::transform(sketch.values, out.begin() + static_cast<std::ptrdiff_t>(begin), mix64);
  }

  bool restore(std::span<const std::uint8_t> stored, Sketch& sketch) const override {
    const std::optional<StoredSample> sample = parse_sample(stored);
    if (!sample) return false;
    sketch.stored.assign(stored.begin(), stored.end());
    sketch.values.clear();
    for (std::size_t i = 0; i < sample->size(); ++i) sketch.values.push_back((*sample)[i]);
    sketch.level = facts().nested ? static_cast<unsigned>(std::countr_zero(sample->modulus)) : 0;
    sketch.empty = false;
    return true;
  }

  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t> common) const override {
    const std::optional<StoredSample> left = parse_sample(a);
    const std::optional<StoredSample> right = parse_sample(b);
    if (!left || !right) return {};
    const std::uint64_t modulus = std::max(left->modulus, right->modulus);
    const SampleCommon found = count_common(*left, *right, modulus, common);
    const auto share_of = [&](std::size_t whole) -> std::optional<Estimate> {
      if (whole == 0) return std::nullopt;
      return estimate_share(found.shared, whole, 1 / static_cast<double>(modulus));
    };
    return {{share_of(found.a + found.b - found.shared), share_of(found.a), share_of(found.b)},
            SampleCounts{found.shared, found.a, found.b}};
  }

 private:
  /// The hashes of at most `limit` of a chunk of shingles, or of Rabin's fingerprints, which are
  /// hashes already; as select_hashes().
  std::size_t select(std::span<const std::uint64_t> chunk, std::uint64_t limit,
                     std::uint64_t* out) const {
    if (!rabin_) return select_hashes(hash_, chunk, limit, out, simd_level());
    const auto end =
        std::ranges::copy_if(chunk, out, [limit](std::uint64_t hash) { return hash <= limit; }).out;
    return static_cast<std::size_t>(end - out);
  }

  /// As sample_shingles().
  void sample(std::span<const std::uint64_t> shingles, std::uint64_t limit,
              std::vector<std::uint64_t>& out) const {
    if (!rabin_) return sample_shingles(hash_, shingles, limit, out);
    out.resize(shingles.size());
    out.resize(select(shingles, limit, out.data()));
    out.resize(sort_and_unify(out, limit));
  }

  /// The sample under the smallest power of two that leaves at most `samples` distinct values, and
  /// that modulus. Begins at a modulus that should leave too many; if it did not (many repeats),
  /// tries finer ones.
  std::uint64_t fit(std::span<const std::uint64_t> shingles,
                    std::vector<std::uint64_t>& out) const {
    const std::uint64_t samples = value(parameter::samples);
    std::uint64_t modulus = shingles.size() <= samples ? 1 : coarsest_too_fine(shingles.size());
    for (;;) {
      const std::uint64_t begun = modulus;
      modulus = fit_from(begun, shingles, out);
      if (modulus > begun || modulus == 1) return modulus;
      modulus = std::max<std::uint64_t>(modulus / 8, 1);
    }
  }

  /// The largest power of two that almost certainly leaves more than `samples` of so many distinct
  /// shingles (by three standard deviations); 1 at least.
  std::uint64_t coarsest_too_fine(std::size_t shingles) const {
    const auto samples = static_cast<double>(value(parameter::samples));
    const auto enough = static_cast<std::uint64_t>(samples + 3 * std::sqrt(samples));
    return std::bit_floor(std::max<std::uint64_t>(shingles / enough, 1));
  }

  /// The same as fit(), with at least `modulus`. Holds at most a few times `samples` values,
  /// however often shingles repeat.
  std::uint64_t fit_from(std::uint64_t modulus, std::span<const std::uint64_t> shingles,
                         std::vector<std::uint64_t>& out) const {
    const std::uint64_t samples = value(parameter::samples);
    const auto unify = [&] {
      out.resize(sort_and_unify(out, limit_of(modulus)));
      while (out.size() > samples && out[samples] <= limit_of(modulus)) modulus *= 2;
      out.erase(std::upper_bound(out.begin(), out.end(), limit_of(modulus)), out.end());
    };
    std::array<std::uint64_t, sample_chunk> kept;
    out.clear();
    for (std::size_t begin = 0; begin < shingles.size(); begin += sample_chunk) {
      if (out.size() > 4 * samples + sample_chunk) unify();
      const std::size_t size = std::min(sample_chunk, shingles.size() - begin);
      const std::size_t count =
          select(shingles.subspan(begin, size), limit_of(modulus), kept.data());
      out.insert(out.end(), kept.data(), kept.data() + count);
    }
    unify();
    return modulus;
  }

  /// The sample under the modulus of the document's size class, and that modulus.
  std::uint64_t classify(std::span<const std::uint64_t> shingles,
                         std::vector<std::uint64_t>& out) const {
    sample(shingles, UINT64_MAX, out);
    std::uint64_t modulus = 1;
    while (out.size() / (2 * modulus) >= value(parameter::scale)) modulus *= 2;
    out.erase(std::upper_bound(out.begin(), out.end(), limit_of(modulus)), out.end());
    return modulus;
  }

  ShingleHash hash_;
  std::optional<PermutedRabin> rabin_;
};

/// The modulus of Rabin's fingerprints, if they are asked for: the given one, or a random one.
Result<std::optional<BinaryPolynomial>> rabin_modulus(const Parameters& values) {
  const std::string& given = values.text(parameter::polynomial);
  const auto bits = static_cast<unsigned>(values[parameter::bits]);
  const auto refused = [&given](const std::string& why) {
    return usage_error("scheme mod: polynomial=" + given + " " + why);
  };
  if (values[parameter::hash] != rabin) {
    if (!given.empty()) return refused("is for hash=rabin; add that, or leave it out");
    return std::optional<BinaryPolynomial>();
  }
  if (given.empty()) {
    return std::optional(
        random_irreducible(bits, values.random_seed(parameter::seed, parameter::secret)));
  }
  const std::optional<BinaryPolynomial> modulus = parse_polynomial(given);
  if (!modulus || modulus->degree != bits) {
    return refused("is no polynomial of degree " + std::to_string(bits) +
                   ", the number of bits: its hexadecimal digits begin with that of t^" +
                   std::to_string(bits) + ", in lower case");
  }
  if (!is_irreducible(*modulus)) {
    return refused(
        "is a product of polynomials, and unlike shingles could be equal by their common factors; "
        "give an irreducible one, or none for a random one");
  }
  return modulus;
}

Result<std::unique_ptr<Scheme>> make_mod(const SchemeArguments& arguments) {
  const std::uint64_t modulus = arguments.values[parameter::modulus];
  const std::uint64_t scale = arguments.values[parameter::scale];
  if (scale != 0 && scale < min_scale) {
    return usage_error("scheme mod: scale=" + std::to_string(scale) + " leaves samples empty; " +
                       std::to_string(min_scale) + " is the least, 0 turns it off");
  }
  if (scale != 0 && modulus != 0) {
    return usage_error("scheme mod: modulus=" + std::to_string(modulus) + ", scale=" +
                       std::to_string(scale) + "; give one of the two, the other is 0");
  }
  TWINSET_ASSIGN(const std::optional<BinaryPolynomial> rabin, rabin_modulus(arguments.values));
  return std::unique_ptr<Scheme>(std::make_unique<ModScheme>(arguments.values, rabin));
}

}  // namespace

extern const SchemeEntry mod_scheme;
const SchemeEntry mod_scheme{&mod_declaration, make_mod};

}  // namespace twinset
