#include "run/prepare.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "base/message.h"
#include "collection/file_collection.h"
#include "io/inputs.h"
#include "io/json_texts.h"
#include "join/distance_limit.h"
#include "run/shares.h"
#include "scheme/signer.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// Larger batches are worked on one at a time.
constexpr std::size_t large_batch_bytes = std::size_t{8} << 20;
constexpr const char* goes_on_with_more = "the same command with more continues this run";

/// Sets the distance of a scheme that joins by it.
Status set_distance(const CollectionOptions& options, Job& job) {
  const std::string name(job.signer.scheme->declaration().name);
  if (!job.signer.joins_signatures()) {
    if (options.distance.empty()) return {};
    return usage_error(option("distance") + " is for schemes of signatures, such as simhash; " +
                       name + " has none. Leave it out");
  }
  TWINSET_ASSIGN(job.thresholds.distance, DistanceLimit::parse(options.distance));
  return {};
}

/// Errors (usage): thresholds that the scheme's keys or sketches cannot judge.
Status check_scheme(const Threshold& thresholds, const VerbOptions& verb, const Signer& signer) {
  const std::string name(signer.scheme->declaration().name);
  const bool estimates = signer.scheme->estimates();
  if (thresholds.containment.has_value() && signer.uses_bands() && !estimates) {
    return usage_error("scheme " + name +
                       " cannot find containment: additions of the longer document change all "
                       "that it compares. Use " +
                       option("scheme", "fss") + " or mod with " + option("containment") +
                       ", or leave it out");
  }
  if (verb.sketches_decide && signer.uses_bands() && !estimates) {
    return usage_error("the sketches of scheme " + name + " do not estimate resemblance; use " +
                       option("verify", "exact") + ", or a scheme such as fss");
  }
  if (verb.sketches_decide && !signer.uses_bands()) {
    return usage_error(option("verify", "sketch") +
                       " needs a scheme with sketches to compare, such as fss");
  }
  if (verb.sketches_decide && thresholds.containment.has_value()) {
    return usage_error(option("verify", "sketch") +
                       " cannot judge containment; leave one of the two out");
  }
  return {};
}

Status set_signer(const CollectionOptions& options, const VerbOptions& verb, FileSystem& files,
                  Job& job) {
  TWINSET_ASSIGN(const Analyzer* const analyzer, require_analyzer(options.analyzer));
  job.fields.features = analyzer->takes_features();
  const std::string& format = options.input.format;
  if (job.fields.features && (format == "html" || format == format_by_text)) {
    return usage_error(option("format", format) +
                       " is for texts; lists of features have no markup");
  }
  if (options.templates == Templates::drop && analyzer->reads_markup()) {
    return usage_error(option("templates", "drop") + " leaves out text, and " +
                       option("analyzer", std::string(analyzer->name())) + " reads none");
  }
  TWINSET_ASSIGN(job.signer, Signer::make({.analyzer = options.analyzer,
                                           .scheme = options.scheme,
                                           .signs = verb.signs,
                                           .seed = options.seed,
                                           .threshold = verb.thresholds.resemblance.value(),
                                           .containment = verb.thresholds.containment.has_value()},
                                          files));
  if (options.templates != Templates::keep) job.signer.view.url_field = options.url;
  if (!verb.signs) return {};
  TWINSET_TRY(set_distance(options, job));
  TWINSET_TRY(check_scheme(verb.thresholds, verb, job.signer));
  if (!options.within.empty() && job.signer.scheme->facts().signature_bits != 0) {
    return usage_error(option("within") + " is for schemes of keys, and " +
                       std::string(job.signer.scheme->declaration().name) +
                       " compares whole signatures; with simhash(reserve=" + options.within +
                       ") only those of equal values are near");
  }
  return add_record_fields(*job.signer.scheme, job.fields);
}

void add_field(std::string name, FieldNames& fields) {
  if (std::ranges::find(fields.named, name) != fields.named.end()) return;
  fields.named.push_back(std::move(name));
}

