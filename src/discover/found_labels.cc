#include "discover/found_labels.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rows/appender.h"

namespace twinset {
namespace {

/// Places of a group that are held until it is known to be a label.
constexpr std::uint64_t most_held = std::uint64_t{1} << 16;

/// What the groups of a worker, or of all, add up to.
struct Tally {
  std::uint64_t grouped_rows = 0;
  std::uint64_t groups = 0;
  std::uint64_t in_site = 0;
  std::uint64_t over_sites = 0;
  std::uint64_t labels = 0;
  std::uint64_t labels_seen = 0;
  std::unordered_map<std::uint64_t, ObjectFrequency> frequencies;

  void add(const Tally& other) {
    grouped_rows += other.grouped_rows;
    groups += other.groups;
    in_site += other.in_site;
    over_sites += other.over_sites;
    labels += other.labels;
    labels_seen += other.labels_seen;
    for (const auto& [count, frequency] : other.frequencies) {
      frequencies[count].objects += frequency.objects;
      frequencies[count].labels += frequency.labels;
    }
  }
};

/// Counts the rows of each group. Sites, which cost a look at another place of memory for each row,
/// are counted of those alone that can be labels.
class LabelVisitor {
 public:
  LabelVisitor(LabelKind kind, const LabelThresholds& thresholds, const SeenObjects& seen,
               const DocumentTable& documents, FoundLabelRows& labels, LabelPlaceRows& places,
               std::mutex& mutex, Tally& total)
      : kind_(static_cast<std::uint64_t>(kind)),
        thresholds_(thresholds),
        most_held_(std::min(thresholds.over, most_held)),
        seen_(seen),
        documents_(documents),
        labels_(labels),
        places_(places),
        mutex_(mutex),
        total_(total),
        of_site_(seen.sites()) {}

  Status row(const ObjectRow& row, bool first) {
    if (first) {
      TWINSET_TRY(end_group());
      begin_group(row);
    }
    ++label_.count;
    const bool other_document = label_.documents == 0 || row.document != last_document_;
    label_.documents += other_document ? 1 : 0;
    last_document_ = row.document;
    known_ = known_ || (thresholds_.known && documents_.reference(row.document));
    if (first_places_.size() < most_label_samples) {
      first_places_.push_back({row.key, kind_, row.document, row.offset, row.length});
    }
    if (!other_document) return {};
    if (held_.size() < most_held_) {
      held_.push_back(row.document);
    } else {
      count_held();
      count_site(row.document);
    }
    return {};
  }

  Status finish() {
    TWINSET_TRY(end_group());
    TWINSET_TRY(labels_.finish());
    TWINSET_TRY(places_.finish());
    const std::lock_guard lock(mutex_);
    total_.add(tally_);
    return {};
  }

 private:
  struct OfSite {
    std::uint64_t group = 0;
    std::uint64_t documents = 0;
  };

  void begin_group(const ObjectRow& row) {
    label_ = {row.key, kind_, row.document, row.offset, row.length, 0, 0, 0};
    known_ = false;
    most_in_site_ = 0;
    held_.clear();
    first_places_.clear();
    ++group_;
  }

  void count_held() {
    for (const DocumentId document : held_) count_site(document);
    held_.clear();
  }

  void count_site(DocumentId document) {
    OfSite& site = of_site_[seen_.site(documents_.index(document))];
    if (site.group != group_) {
      site = {group_, 0};
      ++label_.sites;
    }
    most_in_site_ = std::max(most_in_site_, ++site.documents);
  }

  Status end_group() {
    if (label_.count == 0) return {};
    tally_.grouped_rows += label_.count;
    ++tally_.groups;
    ObjectFrequency& frequency = tally_.frequencies[label_.count];
    ++frequency.objects;
    if (is_label()) {
      ++frequency.labels;
      ++tally_.labels;
      tally_.labels_seen += label_.count;
      TWINSET_TRY(labels_.add(label_));
      for (const LabelPlace& place : first_places_) TWINSET_TRY(places_.add(place));
    }
    label_.count = 0;
    return {};
  }

