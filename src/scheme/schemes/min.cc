// MIN_s (B section 3): the s smallest hashes of a document's distinct shingles, or all of them if
// there are fewer. MOD_m's sample grows with the document; this one has a fixed size.
//
// The s smallest of two documents' union are the s smallest of their two sketches together, so
// sketches merge into the sketch of both documents in one, and those s are a sample of the union
// without replacement: the share of them that is in both documents estimates resemblance, with the
// hypergeometric variance
//
//   r (1 - r) / s * (U - s) / (U - 1)        U = size of the union
//
// Of the s, those in one document are a sample of it, so they estimate containment too, though not
// well: of a short document and a long one only few belong to the short one, and if none does,
// nothing is known. (Dividing the number that the *two sketches* share by s instead has a bias of
// up to 0.15: values beyond the union's s smallest are shared by more than they should be.) Two
// documents of at most s shingles are whole in their sketches and known exactly.
//
// A stored sketch is its bound, then its hashes, sorted, each once: all of the document's that are
// at most the bound. The bound is 2^64 - 1 if the document is whole, else the largest of the
// hashes. As a share of 2^64 it is the share of the document that was seen.
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

namespace parameter {
enum : std::size_t { shingle, samples, seed, secret, count };
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"shingle", 1, max_shingle_tokens, default_shingle_tokens, "tokens in a shingle"},
    {"samples", 16, 65536, 256, "shingles kept of a document: s"},
    seed_parameter,
    sampling_secret,
}};

constexpr SchemeDeclaration min_declaration{
    "min",
    1,
    SharedKey::count,
    "MIN_s: resemblance from the s smallest shingles; sketches of one size that merge",
    "Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web, 1997, section 3",
    parameters};

constexpr std::uint64_t shingle_multiplier = 0x8ebc6af09c88c6e3ULL;

/// A parsed stored sketch.
struct StoredMinima {
  std::uint64_t bound = 0;
  std::span<const std::uint8_t> bytes;

  std::size_t size() const { return bytes.size() / sizeof(std::uint64_t); }
  std::uint64_t operator[](std::size_t i) const {
    return load_little_endian<std::uint64_t>(&bytes[i * sizeof(std::uint64_t)]);
  }
};

std::optional<StoredMinima> parse_minima(std::span<const std::uint8_t> stored) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  if (stored.size() < 2 * word || stored.size() % word != 0) return std::nullopt;
  return StoredMinima{load_little_endian<std::uint64_t>(stored.data()), stored.subspan(word)};
}

/// The smallest hashes of a union, counted by the documents they are in.
struct UnionSample {
  std::uint64_t all = 0;
  std::uint64_t in_a = 0;
  std::uint64_t in_b = 0;
  std::uint64_t shared = 0;
  std::uint64_t last = 0;
  bool whole = false;  ///< both documents are known in full
};

/// The `most` smallest hashes up to `bound`. Common ones, whose keys are given, take part in that,
/// but are not counted in the documents.
UnionSample sample_union(const StoredMinima& a, const StoredMinima& b, std::uint64_t bound,
                         std::uint64_t most, std::span<const std::uint64_t> common) {
  UnionSample sample;
  for (std::size_t i = 0, j = 0; sample.all < most && (i < a.size() || j < b.size());) {
    const bool from_a = i < a.size() && (j == b.size() || a[i] <= b[j]);
    const bool from_b = j < b.size() && (i == a.size() || b[j] <= a[i]);
    const std::uint64_t value = from_a ? a[i] : b[j];
    if (value > bound) break;
    sample.last = value;
    ++sample.all;
    if (common.empty() || !std::binary_search(common.begin(), common.end(), mix64(value))) {
      sample.in_a += from_a ? 1 : 0;
      sample.in_b += from_b ? 1 : 0;
      sample.shared += from_a && from_b ? 1 : 0;
    }
    i += from_a ? 1 : 0;
    j += from_b ? 1 : 0;
  }
  return sample;
}

class MinScheme final : public Scheme {
 public:
  explicit MinScheme(const Parameters& values)
      : Scheme(min_declaration, values,
               {.most_stored_bytes = (1 + values[parameter::samples]) * sizeof(std::uint64_t),
                .counts_unions = true}),
        hash_{mix64(values.random_seed(parameter::seed, parameter::secret) + 4),
              shingle_multiplier} {}

  void fill(const DocumentView& document, Sketch& out) const override {
    const std::span<const std::uint64_t> shingles = document.shingles(shingle_tokens());
    out.empty = shingles.empty();
    if (out.empty) return;
    const bool whole = sample_smallest(hash_, shingles, value(parameter::samples), out.values);
    const std::uint64_t bound = whole ? UINT64_MAX : out.values.back();
    append_little_endian<std::uint64_t>({&bound, 1}, out.stored);
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }

  /// The sample, mixed, because its high bits are all zeros.
  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const override {
    if (sketch.empty) return;
    const std::size_t begin = out.size();
    out.resize(begin + sketch.values.size());
    std::ranges::transform(sketch.values, out.begin() + static_cast<std::ptrdiff_t>(begin), mix64);
  }

  /// Counts shared values only among the smallest of the union.
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t> common) const override {
    const std::optional<UnionSample> sample = sample_both(a, b, common);
    if (!sample) return {};
    const double seen = sample->whole ? 1 : std::ldexp(static_cast<double>(sample->last), -64);
    const auto share_of = [&](std::uint64_t all) -> std::optional<Estimate> {
      if (all == 0) return std::nullopt;
      return estimate_share(sample->shared, all, seen);
    };
    return {{share_of(sample->in_a + sample->in_b - sample->shared), share_of(sample->in_a),
             share_of(sample->in_b)},
            SampleCounts{sample->shared, sample->in_a, sample->in_b}};
  }

 private:
  /// The smallest hashes of both, as many as are known of both.
  std::optional<UnionSample> sample_both(std::span<const std::uint8_t> a,
                                         std::span<const std::uint8_t> b,
                                         std::span<const std::uint64_t> common) const {
    const std::optional<StoredMinima> left = parse_minima(a);
    const std::optional<StoredMinima> right = parse_minima(b);
    if (!left || !right) return std::nullopt;
    const std::uint64_t bound = std::min(left->bound, right->bound);
    const bool whole = bound == UINT64_MAX;
    UnionSample sample =
        sample_union(*left, *right, bound, whole ? UINT64_MAX : value(parameter::samples), common);
    sample.whole = whole;
    return sample;
  }

  ShingleHash hash_;
};

Result<std::unique_ptr<Scheme>> make_min(const SchemeArguments& arguments) {
  return std::unique_ptr<Scheme>(std::make_unique<MinScheme>(arguments.values));
}

}  // namespace

extern const SchemeEntry min_scheme;
const SchemeEntry min_scheme{&min_declaration, make_min};

}  // namespace twinset
