// All that decides what an index holds of a document: the analyzer, and the schemes whose sketches
// and keys it keeps.
//
//   TWINSET_ASSIGN(const IndexSigner signer, IndexSigner::make(settings, files));
//   signer.mark(view, scratch, marks);           // a sketch and keys for each scheme
//
// Documents are found by keys. Schemes that join signatures by distance have none, so each block of
// a signature is a key: two that differ in at most `distance` bits agree in one of distance + 1
// blocks (S 6.4.8). Equal blocks at different places are different keys.
//
// Threads: set up by one, then read by all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scheme/record_view.h"
#include "scheme/scheme.h"
#include "system/files.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

/// What an index holds of a document under one of its schemes.
struct Marks {
  Sketch sketch;
  std::vector<std::uint64_t> keys;  ///< sorted, unique
};

struct IndexScheme {
  std::unique_ptr<Scheme> scheme;
  std::uint64_t fingerprint = 0;
};

class IndexSigner {
 public:
  /// Fills what the settings leave open: the full specs of the schemes. Errors: as make_scheme().
  static Result<IndexSigner> make(const IndexSettings& settings, FileSystem& files);

  const ViewRule& view() const { return view_; }
  const std::vector<IndexScheme>& schemes() const { return schemes_; }
  const IndexSettings& settings() const { return settings_; }
  /// The scheme that is sure to find the shortest passages; nullopt: none is.
  std::optional<std::size_t> sure_scheme() const;
  /// Of the settings and of all that they name.
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// Replaces `marks`, one for each scheme.
  void mark(const DocumentView& document, std::vector<Marks>& marks) const;
  /// The marks under one scheme.
  void mark(const DocumentView& document, std::size_t scheme, Marks& marks) const;
  /// The marks of a document under one scheme, from its stored sketch; false: that does not tell
  /// the keys, and `marks` has the sketch alone.
  bool restore(std::size_t scheme, std::span<const std::uint8_t> stored, Marks& marks) const;

 private:
  IndexSettings settings_;
  ViewRule view_;
  std::vector<IndexScheme> schemes_;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace twinset
