// explain: reads a finished output folder and, where they are still there, the
// inputs it was made from.
#include <algorithm>
#include <array>
#include <optional>

#include "io/inputs.h"
#include "io/json.h"
#include "job/json_line.h"
#include "job/one_record.h"
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
};

Result<MadeBy> read_made_by(FileSystem& files, const std::string& output) {
  const std::string path = output + "/" + std::string(summary_file);
  Result<FileStatus> status = files.status(path);
  TWINSET_TRY(status);
  if (status.value().kind != FileStatus::Kind::regular) {
    return usage_error(output + " is no output of twinset dedup: it has no summary.json");
  }
  Result<std::string> summary = read_whole_file(files, path, max_summary_bytes);
  TWINSET_TRY(summary);
  static constexpr std::array<std::string_view, 9> names{
      "options.inputs",   "options.against", "options.format",
      "options.text",     "options.id",      "options.max_record",
      "options.analyzer", "scheme",          "options.resemblance"};
  JsonLine line;
  if (!line.parse(summary.value(), names)) return io_error(path + " is damaged");
  MadeBy made;
  made.inputs = json_array_texts(line.raw(0));
  made.references = json_array_texts(line.raw(1));
  made.format = line.text(2);
  made.fields = {line.text(3), line.text(4), ""};
  made.limits.max_record_bytes = line.number(5);
  made.analyzer = find_analyzer(line.text(6));
  if (made.analyzer == nullptr) return io_error(path + " names an analyzer this build lacks");
  Result<Ratio> threshold = Ratio::parse(line.text(8));
  TWINSET_TRY(threshold);
  made.threshold = threshold.value().value();
  Result<std::unique_ptr<Scheme>> scheme = make_scheme(line.text(7), made.threshold);
  TWINSET_TRY(scheme);
  if (scheme.value()->shingle_tokens() != 0) made.shingle_tokens = scheme.value()->shingle_tokens();
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
  bool is_asked(const std::string& id, const std::string& file, std::uint64_t record) const {
    return id == options_.id || file + ":" + std::to_string(record) == options_.id;
  }

  Result<bool> find_removed() {
    static constexpr std::array<std::string_view, 11> names{"id",
                                                            "file",
                                                            "record",
                                                            "kind",
                                                            "survivor_id",
                                                            "survivor_file",
                                                            "survivor_record",
                                                            "resemblance",
                                                            "containment",
                                                            "survivor_containment",
                                                            "standard_error"};
    bool found = false;
    JsonLine fields;
    TWINSET_TRY(for_each_line(
        files_, options_.output + "/removed.jsonl.zst", [&](std::string_view line) -> Result<bool> {
          if (!fields.parse(line, names)) return io_error("removed.jsonl.zst is damaged");
          if (!is_asked(fields.text(0), fields.text(1), fields.number(2))) return true;
          found = true;
          explanation_.fate = Explanation::Fate::removed;
          explanation_.document = {fields.text(0), fields.text(1), fields.number(2)};
          explanation_.kind = kind_of(fields.text(3));
          explanation_.survivor = {fields.text(4), fields.text(5), fields.number(6)};
          explanation_.resemblance = fields.real(7);
          explanation_.containment = fields.real(8);
          explanation_.survivor_containment = fields.real(9);
          explanation_.exact = fields.raw(10).empty();
          return false;
        }));
    return found;
  }

  static RemovalKind kind_of(const std::string& name) {
    for (std::size_t i = 0; i < removal_kinds; ++i) {
      const auto kind = static_cast<RemovalKind>(i);
      if (name == removal_kind_name(kind)) return kind;
    }
    return RemovalKind::near;
  }

  Result<bool> find_quarantined() {
    static constexpr std::array<std::string_view, 4> names{"file", "record", "reason", "detail"};
    bool found = false;
    JsonLine fields;
    TWINSET_TRY(for_each_line(
        files_, options_.output + "/quarantine.jsonl", [&](std::string_view line) -> Result<bool> {
          if (!fields.parse(line, names)) return io_error("quarantine.jsonl is damaged");
          if (!is_asked("", fields.text(0), fields.number(1))) return true;
          found = true;
          explanation_.fate = Explanation::Fate::quarantined;
          explanation_.document = {options_.id, fields.text(0), fields.number(1)};
          explanation_.reason = fields.text(2);
          if (const std::string detail = fields.text(3); !detail.empty()) {
            explanation_.reason += ": " + detail;
          }
          return false;
        }));
    return found;
  }

  /// A kept record that stands for others: its members from removed.jsonl.
  Result<bool> find_representative() {
    static constexpr std::array<std::string_view, 8> names{
        "survivor_id", "survivor_file", "survivor_record", "id", "file",
        "record",      "kind",          "resemblance"};
    JsonLine fields;
    TWINSET_TRY(for_each_line(
        files_, options_.output + "/removed.jsonl.zst", [&](std::string_view line) -> Result<bool> {
          if (!fields.parse(line, names)) return io_error("removed.jsonl.zst is damaged");
          if (!is_asked(fields.text(0), fields.text(1), fields.number(2))) return true;
          explanation_.document = {fields.text(0), fields.text(1), fields.number(2)};
          ++explanation_.members;
          if (explanation_.examples.size() < listed_members) {
            explanation_.examples.push_back({{fields.text(3), fields.text(4), fields.number(5)},
                                             kind_of(fields.text(6)),
                                             fields.real(7)});
          }
          return true;
        }));
    return explanation_.members > 0;
  }

  /// A record that neither went nor stands for another: found by its id alone.
  Result<bool> find_in_inputs() {
    TWINSET_TRY(list_inputs());
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
          std::string id(record.id);
          if (id.size() > 1 && id.front() == '"') id = id.substr(1, id.size() - 2);
          if (!is_asked(id, input.shown, record.number)) continue;
          explanation_.fate =
              input.reference ? Explanation::Fate::reference : Explanation::Fate::kept;
          explanation_.document = {options_.id, input.shown, record.number};
          return true;
        }
      }
    }
    return false;
  }

  Status list_inputs() {
    if (!inputs_.empty()) return {};
    Result<InputList> list =
        expand_inputs(files_, {made_.inputs, made_.references, made_.format, ""});
    TWINSET_TRY(list);
    inputs_ = std::move(list).value().inputs;
    return {};
  }

  /// The record's text, if its input is still there and unchanged enough.
  std::optional<std::string> text_of(const ReportDocument& document) {
    if (!list_inputs().ok()) return std::nullopt;
    for (const Input& input : inputs_) {
      if (input.shown != document.file) continue;
      Result<OneRecord> record =
          read_one_record(files_, input, made_.fields, made_.limits, document.record);
      if (record.ok()) return std::move(record).value().text;
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
