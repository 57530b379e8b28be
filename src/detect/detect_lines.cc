#include "detect/detect_lines.h"

#include <memory>
#include <optional>

#include "collection/output_lines.h"
#include "detect/detect_fields.h"
#include "io/field_json.h"
#include "io/reader.h"
#include "reuse/label_line.h"

namespace twinset {
namespace {

constexpr std::uint64_t longest_line = std::uint64_t{1} << 28;

/// The lines of one file, one at a time.
template <class T>
class ListLines {
 public:
  static Result<ListLines> open(FileSystem& files, std::string path,
                                const FieldLine<T>& line = FieldLine<T>()) {
    Input input;
    input.path = input.shown = path;
    input.format = "jsonl";
    input.compression = Compression::zstd;
    ReaderLimits limits;
    limits.max_record_bytes = longest_line;
    limits.max_ratio = 0;
    ListLines lines(line);
    lines.path_ = std::move(path);
    TWINSET_ASSIGN(lines.reader_, open_reader(files, input, limits));
    return lines;
  }

  T& operator*() { return *line_; }
  T* operator->() { return &*line_; }

  /// False at the end.
  Result<bool> next() {
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
    TWINSET_TRY(line_.read(record.raw, place()));
    return true;
  }

  Error damaged(const std::string& why) const {
    return io_error(place() + " is damaged: " + why + "; make its folder again");
  }

 private:
  explicit ListLines(const FieldLine<T>& line) : line_(line) {}
  std::string place() const { return path_ + ":" + std::to_string(number_); }

