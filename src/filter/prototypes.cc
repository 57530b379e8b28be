// This file's interface is filter/prototypes.h.
#include "filter/prototypes.h"

#include <algorithm>
#include <utility>

#include "base/message.h"
#include "io/json.h"
#include "run/stage_clock.h"
#include "system/clean_up.h"

namespace twinset {
namespace {

constexpr const char* usual_scheme = "fss";
constexpr std::int64_t seconds_in_day = 86'400;
constexpr std::int64_t expiry_interval = 60;

std::string counts_path(const std::string& folder) { return folder + "/matches"; }

Result<bool> has(const IndexSnapshot& snapshot, const std::string& id) {
  TWINSET_ASSIGN(const std::optional<IndexPlace> place, snapshot.find_id(id));
  return place.has_value() && !snapshot.is_hidden(*place);
}

/// Prototypes in memory are columns that are references; nothing is of the messages here.
std::vector<TextColumn> given_columns(const FilterOptions& options) {
  std::vector<TextColumn> columns;
  for (const TextColumn& column : options.columns) {
    if (!column.reference) continue;
    columns.push_back(column);
    columns.back().reference = false;
  }
  return columns;
}

/// Is a moment so many days ago?
bool is_over(std::int64_t at, const std::optional<std::uint64_t>& days, std::int64_t now) {
  return days.has_value() && now >= at &&
         static_cast<std::uint64_t>((now - at) / seconds_in_day) >= *days;
}

}  // namespace

bool has_prototypes(const FilterOptions& options) {
  return !options.prototypes.empty() ||
         std::ranges::any_of(options.columns, &TextColumn::reference);
}

Prototypes::Prototypes(const FilterOptions& options, const RunControl& control)
    : options_(options), folder_(folder_path(options.set)), context_(context_of(control)) {
  // A run that is told to stop still makes the changes that it has taken.
  context_.cancel = nullptr;
}

Prototypes::~Prototypes() {
  // A scratch folder goes anyway, and nobody is left to be told of an error.
  if (scratch_ == nullptr && counts_ != nullptr) clean_up([&] { return keep_counts(); });
}

Result<std::unique_ptr<Prototypes>> Prototypes::open(const FilterOptions& options,
                                                     const RunControl& control,
                                                     const Clocks& clocks) {
  std::unique_ptr<Prototypes> prototypes(new Prototypes(options, control));
  TWINSET_TRY(prototypes->prepare(control, clocks));
  return prototypes;
}

Status Prototypes::prepare(const RunControl& control, const Clocks& clocks) {
  FileSystem& files = *context_.files;
  if (options_.set.empty()) {
    folder_ = scratch_path(options_.resources, "filter");
    scratch_ = std::make_unique<ScratchFolder>(files, folder_);
  }
  const bool has_first = has_prototypes(options_);
  TWINSET_ASSIGN(const bool is_there, is_index_folder(files, folder_));
  if (!is_there) {
    // A mistyped name must not let everything pass.
    const bool has_messages = !options_.inputs.empty() || !options_.columns.empty();
    if (!has_first && has_messages) {
      return usage_error("there is no set " + folder_ + "; name one, or give " +
                         option("prototypes", "IN"));
    }
    TWINSET_TRY(make(files));
  } else {
    TWINSET_TRY(check_settings(files));
  }
  TWINSET_ASSIGN(counts_, MatchCounts::read(files, counts_path(folder_), clocks));
  expired_at_ = counts_->now();
  TWINSET_ASSIGN(const Manifest before, read_manifest(files, folder_));
  if (has_first) TWINSET_TRY(add_first(control));
  TWINSET_ASSIGN(writer_, SharedIndexWriter::open(context_, folder_, "filter", Replacement::equal));
  counts_->added_until(snapshot()->manifest().serials);
  if (has_first) TWINSET_TRY(remove_short(before.serials));
  TWINSET_TRY(forget_gone());
  const auto expired = expire();
  return expired.ok() ? Status() : Status(expired.error());
}

Status Prototypes::make(FileSystem& files) const {
  IndexSettings settings = options_.settings;
  if (settings.scheme.empty()) settings.scheme = {usual_scheme};
  settings.resemblance = options_.resemblance;
  settings.texts = !options_.sketches;
  return IndexWriter::create(files, folder_, settings);
}

/// A set that is there must be what was asked for; settings that are the usual ones were not.
Status Prototypes::check_settings(FileSystem& files) {
  TWINSET_ASSIGN(const IndexSnapshot there, IndexSnapshot::open(files, folder_));
  const IndexSettings& has = there.signer().settings();
  const auto differs = [&](const char* name, const std::string& value) {
    return usage_error(folder_ + " was made with " + option(name, value) + "; leave out " +
                       option(name) + ", or name a new set");
  };
  const IndexSettings usual;
  const IndexSettings& asked = options_.settings;
  if (asked.analyzer != usual.analyzer && asked.analyzer != has.analyzer) {
    return differs("analyzer", has.analyzer);
  }
  if (asked.distance != usual.distance && asked.distance != has.distance) {
    return differs("distance", std::to_string(has.distance));
  }
  if (!asked.scheme.empty()) {
    IndexSettings wanted = has;
    wanted.scheme = asked.scheme;
    TWINSET_ASSIGN(const IndexSigner signer, IndexSigner::make(wanted, files));
    std::string schemes;
    for (const std::string& scheme : has.scheme) schemes += (schemes.empty() ? "" : ", ") + scheme;
    if (signer.settings().scheme != has.scheme) return differs("scheme", schemes);
  }
  const bool has_bands = std::ranges::any_of(there.signer().schemes(), [](const IndexScheme& of) {
    return of.scheme->declaration().shared_key == SharedKey::candidate;
  });
  if (has_bands && options_.resemblance.value() < has.resemblance.value()) {
    warning_ = folder_ + " was made for a resemblance of " + has.resemblance.text() +
               ", and finds few prototypes below that; make a new set for " +
               options_.resemblance.text();
    if (context_.progress != nullptr) context_.progress->notice(warning_);
  }
  return {};
}

Status Prototypes::add_first(const RunControl& control) {
  IndexOptions adding;
  static_cast<ReadingOptions&>(adding) = options_;
  adding.inputs = options_.prototypes;
  adding.columns = given_columns(options_);
  adding.input.limit = 0;
  adding.index = folder_;
  const RunControl run{control.cancel, control.progress, control.files, nullptr};
  TWINSET_ASSIGN(first_, add_to_index(adding, run));
  return {};
}

/// Documents of fewer tokens are no prototypes: those that were just added go.
Status Prototypes::remove_short(std::uint64_t first_serial) {
  const std::shared_ptr<const IndexSnapshot> there = snapshot();
  IndexBatch gone;
  for (std::uint32_t part = 0; part < there->parts().size(); ++part) {
    const Segment& segment = *there->parts()[part].segment;
    for (std::uint32_t number = 0; number < segment.documents(); ++number) {
      if (there->is_hidden({part, number})) continue;
      TWINSET_ASSIGN(const IndexedDocument document, segment.document(number));
      if (document.serial < first_serial || document.tokens >= least_tokens(options_)) continue;
      gone.removed.emplace_back(document.id);
    }
  }
  short_ = gone.removed.size();
  return make({&gone, 1});
}

std::shared_ptr<const IndexSnapshot> Prototypes::snapshot() const { return writer_->snapshot(); }

Status Prototypes::make(std::span<IndexBatch> batches) {
  TWINSET_TRY(writer_->change(batches));
  counts_->added_until(snapshot()->manifest().serials);
  return {};
}

Status Prototypes::change(std::span<PrototypeChange> changes) {
  const std::shared_ptr<const IndexSnapshot> there = snapshot();
  RecordView view(there->signer().view());
  std::vector<IndexBatch> batches;
  std::uint64_t added = 0;
  for (PrototypeChange& change : changes) {
    batches.push_back(batch_of(change, there->signer(), view));
    added += batches.back().added.size();
  }
  TWINSET_TRY(make(batches));
  std::uint64_t removed = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!changes[i].removes) continue;
    changes[i].was_there = batches[i].was_there.front();
    removed += changes[i].was_there ? 1 : 0;
    counts_->forget(changes[i].id);
  }
  added_ += added;
  removed_ += removed;
  if (counts_->now() - expired_at_ < expiry_interval) return {};
  const auto expired = expire();
  return expired.ok() ? Status() : Status(expired.error());
}

