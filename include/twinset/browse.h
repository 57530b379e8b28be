// A finished run, page by page: its clusters and lists sorted and filtered, one cluster with its
// members, two records side by side, and the decisions of people about records. A screen asks these
// questions, such as a page that a server feeds.
//
//   BrowseOptions options;
//   options.folder = "clean";
//   const RunBrowser run = RunBrowser::open(options, RunControl{}).value();
//   ClustersOptions asked;
//   asked.sort = ClusterSort::resemblance;
//   const ClusterPage page = run.clusters(asked).value();
//   page.clusters.front().first.id;                      // the survivor of the least alike one
//   std::fputs(to_json(page).c_str(), stdout);           // an object on a line
//
// open() reads the lists of the folder once, keeps numbers of each row in memory, and writes the
// rows to a file without a name in `tmp`, in which it finds any of them. A run of dedup, cluster,
// recut, spans, discover, detect or track can be opened. Texts are read from the inputs, and are
// shown only while these are as the run read them.
//
// In memory are at most 32 bytes for each document that is in a cluster, 16 for each cluster, 16
// for each 32 KiB of their names, 16 for each 64 rows of a list or 32 KiB of them, 12 for each page
// of track, and 4 MiB. A folder that needs more than `memory` is refused. Of what is left, 4 bytes
// for each cluster or row of the orders that were asked for lately (at most 8); while a list is
// sorted, 4 more for each row, and 64 MiB or as much as is left, but at least 8. The decisions are
// held, too.
//
// A folder that is replaced beneath it is no longer answered about: every call returns an Error
// (io) that says so.
//
// Threads: any number may ask one RunBrowser.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/index.h"
#include "twinset/look.h"
#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

struct BrowseOptions {
  std::string folder = {};     ///< of a finished run
  std::string decisions = {};  ///< file of decisions; empty: the folder with ".decisions.jsonl"
  std::uint64_t memory = 0;    ///< 0: half of what other runs have left
  std::string tmp = {};        ///< folder for the rows; empty: the system's
};

std::vector<Option> options_of(BrowseOptions& options);

/// The order of clusters. `first` is that of the run: the input order of their first documents.
enum class ClusterSort : std::uint8_t {
  documents,    ///< most first
  resemblance,  ///< least alike first; those of which nothing is known last
  sources,      ///< of most files first
  first
};

/// Some of the clusters. All that is asked for must hold.
struct ClustersOptions {
  std::uint64_t offset = 0;
  std::uint64_t limit = 50;
  ClusterSort sort = ClusterSort::documents;
  bool reverse = false;
  std::uint64_t min_documents = 0;
  std::optional<std::uint64_t> max_documents = {};
  std::string source = {};               ///< has a document of this input
  std::optional<RemovalKind> kind = {};  ///< has a member of this kind
  RatioRange resemblance = {};           ///< of its least alike member
  /// In the id or the file of one of its documents; large and small letters of ASCII are the same.
  std::string search = {};
  bool words = true;  ///< read first words, where that is cheap
};

std::vector<Option> options_of(ClustersOptions& options);

/// Members of a cluster by their kinds.
struct KindCounts {
  std::uint64_t identical = 0;
  std::uint64_t lexical = 0;
  std::uint64_t shingles = 0;
  std::uint64_t near = 0;
  std::uint64_t contained = 0;
};

struct BrowsedCluster {
  std::uint64_t cluster = 0;  ///< from 1, in the order of the run
  std::uint64_t documents = 0;
  RecordName first;                   ///< the survivor, or the first document
  std::optional<std::string> words;   ///< its first words; nullopt: see `missing`
  std::string missing;                ///< why there are none, a sentence
  std::optional<double> resemblance;  ///< the least of its members
  KindCounts kinds;                   ///< of the members
  std::uint64_t sources = 0;          ///< files that its documents are of
};

struct ClusterPage {
  std::uint64_t total = 0;      ///< clusters that were asked for
  std::uint64_t documents = 0;  ///< in all of these
  std::vector<BrowsedCluster> clusters = {};
};

