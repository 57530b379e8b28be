// Winnowing: of the shingles in each `run` tokens in a row the one of least hash is a key. Two
// documents that have `run` tokens in a row in common therefore share a key, wherever these stand
// and however long the rest is: no quote of that length is missed, and none can be hidden by a
// change of sampled words alone. Samples by hash (mod, fss) find documents that are alike in the
// whole, or a part that is not small; a quote of 60 words in a long page has nothing in them.
//
// Some 2 in run - shingle + 2 shingles are keys: of 1,000 words 56 under the defaults. A text
// shorter than a run has one. Wide shingles are rare by chance, and narrow ones leave more of a run
// to choose from, so that keys are fewer: a third of the run is between.
//
// A share of equal keys is no good estimate of resemblance - which shingle is chosen depends on its
// neighbors - so the sketch tells nothing but that all keys are equal.
#include <algorithm>
#include <array>

#include "base/hash.h"
#include "scheme/estimate.h"
#include "scheme/little_endian.h"
#include "scheme/scheme.h"
#include "scheme/spec.h"
#include "text/anchors.h"
#include "text/shingler.h"

namespace twinset {
namespace {

namespace parameter {
enum : std::size_t { run, shingle, seed, secret, count };
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"run", 1, most_span_tokens, 50,
     "tokens in a row that are found wherever two documents have "
     "them in common"},
    {"shingle", 0, max_shingle_tokens, 0, "tokens in a shingle, at most run; 0: a third of run"},
    seed_parameter,
    sampling_secret,
}};

constexpr SchemeDeclaration winnow_declaration{
    "winnow",
    1,
    SharedKey::candidate,
    "winnowing: finds every passage of so many words that documents share, however long the rest",
    "Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for Document Fingerprinting, 2003",
    parameters,
    Tells::nothing};

SketchFacts facts_of(const Parameters& values) {
  SketchFacts facts;
  facts.sure_run = static_cast<unsigned>(values[parameter::run]);
  return facts;
}

class WinnowScheme final : public Scheme {
 public:
  explicit WinnowScheme(const Parameters& values)
      : Scheme(winnow_declaration, values, facts_of(values)),
        key_(mix64(values.random_seed(parameter::seed, parameter::secret) + 7)) {}

  void fill(const DocumentView& document, Sketch& out) const override {
    for (const TextAnchor& anchor : anchors(document)) out.values.push_back(anchor.key);
    out.empty = out.values.empty();
    std::ranges::sort(out.values);
    out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }

  /// The least hashes, mixed, because their high bits are mostly zeros.
  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const override {
    for (const std::uint64_t value : sketch.values) out.push_back(mix64(value));
  }

  bool restore(std::span<const std::uint8_t> stored, Sketch& sketch) const override {
    if (stored.empty() || stored.size() % sizeof(std::uint64_t) != 0) return false;
    sketch.stored.assign(stored.begin(), stored.end());
    sketch.values.resize(stored.size() / sizeof(std::uint64_t));
    for (std::size_t i = 0; i < sketch.values.size(); ++i) {
      sketch.values[i] = load_little_endian<std::uint64_t>(&stored[i * sizeof(std::uint64_t)]);
    }
    sketch.empty = false;
    return true;
  }

  void key_places(const DocumentView& document, std::vector<KeyPlace>& out) const override {
    out.clear();
    for (const TextAnchor& anchor : anchors(document)) {
      out.push_back({mix64(anchor.key), anchor.position, shingle_tokens()});
    }
  }

  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    Comparison comparison;
    const std::size_t keys = a.size() / sizeof(std::uint64_t);
    if (keys > 0 && std::ranges::equal(a, b)) {
      comparison.resemblance = estimate_share(keys, keys, 0);
    }
    return comparison;
  }

 private:
  std::vector<TextAnchor> anchors(const DocumentView& document) const {
    const std::span<const std::uint64_t> shingles = document.shingles(shingle_tokens());
    std::vector<std::uint64_t> hashes(shingles.size());
    std::ranges::transform(shingles, hashes.begin(),
                           [this](std::uint64_t shingle) { return mix64(shingle ^ key_); });
    const std::size_t choice = facts().sure_run - shingle_tokens() + 1;
    std::vector<TextAnchor> chosen;
    choose_anchors(hashes, std::min(choice, std::max<std::size_t>(hashes.size(), 1)), chosen);
    return chosen;
  }

  std::uint64_t key_;
};

Result<std::unique_ptr<Scheme>> make_winnow(const SchemeArguments& arguments) {
  Parameters values = arguments.values;
  const std::uint64_t run = values[parameter::run];
  if (values[parameter::shingle] == 0) {
    values.set(parameter::shingle, AnchorRule(static_cast<unsigned>(run)).width);
  }
  if (values[parameter::shingle] > run) {
    return usage_error("scheme winnow: shingle=" + std::to_string(values[parameter::shingle]) +
                       " is more than run=" + std::to_string(run) +
                       ", in which a shingle must fit");
  }
  return std::unique_ptr<Scheme>(std::make_unique<WinnowScheme>(values));
}

}  // namespace

extern const SchemeEntry winnow_scheme;
const SchemeEntry winnow_scheme{&winnow_declaration, make_winnow};

}  // namespace twinset
