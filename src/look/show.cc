// Each view streams the folder's files and keeps the best few items in a heap: clusters by size,
// records by how little they resemble. Then the inputs are read only for the first words of these
// few.

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "base/best.h"
#include "base/message.h"
#include "cluster/pair_lines.h"
#include "collection/output_lines.h"
#include "io/field_json.h"
#include "look/asked_record.h"
#include "look/cluster_lines.h"
#include "look/input_again.h"
#include "look/output_folder.h"
#include "look/pairs_folder.h"
#include "look/show_lists.h"
#include "twinset/dedup.h"
#include "twinset/look.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t members_beside = 3;  ///< shown of a cluster among others
constexpr std::size_t read_bytes = 4096;   ///< of a text, for its first words

/// A cluster, and its first documents: the representative, then members.
struct SeenCluster {
  std::uint64_t documents = 0;
  std::uint64_t line = 0;
  std::vector<RecordPlace> places;
};

struct LargerCluster {
  bool operator()(const SeenCluster& a, const SeenCluster& b) const {
    return a.documents != b.documents ? a.documents > b.documents : a.line < b.line;
  }
};

/// A record and the one it resembles: removed and survivor, or a pair.
struct SeenLink {
  RemovalKind kind = RemovalKind::near;
  double resemblance = 0;  ///< or another likeness (join/link.h)
  std::optional<std::uint32_t> distance;
  std::uint64_t order = 0;
  RecordPlace record;
  RecordPlace other;
  DocumentId document;  ///< of pairs, whose names are read later
  DocumentId other_document;
  bool is_template = false;
};

struct LessAlike {
  bool operator()(const SeenLink& a, const SeenLink& b) const {
    return a.resemblance != b.resemblance ? a.resemblance < b.resemblance : a.order < b.order;
  }
};

class Looker {
 public:
  Looker(FileSystem& files, const OutputFolder& folder, const ShowOptions& options,
         const RunControl& control)
      : files_(files), folder_(folder), options_(options), cancel_(control.cancel) {}

  Result<Shown> run() {
    Status done;
    if (!options_.cluster.empty()) {
      done = show_cluster();
    } else if (wants_links()) {
      done = folder_.verb == "dedup" ? show_removed() : show_pairs();
    } else {
      done = show_largest();
    }
    TWINSET_TRY(done);
    notes_.erase("");
    shown_.notes.assign(notes_.begin(), notes_.end());
    return std::move(shown_);
  }

 private:
  bool wants_links() const {
    return options_.kind.has_value() || options_.resemblance.least.has_value() ||
           options_.resemblance.most.has_value();
  }

  // ---- Clusters ----

  /// Reads all clusters; `use` gets each with its first `most` documents, whose places it may
  /// request, and whether one of them was asked for.
  struct CurrentCluster {
    std::uint64_t documents = 0;
    std::uint64_t line = 0;
    std::vector<std::string> names;  ///< JSON; the representative's first
    std::size_t used = 0;
    bool asked = false;
  };

  Status for_each_seen(std::size_t most, const AskedRecord* asked,
                       const std::function<Result<bool>(const CurrentCluster&)>& use) {
    CurrentCluster cluster;
    cluster.names.resize(most);
    const std::string path = folder_.file(clusters_file_name);
    const auto take = [&](std::string_view raw) -> Status {
      ++cluster.documents;
      if (cluster.used < most) cluster.names[cluster.used++] = raw;
      if (asked == nullptr || !asked->may_be_in(raw)) return {};
      TWINSET_ASSIGN(RecordPlace place, read_name(raw));
      if (!asked->names(place)) return {};
      cluster.asked = true;
      asked_places_.add(std::move(place));
      return {};
    };
    ClusterUse reading;
    reading.begin = [&](std::string_view raw) -> Status {
      if (++cluster.line % 4096 == 0) TWINSET_TRY(check_stop(cancel_));
      cluster.documents = 0;
      cluster.used = 0;
      cluster.asked = false;
      return take(raw);
    };
    reading.member = take;
    reading.end = [&]() -> Result<bool> { return use(cluster); };
    return for_each_cluster(files_, path, reading);
  }

