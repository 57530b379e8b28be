#include "detect/detections.h"

#include <algorithm>

#include "base/plain_bytes.h"
#include "base/sized_text.h"
#include "base/varint.h"
#include "io/json.h"
#include "io/json_read.h"

namespace twinset {
namespace {

template <class... Numbers>
void append_numbers(std::string& out, const Numbers&... numbers) {
  (append_varint(numbers, out), ...);
}

template <class... Numbers>
bool take_numbers(EncodedBytes& rest, Numbers&... numbers) {
  return (take_varint(rest, numbers) && ...);
}

std::uint64_t held(const std::string& text) {
  constexpr std::size_t inside = 15;  // Shorter strings allocate nothing.
  return text.capacity() > inside ? text.capacity() + 16 : 0;
}

/// a / b against c / d; shares of nothing are 0.
bool share_less(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  if (b == 0) return d != 0 && c != 0;
  if (d == 0) return false;
  return static_cast<unsigned __int128>(a) * d < static_cast<unsigned __int128>(c) * b;
}

/// Shares of the memory, in sixteenths.
constexpr std::uint64_t for_pages = 6;
constexpr std::uint64_t for_neighborhoods = 6;
constexpr std::uint64_t for_recursion = 1;
constexpr std::uint64_t for_matches = 3;

}  // namespace

std::string readable_text(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return c > 0; })) {
    return std::string(text);
  }
  std::string json;
  append_json_string(json, text);
  const Result<JsonNode> read = read_json(json, "text");
  return read.ok() ? read.value().text() : std::string();
}

void append_match(const PageMatch& match, std::string& out) {
  append_numbers(out, static_cast<std::uint64_t>(match.kind), match.offset, match.length);
  out.append(reinterpret_cast<const char*>(match.hash.bytes.data()), match.hash.bytes.size());
  append_sized(match.text, out);
  append_sized(match.sample.url, out);
  append_numbers(out, match.sample.offset, match.sample.length);
}

bool take_match(EncodedBytes& rest, PageMatch& match) {
  std::uint64_t kind = 0;
  if (!take_numbers(rest, kind, match.offset, match.length) || kind > 1 ||
      rest.size() < match.hash.bytes.size()) {
    return false;
  }
  match.kind = static_cast<LabelKind>(kind);
  std::copy_n(rest.begin(), match.hash.bytes.size(), match.hash.bytes.begin());
  rest = rest.subspan(match.hash.bytes.size());
  return take_sized(rest, match.text) && take_sized(rest, match.sample.url) &&
         take_numbers(rest, match.sample.offset, match.sample.length);
}

// Pages.

void LabeledPage::append_to(std::string& out) const {
  append_sized(url, out);
  append_sized(file, out);
  append_numbers(out, record, chunks, labeled, std::uint64_t{file_labeled}, first_matches,
                 matches_blobs);
}

bool LabeledPage::take(EncodedBytes& rest, LabeledPage& out) {
  std::uint64_t is_label = 0;
  if (!take_sized(rest, out.url) || !take_sized(rest, out.file) ||
      !take_numbers(rest, out.record, out.chunks, out.labeled, is_label, out.first_matches,
                    out.matches_blobs)) {
    return false;
  }
  out.file_labeled = is_label != 0;
  return true;
}

std::uint64_t LabeledPage::memory_bytes() const { return sizeof *this + held(url) + held(file); }

bool RanksBefore::operator()(const LabeledPage& a, const LabeledPage& b) const {
  if (share_less(b.labeled, b.chunks, a.labeled, a.chunks)) return true;
  if (share_less(a.labeled, a.chunks, b.labeled, b.chunks)) return false;
  if (a.labeled != b.labeled) return a.labeled > b.labeled;
  if (a.url != b.url) return a.url < b.url;
  return a.file != b.file ? a.file < b.file : a.record < b.record;
}

// Neighborhoods.

void NeighborhoodSums::add(const NeighborhoodSums& other) {
  pages += other.pages;
  labeled_pages += other.labeled_pages;
  chunks += other.chunks;
  labeled += other.labeled;
  contains_sum += other.contains_sum;
}

std::uint64_t NeighborhoodSums::units(Badness by) const {
  DetectedNeighborhood line;
  line.pages = pages;
  line.chunks = chunks;
  line.labeled = labeled;
  line.contains_sum = contains_sum;
  return line.units(by);
}

