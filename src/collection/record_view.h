// A record as a run compares it. This is the one way from a record to a document: pass 1,
// verification and repair, explain, compare, evaluate and the reports all take it, so none
// sees another text than the one that was judged.
//
//   RecordView view(rule);
//   view.look_at(record);
//   scheme.sketch(view, sketch);
//
// Each part is made when it is first asked for, and kept until the next record: schemes and
// collectors that ask for the same part share it.
//
// Threads: a view belongs to one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/record.h"
#include "join/shingle_set.h"
#include "scheme/document_view.h"
#include "text/html_fields.h"

namespace twinset {

class RecordView final : public DocumentView {
 public:
  explicit RecordView(const ViewRule& rule) : rule_(rule) {}

  /// The record is decoded, not bad, and lives until the next one is looked at.
  void look_at(const Record& record);

  const Record& record() const { return *record_; }
  std::string_view text() const override { return record_->text; }
  Markup markup() const override { return record_->markup; }
  const Analyzer* analyzer() const override { return rule_.analyzer; }
  const Analysis& analysis() const override;
  /// Of its tokens; of a text without any, of its bytes (scheme/identity.h).
  const Fingerprint& lexical_fingerprint() const;
  std::span<const std::uint64_t> shingles(unsigned width) const override;
  /// Of the rule's width: by these texts are compared.
  std::span<const std::uint64_t> shingles() const { return shingles(rule_.shingle_tokens); }
  /// The same, moved out: they would have to be made again.
  void take_shingles(std::vector<std::uint64_t>& out);
  const ShingleSet& distinct_shingles() const;
  /// visible().text, without its tokens.
  std::string_view visible_text() const;
  const VisibleText& visible() const override;
  /// Title, links and headings of a page; none of other texts. Offsets are those of
  /// visible().text.
  const HtmlFields& html_fields() const;

  /// Gives back the memory that a long record took.
  void release_large();

 private:
  /// Parts that may be made.
  struct Made {
    bool analysis = false;
    bool lexical = false;
    bool distinct = false;
    bool visible_text = false;
    bool visible = false;
    bool html_fields = false;
  };
  struct ShinglesOfWidth {
    unsigned width = 0;
    bool made = false;
    std::vector<std::uint64_t> shingles;
  };
  ShinglesOfWidth& of_width(unsigned width) const;

  ViewRule rule_;
  const Record* record_ = nullptr;
  mutable Made made_;
  mutable Analysis analysis_;
  mutable Fingerprint lexical_;
  mutable std::vector<ShinglesOfWidth> shingles_;
  mutable ShingleSet distinct_;
  mutable VisibleText visible_;
  mutable HtmlFields html_fields_;
};

}  // namespace twinset
