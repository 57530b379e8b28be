// compare: two texts, analyzed, counted and aligned.
#include <filesystem>
#include <new>
#include <utility>

#include "collection/one_record.h"
#include "io/json.h"
#include "join/resemblance.h"
#include "look/output_folder.h"
#include "report/passages.h"
#include "report/text.h"
#include "run/summary.h"
#include "scheme/identity.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

/// A text as it is compared.
struct SeenDocument {
  std::string name;
  std::string text;   ///< as a reader sees it
  Fingerprint bytes;  ///< of the bytes, markup included
  std::string note;   ///< about the folder it is in, or empty
};

SeenDocument seen_document(std::string name, std::string_view text, Markup markup,
                           const ViewRule& rule) {
  Record record;
  record.text = text;
  record.markup = markup;
  RecordView view(rule);
  view.look_at(record);
  return {std::move(name), shown_text(view), identical_fingerprint(text), {}};
}

ComparedTexts align(SeenDocument a, SeenDocument b, const ViewRule& rule) {
  Analysis analysis_a;
  Analysis analysis_b;
  rule.analyzer->analyze(a.text, Offsets::keep, analysis_a);
  rule.analyzer->analyze(b.text, Offsets::keep, analysis_b);
  ComparedTexts out{std::move(a.name), std::move(b.name), std::move(a.text), std::move(b.text),
                    find_passages(analysis_a, analysis_b, rule.shingle_tokens)};
  out.identical = a.bytes == b.bytes;
  // As dedup folds them.
  out.passages.same_without_tokens = out.identical && out.passages.all_shingles() == 0;
  if (!a.note.empty()) out.notes.push_back(a.note);
  if (!b.note.empty() && b.note != a.note) out.notes.push_back(b.note);
  return out;
}

/// A sentence if `path` is in the output folder of a run with another version of the analyzer,
/// whose numbers may differ.
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

Result<SeenDocument> read_named(const std::string& argument, const InputSettings& settings,
                                const ViewRule& rule) {
  const Analyzer& analyzer = *rule.analyzer;
  TWINSET_ASSIGN(const OneRecord found,
                 read_document(disk(), argument, settings, analyzer.takes_features()));
  SeenDocument seen = seen_document(argument, found.text, found.markup, rule);
  seen.note = note_of_folder(disk(), found.path, analyzer);
  return seen;
}

}  // namespace

Result<ComparedTexts> compare_texts(std::string_view a, std::string_view b,
                                    const Shingling& shingling) {
  TWINSET_ASSIGN(const ViewRule rule, view_rule(shingling));
  TWINSET_TRY(check_text_bytes(a));
  TWINSET_TRY(check_text_bytes(b));
  const Markup markup = rule.pages ? Markup::html : Markup::none;
  try {
    return align(seen_document("A", a, markup, rule), seen_document("B", b, markup, rule), rule);
  } catch (const std::bad_alloc&) {
    return io_error("not enough memory to compare texts of " + std::to_string(a.size()) + " and " +
                    std::to_string(b.size()) + " bytes");
  }
}

Result<ComparedTexts> compare(const CompareOptions& options) {
  TWINSET_ASSIGN(const ViewRule rule, view_rule({options.analyzer, options.shingle_tokens}));
  TWINSET_ASSIGN(SeenDocument a, read_named(options.a, options.input, rule));
  TWINSET_ASSIGN(SeenDocument b, read_named(options.b, options.input, rule));
  return align(std::move(a), std::move(b), rule);
}

std::string to_text(const ComparedTexts& compared, const AnswerOptions& answer) {
  return compare_text(compared, {.color = answer.color, .passages = !answer.numbers});
}

std::string to_json(const ComparedTexts& compared) {
  const Passages& passages = compared.passages;
  std::string out;
  JsonObject object(out);
  object.string("a", compared.name_a)
      .string("b", compared.name_b)
      .real("resemblance", passages.resemblance())
      .real("containment_a_in_b", passages.containment_a_in_b())
      .real("containment_b_in_a", passages.containment_b_in_a())
      .number("shared_shingles", passages.shared_shingles)
      .number("shingles_a", passages.shingles_a)
      .number("shingles_b", passages.shingles_b)
      .number("tokens_a", passages.tokens_a)
      .number("tokens_b", passages.tokens_b)
      .boolean("identical", compared.identical);
  if (!compared.notes.empty()) object.raw("notes", json_list(compared.notes));
  object.end();
  return out + "\n";
}

}  // namespace twinset
