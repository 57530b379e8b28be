#include "scheme/record_view.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "io/json_read.h"
#include "scheme/identity.h"
#include "text/shingler.h"
#include "web/url.h"

namespace twinset {
namespace {

/// The values of a JSON token: the elements of an array, else the token's own.
void append_values(std::string_view written, std::vector<std::string>& values) {
  JsonFault fault;
  const JsonValue value =
      scan_json_value(written.data(), written.data() + written.size(), max_json_depth, fault);
  const JsonNode node(value);
  const auto append = [&](const JsonNode& one) {
    if (one.kind() == JsonKind::null || one.kind() == JsonKind::none) return;
    values.push_back(one.kind() == JsonKind::string ? one.text() : std::string(one.raw()));
  };
  if (node.kind() != JsonKind::array) return append(node);
  for (const JsonNode& element : node.elements()) append(element);
}

/// The text stays whole, and so do the offsets of the other tokens.
void drop_tokens(const TokenRanges& ranges, Analysis& analysis) {
  if (ranges.empty()) return;
  std::size_t kept = 0;
  auto next = ranges.begin();
  for (std::size_t i = 0; i < analysis.tokens.size(); ++i) {
    while (next != ranges.end() && next->second <= i) ++next;
    if (next != ranges.end() && next->first <= i) continue;
    analysis.tokens[kept] = analysis.tokens[i];
    analysis.offsets[kept++] = analysis.offsets[i];
  }
  analysis.tokens.resize(kept);
  analysis.offsets.resize(kept);
}

}  // namespace

void RecordView::look_at(const Record& record) {
  record_ = &record;
  made_ = {};
  for (ShinglesOfWidth& each : shingles_) each.made = false;
}

void RecordView::take_page(PageTokens& page) {
  whole_.tokens.swap(page.tokens);
  whole_.offsets.clear();
  whole_.replaced = page.replaced;
  blocks_.swap(page.blocks);
  site_ = page.site;
  made_.whole = made_.site = true;
}

void RecordView::compare_bytes_only() {
  whole_.tokens.clear();
  whole_.offsets.clear();
  whole_.replaced = 0;
  blocks_.clear();
  made_ = {.whole = true, .site = made_.site, .bytes_only = true};
  for (ShinglesOfWidth& each : shingles_) each.made = false;
}

void RecordView::look_at_page(PageTokens& page) {
  record_ = nullptr;
  made_ = {};
  for (ShinglesOfWidth& each : shingles_) each.made = false;
  take_page(page);
}

/// A text without markup is a block, if templates are read.
void RecordView::take_whole_text(const Analysis& text, std::vector<PageBlock>& blocks) const {
  blocks.clear();
  if (!reads_blocks() || is_page(markup()) || text.tokens.empty()) return;
  blocks.push_back({0, static_cast<std::uint32_t>(text.tokens.size()), false});
}

const Analysis& RecordView::whole_analysis() const {
  if (!made_.whole) {
    if (reads_blocks() && is_page(markup())) {
      read_page_blocks(*rule_.analyzer, text(), whole_, blocks_, markup());
    } else if (rule_.reads_places && !reads_blocks()) {
      see(*rule_.analyzer, text(), markup(), visible_);
      blocks_.clear();
      made_.seen = made_.visible = made_.visible_text = true;
    } else {
      const Offsets offsets =
          rule_.reads_places && !is_page(markup()) ? Offsets::keep : Offsets::drop;
      analyze(*rule_.analyzer, text(), markup(), offsets, whole_);
      take_whole_text(whole_, blocks_);
    }
    made_.whole = true;
  }
  return made_.seen ? visible_.analysis : whole_;
}

const Analysis& RecordView::analysis() const {
  if (!made_.analysis) {
    drop();
    made_.analysis = true;
  }
  return dropped_ ? analysis_ : whole_analysis();
}

/// Sets analysis_ if the page's site has templates.
void RecordView::drop() const {
  dropped_ = false;
  const Analysis& whole = whole_analysis();
  if (rule_.templates == nullptr || blocks_.empty()) return;
  // What look_at_page() gave is of the kind that was learned.
  if (record_ != nullptr && rule_.templates->learned().texts == is_page(markup())) return;
  const std::uint64_t site = made_.site ? site_ : site_hash(this->site());
  const std::optional<TemplateSite> facts = rule_.templates->site(site);
  if (!facts) return;
  rule_.templates->look_up(site, whole.tokens, blocks_, keys_, frequencies_);
  drop_templates(*facts, whole.tokens, blocks_, frequencies_, rest_);
  analysis_.tokens.swap(rest_.tokens);
  analysis_.replaced = whole.replaced;
  dropped_ = true;
}

const PageRest* RecordView::rest() const {
  analysis();
  return dropped_ ? &rest_ : nullptr;
}

std::span<const PageBlock> RecordView::blocks() const {
  whole_analysis();
  return blocks_;
}

/// The whole analysis with offsets and text, which a page from an earlier reading lacks.
const Analysis& RecordView::placed_analysis() const {
  if (const Analysis& whole = whole_analysis(); !whole.offsets.empty()) return whole;
  if (!made_.placed) {
    std::vector<PageBlock> blocks;
    if (is_page(markup())) {
      read_page_blocks(*rule_.analyzer, text(), placed_, blocks, markup());
    } else {
      analyze(*rule_.analyzer, text(), markup(), Offsets::keep, placed_);
    }
    made_.placed = true;
  }
  return placed_;
}

/// The text that the offsets of placed_analysis() are in.
std::string_view RecordView::placed_text() const {
  const Analysis& placed = placed_analysis();
  return is_page(markup()) ? placed.html.view() : text();
}

std::string_view RecordView::block_text(std::size_t block) const {
  const PageBlock& place = blocks()[block];
  const Analysis& placed = placed_analysis();
  const std::string_view page = placed_text();
  const std::size_t begin = placed.offsets[place.begin].begin;
  const std::size_t end = placed.offsets[place.end - 1].end;
  return end <= page.size() ? page.substr(begin, end - begin) : std::string_view();
}

/// A line for each stretch of tokens that are dropped, or that are not.
std::string RecordView::stretches(bool dropped) const {
  const Analysis& placed = placed_analysis();
  const std::string_view page = placed_text();
  std::string out;
  const std::vector<bool>& all = rest_.dropped;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end] == all[begin]) ++end;
    const std::size_t from = placed.offsets[begin].begin;
    const std::size_t to = placed.offsets[end - 1].end;
    if (all[begin] == dropped && to <= page.size()) {
      if (!out.empty()) out += '\n';
      out += page.substr(from, to - from);
    }
    begin = end;
  }
  return out;
}