Status check_templates(const CollectionOptions& options, bool keeps_urls) {
  if (options.templates == Templates::keep) {
    if (options.url.empty() || keeps_urls) return {};
    return usage_error(option("url") + " tells sites apart for " + option("templates", "drop") +
                       "; leave it out, or add that");
  }
  return {};
}

/// A budget for a message, rounded up: the next record may be a little longer.
std::uint64_t roomy(std::uint64_t budget) {
  constexpr std::uint64_t step = std::uint64_t{32} << 20;
  return (budget + step - 1) / step * step;
}

/// Half of the memory that other runs have left; if that is little, the need of one thread, up to
/// three quarters.
std::uint64_t usual_budget(std::uint64_t left) {
  return std::max(left / 2, std::min(MemoryPlan::floor(1), left / 4 * 3));
}

/// Would the same command with more memory continue this run, instead of starting over?
bool continues(const Job& job) {
  return job.context.continues && job.options.resources.checkpoint != UINT64_MAX;
}

/// The record that needs most of those that the budget cannot hold.
struct TooLong {
  std::uint64_t wanted = 0;  ///< 0: all fit
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;
  std::string shown;  ///< its source

  void note(const Job& job, const Source& source, const RecordBatch& batch) {
    for (const Record& record : batch.records) {
      const bool over = record.bad == BadReason::over_memory;
      if (!over && record.bad != BadReason::none) continue;
      const std::uint64_t long_bytes = std::max(record.length, record.text_bytes);
      const std::uint64_t needs = job.memory.large_bytes_of(long_bytes, batch.window_bytes);
      if ((!over && needs <= job.memory.large) || needs <= wanted) continue;
      wanted = needs;
      number = record.number;
      bytes = long_bytes;
      shown = source.shown;
    }
  }

  Error error(const Job& job, const char* remedy) const {
    return job.memory.too_little("record " + std::to_string(number) + " of " + shown + ", of " +
                                     std::to_string(bytes) + " bytes,",
                                 roomy(job.memory.budget_for_large(wanted)), remedy);
  }
};

/// Notes the records of a source from here on.
Status read_on(const Job& job, const Source& source, Reader& reader, RecordBatch& batch,
               std::uint64_t& records_left, TooLong& most) {
  while (records_left > 0) {
    TWINSET_TRY(job.context.check_cancelled());
    TWINSET_ASSIGN(const bool more, reader.read(batch));
    if (!more) break;
    if (batch.records.size() > records_left) batch.records.resize(records_left);
    records_left -= batch.records.size();
    most.note(job, source, batch);
  }
  return {};
}

/// Sets the memory that one record and one window may take.
void set_memory(const MemoryPlan& memory, Job& job) {
  job.memory = memory;
  job.limits.max_held_bytes = memory.most_record_bytes();
  job.limits.max_window_bytes = memory.most_window_bytes();
  const bool checkpoints = job.options.resources.checkpoint != UINT64_MAX;
  const bool folder = job.verb.works_in == WorksIn::folder;
  job.limits.window_remedy = [memory, checkpoints, folder](std::uint64_t window_bytes) {
    return memory
        .too_little("such a window", roomy(memory.budget_for_large(window_bytes)),
                    checkpoints && folder ? goes_on_with_more : "")
        .message;
  };
}

/// The bytes that a control group's file allows; UINT64_MAX if it has no limit.
std::uint64_t allowed_by(FileSystem& files, const char* path) {
  // The file says "max" if there is no limit, and is missing without control groups.
  const Result<std::string> limit = read_whole_file(files, path, 1 << 16);
  if (!limit.ok()) return UINT64_MAX;
  std::uint64_t bytes = 0;
  std::from_chars(limit.value().data(), limit.value().data() + limit.value().size(), bytes);
  return bytes > 0 ? bytes : UINT64_MAX;
}