  Result<RecordPlace> read_name(std::string_view raw) {
    TWINSET_TRY(name_.read(raw, folder_.file(clusters_file_name)));
    return place_of(*name_);
  }

  Status take_places(const CurrentCluster& cluster, SeenCluster& seen) {
    for (std::size_t i = 0; i < cluster.used; ++i) {
      TWINSET_ASSIGN(RecordPlace place, read_name(cluster.names[i]));
      seen.places.push_back(std::move(place));
    }
    return {};
  }

  Status show_largest() {
    Best<SeenCluster, LargerCluster> best(options_.top, LargerCluster());
    TWINSET_TRY(for_each_seen(1 + members_beside, nullptr,
                              [&](const CurrentCluster& cluster) -> Result<bool> {
                                ++shown_.found;
                                shown_.documents += cluster.documents;
                                SeenCluster seen{cluster.documents, cluster.line, {}};
                                if (!best.wants(seen)) return true;
                                TWINSET_TRY(take_places(cluster, seen));
                                best.add(std::move(seen));
                                return true;
                              }));
    const std::vector<SeenCluster> largest = std::move(best).sorted();
    std::vector<RecordPlace> places;
    for (const SeenCluster& cluster : largest) {
      places.insert(places.end(), cluster.places.begin(), cluster.places.end());
    }
    TWINSET_ASSIGN(std::vector<ShownRecord> records, read_words(places));
    auto next = std::make_move_iterator(records.begin());
    for (const SeenCluster& cluster : largest) {
      const auto end = next + static_cast<std::ptrdiff_t>(cluster.places.size());
      shown_.clusters.push_back({cluster.documents, std::vector<ShownRecord>(next, end)});
      next = end;
    }
    return {};
  }

  Status show_cluster() {
    if (wants_links()) {
      return usage_error("a cluster is shown whole: leave out " + option("kind") + " and " +
                         option("resemblance"));
    }
    const AskedRecord asked(options_.cluster);
    SeenCluster seen;
    TWINSET_TRY(for_each_seen(
        static_cast<std::size_t>(std::min<std::uint64_t>(options_.top, UINT32_MAX)) + 1, &asked,
        [&](const CurrentCluster& cluster) -> Result<bool> {
          if (!cluster.asked || seen.documents > 0) return true;
          seen.documents = cluster.documents;
          TWINSET_TRY(take_places(cluster, seen));
          return true;
        }));
    if (asked_places_.all().size() > 1) {
      return several_records(options_.cluster, asked_places_.all());
    }
    if (seen.documents == 0) {
      return usage_error("'" + visible_name(options_.cluster) + "' is in no cluster of " +
                         folder_.path + "; " + verb("explain") + " shows what happened to it");
    }
    shown_.kind = Shown::Kind::one_cluster;
    shown_.found = 1;
    shown_.documents = seen.documents;
    TWINSET_ASSIGN(std::vector<ShownRecord> records, read_words(seen.places));
    if (folder_.verb == "dedup") TWINSET_TRY(read_resemblances(records));
    shown_.clusters.push_back({seen.documents, std::move(records)});
    return {};
  }

  /// Sets the resemblance of a cluster's members to its representative.
  Status read_resemblances(std::vector<ShownRecord>& records) const {
    const RecordName& survivor = records.front().name;
    std::map<std::pair<std::string, std::uint64_t>, double> found;
    TWINSET_TRY(for_each_value<Removal>(
        files_, folder_.file(removed_file_name), [&](const Removal& removal) -> Result<bool> {
          if (removal.survivor.record != survivor.record ||
              removal.survivor.file != survivor.file) {
            return true;
          }
          if (found.size() >= options_.top) return false;
          found[{std::string(removal.document.file), removal.document.record}] =
              removal.resemblance;
          return true;
        }));
    for (ShownRecord& record : records) {
      const auto at = found.find({record.name.file, record.name.record});
      if (at != found.end()) record.resemblance = at->second;
    }
    return {};
  }

