// compare: two texts, analyzed, counted and aligned.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "io/inputs.h"
#include "io/json.h"
#include "look/output_folder.h"
#include "report/text.h"
#include "report/visible.h"
#include "run/one_record.h"
#include "run/prepare.h"
#include "run/summary.h"
#include "scheme/identity.h"
#include "text/analyzer.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

struct NamedText {
  std::string name;
  std::string text;       ///< as it is seen
  Fingerprint bytes;      ///< as it stands
  Fingerprint no_tokens;  ///< its lexical fingerprint, if it has no token
  std::string note;       ///< of the folder it lies in, or empty
};

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A sentence if `path` lies in a folder that a run with another version of the analyzer
/// made, whose numbers may be others.
std::string note_of_folder(FileSystem& files, const std::string& path, const Analyzer& analyzer) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (; !folder.empty() && folder != folder.parent_path(); folder = folder.parent_path()) {
    const Result<OutputFolder> made = open_output_folder(files, folder.string());
    if (made.ok()) {
      return made.value().analyzer == &analyzer ? made.value().analyzer_note() : std::string();
    }
  }
  return {};
}

/// "FILE" or "FILE:RECORD"; a file whose own name ends so is taken as it is.
Result<NamedText> read_named(const std::string& argument, const InputSettings& settings,
                             const Analyzer& analyzer) {
  FileSystem& files = disk();
  std::string path = argument;
  std::uint64_t record = 0;
  TWINSET_ASSIGN(FileStatus status, files.status(argument));
  const std::size_t colon = argument.rfind(':');
  if (status.kind == FileStatus::Kind::missing && colon != std::string::npos &&
      all_digits(argument.substr(colon + 1)) && argument.size() - colon < 14) {
    path = argument.substr(0, colon);
    record = std::stoull(argument.substr(colon + 1));
  }
  TWINSET_ASSIGN(InputList list,
                 expand_inputs(files, {{path}, {}, settings.format, "", false, false}));
  if (list.inputs.size() != 1) {
    return usage_error(path + " is not one file; compare takes two documents");
  }
  Input input = list.inputs.front();
  if (analyzer.takes_features()) input.markup = Markup::none;
  if (record == 0) {
    if (!is_one_document(input)) {
      return usage_error(argument + " holds many records; say which: " + argument + ":RECORD");
    }
    record = 1;
  }
  ReaderLimits limits;
  limits.max_record_bytes = settings.max_record_bytes;
  const FieldNames fields{settings.text_field, settings.id_field, {}, analyzer.takes_features()};
  TWINSET_ASSIGN(OneRecord found, read_one_record(files, input, fields, limits, record));
  Record seen;
  seen.text = found.text;
  seen.markup = found.markup;
  RecordView view({.analyzer = &analyzer});
  view.look_at(seen);
  return NamedText{argument, shown_text(view), identical_fingerprint(seen.text),
                   lexical_fingerprint(seen.text, Analysis()),
                   note_of_folder(files, path, analyzer)};
}

std::vector<std::string> notes_of(const NamedText& a, const NamedText& b) {
  std::vector<std::string> notes;
  if (!a.note.empty()) notes.push_back(a.note);
  if (!b.note.empty() && b.note != a.note) notes.push_back(b.note);
  return notes;
}

std::string comparison_json(const NamedText& a, const NamedText& b, const Passages& passages) {
  std::string out;
  JsonObject object(out);
  object.string("a", a.name)
      .string("b", b.name)
      .real("resemblance", passages.resemblance())
      .real("containment_a_in_b", passages.containment_a_in_b())
      .real("containment_b_in_a", passages.containment_b_in_a())
      .number("shared_shingles", passages.shared_shingles)
      .number("shingles_a", passages.shingles_a)
      .number("shingles_b", passages.shingles_b)
      .number("tokens_a", passages.tokens_a)
      .number("tokens_b", passages.tokens_b)
      .boolean("identical", a.bytes == b.bytes);
  const std::vector<std::string> notes = notes_of(a, b);
  if (!notes.empty()) object.raw("notes", json_list(notes));
  object.end();
  return out + "\n";
}

}  // namespace

Result<std::string> compare(const CompareOptions& options) {
  const Analyzer* analyzer = find_analyzer(options.analyzer);
  if (analyzer == nullptr) return usage_error("no analyzer '" + options.analyzer + "'");
  const std::uint64_t shingle_tokens =
      options.shingle_tokens.value_or(verification_shingle_tokens(*analyzer));
  if (shingle_tokens == 0 || shingle_tokens > max_shingle_tokens) {
    return usage_error("--shingle is from 1 to " + std::to_string(max_shingle_tokens));
  }
  TWINSET_ASSIGN(NamedText a, read_named(options.a, options.input, *analyzer));
  TWINSET_ASSIGN(NamedText b, read_named(options.b, options.input, *analyzer));
  Analysis analysis_a;
  Analysis analysis_b;
  analyzer->analyze(a.text, Offsets::keep, analysis_a);
  analyzer->analyze(b.text, Offsets::keep, analysis_b);
  Passages passages = find_passages(analysis_a, analysis_b, static_cast<unsigned>(shingle_tokens));
  // As dedup folds them.
  passages.same_without_tokens =
      analysis_a.tokens.empty() && analysis_b.tokens.empty() && a.no_tokens == b.no_tokens;
  if (options.answer.json) return comparison_json(a, b, passages);
  TextOptions text;
  text.color = options.answer.color;
  text.passages = !options.answer.numbers;
  std::string out = compare_text({a.name, b.name, a.text, b.text, &passages}, text);
  for (const std::string& note : notes_of(a, b)) {
    out += "\nNote: " + visible_text(note) + ".\n";
  }
  return out;
}

}  // namespace twinset
