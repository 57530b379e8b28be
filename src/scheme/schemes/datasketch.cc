// MinHash as datasketch computes it, bit for bit, for collections whose signatures
// were made with it: the stored form is its hash values, 32 bits each, and the
// estimate its jaccard(). Its LSH index is not imitated: the bands are twinset's.
//
// An element is what users of datasketch pass for a shingle: the canonical tokens joined by one
// space, in UTF-8, so that
//
//   words = re.findall(r"\w+", text.lower())
//   for i in range(len(words) - 4): m.update(" ".join(words[i:i + 5]).encode())
//
// has the same sketch if both agree on the words. With shingles of one token an element is the
// token itself. Without an analyzer (features that came as numbers) it is the eight bytes of the
// 64-bit shingle, little-endian.
//
// A SHA-1 and a hash a value for each shingle make this some hundred times slower than fss. Its
// only use is with existing signatures.
#include <algorithm>

#include "base/hash.h"
#include "scheme/banded_scheme.h"
#include "scheme/kernels/datasketch_minhash.h"
#include "scheme/little_endian.h"
#include "text/shingler.h"

namespace twinset {
namespace {

constexpr std::uint64_t max_values = 1024;

namespace parameter {
enum : std::size_t { values, shingle, seed, release, bands, rows, count };
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"values", 16, max_values, 128, "hash values in a sketch, num_perm in datasketch"},
    {"shingle", 1, max_shingle_tokens, default_shingle_tokens, "tokens in a shingle"},
    {"seed", 0, UINT32_MAX, 1, "datasketch's seed"},
    {"release", 1, 2, 1, "release whose arithmetic is used: 1 (legacy) or 2 (affine32)"},
    {"bands", 0, max_values, 0, "bands of a sketch; 0: chosen for the threshold"},
    {"rows", 0, max_values, 0, "values in a band; 0: chosen for the threshold"},
}};

constexpr SchemeDeclaration datasketch_declaration{
    "datasketch",
    1,
    SharedKey::candidate,
    "MinHash with the hash values of the Python library datasketch, bit for bit",
    "Eric Zhu: datasketch, releases 1 and 2; Broder 1997",
    parameters};

class DatasketchScheme final : public BandedScheme {
 public:
  DatasketchScheme(const Parameters& values, const BandPlan& plan)
      : BandedScheme(datasketch_declaration, values,
                     {.stored_bytes = values[parameter::values] * sizeof(std::uint32_t),
                      .reads_places = true,
                      .compared_values = values[parameter::values]},
                     plan),
        minhash_(static_cast<std::size_t>(values[parameter::values]),
                 static_cast<std::uint32_t>(values[parameter::seed]),
                 static_cast<DatasketchRelease>(values[parameter::release])) {}

  void fill(const DocumentView& document, Sketch& out) const override {
    const std::span<const std::uint64_t> shingles = document.shingles(shingle_tokens());
    out.empty = shingles.empty();
    if (out.empty) return;
    std::vector<std::uint32_t> minima(minhash_.size(), UINT32_MAX);
    if (document.analyzer() != nullptr) {
      add_texts(document, minima);
    } else {
      add_numbers(shingles, minima);
    }
    out.values.assign(minima.begin(), minima.end());
    append_little_endian<std::uint32_t>(minima, out.stored);
  }

 private:
  /// The tokens' texts in one string, a space after each; a shingle is a piece of it.
  void add_texts(const DocumentView& document, std::span<std::uint32_t> minima) const {
    const VisibleText& seen = document.visible();
    std::string words;
    std::vector<std::size_t> begins;
    for (const TokenOffsets& token : seen.analysis.offsets) {
      begins.push_back(words.size());
      document.analyzer()->append_token(seen.text, token, words);
      words += ' ';
    }
    begins.push_back(words.size());
    const std::size_t width = std::min<std::size_t>(shingle_tokens(), seen.analysis.offsets.size());
    for (std::size_t i = 0; i + width < begins.size(); ++i) {
      const std::string_view element(words.data() + begins[i], begins[i + width] - begins[i] - 1);
      minhash_.update(element, minima);
    }
  }

  void add_numbers(std::span<const std::uint64_t> shingles, std::span<std::uint32_t> minima) const {
    std::vector<std::uint8_t> bytes;
    for (const std::uint64_t shingle : shingles) {
      bytes.clear();
      append_little_endian<std::uint64_t>({&shingle, 1}, bytes);
      minhash_.update({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, minima);
    }
  }

  DatasketchMinHash minhash_;
};

Result<std::unique_ptr<Scheme>> make_datasketch(const SchemeArguments& arguments) {
  Parameters values = arguments.values;
  TWINSET_ASSIGN(const BandPlan plan, take_band_plan(values, parameter::values, parameter::bands,
                                                     parameter::rows, arguments.threshold));
  return std::unique_ptr<Scheme>(std::make_unique<DatasketchScheme>(values, plan));
}

}  // namespace

extern const SchemeEntry datasketch_scheme;
const SchemeEntry datasketch_scheme{&datasketch_declaration, make_datasketch};

}  // namespace twinset
