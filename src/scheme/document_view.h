// A document as it is compared: its text, its tokens, its shingles. The rule by which a record
// becomes such a view is one for a whole run, and has a fingerprint.
//
//   GivenView view(text, analysis, shingles);      // parts that are made already
//   scheme.sketch(view, sketch);
//
// collection/record_view.h makes views of records.
//
// Threads: a view belongs to one, because a part may be made when it is first asked for; a
// rule is a value.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "text/analyzer.h"
#include "text/shingler.h"

namespace twinset {

/// Shingle width of exact verification when a scheme uses none: 5 words, but of
/// features each is one by itself.
inline unsigned verification_shingle_tokens(const Analyzer& analyzer) {
  return analyzer.takes_features() ? 1 : default_shingle_tokens;
}

/// Everything that decides how a record becomes the document that is compared.
struct ViewRule {
  const Analyzer* analyzer = nullptr;
  unsigned shingle_tokens =
      default_shingle_tokens;  ///< width of the shingles by which texts are compared
  bool pages = false;          ///< some texts are HTML, so the way through it decides too

  /// The analyzer and its version (which stands for its Unicode tables), the version of the way
  /// through HTML. Equal rules have equal names.
  std::string name() const;
  std::uint64_t fingerprint() const;
};

/// A text as a reader sees it, and its tokens with their offsets in it.
struct VisibleText {
  std::string text;
  Analysis analysis;
};

/// Replaces `out`.
void see(const Analyzer& analyzer, std::string_view text, Markup markup, VisibleText& out);

class DocumentView {
 public:
  virtual ~DocumentView() = default;
  /// The decoded bytes, markup included.
  virtual std::string_view text() const = 0;
  virtual Markup markup() const = 0;
  /// What made the tokens; null if nothing did, as of numbers from elsewhere.
  virtual const Analyzer* analyzer() const = 0;
  /// The canonical tokens, without offsets.
  virtual const Analysis& analysis() const = 0;
  /// Hashes of `width` tokens in a row, as good as random, as shingle() makes them; features
  /// of another kind (numbers from pictures or a database) go through mix64() first. Repeats
  /// do not matter.
  virtual std::span<const std::uint64_t> shingles(unsigned width) const = 0;
  /// The text without its markup, with the offsets of its tokens.
  virtual const VisibleText& visible() const = 0;
};

/// A document whose parts are there already, and outlive the view.
class GivenView final : public DocumentView {
 public:
  explicit GivenView(std::span<const std::uint64_t> shingles) : shingles_(shingles) {}
  GivenView(std::string_view text, const Analysis& analysis,
            std::span<const std::uint64_t> shingles = {}, const Analyzer* analyzer = nullptr)
      : text_(text), analysis_(&analysis), shingles_(shingles), analyzer_(analyzer) {}
  /// The same document under a scheme that wants these shingles.
  GivenView with(std::span<const std::uint64_t> shingles) const {
    GivenView view = *this;
    view.shingles_ = shingles;
    return view;
  }

  std::string_view text() const override { return text_; }
  Markup markup() const override { return Markup::none; }
  const Analyzer* analyzer() const override { return analyzer_; }
  const Analysis& analysis() const override;
  std::span<const std::uint64_t> shingles(unsigned) const override { return shingles_; }
  const VisibleText& visible() const override;

 private:
  std::string_view text_;
  const Analysis* analysis_ = nullptr;
  std::span<const std::uint64_t> shingles_;
  const Analyzer* analyzer_ = nullptr;
  mutable std::shared_ptr<VisibleText> visible_;
};

}  // namespace twinset