  // ---- Records that went, and pairs ----

  bool in_band(double resemblance) const {
    // The files' numbers have six decimals.
    constexpr double rounding = 0.0000005;
    return (!options_.resemblance.least.has_value() ||
            resemblance >= options_.resemblance.least->value() - rounding) &&
           (!options_.resemblance.most.has_value() ||
            resemblance <= options_.resemblance.most->value() + rounding);
  }

  Status show_removed() {
    Best<SeenLink, LessAlike> best(options_.top, LessAlike());
    std::uint64_t order = 0;
    std::uint64_t found = 0;
    TWINSET_TRY(for_each_value<Removal>(
        files_, folder_.file(removed_file_name), [&](const Removal& removal) -> Result<bool> {
          if (++order % 4096 == 0) TWINSET_TRY(check_stop(cancel_));
          SeenLink link;
          link.kind = removal.kind;
          link.resemblance = removal.resemblance;
          link.order = order;
          const bool of_kind = !options_.kind.has_value() || link.kind == options_.kind;
          if (!of_kind || !in_band(link.resemblance)) return true;
          ++found;
          if (!best.wants(link)) return true;
          link.record = place_of(removal.document);
          link.other = place_of(removal.survivor);
          best.add(std::move(link));
          return true;
        }));
    return show_links(std::move(best).sorted(), found, Shown::Kind::removed);
  }

  Status show_pairs() {
    if (folder_.verb == "recut") {
      return usage_error(folder_.path +
                         " has no pairs: recut writes clusters alone. Show the folder that "
                         "cluster made");
    }
    const PairsFolder pairs(folder_);
    if (!tells_resemblance(pairs.kind()) &&
        (options_.resemblance.least.has_value() || options_.resemblance.most.has_value())) {
      return usage_error(folder_.path +
                         " joined documents by a shared key or by their signatures: its pairs have "
                         "no resemblance");
    }
    if (options_.kind == RemovalKind::contained) {
      return usage_error("pairs of " + folder_.path +
                         " are identical, lexical or near; contained is a kind of dedup's");
    }
    Best<SeenLink, LessAlike> best(options_.top, LessAlike());
    std::uint64_t found = 0;
    TWINSET_TRY(read_pairs(pairs, best, found));
    std::vector<SeenLink> shown = std::move(best).sorted();
    std::vector<DocumentId> wanted;
    for (const SeenLink& link : shown) {
      wanted.insert(wanted.end(), {link.document, link.other_document});
    }
    TWINSET_ASSIGN(auto names, pairs.names(files_, wanted));
    for (SeenLink& link : shown) {
      link.record = names[link.document];
      link.other = names[link.other_document];
    }
    return show_links(shown, found, Shown::Kind::pairs);
  }

  Status read_pairs(const PairsFolder& pairs, Best<SeenLink, LessAlike>& best,
                    std::uint64_t& found) const {
    const bool band =
        options_.resemblance.least.has_value() || options_.resemblance.most.has_value();
    std::uint64_t order = 0;
    const auto add = [&](RemovalKind kind, DocumentId document, DocumentId other,
                         double resemblance, std::optional<std::uint32_t> distance,
                         bool is_template) {
      if (options_.kind.has_value() && options_.kind != kind) return;
      if (!in_band(resemblance)) return;
      ++found;
      SeenLink link;
      link.kind = kind;
      link.resemblance = resemblance;
      link.distance = distance;
      link.order = order;
      link.document = document;
      link.other_document = other;
      link.is_template = is_template;
      best.add(std::move(link));
    };
    const std::string path = folder_.file(pairs_file_name);
    return for_each_pair_line(files_, path, [&](const PairLine& line) -> Status {
      if (line.number % 4096 == 0) TWINSET_TRY(check_stop(cancel_));
      if (line.kind() != Fate::near) {
        ++order;
        add(kind_of(line.kind()), line.document(), line.original(), 1, {}, false);
      }
      for (std::size_t i = 0; i < line.pairs.size(); ++i) {
        const auto& [other, keys] = line.pairs[i];
        ++order;
        // Pairs below the threshold are shown only if a band was asked for.
        if (!band && !pairs.threshold().reached_by(keys)) continue;
        const Link link = Link::read(pairs.kind(), keys);
        add(RemovalKind::near, line.document(), other, link.likeness(),
            link.kind == LinkKind::distance ? std::optional(keys.shared) : std::nullopt,
            pairs.is_template(line, i));
      }
      return {};
    });
  }

