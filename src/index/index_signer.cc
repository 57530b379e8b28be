// This file's interface is index/index_signer.h.
#include "index/index_signer.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "base/message.h"
#include "base/plain_bytes.h"
#include "join/hamming_plan.h"
#include "scheme/spec.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

template <std::size_t Words>
void add_block_keys(std::span<const std::uint8_t> stored, unsigned distance,
                    std::vector<std::uint64_t>& keys) {
  Signature<Words> signature;
  std::memcpy(signature.data(), stored.data() + 1, sizeof signature);
  HammingPlan blocks;
  blocks.bits = Words * 64;
  // A block has at most 64 bits.
  blocks.blocks = std::max(distance + 1, static_cast<unsigned>(Words));
  for (unsigned block = 0; block < blocks.blocks; ++block) {
    const std::uint64_t bits =
        bits_of<Words>(signature, blocks.begin(block), blocks.begin(block + 1));
    // A block of 64 bits leaves no room for its number, and is the only one of its word.
    keys.push_back(mix64(bits ^ mix64(block + 1)));
  }
}

/// The keys by which a document is found.
void find_keys(const Scheme& scheme, const Sketch& sketch, unsigned distance,
               std::vector<std::uint64_t>& keys) {
  keys.clear();
  if (sketch.empty) return;
  if (scheme.facts().signature_bits == 64) {
    add_block_keys<1>(sketch.stored, distance, keys);
  } else if (scheme.facts().signature_bits == 128) {
    add_block_keys<2>(sketch.stored, distance, keys);
  } else {
    scheme.keys(sketch, keys);
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

}  // namespace

Result<IndexSigner> IndexSigner::make(const IndexSettings& settings, FileSystem& files) {
  IndexSigner signer;
  signer.settings_ = settings;
  // Whether a document is a page is known of each document.
  TWINSET_ASSIGN(signer.view_, view_rule({.analyzer = settings.analyzer}));
  signer.view_.pages = signer.view_.analyzer->reads_markup();
  if (settings.scheme.empty()) return usage_error("an index needs a scheme");
  if (settings.distance > max_join_distance) {
    return usage_error(option("distance") + " is at most " + std::to_string(max_join_distance) +
                       ", not " + std::to_string(settings.distance));
  }
  RunningChecksum all;
  std::vector<std::string> specs;
  for (std::string& spec : signer.settings_.scheme) {
    IndexScheme made;
    TWINSET_ASSIGN(made.scheme, make_scheme(spec_for(*signer.view_.analyzer, spec),
                                            settings.resemblance.value(), files));
    TWINSET_TRY(check_analyzer(*made.scheme, *signer.view_.analyzer));
    made.fingerprint = scheme_fingerprint(*made.scheme, signer.view_);
    spec = made.scheme->spec();
    if (std::ranges::find(specs, spec) != specs.end()) {
      return usage_error("scheme " + spec + " is given twice");
    }
    specs.push_back(spec);
    // Texts are compared by shingles of the first width.
    const unsigned width = made.scheme->shingle_tokens();
    if (signer.schemes_.empty() && width != 0) signer.view_.shingle_tokens = width;
    signer.view_.reads_places |= made.scheme->facts().reads_places;
    all.add(bytes_of(made.fingerprint));
    signer.schemes_.push_back(std::move(made));
  }
  all.add(bytes_of(settings.distance));
  signer.fingerprint_ = all.value();
  return signer;
}

std::optional<std::size_t> IndexSigner::sure_scheme() const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < schemes_.size(); ++i) {
    const unsigned run = schemes_[i].scheme->facts().sure_run;
    if (run == 0) continue;
    if (!best.has_value() || run < schemes_[*best].scheme->facts().sure_run) best = i;
  }
  return best;
}

void IndexSigner::mark(const DocumentView& document, std::vector<Marks>& marks) const {
  marks.resize(schemes_.size());
  for (std::size_t i = 0; i < schemes_.size(); ++i) mark(document, i, marks[i]);
}

void IndexSigner::mark(const DocumentView& document, std::size_t scheme, Marks& marks) const {
  schemes_[scheme].scheme->sketch(document, marks.sketch);
  find_keys(*schemes_[scheme].scheme, marks.sketch, settings_.distance, marks.keys);
}

bool IndexSigner::restore(std::size_t scheme, std::span<const std::uint8_t> stored,
                          Marks& marks) const {
  const Scheme& of = *schemes_[scheme].scheme;
  marks.keys.clear();
  marks.sketch.stored.assign(stored.begin(), stored.end());
  marks.sketch.empty = stored.empty();
  if (stored.empty()) return true;
  if (of.facts().signature_bits == 0 && !of.restore(stored, marks.sketch)) return false;
  find_keys(of, marks.sketch, settings_.distance, marks.keys);
  return true;
}

}  // namespace twinset
