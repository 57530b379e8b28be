// explain: reads a finished output folder and, where they are still there, the
// inputs it was made from.
#include <algorithm>
#include <array>
#include <optional>

#include "io/inputs.h"
#include "io/json.h"
#include "job/one_record.h"
#include "job/output_lines.h"
#include "job/prepare.h"
#include "job/summary.h"
#include "job/workspace.h"
#include "report/text.h"
#include "scheme/scheme.h"
#include "text/analyzer.h"
#include "twinset/compare.h"

namespace twinset {
namespace {

constexpr std::uint64_t max_summary_bytes = std::uint64_t{1} << 30;
constexpr std::size_t listed_members = 20;

/// What summary.json says of the command that made the folder.
struct MadeBy {
  std::vector<std::string> inputs;
  std::vector<std::string> references;
  std::string format;
  FieldNames fields;
  ReaderLimits limits;
  const Analyzer* analyzer = nullptr;
  unsigned shingle_tokens = 5;
  double threshold = 0;
  std::uint64_t min_tokens = 0;
  std::uint64_t limit = 0;  ///< records read; 0 is all
};

/// The strings of an array.
std::vector<std::string> texts_of(const JsonNode& array) {
  std::vector<std::string> out;
  for (const JsonNode& element : array.elements()) out.push_back(element.text());
  return out;
}

/// An id as a person writes it: a string without its quotes, else as it stands.
std::string id_text(const JsonNode& id) {
  return id.kind() == JsonKind::string ? id.text() : std::string(id.raw());
}

/// The same of an id that stands in a record as this JSON value.
std::string id_text(std::string_view token) {
  const Result<JsonNode> id = read_json(token, "id");
  return id.ok() ? id_text(id.value()) : std::string(token);
}

/// The record that the fields "id", "file" and "record" name, behind `prefix`.
ReportDocument document_of(const JsonNode& line, const std::string& prefix) {
  return {id_text(line[prefix + "id"]), line[prefix + "file"].text(),
          line[prefix + "record"].integer().value_or(0)};
}

Result<MadeBy> read_made_by(FileSystem& files, const std::string& output) {
  const std::string path = output + "/" + std::string(summary_file);
  Result<FileStatus> status = files.status(path);
  TWINSET_TRY(status);
  if (status.value().kind != FileStatus::Kind::regular) {
    return usage_error(output + " is no output of twinset dedup: it has no summary.json");
  }
  Result<FileStatus> removed = files.status(output + "/removed.jsonl.zst");
  TWINSET_TRY(removed);
  if (removed.value().kind != FileStatus::Kind::regular) {
    return usage_error(output + " is no output of twinset dedup: it has no removed.jsonl.zst");
  }
  Result<std::string> summary = read_whole_file(files, path, max_summary_bytes);
  TWINSET_TRY(summary);
  const Result<JsonNode> parsed = read_json(summary.value(), path);
  TWINSET_TRY(parsed);
  const JsonNode options = parsed.value()["options"];
  const std::string spec = parsed.value()["scheme"].text();
  MadeBy made;
  made.inputs = texts_of(options["inputs"]);
  made.references = texts_of(options["against"]);
  made.format = options["format"].text();
  made.fields = {options["text"].text(), options["id"].text(), ""};
  made.limits.max_record_bytes = options["max_record"].integer().value_or(0);
  made.min_tokens = options["min_tokens"].integer().value_or(0);
  made.limit = options["limit"].integer().value_or(0);
  made.analyzer = find_analyzer(options["analyzer"].text());
  if (made.analyzer == nullptr) return io_error(path + " names an analyzer this build lacks");
  Result<Ratio> threshold = Ratio::parse(options["resemblance"].text());
  TWINSET_TRY(threshold);
  made.threshold = threshold.value().value();
  Result<std::unique_ptr<Scheme>> scheme = make_scheme(spec, made.threshold);
  TWINSET_TRY(scheme);
  made.fields.features = made.analyzer->takes_features();
  made.shingle_tokens = scheme.value()->shingle_tokens() != 0
                            ? scheme.value()->shingle_tokens()
                            : verification_shingle_tokens(*made.analyzer);
  return made;
}

/// Looks one record up in an output folder.
class Explainer {
 public:
  Explainer(FileSystem& files, const ExplainOptions& options) : files_(files), options_(options) {}

