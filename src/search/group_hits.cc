// Result lists on a pipe: each line is answered by one, before the next is waited for.
//
// This file's interface is group_hits() of twinset/hits.h; the rest is private.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.h"
#include "io/bytes.h"
#include "io/field_json.h"
#include "io/inputs.h"
#include "io/line_reader.h"
#include "search/group.h"
#include "search/index.h"
#include "system/context.h"
#include "twinset/field.h"
#include "twinset/hits.h"

namespace twinset {
namespace {

constexpr std::size_t most_told = 10;

class GroupRun {
 public:
  GroupRun(const IndexSnapshot& snapshot, const GroupRules& rules, const RunControl& control,
           GroupSummary& summary)
      : snapshot_(snapshot), rules_(rules), control_(control), summary_(summary) {}

  /// Answers the lines of one input.
  Status read(const std::string& input);
  /// Seen hits with a value for the rule.
  std::uint64_t valued() const { return valued_; }

 private:
  Status answer(const Record& line);
  Status refuse(const std::string& reason);
  Status write(std::string line);

  const IndexSnapshot& snapshot_;
  const GroupRules& rules_;
  const RunControl& control_;
  GroupSummary& summary_;
  ShingleCache cache_{shingle_cache_bytes};
  std::uint64_t valued_ = 0;
  std::string input_;
  std::uint64_t number_ = 0;  ///< of the line
};

Status GroupRun::read(const std::string& input) {
  const bool is_standard = is_standard_input(input);
  input_ = is_standard ? "standard input" : input;
  number_ = 0;
  Input lists;
  lists.path = is_standard ? standard_input_path : input;
  lists.shown = input_;
  lists.format = "jsonl";
  lists.compression = input.ends_with(".zst")  ? Compression::zstd
                      : input.ends_with(".gz") ? Compression::gzip
                                               : Compression::none;
  ReaderLimits limits;
  limits.as_it_comes = true;
  TWINSET_ASSIGN(const auto reader, open_reader(files_of(control_), lists, limits));
  RecordBatch batch;
  for (;;) {
    TWINSET_TRY(check_stop(control_.cancel));
    TWINSET_ASSIGN(const bool more, reader->read(batch));
    if (!more) return {};
    for (const Record& line : batch.records) TWINSET_TRY(answer(line));
  }
}

Status GroupRun::answer(const Record& line) {
  if (is_stream_fault(line.bad)) {
    return io_error(input_ + " is damaged after line " + std::to_string(number_) + ": " +
                    std::string(line.detail));
  }
  number_ = line.number;
  if (line.bad != BadReason::none) {
    return refuse("a line of more than " + std::to_string(ReaderLimits().max_record_bytes) +
                  " bytes");
  }
  std::string_view json = line_of(line.raw);
  if (json.ends_with('\n')) json.remove_suffix(1);
  const Result<HitList> list = read_hit_list(json);
  if (!list.ok()) return refuse(list.error().message);
  const Result<GroupedHits> grouped =
      group_list(snapshot_, list.value(), rules_, cache_, control_.cancel);
  if (!grouped.ok()) {
    if (grouped.error().code != ErrorCode::usage) return grouped.error();
    return refuse(grouped.error().message);
  }
  summary_.groups += grouped.value().groups.size();
  for (const HitGroup& group : grouped.value().groups) summary_.hits += group.members.size();
  valued_ += grouped.value().valued;
  return write(to_json(grouped.value()));
}

Status GroupRun::refuse(const std::string& reason) {
  std::string error = "line " + std::to_string(number_) + ": " + reason;
  ++summary_.quarantined;
  if (summary_.bad_records.size() < most_told) {
    summary_.bad_records.push_back(input_ + ":" + std::to_string(number_) + ": " + reason);
  }
  return write(fields_json({{"error", &error, Unit::sentence}}));
}

Status GroupRun::write(std::string line) {
  ++summary_.lists;
  line += '\n';
  return control_.kept->write(line);
}

}  // namespace

Result<GroupSummary> group_hits(const GroupOptions& options, const RunControl& control) {
  if (control.kept == nullptr) return usage_error("no output given: send the lines on");
  TWINSET_ASSIGN(const GroupRules rules, group_rules(options));
  TWINSET_ASSIGN(const IndexSnapshot snapshot, open_index(files_of(control), options.index));
  GroupSummary summary;
  summary.verb = "group";
  GroupRun run(snapshot, rules, control, summary);
  for (const std::string& input :
       options.inputs.empty() ? std::vector<std::string>{"-"} : options.inputs) {
    TWINSET_TRY(run.read(input));
  }
  summary.read = summary.lists;
  summary.documents = summary.lists - summary.quarantined;
  if (rules.best.by == KeepRule::By::field && summary.hits > 0 && run.valued() == 0) {
    summary.warnings.push_back("no hit has a field '" + rules.best.field +
                               "' of text or a number, so the rank decides");
  }
  return summary;
}

}  // namespace twinset