/// A cluster and a part of its documents.
struct MembersOptions {
  std::uint64_t cluster = 0;  ///< from 1
  std::uint64_t offset = 0;
  std::uint64_t limit = 50;
  bool words = true;
};

std::vector<Option> options_of(MembersOptions& options);

struct BrowsedMember {
  RecordName name;
  /// Why it is in the cluster; nullopt: it is the first, or was not compared.
  std::optional<RemovalKind> kind;
  /// To its survivor; in a folder of cluster of its most alike pair.
  std::optional<double> resemblance;
  std::optional<double> containment;  ///< of a removed record in its survivor
  std::optional<RecordName> survivor;
  std::optional<std::string> words;
  std::string missing;
  std::string fate;                     ///< "kept", "removed", "clustered"
  std::optional<std::string> decision;  ///< "restore", "remove"
};

/// A pair among the members of a page, by their places in it.
struct MemberEdge {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::optional<double> resemblance;  ///< nullopt: not known
};

struct ClusterMembers {
  std::uint64_t cluster = 0;
  std::uint64_t documents = 0;
  std::vector<BrowsedMember> members = {};
  std::vector<MemberEdge> edges = {};  ///< at most 2,000
};

enum class TileBy : std::uint8_t { cluster, source };

struct TilesOptions {
  std::uint64_t limit = 400;
  TileBy by = TileBy::cluster;
};

std::vector<Option> options_of(TilesOptions& options);

struct ClusterTile {
  std::string name;  ///< the first document's id, or a file
  std::uint64_t documents = 0;
  std::optional<std::uint64_t> cluster;
};

/// The largest clusters, or the files with most documents in clusters, and what is left.
struct ClusterTiles {
  std::vector<ClusterTile> tiles;
  std::uint64_t rest_clusters = 0;
  std::uint64_t rest_documents = 0;
};

/// Two records by their names: an id, or file:record.
struct SidesOptions {
  std::string a = {};
  std::string b = {};
};

std::vector<Option> options_of(SidesOptions& options);

/// What became of a record, and its text.
struct BrowsedRecord {
  Explanation explanation;
  std::optional<std::string> text;  ///< as a reader sees it; at most 256 KiB
  bool cut = false;                 ///< it is longer
  std::string missing;              ///< why there is none, a sentence
};

struct ListColumn {
  std::string name;
  std::string unit;  ///< "text", "code", "count", "percent", "share", "bytes", "seconds"
  std::string help;
};

/// A list of the folder: "removed", "clusters", "pairs", "spans", "pages", "matches",
/// "neighborhoods", "recursion", "changes", "hosts".
struct BrowsedList {
  std::string name;
  std::uint64_t rows = 0;
  std::vector<ListColumn> columns;
};

struct ListRowsOptions {
  std::string list = {};
  std::uint64_t offset = 0;
  std::uint64_t limit = 50;
  std::string sort = {};  ///< a column; empty: the order of the list
  bool reverse = false;
  std::string search = {};  ///< in the row's values; as in ClustersOptions
};

std::vector<Option> options_of(ListRowsOptions& options);

struct ListRows {
  std::uint64_t total = 0;
  std::vector<std::string> rows = {};  ///< each a JSON array with a value for every column
};

struct VersionsOptions {
  std::uint64_t offset = 0;
  std::uint64_t limit = 50;
  std::string search = {};  ///< in the URL
};

std::vector<Option> options_of(VersionsOptions& options);

struct VersionsPage {
  std::uint64_t total = 0;
  std::vector<TrackedPage> pages = {};  ///< each with the versions of all its lines
};

/// The lists of a folder, opened.
class RunBrowser {
 public:
  /// Errors: usage (no such folder; one that has nothing to browse; `memory` is too little), io (a
  /// list is damaged; `tmp` cannot be written), interrupted.
  static Result<RunBrowser> open(const BrowseOptions& options, const RunControl& control);

  RunBrowser(RunBrowser&&) noexcept;
  RunBrowser& operator=(RunBrowser&&) noexcept;
  ~RunBrowser();

