// A document as it is compared: its text, its tokens, its shingles. One rule for a whole run turns
// records into such views, and has a fingerprint.
//
//   GivenView view(text, analysis, shingles);      // parts made before
//   scheme.sketch(view, sketch);
//
// scheme/record_view.h makes views of records.
//
// Threads: a view belongs to one, because it may make a part when it is first asked for; a rule is
// a value.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "template/template_table.h"
#include "text/analyzer.h"
#include "text/html_fields.h"
#include "text/shingler.h"
#include "twinset/result.h"

namespace twinset {

struct Shingling;

/// Shingle width of exact verification when a scheme uses none: 5 words; 1 for features.
inline unsigned verification_shingle_tokens(const Analyzer& analyzer) {
  return analyzer.takes_features() ? 1 : default_shingle_tokens;
}

/// Everything that decides how a record becomes the document that is compared.
struct ViewRule {
  const Analyzer* analyzer = nullptr;
  unsigned shingle_tokens =
      default_shingle_tokens;  ///< width of the shingles by which texts are compared
  bool pages = false;          ///< some texts are HTML: then html_version decides too
  /// Pages are compared without the templates of their site (template/drop_templates.h), which is
  /// the host of this field's URL; null: whole.
  std::shared_ptr<const TemplateTable> templates = nullptr;
  std::string url_field = {};
  bool reads_blocks = false;  ///< pages are read by blocks even without templates, to learn these
  /// Words are looked at where they stand, too (DocumentView::visible()): a text is analyzed once
  /// for that and for its tokens.
  bool reads_places = false;

  /// Names the analyzer and its version (which covers its Unicode tables), the version of the HTML
  /// reader, and the content of the templates. Equal rules have equal names.
  std::string name() const;
  std::uint64_t fingerprint() const;
};

/// The rule for texts outside a collection. Errors (usage): an unknown analyzer, a width out of
/// range, pages of features.
Result<ViewRule> view_rule(const Shingling& shingling);

/// Error (usage) if the text is longer than an analyzer takes.
Status check_text_bytes(std::string_view text);

/// Tokens [first, second), ascending.
using TokenRanges = std::vector<std::pair<std::size_t, std::size_t>>;

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
  /// The maker of the tokens; null if there was none, as for numbers from elsewhere.
  virtual const Analyzer* analyzer() const = 0;
  /// The canonical tokens that are compared, without offsets: those of a page may lack its
  /// templates.
  virtual const Analysis& analysis() const = 0;
  /// Hashes of `width` tokens in a row, as good as random, as shingle() makes them; features
  /// of another kind (numbers from pictures or a database) go through mix64() first. Repeats
  /// do not matter.
  virtual std::span<const std::uint64_t> shingles(unsigned width) const = 0;
  /// The text without its markup, with the offsets of its tokens.
  virtual const VisibleText& visible() const = 0;
  /// Title, links and headings of a page, with ranges in visible().text; none of other texts.
  virtual const HtmlFields& html_fields() const;
  /// Appends the values of the field of that name: decoded strings, and anything else as written;
  /// of an array, each element. Of a page without such a field: its title, the targets of its links
  /// (href), or the texts of the elements of that name, such as h1 or a. Nothing if there is none.
  virtual void field(std::string_view name, std::vector<std::string>& values) const;
};

/// A document whose parts exist already and outlive the view.
class GivenView final : public DocumentView {
 public:
  explicit GivenView(std::span<const std::uint64_t> shingles) : shingles_(shingles) {}
  GivenView(std::string_view text, const Analysis& analysis,
            std::span<const std::uint64_t> shingles = {}, const Analyzer* analyzer = nullptr)
      : text_(text), analysis_(&analysis), shingles_(shingles), analyzer_(analyzer) {}
  /// The same document with other shingles, for a scheme that needs these.
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
