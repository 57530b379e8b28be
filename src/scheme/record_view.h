// A record as a run compares it. This is the only way from a record to a document: pass 1,
// verification and repair, explain, compare, evaluate and the reports all use it, so all of them
// see the text that was judged.
//
//   RecordView view(rule);
//   view.look_at(record);
//   scheme.sketch(view, sketch);
//
// Each part is made when it is first asked for and kept until the next record, so schemes and
// collectors that ask for the same part share it.
//
// Threads: a view belongs to one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/record.h"
#include "scheme/document_view.h"
#include "scheme/shingle_set.h"
#include "text/html_fields.h"

namespace twinset {

class RecordView final : public DocumentView {
 public:
  explicit RecordView(const ViewRule& rule) : rule_(rule) {}

  /// The record must be decoded and not bad, and live until the next one is looked at.
  void look_at(const Record& record);

  /// After look_at(): takes the tokens and blocks of the record's page from an earlier reading. The
  /// rule drops templates. `page` gets other memory to be filled.
  void take_page(PageTokens& page);
  /// After look_at() and whole_analysis(): the record counts as one without tokens, whose copies
  /// have its bytes.
  void compare_bytes_only();
  bool compares_bytes_only() const { return made_.bytes_only; }
  /// In place of look_at(): the view has a page's tokens and shingles, and nothing else.
  void look_at_page(PageTokens& page);

  const Record& record() const { return *record_; }
  std::string_view text() const override { return record_->text; }
  Markup markup() const override { return record_->markup; }
  const Analyzer* analyzer() const override { return rule_.analyzer; }
  const Analysis& analysis() const override;
  /// All tokens, those of templates too. What is decided on the whole text (copies of equal tokens,
  /// the length of a text) is decided on these.
  const Analysis& whole_analysis() const;
  /// A page of a site that was learned: what stays of it, by blocks; else null.
  const PageRest* rest() const;
  /// The blocks that rest() speaks of; none if the rule neither drops templates nor reads blocks.
  std::span<const PageBlock> blocks() const;
  /// Of a page with a rest(): the counted pages of its site that have an equal block, 0 if few.
  std::uint64_t block_pages(std::size_t block) const { return frequencies_.blocks[block]; }
  /// The visible text of one of blocks(); may be empty if the page is very long.
  std::string_view block_text(std::size_t block) const;
  /// The visible text that rest() keeps, or that it drops, a line for each stretch; if nothing is
  /// left out, all of it, or none.
  std::string compared_text() const;
  std::string left_out_text() const;
  /// Tokens of the whole analysis that rest() leaves out; none touch.
  TokenRanges left_out() const;
  /// The host of the record's URL, by which sites are told apart; of a text without markup its
  /// group, the value of that field.
  std::string site() const;
  /// Of its tokens; if a text has none, of its bytes (scheme/identity.h).
  const Fingerprint& lexical_fingerprint() const;
  std::span<const std::uint64_t> shingles(unsigned width) const override;
  /// Of the rule's width; texts are compared by these.
  std::span<const std::uint64_t> shingles() const { return shingles(rule_.shingle_tokens); }
  /// The same, moved out: a later call makes them again.
  void take_shingles(std::vector<std::uint64_t>& out);
  const ShingleSet& distinct_shingles() const;
  /// visible().text, without its tokens.
  std::string_view visible_text() const;
  /// The text is whole; its tokens are those of analysis().
  const VisibleText& visible() const override;
  const HtmlFields& html_fields() const override;
  void field(std::string_view name, std::vector<std::string>& values) const override;

  /// Frees the memory that a long record took.
  void release_large();

 private:
  /// The parts made so far.
  struct Made {
    bool whole = false;
    bool seen = false;  ///< the whole analysis is that of visible_, not whole_
    bool site = false;  ///< site_
    bool placed = false;
    bool analysis = false;
    bool lexical = false;
    bool distinct = false;
    bool visible_text = false;
    bool visible = false;
    bool html_fields = false;
    bool bytes_only = false;
  };
  struct ShinglesOfWidth {
    unsigned width = 0;
    bool made = false;
    std::vector<std::uint64_t> shingles;
  };
  ShinglesOfWidth& of_width(unsigned width) const;
  bool reads_blocks() const { return rule_.reads_blocks || rule_.templates != nullptr; }
  void drop() const;
  bool take_visible() const;
  const Analysis& placed_analysis() const;
  std::string_view placed_text() const;
  void take_whole_text(const Analysis& text, std::vector<PageBlock>& blocks) const;
  std::string stretches(bool dropped) const;

  ViewRule rule_;
  const Record* record_ = nullptr;
  mutable Made made_;
  mutable Analysis whole_;
  mutable Analysis placed_;  ///< whole_ with offsets, if that has none
  mutable std::vector<PageBlock> blocks_;
  std::uint64_t site_ = 0;        ///< of a page that was taken
  mutable bool dropped_ = false;  ///< analysis_ lacks templates
  mutable PageRest rest_;
  mutable TemplateKeys keys_;
  mutable PageFrequencies frequencies_;
  mutable Analysis analysis_;  ///< without templates; else whole_ is compared
  mutable Fingerprint lexical_;
  mutable std::vector<ShinglesOfWidth> shingles_;
  mutable ShingleSet distinct_;
  mutable VisibleText visible_;
  mutable HtmlFields html_fields_;
};

}  // namespace twinset
