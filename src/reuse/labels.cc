// Labels are shown by one reader of their file, or kept in a heap of the most frequent. An import
// holds a part of its labels in memory, sorts it and writes it as a file of labels; parts are
// merged as any such files are.
//
// This file's interface is twinset/labels.h and reuse/show_labels.h; the rest is private.
#include "twinset/labels.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/best.h"
#include "base/file_header.h"
#include "base/message.h"
#include "collection/output_files.h"
#include "io/field_json.h"
#include "io/inputs.h"
#include "io/json_read.h"
#include "io/reader.h"
#include "labels/label_file.h"
#include "reuse/label_line.h"
#include "reuse/label_sorter.h"
#include "reuse/show_labels.h"
#include "twinset/visible.h"
#include "web/chunks.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t large_bytes = std::size_t{1} << 16;      ///< of lines, given to the caller
constexpr std::size_t most_list_bytes = std::size_t{1} << 30;  ///< of a list of AuntieTuna
constexpr std::uint64_t labels_between_checks = 4096;

/// The file to make must be new, and its folder there, before anything is read.
Status check_output(FileSystem& files, const std::string& path) {
  if (path.empty()) return usage_error("no output given: " + option("output", "FILE.labels"));
  TWINSET_TRY(check_new_file(files, "output", path));
  return check_writable(files, path);
}

void count(const Label& label, LabelsSummary& summary) {
  ++(label.kind == LabelKind::file ? summary.files : summary.chunks);
}

LabelsSummary summary_of(const LabelFile& file) {
  LabelsSummary summary;
  summary.rules = file.facts().rules;
  summary.hash = fingerprint_text(file.hash());
  return summary;
}

/// The numbers of a file that was made.
Result<LabelsSummary> summarize(const RunContext& context, const std::string& path) {
  TWINSET_ASSIGN(const LabelFile file, LabelFile::open(*context.files, path));
  LabelsSummary summary = summary_of(file);
  TWINSET_TRY(file.for_each([&](const Label& label) -> Status {
    count(label, summary);
    return {};
  }));
  return summary;
}

// ---- Showing ----

/// The most frequent first; of equally frequent ones the first by hash.
struct MoreFrequent {
  bool operator()(const Label& a, const Label& b) const {
    return a.count != b.count ? a.count > b.count : compare_labels(a, b) < 0;
  }
};

class Shown {
 public:
  Shown(const LabelLines* lines, ChunkHash hash, const std::function<Status(std::string_view)>& use)
      : text_(lines), hash_(hash), use_(use) {}

  void header(const LabelFacts& facts, const LabelsSummary& summary) {
    if (text_ == nullptr) {
      FieldLine<LabelHeader> first;
      *first = {facts.rules, std::string(chunk_hash_name(facts.hash)), facts.pages,
                summary.chunks + summary.files};
      first.append(lines_);
    } else {
      lines_ += text_->heading;
    }
  }
  Status add(const Label& label) {
    if (text_ == nullptr) {
      *line_ = LabelLine(label, hash_);
      line_.append(lines_);
    } else {
      text_->append(lines_, label, hash_);
    }
    return lines_.size() < large_bytes ? Status() : flush();
  }
  Status flush() {
    const Status used = lines_.empty() ? Status() : use_(lines_);
    lines_.clear();
    return used;
  }

 private:
  const LabelLines* text_;
  ChunkHash hash_;
  const std::function<Status(std::string_view)>& use_;
  std::string lines_;
  FieldLine<LabelLine> line_;
};

// ---- Importing ----

class Import {
 public:
  Import(const LabelsOptions& options, const RunControl& control)
      : options_(options), context_(context_of(control)), sorter_(context_, options.output) {}