  const std::string& folder() const;
  const std::string& verb() const;   ///< "dedup"
  const std::string& title() const;  ///< "Near-duplicates"
  const std::string& decisions_file() const;

  // Setting `cancel` ends a question soon, with an Error (interrupted).

  /// The facts of the run's report as report.json has them (docs/formats/report.md): those of the
  /// folder's report, or else made of its summary and lists.
  Result<std::string> overview(const std::atomic<bool>* cancel = nullptr) const;

  /// JSON Schemas (2020-12) of overview() ("Report"), of pair() and compare() ("ShownPair"), and of
  /// every object within these, by their names; they refer to each other as
  /// "#/components/schemas/NAME", as in a description by OpenAPI.
  static std::map<std::string, std::string> schemas();

  /// Errors (usage) of these: the folder has no clusters; an option is none of its values.
  Result<ClusterPage> clusters(const ClustersOptions& options,
                               const std::atomic<bool>* cancel = nullptr) const;
  /// nullopt: there is no such cluster.
  Result<std::optional<ClusterMembers>> members(const MembersOptions& options,
                                                const std::atomic<bool>* cancel = nullptr) const;
  Result<ClusterTiles> tiles(const TilesOptions& options,
                             const std::atomic<bool>* cancel = nullptr) const;

  /// A pair of `side_by_side` as report.json has it. Error (usage): a name is of no record, or of
  /// several.
  Result<std::string> pair(const SidesOptions& options,
                           const std::atomic<bool>* cancel = nullptr) const;
  /// The same of two texts that are of no run, compared by their words; of pages if they are
  /// `html`.
  static Result<std::string> compare(std::string_view a, std::string_view b, bool html);
  /// Errors as explain().
  Result<BrowsedRecord> record(const std::string& name,
                               const std::atomic<bool>* cancel = nullptr) const;

  const std::vector<BrowsedList>& lists() const;
  /// nullopt: there is no such list.
  Result<std::optional<ListRows>> rows(const ListRowsOptions& options,
                                       const std::atomic<bool>* cancel = nullptr) const;

  /// Of a folder of track. nullopt: it has no such page.
  Result<std::optional<TrackedPage>> versions(const std::string& url) const;
  Result<VersionsPage> versions(const VersionsOptions& options,
                                const std::atomic<bool>* cancel = nullptr) const;

  /// The last decision about each record, in the order of their first ones.
  Result<RecordDecisions> decisions() const;
  /// Appends a line for each, durable when this returns; the records named must be in a cluster of
  /// the folder. Nothing is written if one is not. Errors: usage, io (also: another process is
  /// writing the file).
  Result<RecordDecisions> decide(const std::vector<RecordDecision>& decisions) const;

 private:
  struct Parts;
  explicit RunBrowser(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

std::vector<Field> fields_of(KindCounts& counts);
std::vector<Field> fields_of(BrowsedCluster& cluster);
std::vector<Field> fields_of(ClusterPage& page);
std::vector<Field> fields_of(BrowsedMember& member);
std::vector<Field> fields_of(MemberEdge& edge);
std::vector<Field> fields_of(ClusterMembers& members);
std::vector<Field> fields_of(ClusterTile& tile);
std::vector<Field> fields_of(ClusterTiles& tiles);
std::vector<Field> fields_of(BrowsedRecord& record);
std::vector<Field> fields_of(ListColumn& column);
std::vector<Field> fields_of(BrowsedList& list);
std::vector<Field> fields_of(ListRows& rows);
std::vector<Field> fields_of(VersionsPage& page);

/// An object on a line.
std::string to_json(const ClusterPage& page);
std::string to_json(const ClusterMembers& members);
std::string to_json(const ClusterTiles& tiles);
std::string to_json(const BrowsedRecord& record);
/// {"lists": [...]}
std::string to_json(const std::vector<BrowsedList>& lists);
std::string to_json(const ListRows& rows);
std::string to_json(const TrackedPage& page);
std::string to_json(const VersionsPage& page);

}  // namespace twinset
