// The collection is read once. Each document is offered to the sample and, if it
// has a label, to the labelled documents, which are given up when they grow beyond
// what is held: then the sample's own are used.
//
// This file's interface is evaluate/evaluate_schemes.h; the rest is private.
#include "evaluate/evaluate_schemes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evaluate/document_sample.h"
#include "evaluate/trial.h"
#include "evaluate/trial_set.h"
#include "io/json.h"
#include "run/each_document.h"
#include "run/input_troubles.h"
#include "run/output_lines.h"
#include "run/prepare.h"
#include "run/record_view.h"

namespace twinset {
namespace {

constexpr std::uint64_t default_sample = 2000;
constexpr std::size_t write_buffer_bytes = std::size_t{1} << 20;

/// A string's content or a number as written; nothing for other JSON values.
std::optional<std::string> plain_value(const JsonNode& value) {
  if (value.kind() == JsonKind::string) return value.text();
  if (value.kind() == JsonKind::number) return std::string(value.raw());
  return std::nullopt;
}

std::optional<std::string> plain_value(std::string_view token) {
  if (token.empty()) return std::nullopt;
  const Result<JsonNode> value = read_json(token, "a field");
  return value.ok() ? plain_value(value.value()) : std::nullopt;
}

/// Labels by id, from a file of the user's.
class LabelsFile {
 public:
  Status read(FileSystem& files, const std::string& path) {
    path_ = path;
    return for_each_line(files, path, [&](const JsonNode& line) -> Result<bool> {
      const std::optional<std::string> id = plain_value(line["id"]);
      const std::optional<std::string> label = plain_value(line["label"]);
      if (!id || !label) {
        return usage_error(path +
                           ": a line is {\"id\": ..., \"label\": ...}, each a string or a "
                           "number, but one is " +
                           std::string(line.raw().substr(0, 80)));
      }
      const auto [entry, fresh] = labels_.try_emplace(*id, Entry{*label, labels_.size()});
      if (!fresh && entry->second.label != *label) {
        return usage_error(path + ": id " + *id + " has two labels, " + entry->second.label +
                           " and " + *label);
      }
      return true;
    });
  }

  std::optional<std::string> find(const std::string& id) {
    const auto found = labels_.find(id);
    if (found == labels_.end()) return std::nullopt;
    found->second.used = true;
    return found->second.label;
  }

  /// After all documents were looked up: an error that names the first unknown ids.
  Status check_all_used() const {
    std::vector<std::pair<std::size_t, const std::string*>> unknown;
    for (const auto& [id, entry] : labels_) {
      if (!entry.used) unknown.emplace_back(entry.order, &id);
    }
    if (unknown.empty()) return {};
    std::sort(unknown.begin(), unknown.end());
    constexpr std::size_t most_named = 5;
    std::string named;
    for (std::size_t i = 0; i < std::min(unknown.size(), most_named); ++i) {
      named += (i == 0 ? "" : ", ") + *unknown[i].second;
    }
    return usage_error(fmt::format(
        "{} labels {} {} that no document has: {}{}; check --id, or pass them over with "
        "--ignore-unknown-labels",
        path_, unknown.size(), unknown.size() == 1 ? "id" : "ids", named,
        unknown.size() > most_named ? ", ..." : ""));
  }

 private:
  struct Entry {
    std::string label;
    std::size_t order = 0;
    bool used = false;
  };
  std::string path_;
  std::unordered_map<std::string, Entry> labels_;
};

class SchemesEvaluation {
 public:
  SchemesEvaluation(const EvaluateOptions& options, const Job& job, RunFacts& facts)
      : options_(options),
        job_(job),
        facts_(facts),
        sample_(
            {.documents = options.sample.value_or(default_sample), .seed = options.sample_seed}),
        view_(job.view) {}

  Result<std::string> run() {
    TWINSET_TRY(check());
    TWINSET_ASSIGN(std::vector<std::string> specs,
                   parse_scheme_list(options_.schemes, resemblance()));
    if (!options_.labels_file.empty()) TWINSET_TRY(file_.read(files(), options_.labels_file));
    TWINSET_TRY(read_inputs());
    if (!options_.labels_file.empty() && !options_.ignore_unknown_labels) {
      TWINSET_TRY(file_.check_all_used());
    }
    TWINSET_TRY(check_any_labelled());
    const std::uint64_t seen = sample_.seen();
    const std::string sampled_so = sampled_so_few();
    if (seen > 0 && sample_.passed_over() == seen) {
      return usage_error(
          fmt::format("nothing to evaluate on: all {} documents with a token are "
                      "over {} bytes long",
                      seen, DocumentSampleOptions().max_document_bytes));
    }
    TWINSET_ASSIGN(TrialSet set, TrialSet::make(set_options(), std::move(sample_).take()));
    if (!options_.copies_out.empty()) TWINSET_TRY(write_copies(set));
    TrialOptions trial;
    trial.specs = std::move(specs);
    trial.resemblance = resemblance();
    trial.analyzer = job_.view.analyzer;
    trial.max_group = options_.max_group;
    trial.threads = job_.context.threads;
    trial.keep_going = [this] { return job_.context.check_cancelled(); };
    TWINSET_ASSIGN(TrialReport report, try_schemes(set, trial));
    report.seen = seen;
    report.sampled_so = sampled_so;
    TWINSET_TRY(hold_against_labels(set, trial, report));
    if (!options_.json) return trial_table(report);
    return trial_json(report, lost_inputs_json(facts_.lost_inputs)) + "\n";
  }