  Result<LabelsSummary> run() {
    if (options_.inputs.empty()) return usage_error("no list of labels given");
    TWINSET_TRY(check_output(*context_.files, options_.output));
    if (!options_.rules.empty()) {
      const std::optional<LabelFacts> facts = label_facts(options_.rules);
      if (!facts.has_value()) {
        return usage_error(option("rules") + " \"" + visible_name(options_.rules) +
                           "\" is not known; an example is \"" + to_text(ChunkRules()) + "\"");
      }
      TWINSET_TRY(agree(*facts, option("rules")));
    }
    for (const std::string& path : options_.inputs) TWINSET_TRY(read(path));
    if (!facts_.has_value()) {
      return usage_error("there is no label in " + shown_name(options_.inputs.front()));
    }
    TWINSET_TRY(sorter_.finish(*facts_));
    return summarize(context_, options_.output);
  }

 private:
  /// All labels of a file have the same facts; `from` says where these stand.
  Status agree(const LabelFacts& facts, const std::string& from) {
    if (!facts_.has_value()) {
      facts_ = facts;
      facts_from_ = from;
    }
    facts_->pages |= facts.pages;
    if (facts.meets(*facts_)) return {};
    return usage_error(from + " has labels of \"" + facts.rules + "\"; " + facts_from_ + " of \"" +
                       facts_->rules + "\": they never meet");
  }

  static std::string shown_name(const std::string& path) {
    return is_standard_input(path) ? "standard input" : visible_name(path);
  }

  Status read(const std::string& path) {
    const bool is_stdin = is_standard_input(path);
    const std::string shown = shown_name(path);
    Input input;
    input.path = is_stdin ? std::string(standard_input_path) : path;
    input.shown = shown;
    input.format = "jsonl";
    input.compression = path.ends_with(".zst")  ? Compression::zstd
                        : path.ends_with(".gz") ? Compression::gzip
                                                : Compression::none;
    if (!is_stdin) {
      TWINSET_ASSIGN(const FileStatus status, context_.files->status(path));
      if (status.kind == FileStatus::Kind::missing) return usage_error("there is no " + shown);
    }
    TWINSET_ASSIGN(const std::unique_ptr<Reader> reader,
                   open_reader(*context_.files, input, ReaderLimits()));
    RecordBatch batch;
    std::optional<bool> is_list;  // Not known before the first line.
    std::string list;
    for (;;) {
      TWINSET_TRY(context_.check_cancelled());
      TWINSET_ASSIGN(const bool more, reader->read(batch));
      if (!more) break;
      for (const Record& record : batch.records) {
        const std::string place = shown + ":" + std::to_string(record.number);
        if (record.bad != BadReason::none) {
          return io_error(place + " cannot be read: " + std::string(record.detail));
        }
        if (!is_list.has_value()) is_list = begins_list(record.raw, place);
        if (!*is_list) {
          TWINSET_TRY(take_line(record.raw, place));
          continue;
        }
        list += record.raw;
        if (list.size() > most_list_bytes) {
          return io_error(shown + " is a list of more than " + format_bytes(most_list_bytes) +
                          "; give its parts one by one");
        }
      }
    }
    return is_list.value_or(false) ? take_list(list, shown) : Status();
  }

  /// True if the first line is of a list of AuntieTuna, which may take many lines.
  static bool begins_list(std::string_view line, const std::string& place) {
    const Result<JsonNode> node = read_json(line, place);
    if (node.ok()) return node.value().kind() == JsonKind::array || node.value()["hashes"];
    const std::size_t begin = line.find_first_not_of(" \t\r\n");
    const std::size_t end = line.find_last_not_of(" \t\r\n");
    return begin != line.npos && (line[begin] == '[' || (line[begin] == '{' && end == begin));
  }

  Status take_list(std::string_view list, const std::string& shown) {
    TWINSET_TRY(agree({to_text(auntietuna_chunks()), ChunkHash::sha256, true},
                      shown + ", a list of AuntieTuna,"));
    TWINSET_ASSIGN(std::vector<Label> labels, read_auntietuna_labels(list, shown));
    for (Label& label : labels) TWINSET_TRY(sorter_.add(std::move(label), *facts_));
    return {};
  }