/// The bytes that `ulimit` allows a process.
std::uint64_t allowed_by(decltype(RLIMIT_AS) resource) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

/// The physical memory, or the limit of the control group or of `ulimit` if that is less.
std::uint64_t process_limit(FileSystem& files) {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const std::uint64_t bytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
  return std::min({bytes, allowed_by(files, "/sys/fs/cgroup/memory.max"),
                   allowed_by(files, "/sys/fs/cgroup/memory/memory.limit_in_bytes"),
                   allowed_by(RLIMIT_AS), allowed_by(RLIMIT_DATA)});
}

Error no_memory_left(unsigned threads, std::uint64_t others, std::uint64_t limit) {
  const std::uint64_t needed = MemoryPlan::floor(threads);
  return usage_error("a run with " + format_count(threads, "thread", "threads") + " needs " +
                     std::to_string(needed) + " bytes (" + format_bytes(needed) +
                     "), and other runs of this process have leased " + format_bytes(others) +
                     " of the " + format_bytes(limit) +
                     " that it may use; wait for one of them, or give each its " +
                     option("memory"));
}

}  // namespace

std::uint64_t unleased_memory_bytes(FileSystem& files) {
  const std::uint64_t limit = process_limit(files);
  return limit - std::min(limit, process_memory().others());
}

void make_room_for_windows(Job& job) {
  std::uint64_t widest = 0;
  for (const Source& source : job.collection->sources()) {
    widest = std::max(widest, source.window_bytes);
  }
  if (widest <= job.memory.large) return;
  set_memory(
      MemoryPlan::make(job.memory.budget, job.memory.threads, job.memory.max_record_bytes, widest),
      job);
}

Status check_held(const Job& job, const Source& source, const RecordBatch& batch, BatchRoom& room) {
  TooLong most;
  most.note(job, source, batch);
  if (most.wanted != 0) return most.error(job, continues(job) ? goes_on_with_more : "");
  room.longest_record = 0;
  for (const Record& record : batch.records) {
    if (record.bad != BadReason::none) continue;
    room.longest_record = std::max({room.longest_record, record.length, record.text_bytes});
  }
  room.large_bytes = job.memory.large_bytes_of(room.longest_record, batch.window_bytes);
  room.alone = room.longest_record > job.memory.steady_record_bytes() ||
               batch.bytes.size() > large_batch_bytes;
  return {};
}

Error longest_record(const Job& job, Error refused, std::uint64_t source, Reader& reader,
                     RecordBatch& batch, std::uint64_t records_left) {
  // Nobody waits for the end of a stream that is answered as it comes.
  const bool waits = job.verb.as_it_comes && job.collection->rereading(source) == Rereading::never;
  if (continues(job) || waits) return refused;
  TooLong most;
  most.note(job, job.source(source), batch);
  Status read = read_on(job, job.source(source), reader, batch, records_left, most);
  while (read.ok() && records_left > 0 && ++source < job.sources()) {
    // A source that cannot be opened has no record that would need memory.
    const auto opened = job.open(source);
    if (!opened.ok()) continue;
    read = read_on(job, job.source(source), *opened.value(), batch, records_left, most);
  }
  if (!read.ok() && read.error().code == ErrorCode::interrupted) return read.error();
  return most.error(job, read.ok() ? "no record needs more" : "");
}

Status check_folder_names(const std::string& output, const std::string& tmp) {
  if ((output + tmp).find('\n') == std::string::npos) return {};
  return usage_error("a line end in the name of " + option("output") + " or " + option("tmp") +
                     " is not supported");
}

