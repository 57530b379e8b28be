// Makes signatures and keys of documents: an analyzer, the rule that turns records into views, a
// scheme, and a second scheme whose keys are counted for containment.
//
//   const Signer signer = Signer::make({.scheme = "fss(shingle=5)"}, disk()).value();
//   RecordView view(signer.view);
//   view.look_at(record);
//   signer.scheme->sketch(view, sketch);
//
// It is all that decides the signature of a text. A run holds one, and so do TextScheme and
// whatever else signs texts outside a run. A signer without a scheme has only the rule: its
// documents are read, and none is signed.
//
// Threads: set up by one, then read by all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "scheme/document_view.h"
#include "scheme/scheme.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

struct SignerOptions {
  std::string analyzer = "words";
  std::string scheme = {};  ///< a spec
  bool signs = true;        ///< else there is no scheme, and the options below mean nothing
  std::uint64_t seed = 0;   ///< the scheme's parameter of that name, unless it is 0
  double threshold = 0.8;   ///< the resemblance that band plans are chosen for
  bool containment = false;
  bool html = false;  ///< texts are pages
};

struct Signer {
  ViewRule view;                               ///< how every text is analyzed
  std::unique_ptr<Scheme> scheme;              ///< null: nothing is signed
  std::unique_ptr<Scheme> containment_scheme;  ///< keys counted for containment, or null
  std::uint64_t fingerprint = 0;  ///< of everything above: what has another is never joined

  /// Errors: usage (an unknown analyzer or scheme, a parameter out of range, terms of another
  /// analyzer, pages of features), io (a file that a parameter names).
  static Result<Signer> make(const SignerOptions& options, FileSystem& files);

  /// After a change of `view`.
  void renew_fingerprint();

  /// True if one shared key makes two documents candidates. Documents with equal bytes or tokens
  /// need no keys: they are folded.
  bool uses_bands() const;
  /// True if documents are joined by the distance of their signatures.
  bool joins_signatures() const { return scheme != nullptr && scheme->facts().signature_bits != 0; }
  /// The scheme whose keys are counted: the containment one or a counting main one; else null.
  const Scheme* counted_scheme() const;
};

}  // namespace twinset
