// A scheme of texts: the private Scheme, with the views that runs make of their records.
//
// This file's interface is TextScheme in twinset/scheme.h; the rest is private.
#include <new>
#include <string>
#include <utility>

#include "collection/record_view.h"
#include "join/resemblance.h"
#include "run/prepare.h"
#include "scheme/scheme.h"

namespace twinset {
namespace {

/// dedup()'s threshold, for which band plans are chosen. Sketches do not depend on it.
constexpr double default_threshold = 0.8;

}  // namespace

struct TextScheme::Parts {
  std::unique_ptr<Scheme> scheme;
  ViewRule rule;
  std::string spec;
  std::uint64_t fingerprint = 0;
};

TextScheme::TextScheme(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
TextScheme::TextScheme(TextScheme&&) noexcept = default;
TextScheme& TextScheme::operator=(TextScheme&&) noexcept = default;
TextScheme::~TextScheme() = default;

const std::string& TextScheme::spec() const { return parts_->spec; }
std::uint64_t TextScheme::fingerprint() const { return parts_->fingerprint; }

Result<TextScheme> make_scheme(std::string_view spec, std::string_view analyzer, bool html) {
  auto parts = std::make_unique<TextScheme::Parts>();
  TWINSET_ASSIGN(parts->rule, view_rule({.analyzer = std::string(analyzer), .html = html}));
  TWINSET_ASSIGN(parts->scheme, make_scheme(spec_for(*parts->rule.analyzer, std::string(spec)),
                                            default_threshold));
  TWINSET_TRY(check_analyzer(*parts->scheme, *parts->rule.analyzer));
  parts->spec = parts->scheme->spec();
  parts->fingerprint = scheme_fingerprint(*parts->scheme, parts->rule);
  return TextScheme(std::move(parts));
}

Result<TextSketch> TextScheme::sketch(std::string_view text) const {
  TWINSET_TRY(check_text_bytes(text));
  try {
    Record record;
    record.text = text;
    record.markup = parts_->rule.pages ? Markup::html : Markup::none;
    RecordView view(parts_->rule);
    view.look_at(record);
    Sketch sketch;
    parts_->scheme->sketch(view, sketch);
    return TextSketch(parts_->fingerprint, std::move(sketch.stored));
  } catch (const std::bad_alloc&) {
    return io_error("not enough memory for the sketch of a text of " + std::to_string(text.size()) +
                    " bytes");
  }
}

Result<Estimates> TextScheme::compare(const TextSketch& a, const TextSketch& b) const {
  for (const TextSketch* sketch : {&a, &b}) {
    if (sketch->scheme() == parts_->fingerprint) continue;
    return usage_error(std::string(sketch == &a ? "the first" : "the second") +
                       " sketch was made by another scheme than " + parts_->spec +
                       " with analyzer " + std::string(parts_->rule.analyzer->name()) +
                       ", or another version of one; make it again");
  }
  return Estimates(parts_->scheme->compare(a.bytes(), b.bytes()));
}

}  // namespace twinset
