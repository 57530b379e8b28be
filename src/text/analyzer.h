// Analyzer: a document's text to its canonical tokens (B section 2; "analyzer"
// is Lucene's word for canonicalizer + tokenizer).
//
//   const Analyzer* words = find_analyzer("words");
//   Analysis analysis;
//   words->analyze("A rose is a rose.", Offsets::keep, analysis);
//   // analysis.tokens.size() == 5; offsets[1] covers "rose" in the text
//
// An analyzer's name and version are part of the scheme fingerprint, so sketches made under
// different rules never meet. A new analyzer is a new file under src/text/analyzers; nothing else
// is edited.
//
// Threads: an Analyzer is immutable and shared; an Analysis belongs to one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "text/html.h"
#include "text/markup.h"
#include "text/offsets.h"
#include "twinset/result.h"

namespace twinset {

/// The result of analyzing one document. Reuse one per thread: its buffers
/// keep their capacity.
struct Analysis {
  std::vector<std::uint64_t> tokens;  ///< one 64-bit hash per canonical token, in order
  /// Same length as tokens if asked for, else empty. Neither begins nor ends ever decrease, but two
  /// ranges may overlap. In a page with shadow trees they do decrease, where it is shown in another
  /// order than that of its bytes.
  std::vector<TokenOffsets> offsets;
  std::uint64_t replaced = 0;  ///< invalid UTF-8 sequences read as U+FFFD

  /// 128-bit fingerprint of the canonical token sequence (B section 5.2,
  /// "lexically equivalent"). Only for documents with at least one token.
  Fingerprint lexical_fingerprint() const;

  std::vector<std::uint8_t> folded;  ///< scratch
  std::vector<std::uint32_t> edges;  ///< scratch
  HtmlText html;                     ///< scratch: the text of a page
  HtmlText compatible;               ///< scratch: a text as an analyzer rewrites it
};

class Analyzer {
 public:
  virtual ~Analyzer() = default;
  virtual std::string_view name() const = 0;
  virtual std::uint32_t version() const = 0;
  virtual std::string_view summary() const = 0;
  /// Replaces `out`. `text` is at most 4 GiB - 64 bytes; any bytes are accepted.
  virtual void analyze(std::string_view text, Offsets offsets, Analysis& out) const = 0;
  /// True if texts are lists of ids rather than prose: arrays, each element of which is a token and
  /// a shingle by itself. Readers then check that they are.
  virtual bool takes_features() const { return false; }
  /// True if it reads the markup of a page itself, not the text in it.
  virtual bool reads_markup() const { return false; }
  /// Appends the canonical form of the token at `token`, as other programs would be given it. This
  /// default is the canonical form of `words`.
  virtual void append_token(std::string_view text, TokenOffsets token, std::string& out) const;
};

/// Analyzes the part of `text` that a reader sees. Offsets are those of the bytes of `text`
/// itself, markup inside a token included. Replaces `out`; range as analyze().
void analyze(const Analyzer& analyzer, std::string_view text, Markup markup, Offsets offsets,
             Analysis& out);

/// The visible part of `text`, to show or analyze in its place.
std::string without_markup(std::string text, Markup markup);

/// The markup that is taken off a text before `analyzer` reads it.
Markup markup_before(const Analyzer& analyzer, Markup markup);

/// The analyzer of that name, or nullptr.
const Analyzer* find_analyzer(std::string_view name);

/// The same; an Error (usage) names the known ones.
Result<const Analyzer*> require_analyzer(std::string_view name);

/// All analyzers, by name.
std::span<const Analyzer* const> analyzers();

}  // namespace twinset
