// This file's interface is scheme/document_view.h.
#include "scheme/document_view.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_text_bytes = (std::uint64_t{1} << 32) - 64;

}  // namespace

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

Result<ViewRule> view_rule(const Shingling& shingling) {
  TWINSET_ASSIGN(const Analyzer* const analyzer, require_analyzer(shingling.analyzer));
  if (shingling.html && analyzer->takes_features()) {
    return usage_error("lists of features have no markup; leave html out");
  }
  const std::uint64_t width =
      shingling.shingle_tokens.value_or(verification_shingle_tokens(*analyzer));
  if (width == 0 || width > max_shingle_tokens) {
    return usage_error("a shingle of " + std::to_string(width) + " tokens; it has from 1 to " +
                       std::to_string(max_shingle_tokens));
  }
  ViewRule rule;
  rule.analyzer = analyzer;
  rule.shingle_tokens = static_cast<unsigned>(width);
  rule.pages = shingling.html;
  return rule;
}

Status check_text_bytes(std::string_view text) {
  if (text.size() <= most_text_bytes) return {};
  return usage_error("a text of " + std::to_string(text.size()) + " bytes; " +
                     std::to_string(most_text_bytes) + " are the most that can be compared");
}

void see(const Analyzer& analyzer, std::string_view text, Markup markup, VisibleText& out) {
  const Markup taken_off = markup_before(analyzer, markup);
  if (taken_off == Markup::none) {
    out.text = text;
  } else {
    out.text = without_markup(std::string(text), taken_off);
  }
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
