// explain: reads a finished output folder and, if they still exist unchanged, the inputs it was
// made from.
//
// Some facts are in the run's own files and hold whatever happened to the input: that a record was
// removed, quarantined, or stands for others. No output file lists a kept record without copies.
// Only its input shows that it exists, so the input must be unchanged. Several records may have one
// id, in the files of the run and in inputs alike: all are searched before anything is said of one.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "collection/output_lines.h"
#include "io/field_json.h"
#include "look/asked_record.h"
#include "look/explain_cluster.h"
#include "look/input_again.h"
#include "look/output_folder.h"
#include "run/prepare.h"
#include "run/quarantine.h"
#include "run/record_files.h"
#include "scheme/record_view.h"
#include "scheme/scheme.h"
#include "system/context.h"
#include "text/analyzer.h"
#include "twinset/dedup.h"
#include "words/left_out.h"
#include "words/passages.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t listed_members = 20;

/// The facts of a record that only its input has.
struct FoundInInput {
  RecordPlace place;
  Fate fate = Fate::kept;
};

/// Looks one record up in a folder that dedup made.
class Explainer {
 public:
  Explainer(const OutputFolder& folder, const ExplainOptions& options, const RunControl& control)
      : files_(files_of(control)),
        cancel_(control.cancel),
        folder_(folder),
        options_(options),
        asked_(options.id) {}

  Result<Explanation> run() {
    TWINSET_TRY(set_comparison());
    find_place();
    TWINSET_TRY(find_in_lines());
    if (!by_place_ || places_.all().empty()) TWINSET_TRY(find_in_inputs());
    if (places_.all().size() > 1) return several_records(options_.id, places_.all());
    if (places_.all().empty()) return unknown();
    place_ = places_.all().front();
    explanation_.document = place_.document;
    explanation_.threshold = folder_.threshold.resemblance.value();
    if (!removed_line_.empty()) {
      TWINSET_TRY(take_removed());
    } else if (!explanation_.reason.empty()) {
      explanation_.fate = Explanation::Fate::quarantined;
    } else {
      TWINSET_TRY(take_kept());
    }
    const std::string from = folder_.folder_note();
    if (!from.empty() && inputs_read_) explanation_.notes.push_back(from);
    return std::move(explanation_);
  }

 private:
  /// Sets how the run compared texts.
  Status set_comparison() {
    TWINSET_ASSIGN(std::unique_ptr<Scheme> scheme,
                   make_scheme(folder_.scheme, folder_.threshold.resemblance.value(), files_));
    shingle_tokens_ = scheme->shingle_tokens() != 0
                          ? scheme->shingle_tokens()
                          : verification_shingle_tokens(*folder_.analyzer);
    return {};
  }

  /// Was FILE:RECORD asked for? Then ids are ignored.
  void find_place() {
    for (const MadeInput& input : folder_.inputs) {
      const std::string& file = input.input.shown;
      if (!options_.id.starts_with(file + ":")) continue;
      const std::string number = options_.id.substr(file.size() + 1);
      const bool digits = !number.empty() && number.size() < 19 &&
                          number.find_first_not_of("0123456789") == std::string::npos;
      if (!digits || number.front() == '0') continue;
      by_place_ = true;
      asked_input_ = &input;
      asked_record_ = std::stoull(number);
      return;
    }
  }

  bool is_asked(const NamedDocument& document) const {
    if (!by_place_) return asked_.names(document.id, document.file, document.record);
    return document.record == asked_record_ && document.file == asked_input_->input.shown;
  }

  // ---- The run's own files ----