  std::string path_;
  std::unique_ptr<Reader> reader_;
  RecordBatch batch_;
  std::size_t at_ = 0;
  std::uint64_t number_ = 0;
  FieldLine<T> line_;
};

Result<ListLines<DetectedPage>> open_pages(FileSystem& files, const std::string& folder) {
  return ListLines<DetectedPage>::open(files, folder + "/" + pages_list,
                                       FieldLine<DetectedPage>(page_line_fields));
}

Result<ListLines<DetectedNeighborhood>> open_neighborhoods(FileSystem& files,
                                                           const std::string& folder) {
  return ListLines<DetectedNeighborhood>::open(
      files, folder + "/" + neighborhoods_list,
      FieldLine<DetectedNeighborhood>(neighborhood_line_fields));
}

/// The pages with their matches, which are as many as the page says.
Status read_pages(FileSystem& files, const std::string& folder, ChunkHash hash, Detections& found,
                  DetectCounts& listed) {
  TWINSET_ASSIGN(auto pages, open_pages(files, folder));
  TWINSET_ASSIGN(auto matches, ListLines<MatchLine>::open(files, folder + "/" + matches_list));
  matches->hash = hash;
  std::string blob;
  for (;;) {
    TWINSET_ASSIGN(const bool more, pages.next());
    if (!more) break;
    LabeledPage page{pages->url,
                     pages->file,
                     pages->record,
                     pages->chunks,
                     pages->labeled,
                     pages->file_labeled,
                     0,
                     0};
    const auto write = [&]() -> Status {
      const std::string_view blobs[] = {blob};
      TWINSET_ASSIGN(const std::uint64_t number, found.add_matches(blobs));
      if (page.matches_blobs++ == 0) page.first_matches = number;
      blob.clear();
      return {};
    };
    for (std::uint64_t i = 0; i < page.matches(); ++i) {
      TWINSET_ASSIGN(const bool is_there, matches.next());
      if (!is_there || matches->url != page.url) {
        return matches.damaged("it is no match of " + page.url + ", whose turn it is");
      }
      append_match(matches->match, blob);
      if ((i + 1) % matches_in_blob == 0) TWINSET_TRY(write());
    }
    if (!blob.empty()) TWINSET_TRY(write());
    if (page.chunks > 0) found.shares.add(page.units());
    ++listed.labeled_pages;
    listed.labeled_chunks += page.labeled;
    listed.labeled_files += page.file_labeled ? 1 : 0;
    TWINSET_TRY(found.add(std::move(page)));
  }
  TWINSET_ASSIGN(const bool has_more, matches.next());
  if (has_more) return matches.damaged("it is a match of no page");
  return {};
}

}  // namespace

void set_line(DetectedPage& line, const LabeledPage& page, bool is_bad) {
  line = {page.url, page.file, page.record, page.chunks, page.labeled, page.file_labeled, is_bad};
}

void set_line(DetectedNeighborhood& line, const NeighborhoodSums& sums, bool is_bad) {
  line = {sums.prefix,       sums.pages, sums.labeled_pages, sums.chunks, sums.labeled,
          sums.contains_sum, is_bad};
}

std::vector<Field> fields_of(MatchLine& line) {
  PageMatch& match = line.match;
  return {{"url", &line.url, Unit::text, "of the page"},
          {"offset", &match.offset, Unit::bytes,
           "the first byte of the match in the page, as it was read"},
          {"length", &match.length, Unit::bytes, "its bytes there"},
          {"kind", Choice(&match.kind, {"chunk", "file"}), Unit::text, "`chunk` or `file`"},
          {"hash",
           TextForm{[&line] { return to_hex(line.match.hash, line.hash); },
                    [&line](std::string_view digits) {
                      const std::optional<ChunkDigest> digest = parse_hex(digits, line.hash);
                      if (digest.has_value()) line.match.hash = *digest;
                      return digest.has_value();
                    }},
           Unit::code, "hexadecimal digits of the label's hash"},
          if_set({"text", &match.text, Unit::text,
                  "what a reader sees of it first, of a page its title, else the begin of its "
                  "normalized content; at most 240 bytes; missing after 1,000 matches of a page"}),
          if_set({"label", OptionalNested(&match.sample, &line.has_label), Unit::text,
                  "the first place where the label is known from; missing if its file has none"})};
}

std::vector<Field> fields_of(RecursionError& error) {
  return {{"url", &error.url, Unit::text, "of the page, as its record has it"},
          {"file", &error.file, Unit::text, "its file"},
          {"record", &error.record, Unit::count, "its number there"},
          {"parts", &error.parts, Unit::text, "the repeated parts of the path"},
          {"times", &error.times, Unit::count, "how often they stand there"}};
}

Result<DetectCounts> read_part_lists(FileSystem& files, const std::string& folder, ChunkHash hash,
                                     Detections& found) {
  DetectCounts listed;
  TWINSET_TRY(read_pages(files, folder, hash, found, listed));
  TWINSET_ASSIGN(auto sums, open_neighborhoods(files, folder));
  for (;;) {
    TWINSET_ASSIGN(const bool more, sums.next());
    if (!more) break;
    TWINSET_TRY(found.add(NeighborhoodSums{sums->prefix, sums->pages, sums->labeled_pages,
                                           sums->chunks, sums->labeled, sums->contains_sum}));
  }
  TWINSET_ASSIGN(auto errors,
                 ListLines<RecursionError>::open(files, folder + "/" + recursion_list));
  for (;;) {
    TWINSET_ASSIGN(const bool more, errors.next());
    if (!more) return listed;
    ++listed.recursion_errors;
    TWINSET_TRY(found.add(RecursionError(*errors)));
  }
}

Status read_top_lines(FileSystem& files, const std::string& folder, std::uint64_t top,
                      DetectSummary& summary) {
  TWINSET_ASSIGN(auto pages, open_pages(files, folder));
  while (summary.top_pages.size() < top) {
    TWINSET_ASSIGN(const bool more, pages.next());
    if (!more) break;
    summary.top_pages.push_back(*pages);
  }
  TWINSET_ASSIGN(auto neighborhoods, open_neighborhoods(files, folder));
  while (summary.top_neighborhoods.size() < top) {
    TWINSET_ASSIGN(const bool more, neighborhoods.next());
    if (!more) break;
    if (neighborhoods->labeled_pages > 0) summary.top_neighborhoods.push_back(*neighborhoods);
  }
  return {};
}

}  // namespace twinset
