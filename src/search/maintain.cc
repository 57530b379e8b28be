// What is done to an index besides adding and asking: made, thinned out, merged, checked, counted,
// and written out.
//
// This file's interface is in twinset/index.h; the rest is private.
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "collection/output_files.h"
#include "index/index_writer.h"
#include "io/field_json.h"
#include "io/text_lines.h"
#include "search/index.h"
#include "twinset/field.h"
#include "twinset/index.h"

namespace twinset {
namespace {

constexpr const char* usual_scheme = "mod(samples=64)";

std::string folder_of(const IndexOptions& options) { return folder_path(options.index); }

/// The ids, one a line, of the standard input in place of "-".
Result<std::vector<std::string>> ids_of(FileSystem& files, const IndexOptions& options) {
  std::vector<std::string> ids;
  for (const std::string& input : options.inputs) {
    if (input != "-") {
      ids.push_back(input);
      continue;
    }
    TWINSET_ASSIGN(const std::string lines,
                   read_whole_file(files, standard_input_path, most_result_bytes));
    for_each_line(lines, [&](std::string_view line) {
      if (!line.empty()) ids.emplace_back(line);
      return true;
    });
  }
  return ids;
}

IndexSummary summary_of(const IndexOptions& options, const IndexSnapshot& snapshot) {
  IndexSummary summary;
  summary.verb = "index";
  summary.stats = stats_of(options.index, snapshot);
  return summary;
}

}  // namespace

Result<IndexSummary> create_index(const IndexOptions& options, const RunControl& control) {
  if (options.index.empty()) return usage_error("no index given: name its folder");
  if (!options.inputs.empty()) {
    return usage_error("index create reads no documents; add them with " + verb("index add"));
  }
  FileSystem& files = files_of(control);
  IndexSettings settings = options.settings;
  if (settings.scheme.empty()) settings.scheme = {usual_scheme};
  TWINSET_TRY(IndexWriter::create(files, folder_of(options), settings));
  return index_stats(options, control);
}

Result<IndexSummary> delete_from_index(const IndexOptions& options, const RunControl& control) {
  FileSystem& files = files_of(control);
  if (options.inputs.empty()) return usage_error("no id given to delete");
  TWINSET_ASSIGN(const std::vector<std::string> ids, ids_of(files, options));
  const RunContext context = context_of(control);
  TWINSET_ASSIGN(const auto writer, IndexWriter::open(context, folder_of(options), "index delete"));
  IndexSummary summary;
  summary.verb = "index";
  for (const std::string& id : ids) {
    TWINSET_TRY(check_stop(control.cancel));
    TWINSET_ASSIGN(const std::optional<IndexPlace> place,
                   find_named(writer->snapshot(), id, false));
    if (!place.has_value()) {
      summary.not_there.push_back(id);
      continue;
    }
    TWINSET_ASSIGN(const IndexedDocument document, writer->snapshot().document(*place));
    TWINSET_TRY(writer->remove(document.id));
  }
  TWINSET_ASSIGN(const IndexChange change, writer->commit());
  summary.removed = change.deleted;
  summary.stats = stats_of(options.index, writer->snapshot());
  return summary;
}

Result<IndexSummary> compact_index(const IndexOptions& options, const RunControl& control) {
  const RunContext context = context_of(control);
  TWINSET_ASSIGN(const auto writer,
                 IndexWriter::open(context, folder_of(options), "index compact"));
  TWINSET_TRY(writer->compact());
  return summary_of(options, writer->snapshot());
}

Result<IndexSummary> verify_index(const IndexOptions& options, const RunControl& control) {
  TWINSET_ASSIGN(const IndexSnapshot snapshot, open_index(files_of(control), options.index));
  const RunContext context = context_of(control);
  for (const IndexSnapshot::Part& part : snapshot.parts()) {
    TWINSET_TRY(part.segment->verify(context));
  }
  return summary_of(options, snapshot);
}

Result<IndexSummary> index_stats(const IndexOptions& options, const RunControl& control) {
  TWINSET_ASSIGN(const IndexSnapshot snapshot, open_index(files_of(control), options.index));
  return summary_of(options, snapshot);
}

Result<IndexSummary> export_index(const IndexOptions& options, const RunControl& control) {
  FileSystem& files = files_of(control);
  if (options.output.empty() && control.kept == nullptr) {
    return usage_error("no output given: " + option("output", "FILE") +
                       ", or send the lines on: > documents.jsonl");
  }
  TWINSET_ASSIGN(const IndexSnapshot snapshot, open_index(files, options.index));
  std::unique_ptr<WholeFile> file;
  if (!options.output.empty()) {
    TWINSET_ASSIGN(file, WholeFile::create(files, "output", options.output));
  }
  std::string lines;
  const auto write = [&]() -> Status {
    TWINSET_TRY(check_stop(control.cancel));
    const Status written = file != nullptr ? file->write(lines) : control.kept->write(lines);
    lines.clear();
    return written;
  };
  for (std::uint32_t part = 0; part < snapshot.parts().size(); ++part) {
    const Segment& segment = *snapshot.parts()[part].segment;
    for (std::uint32_t number = 0; number < segment.documents(); ++number) {
      if (snapshot.is_hidden({part, number})) continue;
      StoredDocument exported;
      TWINSET_ASSIGN(const IndexedDocument document, segment.document(number));
      exported.document = named_document(document);
      TWINSET_ASSIGN(exported.text, segment.text(number));
      append_fields(lines, fields_of(exported));
      lines += '\n';
      if (lines.size() > (std::size_t{1} << 16)) TWINSET_TRY(write());
    }
  }
  if (!lines.empty()) TWINSET_TRY(write());
  if (file != nullptr) TWINSET_TRY(file->publish());
  return summary_of(options, snapshot);
}

}  // namespace twinset
