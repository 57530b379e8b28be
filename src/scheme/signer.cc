// This file's interface is scheme/signer.h.
#include "scheme/signer.h"

#include <string_view>

#include "scheme/spec.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

constexpr std::string_view containment_spec = "mod(modulus=16)";

/// "mod(modulus=16)" with the main scheme's shingle width.
std::string containment_scheme_spec(unsigned shingle_tokens) {
  std::string spec(containment_spec);
  spec.insert(spec.find('(') + 1, "shingle=" + std::to_string(shingle_tokens) + ", ");
  return spec;
}

}  // namespace

Result<Signer> Signer::make(const SignerOptions& options, FileSystem& files) {
  Signer signer;
  TWINSET_ASSIGN(signer.view, view_rule({.analyzer = options.analyzer, .html = options.html}));
  const Analyzer& analyzer = *signer.view.analyzer;
  if (options.signs) {
    const std::string spec = seeded_spec(spec_for(analyzer, options.scheme), options.seed);
    TWINSET_ASSIGN(signer.scheme, make_scheme(spec, options.threshold, files));
    TWINSET_TRY(check_analyzer(*signer.scheme, analyzer));
    if (const unsigned width = signer.scheme->shingle_tokens(); width != 0) {
      signer.view.shingle_tokens = width;
    }
    signer.view.reads_places = signer.scheme->facts().reads_places;
    if (options.containment) {
      TWINSET_ASSIGN(signer.containment_scheme,
                     make_scheme(containment_scheme_spec(signer.view.shingle_tokens),
                                 options.threshold, files));
    }
  }
  signer.renew_fingerprint();
  return signer;
}

void Signer::renew_fingerprint() {
  fingerprint = scheme != nullptr ? scheme_fingerprint(*scheme, view) : view.fingerprint();
}

bool Signer::uses_bands() const {
  if (scheme == nullptr) return false;
  const SharedKey meaning = scheme->declaration().shared_key;
  return meaning == SharedKey::candidate ||
         (meaning == SharedKey::equal && scheme->shingle_tokens() != 0);
}

const Scheme* Signer::counted_scheme() const {
  if (containment_scheme != nullptr) return containment_scheme.get();
  return scheme != nullptr && scheme->counts_keys() ? scheme.get() : nullptr;
}

}  // namespace twinset