 private:
  static constexpr std::size_t most_labelled = 20'000;
  static constexpr std::uint64_t most_labelled_bytes = std::uint64_t{64} << 20;

  FileSystem& files() const { return *job_.context.files; }
  bool wants_labels() const { return !options_.labels.empty() || !options_.labels_file.empty(); }
  const Ratio& resemblance() const { return job_.thresholds.resemblance; }

  /// Refuses bad options before anything is read.
  Status check() const {
    if (options_.sample == 0) return usage_error("--sample is at least 1");
    const EvaluateOptions standard;
    if (options_.scheme != standard.scheme || options_.seed != standard.seed ||
        options_.verification != standard.verification) {
      return usage_error(
          "--scheme, --seed and --verify are of one run; with --schemes each scheme is named with "
          "its parameters, as in --schemes 'fss(seed=5),min'");
    }
    if (options_.ignore_unknown_labels && options_.labels_file.empty()) {
      return usage_error("--ignore-unknown-labels is about the ids of a --labels-file");
    }
    constexpr std::uint64_t most_sampled = 100'000;
    if (options_.sample > most_sampled) {
      return usage_error(
          fmt::format("--sample is at most {}: every pair of it is compared with "
                      "what each scheme brings up",
                      most_sampled));
    }
    if (!options_.labels.empty() && !options_.labels_file.empty()) {
      return usage_error("--labels and --labels-file both give labels; leave one out");
    }
    if (options_.copies_out.empty()) return {};
    TWINSET_ASSIGN(const FileStatus status, files().status(options_.copies_out));
    if (status.kind != FileStatus::Kind::missing) {
      return usage_error("--copies-out " + options_.copies_out +
                         " exists, and nothing is overwritten; name another file");
    }
    return {};
  }

  /// Why the sample is not the whole collection, beside --sample.
  std::string sampled_so_few() const {
    std::vector<std::string> reasons;
    if (sample_.too_much_text()) {
      reasons.push_back(
          fmt::format("as many as {} MiB of text hold", DocumentSampleOptions().max_bytes >> 20));
    }
    if (sample_.too_alike() > 0) {
      reasons.push_back(fmt::format("{} too like others taken", sample_.too_alike()));
    }
    if (sample_.passed_over() > 0) {
      reasons.push_back(fmt::format("{} over {} KiB passed over", sample_.passed_over(),
                                    DocumentSampleOptions().max_document_bytes >> 10));
    }
    return fmt::format("{}", fmt::join(reasons, "; "));
  }

  TrialSetOptions set_options() const {
    TrialSetOptions options;
    options.analyzer = job_.view.analyzer;
    options.shingle_tokens = job_.view.shingle_tokens;
    const Ratio& asked = resemblance();
    if (!options.floor.reached_by(asked.numerator(), asked.denominator())) options.floor = asked;
    if (job_.thresholds.containment.has_value()) {
      options.containment = *job_.thresholds.containment;
    }
    options.seed = options_.sample_seed;
    options.memory_bytes = job_.context.memory_bytes;
    options.threads = job_.context.threads;
    return options;
  }

  // ---- Reading ----

  Status read_inputs() {
    FieldNames fields = job_.fields;
    fields.named = {options_.labels};
    InputTroubles troubles;
    TWINSET_TRY(for_each_document(job_, fields, troubles,
                                  [&](std::uint64_t source, const Record& record) -> Status {
                                    ++documents_;
                                    add_record(record, source);
                                    return {};
                                  }));
    describe_troubles(troubles, *job_.collection, facts_);
    const bool none = documents_ == 0 && !options_.input.allow_lost;
    return none ? nothing_left(facts_.lost_inputs) : Status();
  }