void NeighborhoodSums::append_to(std::string& out) const {
  append_sized(prefix, out);
  append_numbers(out, pages, labeled_pages, chunks, labeled, contains_sum);
}

bool NeighborhoodSums::take(EncodedBytes& rest, NeighborhoodSums& out) {
  return take_sized(rest, out.prefix) && take_numbers(rest, out.pages, out.labeled_pages,
                                                      out.chunks, out.labeled, out.contains_sum);
}

std::uint64_t NeighborhoodSums::memory_bytes() const { return sizeof *this + held(prefix); }

bool WorseBefore::operator()(const NeighborhoodSums& a, const NeighborhoodSums& b) const {
  const auto less = [this](const NeighborhoodSums& x, const NeighborhoodSums& y) {
    return by == Badness::chunks ? share_less(x.labeled, x.chunks, y.labeled, y.chunks)
                                 : share_less(x.contains_sum, x.pages, y.contains_sum, y.pages);
  };
  if (less(b, a)) return true;
  if (less(a, b)) return false;
  return a.labeled != b.labeled ? a.labeled > b.labeled : a.prefix < b.prefix;
}

// Recursion errors.

void RecursionError::append_to(std::string& out) const {
  append_sized(url, out);
  append_sized(file, out);
  append_sized(parts, out);
  append_numbers(out, record, times);
}

bool RecursionError::take(EncodedBytes& rest, RecursionError& out) {
  return take_sized(rest, out.url) && take_sized(rest, out.file) && take_sized(rest, out.parts) &&
         take_numbers(rest, out.record, out.times);
}

std::uint64_t RecursionError::memory_bytes() const {
  return sizeof *this + held(url) + held(file) + held(parts);
}

void DetectCounts::add(const DetectCounts& other) {
  pages += other.pages;
  recursion_errors += other.recursion_errors;
  chunks += other.chunks;
  short_chunks += other.short_chunks;
  stop_chunks += other.stop_chunks;
  labeled_chunks += other.labeled_chunks;
  labeled_pages += other.labeled_pages;
  labeled_files += other.labeled_files;
  pages_without_chunks += other.pages_without_chunks;
}

Detections::Detections(const RunContext& context, const std::string& spill,
                       std::uint64_t memory_bytes)
    : memory_bytes_(memory_bytes),
      path_(spill),
      pages_({&context, spill + "pages", memory_bytes / 16 * for_pages}),
      neighborhoods_({&context, spill + "neighborhoods", memory_bytes / 16 * for_neighborhoods}),
      recursion_errors_({&context, spill + "recursion", memory_bytes / 16 * for_recursion}),
      matches_({&context, spill + "matches"}) {}

Result<std::uint64_t> Detections::add_matches(std::span<const std::string_view> blobs) {
  const std::uint64_t first = matches_.blobs();
  for (const std::string_view blob : blobs) TWINSET_TRY(matches_.append(blob));
  return first;
}

Status Detections::seal() {
  TWINSET_TRY(pages_.seal());
  TWINSET_TRY(neighborhoods_.seal());
  TWINSET_TRY(recursion_errors_.seal());
  if (matches_.blobs() == 0) return {};
  TWINSET_TRY(matches_.seal());
  return matches_.hold_for_any_order(memory_bytes_ / 16 * for_matches);
}

Status Detections::for_each_match(const LabeledPage& page,
                                  const std::function<Status(PageMatch& match)>& use) const {
  std::string blob;
  PageMatch match;
  for (std::uint64_t i = 0; i < page.matches_blobs; ++i) {
    TWINSET_TRY(matches_.read(page.first_matches + i, blob));
    EncodedBytes rest = byte_span(blob);
    while (!rest.empty()) {
      if (!take_match(rest, match)) {
        return io_error(path_ + "matches.blobs has a match that cannot be; start anew");
      }
      TWINSET_TRY(use(match));
    }
  }
  return {};
}

std::uint64_t Detections::spilled_bytes() const {
  return pages_.spilled_bytes() + neighborhoods_.spilled_bytes() +
         recursion_errors_.spilled_bytes() + (matches_.blobs() == 0 ? 0 : matches_.stored_bytes());
}

}  // namespace twinset