  Result<std::string> run() {
    Result<MadeBy> made = read_made_by(files_, options_.output);
    TWINSET_TRY(made);
    made_ = std::move(made).value();
    Result<bool> removed = find_removed();
    TWINSET_TRY(removed);
    if (removed.value()) return answer_removed();
    Result<bool> quarantined = find_quarantined();
    TWINSET_TRY(quarantined);
    if (quarantined.value()) return answer();
    Result<bool> kept = find_representative();
    TWINSET_TRY(kept);
    if (kept.value()) return answer();
    Result<bool> alone = find_in_inputs();
    TWINSET_TRY(alone);
    if (alone.value()) return answer();
    return usage_error("no record has the id '" + options_.id + "' in " + options_.output +
                       " or its inputs; file:record names one without an id");
  }

 private:
  bool is_asked(const ReportDocument& document) const {
    return document.id == options_.id || is_place(document);
  }

  /// Is the record asked for as file:record?
  bool is_place(const ReportDocument& document) const {
    return document.file + ":" + std::to_string(document.record) == options_.id;
  }

  Result<bool> find_removed() {
    bool found = false;
    TWINSET_TRY(for_each_line(files_, options_.output + "/removed.jsonl.zst",
                              [&](const JsonNode& line) -> Result<bool> {
                                const ReportDocument document = document_of(line, "");
                                if (!is_asked(document)) return true;
                                found = true;
                                explanation_.fate = Explanation::Fate::removed;
                                explanation_.document = document;
                                set_proof(line);
                                return false;
                              }));
    return found;
  }

  void set_proof(const JsonNode& line) {
    explanation_.kind = kind_of(line["kind"].text());
    explanation_.survivor = document_of(line, "survivor_");
    explanation_.resemblance = line["resemblance"].real().value_or(0);
    explanation_.containment = line["containment"].real().value_or(0);
    explanation_.survivor_containment = line["survivor_containment"].real().value_or(0);
    explanation_.exact = !line["standard_error"];
  }

  static RemovalKind kind_of(const std::string& name) {
    for (std::size_t i = 0; i < removal_kinds; ++i) {
      const auto kind = static_cast<RemovalKind>(i);
      if (name == removal_kind_name(kind)) return kind;
    }
    return RemovalKind::near;
  }

  Result<bool> find_quarantined() {
    bool found = false;
    TWINSET_TRY(for_each_line(files_, options_.output + "/quarantine.jsonl",
                              [&](const JsonNode& line) -> Result<bool> {
                                ReportDocument document = document_of(line, "");
                                document.id = options_.id;  // A bad record's is not known.
                                if (!is_place(document)) return true;
                                found = true;
                                explanation_.fate = Explanation::Fate::quarantined;
                                explanation_.document = document;
                                explanation_.reason = line["reason"].text();
                                const std::string detail = line["detail"].text();
                                if (!detail.empty()) explanation_.reason += ": " + detail;
                                return false;
                              }));
    return found;
  }

  /// A kept record that stands for others: its members from removed.jsonl.
  Result<bool> find_representative() {
    TWINSET_TRY(for_each_line(
        files_, options_.output + "/removed.jsonl.zst", [&](const JsonNode& line) -> Result<bool> {
          const ReportDocument survivor = document_of(line, "survivor_");
          if (!is_asked(survivor)) return true;
          explanation_.document = survivor;
          ++explanation_.members;
          if (explanation_.examples.size() < listed_members) {
            explanation_.examples.push_back({document_of(line, ""), kind_of(line["kind"].text()),
                                             line["resemblance"].real().value_or(0)});
          }
          return true;
        }));
    return explanation_.members > 0;
  }