std::string RecordView::compared_text() const {
  return rest() == nullptr ? std::string(visible_text()) : stretches(false);
}

std::string RecordView::left_out_text() const {
  return rest() == nullptr ? std::string() : stretches(true);
}

TokenRanges RecordView::left_out() const {
  TokenRanges ranges;
  const PageRest* const rest = this->rest();
  for (std::size_t token = 0; rest != nullptr && token < rest->dropped.size(); ++token) {
    if (!rest->dropped[token]) continue;
    if (ranges.empty() || ranges.back().second != token) ranges.emplace_back(token, token);
    ranges.back().second = token + 1;
  }
  return ranges;
}

std::string RecordView::site() const {
  if (rule_.url_field.empty()) return record_->url.empty() ? "" : host_of(record_->url);
  std::vector<std::string> urls;
  if (const std::string_view written = record_->field(rule_.url_field); !written.empty()) {
    append_values(written, urls);
  }
  if (urls.empty()) return {};
  std::string host = host_of(urls.front());
  // Texts without markup have any field for their group.
  return host.empty() && !is_page(markup()) ? urls.front() : host;
}

const Fingerprint& RecordView::lexical_fingerprint() const {
  if (!made_.lexical) {
    // Bytes that mean nothing have no token, and prove nothing: of such texts equal bytes are
    // equal.
    const bool undecodable = whole_analysis().replaced > 0;
    lexical_ = undecodable ? undecodable_fingerprint(visible_text())
                           : twinset::lexical_fingerprint(text(), whole_analysis());
    made_.lexical = true;
  }
  return lexical_;
}

