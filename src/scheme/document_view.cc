// This file's interface is scheme/document_view.h.
#include "scheme/document_view.h"

#include <fmt/core.h>

#include "base/hash.h"

namespace twinset {

std::string ViewRule::name() const {
  std::string out = fmt::format("analyzer {} {}", analyzer->name(), analyzer->version());
  if (pages) out += fmt::format("; html {}", html_version);
  if (templates != nullptr) {
    out += fmt::format("; templates {} {:016x}{:016x} of {:?}", template_rule_version,
                       templates->hash().high, templates->hash().low, url_field);
  }
  return out;
}

std::uint64_t ViewRule::fingerprint() const {
  return checksum(fmt::format("{}; hash {}; shingles {}", name(), hash_version, shingle_tokens));
}

void see(const Analyzer& analyzer, std::string_view text, Markup markup, VisibleText& out) {
  out.text = without_markup(std::string(text), markup_before(analyzer, markup));
  analyzer.analyze(out.text, Offsets::keep, out.analysis);
}

const HtmlFields& DocumentView::html_fields() const {
  static const HtmlFields none;
  return none;
}

void DocumentView::field(std::string_view, std::vector<std::string>&) const {}

const Analysis& GivenView::analysis() const {
  static const Analysis none;
  return analysis_ == nullptr ? none : *analysis_;
}

const VisibleText& GivenView::visible() const {
  if (visible_ == nullptr) {
    visible_ = std::make_shared<VisibleText>();
    if (analyzer_ != nullptr) see(*analyzer_, text_, markup(), *visible_);
  }
  return *visible_;
}

}  // namespace twinset