/// One that is refused changes nothing.
IndexBatch Prototypes::batch_of(PrototypeChange& change, const IndexSigner& signer,
                                RecordView& view) const {
  IndexBatch batch;
  if (change.removes) {
    batch.removed.push_back(change.id);
    return batch;
  }
  Record record;
  record.text = change.text;
  record.markup = change.markup;
  view.look_at(record);
  const std::size_t tokens = view.analysis().tokens.size();
  if (tokens < least_tokens(options_)) {
    change.refused = "a prototype has at least " + std::to_string(least_tokens(options_)) +
                     " tokens, and this has " + std::to_string(tokens) + "; see " +
                     option("min_tokens");
    return batch;
  }
  IndexedDocument names;
  names.id = change.id;
  batch.fingerprint = signer.fingerprint();
  batch.added.push_back(mark_document(signer, view, names));
  return batch;
}

Result<std::uint64_t> Prototypes::expire() {
  const std::lock_guard lock(expiring_);
  const std::int64_t now = counts_->now();
  expired_at_ = now;
  if (!options_.expire_after.has_value() && !options_.expire_unused.has_value()) {
    return std::uint64_t{0};
  }
  const std::shared_ptr<const IndexSnapshot> there = snapshot();
  IndexBatch gone;
  bool are_old = true;  // Documents are in the order of adding.
  for (std::uint32_t part = 0; part < there->parts().size() && are_old; ++part) {
    const Segment& segment = *there->parts()[part].segment;
    for (std::uint32_t number = 0; number < segment.documents(); ++number) {
      if (there->is_hidden({part, number})) continue;
      TWINSET_ASSIGN(const IndexedDocument document, segment.document(number));
      const std::int64_t added = counts_->added(document.serial);
      are_old =
          is_over(added, options_.expire_after, now) || is_over(added, options_.expire_unused, now);
      if (!are_old) break;
      std::string id(document.id);
      const std::optional<MatchCounts::Count> count = counts_->of(id);
      const std::int64_t used = count.has_value() ? std::max(count->last, added) : added;
      if (is_over(added, options_.expire_after, now) ||
          is_over(used, options_.expire_unused, now)) {
        gone.removed.push_back(std::move(id));
      }
    }
  }
  TWINSET_TRY(make({&gone, 1}));
  for (const std::string& id : gone.removed) counts_->forget(id);
  expired_ += gone.removed.size();
  return std::uint64_t{gone.removed.size()};
}