Result<MemoryPlan> plan_memory(const Resources& resources, std::uint64_t max_record_bytes,
                               FileSystem& files, RunContext& context, MemoryLease& lease) {
  if (resources.threads > 1024) return usage_error(option("threads") + " is at most 1024");
  const std::uint64_t limit = process_limit(files);
  // Files in memory take as much again.
  const std::uint64_t shares = context.files == &files ? 1 : 2;
  std::uint64_t others = 0;
  lease = {};
  lease =
      process_memory().take(shares * std::min(resources.memory, limit), [&](std::uint64_t leased) {
        others = leased;
        return usual_budget(limit - std::min(limit, leased));
      });
  const std::uint64_t budget = resources.memory != 0 ? resources.memory : lease.bytes();
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  const unsigned threads = resources.threads != 0
                               ? resources.threads
                               : std::min(processors, MemoryPlan::threads_in(budget));
  const MemoryPlan memory = MemoryPlan::make(budget, resources.threads, max_record_bytes);
  if (budget < MemoryPlan::floor(threads)) {
    // With fewer threads it may go on at once.
    if (others > 0 && budget < MemoryPlan::floor(1)) return no_memory_left(1, others, limit);
    return memory.too_little(
        "a run with " + format_count(threads, "thread", "threads"), MemoryPlan::floor(threads),
        threads > 1 ? "with fewer " + option("threads") + " less is enough" : "");
  }
  context.threads = threads;
  context.memory_bytes = budget;
  return memory;
}

Status add_record_fields(const Scheme& scheme, FieldNames& fields) {
  for (std::string& name : scheme.record_fields()) add_field(std::move(name), fields);
  if (fields.named.size() <= max_named_fields) return {};
  return usage_error("fields of records: " + std::to_string(fields.named.size()) +
                     " are named in all, and at most " + std::to_string(max_named_fields) +
                     " can be read");
}

void add_option_fields(const CollectionOptions& options, const KeepRule& keep, FieldNames& fields) {
  // By its place: the first field is that of the rule.
  if (keep.by == KeepRule::By::field) fields.named.insert(fields.named.begin(), keep.field);
  for (const std::string& name : {options.url, options.within}) {
    if (!name.empty()) add_field(name, fields);
  }
}

Status prepare_job(const CollectionOptions& options, const VerbOptions& verb,
                   const RunControl& control, Job& job) {
  job.options = options;
  job.verb = verb;
  if (options.inputs.empty() && job.reads_named) return usage_error("no input given");
  if (verb.output.empty() && verb.works_in == WorksIn::folder) {
    return usage_error("no output given: " + option("output", "DIR") +
                       ", or send the kept records on: > kept.jsonl");
  }
  TWINSET_TRY(check_folder_names(verb.output, options.resources.tmp));
  const Threshold& thresholds = verb.thresholds;
  TWINSET_TRY(check_shares(thresholds.resemblance, thresholds.containment));
  // The largest record's offsets and counts fit 32 bits with room to spare.
  constexpr std::uint64_t largest_record = (std::uint64_t{1} << 32) - 4096;
  if (options.input.max_record == 0 || options.input.max_record > largest_record) {
    return usage_error(option("max_record") + " is from 1 to " + std::to_string(largest_record) +
                       " bytes");
  }
  FileSystem& files = files_of(control);
  if (job.context.files == nullptr) job.context.files = &files;
  job.context.cancel = control.cancel;
  job.context.progress = control.progress;
  TWINSET_ASSIGN(job.keep, KeepRule::parse(verb.keep));
  job.fields = fields_read(options.input);
  job.limits.scripts = job.fields.scripts;
  TWINSET_TRY(check_json_texts(options.input.text));
  for (const std::string& field : verb.fields) job.fields.named.push_back(field);
  TWINSET_TRY(check_templates(options, verb.keeps_urls));
  add_option_fields(options, job.keep, job.fields);
  job.limits.max_record_bytes = options.input.max_record;
  job.thresholds = thresholds;
  TWINSET_TRY(set_signer(options, verb, files, job));
  TWINSET_ASSIGN(const MemoryPlan memory, plan_memory(options.resources, options.input.max_record,
                                                      files, job.context, job.lease));
  set_memory(memory, job);
  return {};
}

}  // namespace twinset
