// compare: two texts, analyzed, counted and aligned.
#include <filesystem>
#include <new>
#include <utility>

#include "base/message.h"
#include "collection/file_collection.h"
#include "collection/one_record.h"
#include "io/field_json.h"
#include "look/output_folder.h"
#include "run/scratch_folder.h"
#include "scheme/document_view.h"
#include "scheme/identity.h"
#include "scheme/signer.h"
#include "sites/site_templates.h"
#include "system/context.h"
#include "twinset/pair.h"
#include "words/left_out.h"
#include "words/passages.h"

namespace twinset {
namespace {

/// A text as it is compared.
struct SeenDocument {
  std::string name;
  std::string text;      ///< as a reader sees it
  Fingerprint bytes;     ///< of the bytes, markup included
  std::string note;      ///< about the folder it is in, or empty
  TokenRanges left_out;  ///< tokens that are not compared
};

Record record_of(std::string_view text, Markup markup) {
  Record record;
  record.text = text;
  record.markup = markup;
  return record;
}

SeenDocument seen_document(std::string name, const Record& record, const ViewRule& rule) {
  RecordView view(rule);
  view.look_at(record);
  return {
      std::move(name), shown_text(view), identical_fingerprint(record.text), {}, view.left_out()};
}

ComparedTexts align(SeenDocument a, SeenDocument b, const ViewRule& rule) {
  Analysis analysis_a;
  Analysis analysis_b;
  rule.analyzer->analyze(a.text, Offsets::keep, analysis_a);
  rule.analyzer->analyze(b.text, Offsets::keep, analysis_b);
  ComparedTexts out;
  if (rule.templates != nullptr) {
    Passages whole = find_passages(analysis_a, analysis_b, rule.shingle_tokens);
    whole.same_without_tokens = a.bytes == b.bytes && whole.all_shingles() == 0;
    out.whole_resemblance = whole.resemblance();
    out.left_out_a = leave_out(a.left_out, a.text, analysis_a);
    out.left_out_b = leave_out(b.left_out, b.text, analysis_b);
  }
  out.passages = find_passages(analysis_a, analysis_b, rule.shingle_tokens);
  out.name_a = std::move(a.name);
  out.name_b = std::move(b.name);
  out.text_a = std::move(a.text);
  out.text_b = std::move(b.text);
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

/// Calls `use` with the record.
template <class Use>
auto with_record(const OneRecord& found, const ViewRule& rule, Use use) {
  Record record = record_of(found.text, found.markup);
  const std::string_view field = found.field;
  record.fields = {&field, 1};
  record.field_names = {&rule.url_field, 1};
  record.url = found.url;
  return use(record);
}

SeenDocument seen_record(FileSystem& files, const std::string& argument, const OneRecord& found,
                         const ViewRule& rule) {
  SeenDocument seen = with_record(
      found, rule, [&](const Record& record) { return seen_document(argument, record, rule); });
  seen.note = note_of_folder(files, found.path, *rule.analyzer);
  return seen;
}

/// The shares as the sketches of both tell them.
EstimatedShares estimate(const Scheme& scheme, const ViewRule& rule, const OneRecord& a,
                         const OneRecord& b) {
  const auto sketch_of = [&](const OneRecord& found) {
    return with_record(found, rule, [&](const Record& record) {
      RecordView view(rule);
      view.look_at(record);
      Sketch sketch;
      if (!view.analysis().tokens.empty()) scheme.sketch(view, sketch);
      return sketch.stored;
    });
  };
  const Comparison told = scheme.compare(sketch_of(a), sketch_of(b));
  return {scheme.spec(), told.resemblance, told.containment_a_in_b, told.containment_b_in_a};
}

/// Learns the templates of all records in the files of both, if they are to be left out.
Status leave_out_templates(const CompareOptions& options, const RunControl& control,
                           const OneRecord& a, const OneRecord& b, ViewRule& rule) {
  CollectionOptions learning;
  learning.input = options.input;
  learning.analyzer = options.analyzer;
  static_cast<TemplateSettings&>(learning) = options;
  std::vector<std::string> paths{a.path};
  if (b.path != a.path) paths.push_back(b.path);
  TWINSET_ASSIGN(
      std::shared_ptr<Collection> collection,
      FileCollection::find(files_of(control), {paths, {}, options.input.format, "", false}));
  TWINSET_ASSIGN(rule.templates, learn_site_templates(std::move(collection), learning, control));
  rule.url_field = options.url;
  rule.pages = rule.pages || (rule.templates != nullptr && !rule.templates->learned().texts);
  return {};
}

/// Why nothing is left out, if templates were to be.
std::string nothing_left_out(const ViewRule& rule, const ComparedTexts& compared) {
  if (rule.templates == nullptr || !compared.left_out_a.empty() || !compared.left_out_b.empty()) {
    return {};
  }
  return std::string("nothing is left out: the files hold too few unlike ") +
         (rule.templates->learned().texts ? "texts" : "pages of their sites") +
         " to tell templates, or these two have none";
}

}  // namespace

Result<ComparedTexts> compare_texts(std::string_view a, std::string_view b,
                                    const Shingling& shingling) {
  TWINSET_ASSIGN(const ViewRule rule, view_rule(shingling));
  TWINSET_TRY(check_text_bytes(a));
  TWINSET_TRY(check_text_bytes(b));
  const Markup markup = rule.pages ? Markup::html : Markup::none;
  try {
    return align(seen_document("A", record_of(a, markup), rule),
                 seen_document("B", record_of(b, markup), rule), rule);
  } catch (const std::bad_alloc&) {
    return io_error("not enough memory to compare texts of " + std::to_string(a.size()) + " and " +
                    std::to_string(b.size()) + " bytes");
  }
}

namespace {

/// A document from a file, or from standard input or a pipe, whose bytes are kept in a file while
/// they are read.
Result<OneRecord> read_given(FileSystem& files, const std::string& argument,
                             const CompareOptions& options, bool features) {
  TWINSET_ASSIGN(const FileStatus status, files.status(argument));
  const bool is_spooled = status.kind == FileStatus::Kind::other ||
                          is_standard_input(argument.substr(0, argument.rfind(':')));
  const ScratchFolder scratch(files, scratch_path({}, "compare"));
  if (is_spooled) TWINSET_TRY(files.make_directory(scratch.path()));
  return read_document(files, argument, options.input, features, options.url,
                       is_spooled ? scratch.path() + "/piped" : std::string());
}

}  // namespace

Result<ComparedTexts> compare(const CompareOptions& options, const RunControl& control) {
  FileSystem& files = files_of(control);
  TWINSET_ASSIGN(const Signer signer, Signer::make({.analyzer = options.analyzer,
                                                    .scheme = options.scheme,
                                                    .signs = !options.scheme.empty()},
                                                   files));
  const Scheme* const scheme = signer.scheme.get();
  if (scheme != nullptr && !scheme->estimates()) {
    return usage_error("the sketches of scheme " + std::string(scheme->declaration().name) +
                       " do not estimate shares; give one whose sketches do, such as " +
                       option("scheme", "mod"));
  }
  std::optional<std::uint64_t> width = options.shingle;
  if (!width && scheme != nullptr && scheme->shingle_tokens() != 0)
    width = scheme->shingle_tokens();
  TWINSET_ASSIGN(ViewRule rule, view_rule({options.analyzer, width}));
  const auto read = [&](const std::string& argument) {
    return read_given(files, argument, options, rule.analyzer->takes_features());
  };
  if (is_standard_input(options.a) && is_standard_input(options.b)) {
    return usage_error("- is named twice; standard input can be read once");
  }
  TWINSET_ASSIGN(const OneRecord a, read(options.a));
  TWINSET_ASSIGN(const OneRecord b, read(options.b));
  if (options.templates != Templates::keep) {
    TWINSET_TRY(leave_out_templates(options, control, a, b, rule));
  } else if (!options.url.empty()) {
    return usage_error(option("url") + " tells sites apart for " + option("templates", "drop") +
                       "; leave it out, or add that");
  }
  ComparedTexts compared =
      align(seen_record(files, options.a, a, rule), seen_record(files, options.b, b, rule), rule);
  if (scheme != nullptr) compared.estimated = estimate(*scheme, rule, a, b);
  if (std::string why = nothing_left_out(rule, compared); !why.empty()) {
    compared.notes.push_back(std::move(why));
  }
  return compared;
}

std::string to_json(const ComparedTexts& compared, const AnswerOptions& answer) {
  std::vector<Field> fields = fields_of(to_write(compared));
  if (answer.numbers) {
    std::erase_if(fields, [](const Field& field) { return field.name == "shared_passages"; });
  }
  return fields_json(fields) + "\n";
}

}  // namespace twinset