Status Prototypes::keep_counts() {
  if (!counts_->has_changed()) return {};
  return counts_->write(*context_.files, counts_path(folder_));
}

Status Prototypes::count(const FilterAnswer& answer,
                         const std::shared_ptr<const IndexSnapshot>& asked) {
  ++verdicts_[static_cast<std::size_t>(answer.verdict)];
  if (!answer.prototype.has_value()) return {};
  const std::string& id = answer.prototype->document.id;
  const std::shared_ptr<const IndexSnapshot> now = snapshot();
  // One that was removed while it was asked for is not counted again.
  if (now != asked) {
    TWINSET_ASSIGN(const bool is_there, has(*now, id));
    if (!is_there) return {};
  }
  counts_->matched(id);
  return {};
}

Status Prototypes::forget_gone() {
  const std::shared_ptr<const IndexSnapshot> there = snapshot();
  for (const auto& [id, count] : counts_->most(UINT64_MAX)) {
    TWINSET_ASSIGN(const bool is_there, has(*there, id));
    if (!is_there) counts_->forget(id);
  }
  return {};
}

Result<FilterStats> Prototypes::stats(std::uint64_t top) const {
  const std::shared_ptr<const IndexSnapshot> there = snapshot();
  FilterStats stats;
  stats.prototypes = there->documents();
  stats.matched = verdicts_[static_cast<std::size_t>(FilterVerdict::match)];
  stats.passed = verdicts_[static_cast<std::size_t>(FilterVerdict::pass)];
  stats.unknown = verdicts_[static_cast<std::size_t>(FilterVerdict::unknown)];
  stats.checked = stats.matched + stats.passed + stats.unknown;
  stats.added = added_;
  stats.removed = removed_;
  stats.expired = expired_;
  for (const auto& [id, count] : counts_->most(top)) {
    PrototypeCount told{
        .id = id, .added = {}, .matches = count.matches, .first_seen = {}, .last_seen = {}};
    TWINSET_ASSIGN(const std::optional<IndexPlace> place, there->find_id(id));
    if (!place.has_value() || there->is_hidden(*place)) continue;
    TWINSET_ASSIGN(const IndexedDocument document, there->document(*place));
    told.added = utc_text(counts_->added(document.serial));
    told.first_seen = utc_text(count.first);
    told.last_seen = utc_text(count.last);
    stats.most_matched.push_back(std::move(told));
  }
  return stats;
}

PrototypeChecker::PrototypeChecker(Prototypes& prototypes)
    : prototypes_(prototypes), query_(message_query(prototypes.settings())) {
  query_.sketches = prototypes.judges_by_sketches();
}

Result<FilterAnswer> PrototypeChecker::check(const Record& record) {
  if (view_ == nullptr) {
    view_ = std::make_unique<RecordView>(prototypes_.snapshot()->signer().view());
  }
  view_->look_at(record);
  return check(*view_);
}

Result<FilterAnswer> PrototypeChecker::check(const RecordView& view) {
  TWINSET_ASSIGN(FilterAnswer answer, ask(view));
  TWINSET_TRY(prototypes_.count(answer, snapshot_));
  return answer;
}

Result<FilterAnswer> PrototypeChecker::ask(const RecordView& view) {
  if (view.analysis().tokens.size() < least_tokens(prototypes_.settings())) return too_few_tokens();
  std::shared_ptr<const IndexSnapshot> now = prototypes_.snapshot();
  if (now != snapshot_) {
    finder_ = std::make_unique<IndexFinder>(*now);
    snapshot_ = std::move(now);
  }
  return judge_message(*finder_, view, query_);
}

}  // namespace twinset