  /// A record that neither went nor stands for another: found by its id alone.
  Result<bool> find_in_inputs() {
    TWINSET_TRY(list_inputs());
    std::uint64_t records = 0;
    for (const Input& input : inputs_) {
      Result<std::unique_ptr<Reader>> reader = open_reader(files_, input, made_.limits);
      if (!reader.ok()) continue;
      RecordBatch batch;
      for (;;) {
        Result<bool> more = reader.value()->read(batch);
        TWINSET_TRY(more);
        if (!more.value()) break;
        reader.value()->decode(made_.fields, batch);
        for (const Record& record : batch.records) {
          if (made_.limit != 0 && records++ == made_.limit) return false;
          if (!is_asked({id_text(record.id), input.shown, record.number})) continue;
          explanation_.fate = fate_of(input, record.text);
          explanation_.document = {options_.id, input.shown, record.number};
          return true;
        }
      }
    }
    return false;
  }

  Explanation::Fate fate_of(const Input& input, std::string_view text) const {
    if (made_.min_tokens != 0) {
      Analysis analysis;
      analyze(*made_.analyzer, text, input.markup, Offsets::drop, analysis);
      if (analysis.tokens.size() < made_.min_tokens) return Explanation::Fate::filtered;
    }
    return input.reference ? Explanation::Fate::reference : Explanation::Fate::kept;
  }

  Status list_inputs() {
    if (!inputs_.empty()) return {};
    Result<InputList> list =
        expand_inputs(files_, {made_.inputs, made_.references, made_.format, "", true});
    TWINSET_TRY(list);
    inputs_ = std::move(list).value().inputs;
    return {};
  }

  /// The record's text as it is seen, if its input is still there and unchanged
  /// enough.
  std::optional<std::string> text_of(const ReportDocument& document) {
    if (!list_inputs().ok()) return std::nullopt;
    for (const Input& input : inputs_) {
      if (input.shown != document.file) continue;
      Result<OneRecord> record =
          read_one_record(files_, input, made_.fields, made_.limits, document.record);
      if (record.ok()) return without_markup(std::move(record).value().text, input.markup);
    }
    return std::nullopt;
  }

  Result<std::string> answer_removed() {
    const std::optional<std::string> survivor =
        options_.answer.json ? std::nullopt : text_of(explanation_.survivor);
    const std::optional<std::string> removed =
        options_.answer.json ? std::nullopt : text_of(explanation_.document);
    if (!survivor.has_value() || !removed.has_value()) return answer();
    Analysis survivor_analysis;
    Analysis removed_analysis;
    made_.analyzer->analyze(*survivor, Offsets::keep, survivor_analysis);
    made_.analyzer->analyze(*removed, Offsets::keep, removed_analysis);
    const Passages passages =
        find_passages(survivor_analysis, removed_analysis, made_.shingle_tokens);
    explanation_.texts = ComparedTexts{explanation_.survivor.id, explanation_.document.id,
                                       *survivor, *removed, &passages};
    return answer();
  }

  Result<std::string> answer() const {
    if (options_.answer.json) return json();
    TextOptions text;
    text.color = options_.answer.color;
    text.passages = options_.answer.passages;
    text.threshold = made_.threshold;
    return explain_text(explanation_, text);
  }

  std::string json() const {
    static constexpr std::array<std::string_view, 5> fates{"kept", "removed", "filtered",
                                                           "quarantined", "reference"};
    std::string out;
    JsonObject object(out);
    object.string("id", explanation_.document.id)
        .string("file", explanation_.document.file)
        .number("record", explanation_.document.record)
        .string("fate", fates[static_cast<std::size_t>(explanation_.fate)]);
    if (explanation_.fate == Explanation::Fate::removed) {
      object.string("kind", removal_kind_name(explanation_.kind))
          .string("survivor_id", explanation_.survivor.id)
          .string("survivor_file", explanation_.survivor.file)
          .number("survivor_record", explanation_.survivor.record)
          .real("resemblance", explanation_.resemblance)
          .real("containment", explanation_.containment)
          .real("survivor_containment", explanation_.survivor_containment);
    }
    if (!explanation_.reason.empty()) object.string("reason", explanation_.reason);
    if (explanation_.fate == Explanation::Fate::kept) {
      object.number("stands_for", explanation_.members);
    }
    object.end();
    return out + "\n";
  }

  FileSystem& files_;
  const ExplainOptions& options_;
  MadeBy made_;
  std::vector<Input> inputs_;
  Explanation explanation_;
};

}  // namespace

Result<std::string> explain(const ExplainOptions& options) {
  return Explainer(disk(), options).run();
}

}  // namespace twinset