  bool is_label() {
    // Sites are counted now, of what is not rare.
    if (thresholds_.fate_of({label_.count, 0, 0, known_}) == ObjectFate::rare) return false;
    count_held();
    const ObjectFate fate =
        thresholds_.fate_of({label_.count, label_.sites, most_in_site_, known_});
    tally_.in_site += fate == ObjectFate::in_site ? 1 : 0;
    tally_.over_sites += fate == ObjectFate::over_sites ? 1 : 0;
    return fate == ObjectFate::label;
  }

  std::uint64_t kind_;
  LabelThresholds thresholds_;
  std::uint64_t most_held_;
  const SeenObjects& seen_;
  const DocumentTable& documents_;
  Appender<FoundLabelRows, FoundLabel> labels_;
  Appender<LabelPlaceRows, LabelPlace> places_;
  std::mutex& mutex_;
  Tally& total_;

  Tally tally_;
  FoundLabel label_;  ///< of the group so far; a count of 0: there is no group
  DocumentId last_document_;
  bool known_ = false;
  std::uint64_t group_ = 0;
  std::uint64_t most_in_site_ = 0;
  std::vector<OfSite> of_site_;
  std::vector<DocumentId> held_;  ///< documents whose sites are not counted yet
  std::vector<LabelPlace> first_places_;
};

}  // namespace

LabelThresholds LabelThresholds::of(const DiscoverOptions& options, LabelKind kind, bool known) {
  return {kind == LabelKind::file ? options.over_files : options.over_chunks, options.stop_in_site,
          options.stop_over_sites, known};
}

ObjectFate LabelThresholds::fate_of(const ObjectSums& object) const {
  if (object.known) return ObjectFate::label;
  if (object.count <= over) return ObjectFate::rare;
  if (stop_in_site != 0 && object.most_in_site > stop_in_site) return ObjectFate::in_site;
  if (stop_over_sites != 0 && object.sites > stop_over_sites) return ObjectFate::over_sites;
  return ObjectFate::label;
}

ObjectFate fate_of(const ObjectSums& object, bool is_file, const DiscoverOptions& options) {
  const LabelKind kind = is_file ? LabelKind::file : LabelKind::chunk;
  return LabelThresholds::of(options, kind, false).fate_of(object);
}

FoundLabels::FoundLabels(const Job& job, const SeenObjects& seen, const DocumentTable& documents,
                         std::uint64_t memory_bytes)
    : seen_(seen),
      documents_(documents),
      labels_({&job.context, job.spill + "labels", memory_bytes / 4, job.signer.fingerprint}),
      places_({&job.context, job.spill + "label_places", memory_bytes - memory_bytes / 4,
               job.signer.fingerprint}) {}

Status FoundLabels::find(LabelKind kind, const LabelThresholds& thresholds,
                         PartitionedRows<ObjectRow>& rows, ObjectCounts& counts) {
  TWINSET_ASSIGN(const std::uint64_t seen, rows.rows());
  // A key of one row is no label, unless rarity is no matter.
  const bool all = thresholds.over == 0 || thresholds.known;
  std::mutex mutex;
  Tally total;
  TWINSET_TRY(rows.for_each_group([](const ObjectRow&) { return true; }, std::less<>(),
                                  [&](unsigned) {
                                    return LabelVisitor(kind, thresholds, seen_, documents_,
                                                        labels_, places_, mutex, total);
                                  },
                                  all ? Groups::all : Groups::shared));
  const std::uint64_t single = seen - total.grouped_rows;
  if (single > 0) total.frequencies[1].objects += single;
  counts.seen = seen;
  counts.distinct = total.groups + single;
  counts.in_site = total.in_site;
  counts.over_sites = total.over_sites;
  counts.labels = total.labels;
  counts.labels_seen = total.labels_seen;
  counts.frequencies.clear();
  for (auto& [count, frequency] : total.frequencies) {
    frequency.count = count;
    counts.frequencies.push_back(frequency);
  }
  std::ranges::sort(counts.frequencies, {}, &ObjectFrequency::count);
  return {};
}

Status FoundLabels::seal() {
  TWINSET_TRY(labels_.seal());
  return places_.seal();
}

}  // namespace twinset