  Status find_in_lines() {
    const std::string path = folder_.file(removed_file_name);
    FieldLine<Removal> line;
    std::uint64_t number = 0;
    TWINSET_TRY(for_each_raw_line(files_, path, [&](std::string_view raw) -> Result<bool> {
      TWINSET_TRY(check_stop(cancel_));
      ++number;
      if (!asked_.may_be_in(raw)) return true;
      TWINSET_TRY(line.read(raw, path + ":" + std::to_string(number)));
      if (is_asked(line->document) && places_.add(place_of(line->document))) removed_line_ = raw;
      if (is_asked(line->survivor)) places_.add(place_of(line->survivor));
      return true;
    }));
    return for_each_value<BadRecord>(
        files_, folder_.file(quarantine_file_name), [&](const BadRecord& bad) -> Result<bool> {
          if (is_asked(bad.document) && places_.add(place_of(bad.document))) {
            explanation_.reason = bad.why();
          }
          return true;
        });
  }

  Status take_removed() {
    FieldLine<Removal> line;
    TWINSET_TRY(line.read(removed_line_, folder_.file(removed_file_name)));
    explain_removal(*line, explanation_);
    const RecordPlace survivor = place_of(line->survivor);
    if (options_.numbers) return {};
    return take_texts(survivor);
  }

  Status take_texts(const RecordPlace& survivor) {
    inputs_read_ = true;
    const std::array<RecordPlace, 2> wanted{survivor, place_};
    TWINSET_ASSIGN(const ViewRule rule, folder_.view_rule(files_, shingle_tokens_));
    TWINSET_ASSIGN(std::vector<SeenText> texts,
                   read_texts(files_, folder_, wanted, SIZE_MAX, cancel_, &rule));
    std::set<std::string> missing;
    for (const SeenText& seen : texts) {
      if (!seen.text.has_value()) missing.insert(seen.missing);
    }
    for (const std::string& why : missing) {
      explanation_.notes.push_back(why + "; the texts are not shown");
    }
    if (!missing.empty()) return {};
    Analysis survivor_analysis;
    Analysis removed_analysis;
    folder_.analyzer->analyze(*texts[0].text, Offsets::keep, survivor_analysis);
    folder_.analyzer->analyze(*texts[1].text, Offsets::keep, removed_analysis);
    std::vector<TextRange> survivor_notes;
    std::vector<TextRange> removed_notes;
    if (rule.templates != nullptr) {
      TWINSET_ASSIGN(const ShingleCounts whole,
                     count_shingles(*texts[0].text, *texts[1].text,
                                    {folder_.options.analyzer, shingle_tokens_}));
      explanation_.whole_resemblance = whole.resemblance();
      survivor_notes = leave_out(texts[0].left_out, *texts[0].text, survivor_analysis);
      removed_notes = leave_out(texts[1].left_out, *texts[1].text, removed_analysis);
    }
    explanation_.texts =
        ComparedTexts{explanation_.survivor.id,
                      explanation_.document.id,
                      std::move(*texts[0].text),
                      std::move(*texts[1].text),
                      find_passages(survivor_analysis, removed_analysis, shingle_tokens_),
                      std::move(survivor_notes),
                      std::move(removed_notes),
                      explanation_.whole_resemblance};
    const std::string note = folder_.analyzer_note();
    if (!note.empty()) explanation_.notes.push_back(note);
    return {};
  }

  /// Lists the records that it stands for; if there are none, keeps to what its input told.
  Status take_kept() {
    const MadeInput* input = folder_.find(place_.document.file);
    if (input != nullptr && input->input.reference)
      explanation_.fate = Explanation::Fate::reference;
    if (found_.has_value() && found_->fate == Fate::filtered) {
      explanation_.fate = Explanation::Fate::filtered;
      explanation_.reason =
          "it has fewer than " + std::to_string(folder_.options.min_tokens) + " tokens";
      return {};
    }
    return for_each_value<Removal>(
        files_, folder_.file(removed_file_name), [&](const Removal& removal) -> Result<bool> {
          TWINSET_TRY(check_stop(cancel_));
          if (removal.survivor.record != place_.document.record ||
              removal.survivor.file != place_.document.file) {
            return true;
          }
          ++explanation_.stands_for;
          if (explanation_.examples.size() < listed_members) {
            explanation_.examples.push_back({place_of(removal.document).document, removal.kind,
                                             removal.resemblance, removal.containment});
          }
          return true;
        });
  }