  void add_record(const Record& record, std::uint64_t source) {
    DocumentPlace place{source, record.number, std::string(record.id), "", false};
    if (place.id.empty()) {
      append_json_string(place.id, job_.source(source).shown + ":" + std::to_string(record.number));
    }
    if (std::optional<std::string> label = label_of(record, place.id)) {
      place.label = std::move(*label);
      place.labelled = true;
    }
    // The visible text of a page is tried, because edits do not know tags.
    view_.look_at(record);
    if (wants_labels()) add_labelled(place);
    sample_.add(view_.visible_text(), view_.shingles(), std::move(place));
  }

  std::optional<std::string> label_of(const Record& record, std::string_view id) {
    if (!options_.labels.empty()) return plain_value(record.field(0));
    if (options_.labels_file.empty()) return std::nullopt;
    const std::optional<std::string> plain = plain_value(id);
    return plain ? file_.find(*plain) : std::nullopt;
  }

  void add_labelled(const DocumentPlace& place) {
    const std::string_view text = view_.visible_text();
    ++(place.labelled ? labelled_ : unlabelled_);
    if (!place.labelled || too_many_labelled_) return;
    labelled_bytes_ += text.size();
    if (held_.size() == most_labelled || labelled_bytes_ > most_labelled_bytes) {
      too_many_labelled_ = true;
      held_ = {};
      return;
    }
    hold(std::string(text), view_.analysis().tokens, place.label);
  }

  void hold(std::string text, const std::vector<std::uint64_t>& tokens, const std::string& label) {
    LabelledDocument document;
    document.text = std::move(text);
    document.analysis.tokens = tokens;
    document.label =
        numbers_.try_emplace(label, static_cast<std::uint32_t>(numbers_.size())).first->second;
    held_.push_back(std::move(document));
  }

  // ---- What is made of it ----

  /// Lines {"id", "original", "edit", "resemblance", "containment", "text"}.
  Status write_copies(const TrialSet& set) const {
    TWINSET_ASSIGN(std::unique_ptr<File> file, files().open(options_.copies_out, OpenMode::create));
    std::string lines;
    for (std::size_t i = set.originals(); i < set.documents().size(); ++i) {
      const TrialDocument& copy = set.documents()[i];
      const ExactPair pair = set.planted_pair(static_cast<std::uint32_t>(i));
      JsonObject line(lines);
      line.string("id", fmt::format("planted-{}", i - set.originals() + 1))
          .raw("original", set.documents()[copy.original].place.id)
          .string("edit", copy.edit->name)
          .real("resemblance", pair.resemblance().value())
          .real("containment", pair.containment_b_in_a().value())
          .real("original_containment", pair.containment_a_in_b().value())
          .string("text", copy.text)
          .end();
      lines += '\n';
      if (lines.size() < write_buffer_bytes) continue;
      TWINSET_TRY(file->append(lines));
      lines.clear();
    }
    TWINSET_TRY(file->append(lines));
    return file->sync();
  }

  Status check_any_labelled() const {
    if (!wants_labels() || labelled_ > 0 || sample_.seen() == 0) return {};
    return usage_error(options_.labels.empty()
                           ? "no document has an id that " + options_.labels_file + " labels"
                           : "no record has a string or a number in its field '" + options_.labels +
                                 "' (--labels)");
  }

  Status hold_against_labels(const TrialSet& set, const TrialOptions& trial, TrialReport& report) {
    if (!wants_labels()) return {};
    if (too_many_labelled_) {
      numbers_.clear();
      for (std::size_t i = 0; i < set.originals(); ++i) {
        const TrialDocument& document = set.documents()[i];
        if (document.place.labelled) {
          hold(document.text, document.analysis.tokens, document.place.label);
        }
      }
    }
    Result<std::vector<LabelTrial>> labels =
        try_labels(held_, job_.view.shingle_tokens, job_.context.memory_bytes, trial);
    TWINSET_TRY(labels);
    report.labels = std::move(labels).value();
    report.labels_of = fmt::format(
        "{} with {} labels; {} without a label take no part.",
        too_many_labelled_ ? fmt::format("{} sampled documents of {}", held_.size(), labelled_)
                           : fmt::format("all {} documents", held_.size()),
        numbers_.size(), unlabelled_);
    return {};
  }

  const EvaluateOptions& options_;
  const Job& job_;
  RunFacts& facts_;
  DocumentSample sample_;
  LabelsFile file_;
  std::uint64_t documents_ = 0;
  RecordView view_;
  std::uint64_t labelled_ = 0;
  std::uint64_t unlabelled_ = 0;
  std::uint64_t labelled_bytes_ = 0;
  bool too_many_labelled_ = false;
  std::vector<LabelledDocument> held_;
  std::map<std::string, std::uint32_t> numbers_;
};

}  // namespace

Result<std::string> evaluate_schemes(const EvaluateOptions& options, const Job& job,
                                     RunFacts& facts) {
  return SchemesEvaluation(options, job, facts).run();
}

}  // namespace twinset