  Status show_links(const std::vector<SeenLink>& links, std::uint64_t found, Shown::Kind kind) {
    shown_.kind = kind;
    shown_.found = found;
    std::vector<RecordPlace> places;
    for (const SeenLink& link : links) places.insert(places.end(), {link.record, link.other});
    TWINSET_ASSIGN(std::vector<ShownRecord> records, read_words(places));
    for (std::size_t i = 0; i < links.size(); ++i) {
      shown_.links.push_back({links[i].kind, links[i].resemblance, links[i].distance,
                              std::move(records[2 * i]), std::move(records[2 * i + 1]),
                              links[i].is_template});
    }
    return {};
  }

  // ---- Words ----

  Result<std::vector<ShownRecord>> read_words(const std::vector<RecordPlace>& places) {
    TWINSET_ASSIGN(const std::vector<SeenText> read,
                   read_texts(files_, folder_, places, read_bytes, cancel_));
    if (!places.empty()) notes_.insert(folder_.folder_note());
    std::vector<ShownRecord> records;
    for (std::size_t i = 0; i < places.size(); ++i) {
      records.push_back({.name = places[i].document});
      if (read[i].text.has_value()) {
        records.back().words = first_words(*read[i].text);
      } else {
        records.back().missing = read[i].missing;
        notes_.insert(read[i].missing + "; its words are not shown");
      }
    }
    return records;
  }

  FileSystem& files_;
  const OutputFolder& folder_;
  const ShowOptions& options_;
  const std::atomic<bool>* cancel_;
  FieldLine<NamedDocument> name_;  ///< read last
  PlaceList asked_places_;
  std::set<std::string> notes_;
  Shown shown_;
};

Status check_options(const ShowOptions& options) {
  if (options.top == 0) return usage_error(option("top", "0") + " shows nothing");
  if (options.resemblance.least.has_value() && options.resemblance.most.has_value() &&
      options.resemblance.most->value() < options.resemblance.least->value()) {
    return usage_error(option("resemblance") + " is LOW:HIGH, the smaller number first");
  }
  return {};
}

}  // namespace

Result<Shown> show(const ShowOptions& options, const RunControl& control) {
  TWINSET_TRY(check_options(options));
  FileSystem& files = files_of(control);
  TWINSET_ASSIGN(std::optional<Shown> lists, show_lists(files, options, control.cancel));
  if (lists.has_value()) return *std::move(lists);
  TWINSET_ASSIGN(const OutputFolder folder, open_output_folder(files, options.folder));
  return Looker(files, folder, options, control).run();
}

std::string to_json(const Shown& shown) {
  std::string out;
  if (shown.detected) out += to_json(*shown.detected, shown.detected->badness);
  for (const ShownReuse& text : shown.reused) out += fields_json(fields_of(to_write(text))) + '\n';
  for (const ShownCluster& cluster : shown.clusters) {
    out += fields_json(fields_of(to_write(cluster))) + '\n';
  }
  for (const ShownLink& link : shown.links) {
    std::vector<Field> fields = fields_of(to_write(link));
    if (shown.kind == Shown::Kind::removed) fields.back().name = "survivor";
    out += fields_json(fields) + '\n';
  }
  return out;
}

}  // namespace twinset