  Status take_line(std::string_view line, const std::string& place) {
    TWINSET_ASSIGN(const JsonNode node, read_json(line, place));
    if (is_label_header(node)) {
      FieldLine<LabelHeader> header;
      TWINSET_TRY(header.read(node, line, place));
      TWINSET_ASSIGN(const LabelFacts facts, facts_of(*header, place));
      return agree(facts, place);
    }
    if (!is_label_line(node)) {
      return io_error(place +
                      " is no label: {\"hash\", \"kind\", \"count\", \"documents\", \"samples\", "
                      "\"text\"}, of which the hash is needed");
    }
    if (!facts_.has_value()) {
      return usage_error(
          place + " is a label, and no line before it says the rules: keep the first line of " +
          verb("labels show") + " " + switch_on("json") + ", or give " + option("rules"));
    }
    *line_ = {};
    TWINSET_TRY(line_.read(node, line, place));
    TWINSET_ASSIGN(Label label, label_of(*line_, facts_->hash, place));
    return sorter_.add(std::move(label), *facts_);
  }

  const LabelsOptions& options_;
  RunContext context_;
  LabelSorter sorter_;
  FieldLine<LabelLine> line_;
  std::optional<LabelFacts> facts_;
  std::string facts_from_;
};

}  // namespace

Result<LabelsSummary> show_labels_in(const LabelLines* lines, const LabelsOptions& options,
                                     const std::function<Status(std::string_view)>& use,
                                     const RunControl& control) {
  const RunContext context = context_of(control);
  if (options.inputs.size() != 1) return usage_error("labels show takes one file");
  if (!options.output.empty()) return usage_error("labels show makes no file");
  if (!options.rules.empty()) return usage_error(option("rules") + " is for labels import");
  TWINSET_ASSIGN(const LabelFile file, LabelFile::open(*context.files, options.inputs.front()));
  LabelsSummary summary = summary_of(file);
  Best<Label, MoreFrequent> most(options.top, {});
  // The first line has the number of labels, and the file only their rows.
  std::uint64_t seen = 0;
  TWINSET_TRY(file.for_each([&](const Label& label) -> Status {
    count(label, summary);
    if (most.wants(label)) most.add(label);
    return ++seen % labels_between_checks == 0 ? context.check_cancelled() : Status();
  }));
  Shown shown(lines, file.facts().hash, use);
  shown.header(file.facts(), summary);
  if (options.top > 0) {
    for (const Label& label : std::move(most).sorted()) TWINSET_TRY(shown.add(label));
  } else {
    TWINSET_TRY(file.for_each([&](const Label& label) -> Status {
      TWINSET_TRY(shown.add(label));
      return ++seen % labels_between_checks == 0 ? context.check_cancelled() : Status();
    }));
  }
  TWINSET_TRY(shown.flush());
  return summary;
}

Result<LabelsSummary> merge_labels(const LabelsOptions& options, const RunControl& control) {
  const RunContext context = context_of(control);
  if (options.top != 0) return usage_error(option("top") + " is for labels show");
  if (!options.rules.empty()) return usage_error(option("rules") + " is for labels import");
  TWINSET_TRY(check_output(*context.files, options.output));
  const std::set<std::string> names(options.inputs.begin(), options.inputs.end());
  if (names.size() < options.inputs.size()) {
    return usage_error("a file is named twice, and what it counts would count twice");
  }
  TWINSET_ASSIGN(const Fingerprint merged, merge_labels(context, options.inputs, options.output));
  (void)merged;
  return summarize(context, options.output);
}

Result<LabelsSummary> import_labels(const LabelsOptions& options, const RunControl& control) {
  if (options.top != 0) return usage_error(option("top") + " is for labels show");
  return Import(options, control).run();
}

std::string to_json(const LabelsSummary& summary) {
  return fields_json(fields_of(to_write(summary))) + "\n";
}

}  // namespace twinset
