#include <array>
#include <map>

#include "base/file_header.h"
#include "io/inputs.h"
#include "labels/label_file.h"
#include "look/inspect_output.h"
#include "run/workspace.h"
#include "stats/term_file.h"
#include "system/context.h"
#include "twinset/look.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// A file of labels, or the error that it is none.
Result<FileFacts> inspect_labels(FileSystem& files, const std::string& path, std::uint64_t size) {
  TWINSET_ASSIGN(const LabelFile labels, LabelFile::open(files, path));
  std::uint64_t chunks = 0;
  std::uint64_t whole_files = 0;
  TWINSET_TRY(labels.for_each_key([&](const Fingerprint&, LabelKind kind) {
    ++(kind == LabelKind::file ? whole_files : chunks);
  }));
  return FileFacts{{"file", path},
                   {"holds", "labels, which detect looks for"},
                   {"labels", format_count(chunks + whole_files)},
                   {"", format_count(chunks, "chunk", "chunks")},
                   {"", format_count(whole_files, "file", "files")},
                   {"rules", visible_name(labels.facts().rules)},
                   {"size", format_bytes(size)}};
}

/// A df table or a lexicon.
Result<FileFacts> inspect_terms(FileSystem& files, const std::string& path, std::uint64_t size) {
  TWINSET_ASSIGN(const TermFile terms, TermFile::open(files, path));
  const TermTable& table = terms.table();
  return FileFacts{
      {"file", path},
      {"holds", table.is_lexicon() ? "a lexicon" : "document frequencies, for a lexicon"},
      {"terms", format_count(table.terms)},
      {"documents", format_count(table.documents)},
      {"size", format_bytes(size)}};
}

/// A file with twinset's own header.
Result<FileFacts> inspect_own(const std::string& path, const std::string& bytes,
                              std::uint64_t size) {
  TWINSET_ASSIGN(const FileHeader found, decode_any_file_header(path, bytes));
  return FileFacts{{"file", path},
                   {"format", found.format + " " + std::to_string(found.version)},
                   {"fingerprint", fingerprint_text(found.fingerprint)},
                   {"row", std::to_string(found.row_bytes) + " bytes"},
                   {"rows", found.rows == UINT64_MAX ? "unfinished" : format_count(found.rows)},
                   {"size", format_bytes(size)}};
}

/// Describes any input of dedup: records, bad ones by reason, text.
Result<FileFacts> inspect_input(const std::string& path, const RunControl& control) {
  FileSystem& files = files_of(control);
  TWINSET_ASSIGN(InputList list, expand_inputs(files, {{path}, {}, "", "", false, false, ""}));
  std::uint64_t records = 0;
  std::uint64_t text_bytes = 0;
  std::vector<std::string> not_read;
  std::map<std::string, std::uint64_t> bad;
  const FieldNames fields;
  for (const Input& input : list.inputs) {
    const RowFormat* const rows = row_format(input);
    const std::string why = rows == nullptr ? "" : rows->look(files, input.path, fields.text);
    if (!why.empty()) {
      not_read.push_back(input.shown + " " + why);
      continue;
    }
    TWINSET_ASSIGN(std::unique_ptr<Reader> reader, open_reader(files, input, {}));
    RecordBatch batch;
    for (;;) {
      TWINSET_TRY(check_stop(control.cancel));
      TWINSET_ASSIGN(const bool more, reader->read(batch));
      if (!more) break;
      reader->decode(fields, batch);
      for (const Record& record : batch.records) {
        ++records;
        text_bytes += record.text.size();
        if (record.bad != BadReason::none) ++bad[std::string(reason_name(record.bad))];
      }
    }
  }
  const auto& inputs = list.inputs;
  FileFacts facts{{"input", path}};
  if (inputs.size() == 1) {
    static constexpr std::array<std::string_view, 3> packed{"", " in gzip", " in zstd"};
    facts.push_back(
        {"format", std::string(inputs[0].format) +
                       std::string(packed[static_cast<std::size_t>(inputs[0].compression)])});
  } else {
    facts.push_back({"files", format_count(inputs.size())});
  }
  if (not_read.size() < inputs.size()) {
    facts.push_back({"records", format_count(records)});
    facts.push_back({"text", format_bytes(text_bytes)});
  }
  for (const std::string& why : not_read) facts.push_back({"not read", why});
  for (const auto& [reason, count] : bad) {
    facts.push_back({"bad", format_count(count) + " " + reason});
  }
  return facts;
}

}  // namespace

Result<FileFacts> inspect(const std::string& path, const RunControl& control) {
  FileSystem& files = files_of(control);
  TWINSET_ASSIGN(FileStatus status, files.status(path));
  if (status.kind == FileStatus::Kind::directory) {
    TWINSET_ASSIGN(FileStatus summary, files.status(path + "/" + std::string(summary_file)));
    if (summary.kind == FileStatus::Kind::regular) {
      return inspect_output_folder(files, path);
    }
  } else if (status.kind == FileStatus::Kind::regular) {
    TWINSET_ASSIGN(std::unique_ptr<File> file, files.open(path, OpenMode::read));
    std::string head(file_header_bytes, '\0');
    TWINSET_ASSIGN(const std::size_t got, file->read_at(0, head.data(), head.size()));
    head.resize(got);
    if (head.starts_with("twinset\ntable")) {
      Result<FileFacts> labels = inspect_labels(files, path, status.size);
      if (labels.ok()) return labels;
    }
    TWINSET_ASSIGN(const bool has_terms, TermFile::is_one(files, path));
    if (has_terms) return inspect_terms(files, path, status.size);
    if (head.starts_with("twinset\n")) return inspect_own(path, head, status.size);
    Result<FileFacts> output = inspect_output_file(files, path);
    if (!output.ok() || !output.value().empty()) return output;
  }
  return inspect_input(path, control);
}

}  // namespace twinset
