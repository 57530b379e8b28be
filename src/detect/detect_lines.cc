#include "detect/detect_lines.h"

#include <functional>
#include <memory>
#include <optional>

#include "collection/output_lines.h"
#include "io/json.h"
#include "io/json_read.h"
#include "io/reader.h"

namespace twinset {
namespace {

constexpr const char* kind_names[] = {"chunk", "file"};
constexpr std::uint64_t longest_line = std::uint64_t{1} << 28;

double fraction(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The lines of one file, one at a time.
class ListLines {
 public:
  static Result<ListLines> open(FileSystem& files, std::string path) {
    Input input;
    input.path = input.shown = path;
    input.format = "jsonl";
    input.compression = Compression::zstd;
    ReaderLimits limits;
    limits.max_record_bytes = longest_line;
    limits.max_ratio = 0;
    ListLines lines;
    lines.path_ = std::move(path);
    TWINSET_ASSIGN(lines.reader_, open_reader(files, input, limits));
    return lines;
  }

  /// False at the end. The line is valid until the next call.
  Result<bool> next(JsonNode& line) {
    while (at_ == batch_.records.size()) {
      at_ = 0;
      TWINSET_ASSIGN(const bool more, reader_->read(batch_));
      if (!more) {
        batch_.records.clear();
        return false;
      }
    }
    const Record& record = batch_.records[at_++];
    number_ = record.number;
    if (record.bad != BadReason::none) return damaged(std::string(record.detail));
    TWINSET_ASSIGN(line, read_json(record.raw, place()));
    return true;
  }

  Error damaged(const std::string& why) const {
    return io_error(place() + " is damaged: " + why + "; make its folder again");
  }

  Result<std::uint64_t> number(const JsonNode& line, const char* name) const {
    const std::optional<std::uint64_t> value = line[name].integer();
    if (!value.has_value()) return damaged("it has no number \"" + std::string(name) + "\"");
    return *value;
  }
  Result<std::string> text(const JsonNode& line, const char* name) const {
    if (line[name].kind() != JsonKind::string) {
      return damaged("it has no string \"" + std::string(name) + "\"");
    }
    return line[name].text();
  }
  Result<bool> boolean(const JsonNode& line, const char* name) const {
    const std::optional<bool> value = line[name].boolean();
    if (!value.has_value())
      return damaged("\"" + std::string(name) + "\" is neither true nor false");
    return *value;
  }

 private:
  std::string place() const { return path_ + ":" + std::to_string(number_); }

  std::string path_;
  std::unique_ptr<Reader> reader_;
  RecordBatch batch_;
  std::size_t at_ = 0;
  std::uint64_t number_ = 0;
};

Result<LabeledPage> read_page(const ListLines& lines, const JsonNode& line) {
  LabeledPage page;
  TWINSET_ASSIGN(page.url, lines.text(line, "url"));
  TWINSET_ASSIGN(page.file, lines.text(line, "file"));
  TWINSET_ASSIGN(page.record, lines.number(line, "record"));
  TWINSET_ASSIGN(page.chunks, lines.number(line, "chunks"));
  TWINSET_ASSIGN(page.labeled, lines.number(line, "labeled"));
  TWINSET_ASSIGN(page.file_labeled, lines.boolean(line, "file_label"));
  if (page.labeled > page.chunks) return lines.damaged("it has more labels than chunks");
  return page;
}

Result<PageMatch> read_match(const ListLines& lines, const JsonNode& line, ChunkHash hash) {
  PageMatch match;
  TWINSET_ASSIGN(const std::string kind, lines.text(line, "kind"));
  TWINSET_ASSIGN(const std::string digits, lines.text(line, "hash"));
  const std::optional<ChunkDigest> digest = parse_hex(digits, hash);
  if (!digest.has_value() || (kind != kind_names[0] && kind != kind_names[1])) {
    return lines.damaged("its hash or its kind is none");
  }
  match.kind = kind == kind_names[0] ? LabelKind::chunk : LabelKind::file;
  match.hash = *digest;
  TWINSET_ASSIGN(match.offset, lines.number(line, "offset"));
  TWINSET_ASSIGN(match.length, lines.number(line, "length"));
  match.text = line["text"].text();
  const JsonNode label = line["label"];
  if (label.kind() != JsonKind::object) return match;
  TWINSET_ASSIGN(match.sample.url, lines.text(label, "url"));
  TWINSET_ASSIGN(match.sample.offset, lines.number(label, "offset"));
  TWINSET_ASSIGN(match.sample.length, lines.number(label, "length"));
  return match;
}

Result<NeighborhoodSums> read_neighborhood(const ListLines& lines, const JsonNode& line) {
  NeighborhoodSums sums;
  TWINSET_ASSIGN(sums.prefix, lines.text(line, "prefix"));
  TWINSET_ASSIGN(sums.pages, lines.number(line, "pages"));
  TWINSET_ASSIGN(sums.labeled_pages, lines.number(line, "labeled_pages"));
  TWINSET_ASSIGN(sums.chunks, lines.number(line, "chunks"));
  TWINSET_ASSIGN(sums.labeled, lines.number(line, "labeled"));
  TWINSET_ASSIGN(sums.contains_sum, lines.number(line, "contains_sum"));
  if (sums.labeled > sums.chunks || sums.labeled_pages > sums.pages) {
    return lines.damaged("it has more labels than it has chunks or pages");
  }
  return sums;
}

/// The pages with their matches, which are as many as the page says.
Status read_pages(FileSystem& files, const std::string& folder, ChunkHash hash, Detections& found,
                  DetectCounts& listed) {
  TWINSET_ASSIGN(ListLines pages, ListLines::open(files, folder + "/" + pages_list));
  TWINSET_ASSIGN(ListLines matches, ListLines::open(files, folder + "/" + matches_list));
  JsonNode line;
  JsonNode match_line;
  std::string blob;
  for (;;) {
    TWINSET_ASSIGN(const bool more, pages.next(line));
    if (!more) break;
    TWINSET_ASSIGN(LabeledPage page, read_page(pages, line));
    const auto write = [&]() -> Status {
      const std::string_view blobs[] = {blob};
      TWINSET_ASSIGN(const std::uint64_t number, found.add_matches(blobs));
      if (page.matches_blobs++ == 0) page.first_matches = number;
      blob.clear();
      return {};
    };
    for (std::uint64_t i = 0; i < page.matches(); ++i) {
      TWINSET_ASSIGN(const bool is_there, matches.next(match_line));
      TWINSET_ASSIGN(const std::string url, is_there ? matches.text(match_line, "url")
                                                     : Result<std::string>(std::string()));
      if (!is_there || url != page.url) {
        return matches.damaged("it is no match of " + page.url + ", whose turn it is");
      }
      TWINSET_ASSIGN(const PageMatch match, read_match(matches, match_line, hash));
      append_match(match, blob);
      if ((i + 1) % matches_in_blob == 0) TWINSET_TRY(write());
    }
    if (!blob.empty()) TWINSET_TRY(write());
    if (page.chunks > 0) found.shares.add(page.units());
    ++listed.labeled_pages;
    listed.labeled_chunks += page.labeled;
    listed.labeled_files += page.file_labeled ? 1 : 0;
    TWINSET_TRY(found.add(std::move(page)));
  }
  TWINSET_ASSIGN(const bool has_more, matches.next(match_line));
  if (has_more) return matches.damaged("it is a match of no page");
  return {};
}

}  // namespace

void append_page_line(const LabeledPage& page, bool is_bad, std::string& out) {
  JsonObject(out)
      .string("url", page.url)
      .string("file", page.file)
      .number("record", page.record)
      .number("chunks", page.chunks)
      .number("labeled", page.labeled)
      .real("contains", fraction(page.labeled, page.chunks))
      .boolean("file_label", page.file_labeled)
      .boolean("bad", is_bad)
      .end();
  out += '\n';
}

void append_match_line(const LabeledPage& page, const PageMatch& match, ChunkHash hash,
                       std::string& out) {
  JsonObject line(out);
  line.string("url", page.url)
      .number("offset", match.offset)
      .number("length", match.length)
      .string("kind", kind_names[static_cast<std::size_t>(match.kind)])
      .string("hash", to_hex(match.hash, hash));
  if (!match.text.empty()) line.string("text", match.text);
  if (!match.sample.url.empty()) {
    std::string label;
    JsonObject(label)
        .string("url", match.sample.url)
        .number("offset", match.sample.offset)
        .number("length", match.sample.length)
        .end();
    line.raw("label", label);
  }
  line.end();
  out += '\n';
}

void append_neighborhood_line(const NeighborhoodSums& sums, bool is_bad, std::string& out) {
  JsonObject(out)
      .string("prefix", sums.prefix)
      .number("pages", sums.pages)
      .number("labeled_pages", sums.labeled_pages)
      .number("chunks", sums.chunks)
      .number("labeled", sums.labeled)
      .real("badness", fraction(sums.labeled, sums.chunks))
      .real("badness_pages", share_of_units(1) * fraction(sums.contains_sum, sums.pages))
      .number("contains_sum", sums.contains_sum)
      .boolean("bad", is_bad)
      .end();
  out += '\n';
}

void append_recursion_line(const RecursionError& error, std::string& out) {
  JsonObject(out)
      .string("url", error.url)
      .string("file", error.file)
      .number("record", error.record)
      .string("parts", error.parts)
      .number("times", error.times)
      .end();
  out += '\n';
}

Result<DetectCounts> read_part_lists(FileSystem& files, const std::string& folder, ChunkHash hash,
                                     Detections& found) {
  DetectCounts listed;
  TWINSET_TRY(read_pages(files, folder, hash, found, listed));
  JsonNode line;
  TWINSET_ASSIGN(ListLines sums, ListLines::open(files, folder + "/" + neighborhoods_list));
  for (;;) {
    TWINSET_ASSIGN(const bool more, sums.next(line));
    if (!more) break;
    TWINSET_ASSIGN(NeighborhoodSums read, read_neighborhood(sums, line));
    TWINSET_TRY(found.add(std::move(read)));
  }
  TWINSET_ASSIGN(ListLines errors, ListLines::open(files, folder + "/" + recursion_list));
  for (;;) {
    TWINSET_ASSIGN(const bool more, errors.next(line));
    if (!more) return listed;
    ++listed.recursion_errors;
    RecursionError error;
    TWINSET_ASSIGN(error.url, errors.text(line, "url"));
    TWINSET_ASSIGN(error.file, errors.text(line, "file"));
    TWINSET_ASSIGN(error.record, errors.number(line, "record"));
    TWINSET_ASSIGN(error.parts, errors.text(line, "parts"));
    TWINSET_ASSIGN(error.times, errors.number(line, "times"));
    TWINSET_TRY(found.add(std::move(error)));
  }
}

Status read_top_lines(FileSystem& files, const std::string& folder, std::uint64_t top,
                      DetectSummary& summary) {
  JsonNode line;
  TWINSET_ASSIGN(ListLines pages, ListLines::open(files, folder + "/" + pages_list));
  while (summary.top_pages.size() < top) {
    TWINSET_ASSIGN(const bool more, pages.next(line));
    if (!more) break;
    TWINSET_ASSIGN(const LabeledPage page, read_page(pages, line));
    TWINSET_ASSIGN(const bool is_bad, pages.boolean(line, "bad"));
    summary.top_pages.push_back(
        {page.url, page.file, page.record, page.chunks, page.labeled, page.file_labeled, is_bad});
  }
  TWINSET_ASSIGN(ListLines lines, ListLines::open(files, folder + "/" + neighborhoods_list));
  while (summary.top_neighborhoods.size() < top) {
    TWINSET_ASSIGN(const bool more, lines.next(line));
    if (!more) break;
    TWINSET_ASSIGN(const NeighborhoodSums sums, read_neighborhood(lines, line));
    TWINSET_ASSIGN(const bool is_bad, lines.boolean(line, "bad"));
    if (sums.labeled_pages == 0) continue;
    summary.top_neighborhoods.push_back({sums.prefix, sums.pages, sums.labeled_pages, sums.chunks,
                                         sums.labeled, sums.contains_sum, is_bad});
  }
  return {};
}

}  // namespace twinset