  // ---- The inputs ----

  Status find_in_inputs() {
    inputs_read_ = true;
    for (const MadeInput& input : folder_.inputs) {
      if (by_place_ && &input != asked_input_) continue;
      // It could not be read, as quarantine.jsonl says.
      if (input.facts.lines == 1 && input.facts.checksum == 0) continue;
      TWINSET_TRY(find_in(input));
    }
    return {};
  }

  Status find_in(const MadeInput& input) {
    InputAgain again(files_, folder_, input, cancel_);
    std::vector<FoundInInput> found;
    for (;;) {
      const Result<bool> more = again.next();
      TWINSET_TRY(check_stop(cancel_));
      if (!more.ok()) {
        explanation_.notes.push_back(more.error().text() +
                                     "; whether it has a record of this name is not known");
        return {};
      }
      if (!more.value()) break;
      again.decode();
      for (const Record& record : again.batch().records) {
        if (record.bad != BadReason::none || record.carried) continue;
        const bool asked =
            by_place_ ? record.number == asked_record_ : asked_.names(input.input, record);
        if (asked) found.push_back(describe(input, record));
      }
    }
    TWINSET_ASSIGN(const bool same, again.same());
    if (!same) {
      explanation_.notes.push_back(changed_note(input.input.shown) +
                                   "; its present content proves nothing");
      return {};
    }
    for (FoundInInput& one : found) {
      if (places_.add(one.place)) found_ = std::move(one);
    }
    return {};
  }

  FoundInInput describe(const MadeInput& input, const Record& record) const {
    FoundInInput out;
    out.place = {{plain_name(input, record), input.input.shown, record.number},
                 record_fingerprint(record.raw)};
    if (folder_.options.min_tokens == 0) return out;
    RecordView view({.analyzer = folder_.analyzer});
    view.look_at(record);
    if (view.whole_analysis().tokens.size() < folder_.options.min_tokens) out.fate = Fate::filtered;
    return out;
  }

  static std::string plain_name(const MadeInput& input, const Record& record) {
    if (record.id.empty()) {
      return made_id(input.input.shown, is_one_document(input.input), record.number);
    }
    const Result<JsonNode> id = read_json(record.id, "id");
    return id.ok() ? id_text(id.value()) : std::string(record.id);
  }

  Error unknown() const {
    const std::string asked = "'" + visible_name(options_.id) + "'";
    std::string message = "no record has the id " + asked + " in " + folder_.path +
                          " or its inputs; file:record names one without an id";
    if (by_place_) message = "there was no record " + asked + " in the run of " + folder_.path;
    if (explanation_.notes.empty()) return usage_error(std::move(message));
    message = "the fate of " + asked + " is unknown";
    for (const std::string& note : explanation_.notes) message += "; " + note;
    return io_error(std::move(message));
  }

  FileSystem& files_;
  const std::atomic<bool>* cancel_;
  const OutputFolder& folder_;
  const ExplainOptions& options_;
  AskedRecord asked_;
  bool by_place_ = false;
  const MadeInput* asked_input_ = nullptr;  ///< of FILE:RECORD
  std::uint64_t asked_record_ = 0;
  unsigned shingle_tokens_ = 5;
  PlaceList places_;
  RecordPlace place_;         ///< the requested one
  std::string removed_line_;  ///< its line, or empty
  std::optional<FoundInInput> found_;
  bool inputs_read_ = false;
  Explanation explanation_;
};

}  // namespace

Result<Explanation> explain(const ExplainOptions& options, const RunControl& control) {
  TWINSET_ASSIGN(const OutputFolder folder, open_output_folder(files_of(control), options.folder));
  if (folder.verb != "dedup") return explain_cluster(folder, options, control);
  return Explainer(folder, options, control).run();
}

std::string to_json(const Explanation& explanation) {
  return fields_json(fields_of(to_write(explanation))) + "\n";
}

}  // namespace twinset