RecordView::ShinglesOfWidth& RecordView::of_width(unsigned width) const {
  auto found = std::ranges::find(shingles_, width, &ShinglesOfWidth::width);
  if (found == shingles_.end()) found = shingles_.insert(shingles_.end(), {width, false, {}});
  if (!found->made) {
    shingle(analysis().tokens, width, found->shingles);
    found->made = true;
  }
  return *found;
}

std::span<const std::uint64_t> RecordView::shingles(unsigned width) const {
  return of_width(width).shingles;
}

const ShingleSet& RecordView::distinct_shingles() const {
  if (!made_.distinct) {
    ShinglesOfWidth& all = of_width(rule_.shingle_tokens);
    distinct_.take(all.shingles);
    all.made = !distinct_.in_order();  // Else the set has taken over the memory.
    made_.distinct = true;
  }
  return distinct_;
}

void RecordView::take_shingles(std::vector<std::uint64_t>& out) {
  ShinglesOfWidth& all = of_width(rule_.shingle_tokens);
  std::swap(all.shingles, out);
  all.made = false;
}

std::string_view RecordView::visible_text() const {
  const Markup taken_off = markup_before(*rule_.analyzer, markup());
  if (taken_off == Markup::none) return text();
  if (!made_.visible_text) {
    visible_.text = without_markup(std::string(text()), taken_off);
    made_.visible_text = true;
  }
  return visible_.text;
}

/// From the whole analysis, if that has kept where its tokens stand in the visible text.
bool RecordView::take_visible() const {
  if (!made_.whole || made_.seen || whole_.offsets.empty()) return false;
  const std::string_view page = is_page(markup()) ? whole_.html.view() : text();
  if (whole_.offsets.back().end > page.size()) return false;  // A long page's text was released.
  visible_.text = page;
  visible_.analysis.tokens = whole_.tokens;
  visible_.analysis.offsets = whole_.offsets;
  visible_.analysis.replaced = whole_.replaced;
  return true;
}

const VisibleText& RecordView::visible() const {
  if (rule_.reads_places) whole_analysis();
  if (!made_.visible) {
    if (!take_visible()) see(*rule_.analyzer, text(), markup(), visible_);
    drop_tokens(left_out(), visible_.analysis);
    made_.visible = made_.visible_text = true;
  }
  return visible_;
}

const HtmlFields& RecordView::html_fields() const {
  if (!made_.html_fields) {
    html_fields_ = {};
    if (is_page(markup())) {
      extract_html_fields(text(), visible_.analysis.html, html_fields_, markup());
    }
    made_.html_fields = true;
  }
  return html_fields_;
}

void RecordView::field(std::string_view name, std::vector<std::string>& values) const {
  if (const std::string_view written = record_->field(name); !written.empty()) {
    return append_values(written, values);
  }
  if (!is_page(markup())) return;
  const std::string_view seen = visible().text;
  const auto append = [&](TokenOffsets range) {
    if (range.begin < range.end) {
      values.emplace_back(seen.substr(range.begin, range.end - range.begin));
    }
  };
  if (name == "title") return append(html_fields().title);
  if (name == "href") {
    for (const HtmlLink& link : html_fields().links) values.push_back(link.href);
    return;
  }
  const html::Tag tag = html::find_element(name).tag;
  if (tag == html::Tag::none) return;
  for (const HtmlSpan& span : html_fields().spans) {
    if (span.tag == tag) append(span.text);
  }
}

void RecordView::release_large() {
  const ViewRule rule = rule_;
  *this = RecordView(rule);
}

}  // namespace twinset
