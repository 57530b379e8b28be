// An index: documents that were added once and are found again, by what they resemble, contain or
// quote, without being read again.
//
//   IndexOptions options;
//   options.index = "crawl.index";
//   if (!create_index(options, {}).ok()) return;                // one scheme, mod(samples=64)
//   options.inputs = {"january.jsonl.zst"};
//   const IndexSummary added = add_to_index(options, {}).value();  // all of it, or nothing
//
//   const Index index = Index::open("crawl.index").value();     // as it is now
//   const IndexAnswer answer = index.query("a text that may be known").value();
//   for (const IndexHit& hit : answer.hits) use(hit.document.id);
//
// An index is a folder (docs/formats/index_folder.md). It holds of each document its id, URL, date,
// chosen fields, sketches and keys; its text only if it was made to. Documents have different ids:
// one that is added again takes the place of the old one.
//
// A change is whole or not there at all, also after a kill or a power loss: it is made by one
// rename. Many may read while one writes; a reader sees the index as it was when it opened it.
//
// track() needs no index: it compares the versions of pages, documents of one URL by their dates.
//
// Threads: an Index is immutable, and shared; one call at a time changes an index, and the others
// are refused.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/collection.h"
#include "twinset/option.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"
#include "twinset/scheme.h"

namespace twinset {

struct Field;
struct GroupedHits;    // twinset/hits.h
struct GroupSettings;  // twinset/hits.h
struct HitList;        // twinset/hits.h
struct TrackedPage;

/// What decides the content of an index, once and for all.
struct IndexSettings {
  std::string analyzer = "words";
  std::vector<std::string> scheme;  ///< specs; of an index, the full ones
  /// Documents of at least this resemblance share a key, of schemes whose keys are bands.
  Ratio resemblance{1, 2};
  unsigned distance = 3;  ///< the most bits in which signatures differ that are found, to 7
  bool texts = false;     ///< texts are kept, too
  bool operator==(const IndexSettings&) const = default;
};

/// A document of an index, as it was added.
struct IndexDocument {
  std::string id;      ///< a JSON value
  std::string url;     ///< empty: none
  std::string date;    ///< as its record has it; empty: none
  std::string fields;  ///< the chosen ones, a JSON object; empty: none
  /// It was removed by dedup in favor of the document of this id, a JSON value; empty: it was not.
  std::string survivor{};
};

/// A document of an index with its text.
struct StoredDocument {
  IndexDocument document;
  std::optional<std::string> text;  ///< nullopt: the index keeps none, or not of a removed document
};

/// What a query asks for. A document is a hit if it reaches one of the shares, or is as near, or
/// has an equal signature, as its scheme tells; copies by bytes or tokens are hits in any case.
struct QuerySettings {
  std::optional<Ratio> resemblance = Ratio(1, 2);
  std::optional<Ratio> containment{};  ///< of either in the other
  std::uint64_t top = 10;              ///< so many hits at most, the best first; 0: all
  /// Keys that more documents have find nothing, and are counted as skipped; 0: none are.
  std::uint64_t max_group = 1000;
  /// Sketches judge even where the index keeps the texts, by which shares would be exact.
  bool sketches = false;
  /// Each hit tells the passages that it shares with the query, of at least `min_tokens` tokens in
  /// a row, and a document with one is a hit whatever its shares: who quotes this (B 6.4). An index
  /// with a scheme such as winnow finds all of them.
  bool passages = false;
  /// unset: as many as that scheme is sure to find; 50 without one.
  std::optional<std::uint64_t> min_tokens{};
  /// Of each stored sample that counts keys the query looks at one in four values, others for each
  /// number: whoever knows the sample does not know which words a query will look at (B 6.6).
  std::optional<std::uint64_t> draw{};
  /// A query that takes more milliseconds is answered with what was found until then; unset: it
  /// takes its time.
  std::optional<std::uint64_t> time_limit{};
};

/// How a hit equals the query in the sense of B section 5.2.
enum class Sameness : std::uint8_t { none, tokens, bytes };

/// How a document is like another one, such as what a query asks for.
struct Likeness {
  Sameness same = Sameness::none;
  /// With 95 % intervals; nullopt is unknown. The interval of an exact share is the share.
  std::optional<Interval> resemblance{};
  std::optional<Interval> containment{};  ///< of the query in the document
  std::optional<Interval> contains{};     ///< of the document in the query
  bool exact = false;                     ///< the texts were compared
  std::optional<std::uint64_t> shared{};  ///< values that both samples have, or shingles if exact
  std::optional<unsigned> distance{};     ///< bits in which signatures differ
  std::optional<unsigned> coordinate{};   ///< at which signatures are equal
};

/// Tokens in a row that a document shares with the query.
struct SharedPassage {
  std::uint64_t begin = 0;  ///< bytes [begin, end) of the query's text
  std::uint64_t end = 0;
  /// Bytes of the document's text; nullopt: sketches tell of the passage, not texts.
  std::optional<std::uint64_t> in_begin;
  std::optional<std::uint64_t> in_end;
  std::uint64_t tokens = 0;
};

struct IndexHit : Likeness {
  IndexDocument document;
  /// If the query asks for them: by place in the query, then in the document. Without texts they
  /// are guessed from keys that both have.
  std::vector<SharedPassage> passages{};
  std::optional<std::uint64_t> quoted{};  ///< tokens of the query that lie in a passage
};

/// A host whose documents share passages with a query.
struct QuotingHost {
  std::string host;  ///< of their URLs; empty: of documents without one
  std::uint64_t documents = 0;
  std::uint64_t passages = 0;
  std::uint64_t quoted = 0;  ///< tokens of the query that lie in a passage of one of them
};

/// Bytes [begin, end) of a query's text.
struct CommonPassage {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct IndexAnswer {
  std::vector<IndexHit> hits;  ///< by resemblance, containment and the order of adding
  std::uint64_t compared = 0;  ///< documents that share a key
  std::uint64_t skipped = 0;   ///< keys of the query that more than max_group documents have
  // Of a query for passages:
  std::vector<QuotingHost> hosts{};     ///< of all hits, those beyond `top` too; by name
  std::vector<CommonPassage> common{};  ///< where the query has skipped keys
  /// Every document that shares so many tokens in a row with the query is among the hits, but for
  /// `top`; nullopt: that is not known.
  std::optional<std::uint64_t> sure_tokens{};
  bool timed_out = false;  ///< the time limit passed: there may be more
};

/// What Index::locate() goes by.
struct LocateSettings {
  /// The last sweep began at this date, in any form that keep orders read; empty: at the day of the
  /// newest date in the index.
  std::string since;
  /// Keys that more documents have lead nowhere; 0: all are followed.
  std::uint64_t max_group = 10'000;
};

enum class PageStatus : std::uint8_t {
  here,    ///< the last sweep has the URL
  moved,   ///< the last sweep has the page's content, at another URL
  gone,    ///< neither
  unknown  ///< the index has no document of the URL
};

/// A page whose content, as its URL had it last, stands in a later document of another URL.
struct MoveEvidence {
  std::string from;       ///< the URL where the content stood
  std::string from_date;  ///< of the document there
  IndexDocument to;
  /// Of the two documents; nullopt is unknown. Texts decide if the index keeps them.
  std::optional<Interval> resemblance;
  std::optional<Interval> containment;  ///< of the page in the later document
  std::optional<Interval> contains;     ///< of the later document in the page
  bool exact = false;                   ///< the texts were compared
  /// Pieces of the page - distinct shingles if exact, else keys of its sample - that no other page
  /// had while it was there; of those that the later document could have.
  std::uint64_t own = 0;
  std::uint64_t kept = 0;  ///< of these, those that the later document has
  /// The estimated share of what is the page's own that stands in the later document, or the share
  /// that it makes of that, whichever is greater, in [0, 1].
  double share = 0;
};

/// Where a page is now (B 6.2).
struct PageLocation {
  std::string url;  ///< as asked for
  PageStatus status = PageStatus::unknown;
  /// The last document of the page: in the last sweep if it is here or moved, before it if gone.
  std::optional<IndexDocument> newest;
  /// The share of such answers that was right where moves and deaths were planted (docs/index.md);
  /// nullopt for an unknown URL.
  std::optional<double> confidence;
  std::string since;      ///< when the last sweep began
  std::string last_seen;  ///< the date of the URL's last document
  /// The newest date of a document of the host where the page was seen last.
  std::string host_seen;
  std::vector<MoveEvidence> evidence;  ///< the moves that lead to `newest`, in their order
  /// Further places in the last sweep, such as of the other half of a page that was split.
  std::vector<MoveEvidence> others;
};

/// What Index::lookup() goes by. Two documents make a pair as the thresholds say, and a cluster is
/// all that pairs connect, as cluster() makes it of components.
struct LookupSettings {
  Ratio resemblance{1, 2};
  std::optional<Ratio> containment;  ///< or one contains this share of the other
  bool sketches = false;             ///< judges by sketches even if there are texts
  std::uint64_t top = 1000;          ///< of a cluster at most so many documents; 0: all
  /// Keys that more documents have find nothing; 0: all do.
  std::uint64_t max_group = 1000;
};

/// Documents that pairs connect.
struct IndexCluster {
  std::vector<IndexDocument> documents;  ///< in the order of adding
  bool whole = true;                     ///< false: there are more than `top`
};

/// What an index knows of a URL or an id: its documents, and the clusters that these are in
/// (B 4.2).
struct IndexLookup {
  std::string name;  ///< as asked for
  /// All documents of the id or else of the URL, the earliest added first; empty: it is unknown.
  std::vector<IndexDocument> documents;
  std::vector<IndexCluster> clusters;  ///< of these documents, each once
};

/// What an index holds.
struct IndexStats {
  std::string index;  ///< its folder
  IndexSettings settings;
  std::uint64_t documents = 0;
  std::uint64_t removed = 0;  ///< by dedup: they only lead to others
  std::uint64_t deleted = 0;  ///< whose bytes are still there; compact_index() removes them
  std::uint64_t segments = 0;
  std::uint64_t bytes = 0;    ///< of all files
  std::uint64_t changes = 0;  ///< since it was made
};

/// An index as it was when it was opened.
class Index {
 public:
  /// Errors (io): there is no index; it is damaged, or of another version of twinset.
  static Result<Index> open(const std::string& folder, const RunControl& control = {});
  Index(Index&&) noexcept;
  Index& operator=(Index&&) noexcept;
  ~Index();

  IndexStats stats() const;
  /// The documents that a text resembles, contains or is contained in, the best first; `html`: it
  /// is a page. Any bytes are a text. Errors: usage (a text of more than 4 GiB - 64 bytes), io (the
  /// index is damaged).
  Result<IndexAnswer> query(std::string_view text, const QuerySettings& query = {},
                            bool html = false) const;
  /// The same for a document of the index: its id as people write it, or its URL, of whose
  /// documents the last one added counts. The answer has the document itself. Where the index keeps
  /// no texts, the keys of bands are looked for among all of its segment. Error (usage): there is
  /// none.
  Result<IndexAnswer> query_document(std::string_view id_or_url,
                                     const QuerySettings& query = {}) const;
  /// The document of an id; nullopt if there is none.
  Result<std::optional<IndexDocument>> find(std::string_view id) const;
  /// The document of an id as people write it, or of a URL, of whose documents the last one added
  /// counts, with its text; nullopt if there is none.
  Result<std::optional<StoredDocument>> document(std::string_view id_or_url) const;
  // Of the following, setting `cancel` ends a call soon, with an Error (interrupted).

  /// Where the page of a URL is now, by documents of several sweeps with their URLs and dates (B
  /// 6.2): it is followed from its URL's last document to later ones that have what was its own,
  /// and on from these. The first call reads the dates of all documents. Errors: usage (no document
  /// of the URL has a date that can be read; `since` is no date), io (the index is damaged).
  Result<PageLocation> locate(std::string_view url, const LocateSettings& settings = {},
                              const std::atomic<bool>* cancel = nullptr) const;
  /// The versions of the page of a URL: its documents, which have different ids, in the order of
  /// their dates, each compared with the one before it as track() does: by their texts, or where
  /// the index keeps none by its sketches (docs/track.md). Those without a date that can be read
  /// are left out. It tells whether the page is gone, and where it moved to, as locate() does; not
  /// whence it came. Of an unknown URL there are no versions. Errors: as locate().
  Result<TrackedPage> track(std::string_view url, const std::atomic<bool>* cancel = nullptr) const;
  /// The documents of an id as people write it, or else of a URL, and the clusters that they are
  /// in, alone or not (B 4.2). Errors: usage (the first scheme's sketches tell nothing of two
  /// documents, and there are no texts), io (the index is damaged).
  Result<IndexLookup> lookup(std::string_view id_or_url, const LookupSettings& settings = {},
                             const std::atomic<bool>* cancel = nullptr) const;
  /// The near copies among the hits of a search, in groups (twinset/hits.h). Errors: usage (a
  /// setting; more than 100,000 hits), io (the index is damaged).
  Result<GroupedHits> group(const HitList& list, const GroupSettings& settings,
                            const std::atomic<bool>* cancel = nullptr) const;

 private:
  friend class OpenIndex;
  struct Parts;
  explicit Index(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// The options of all that is done to an index; each function says which it heeds.
struct IndexOptions : ReadingOptions {
  std::string index;  ///< the folder
  IndexSettings settings;
  std::string url;                       ///< the field of a document's URL
  std::string date;                      ///< the field of its date
  std::vector<std::string> field;        ///< further fields that are kept
  std::string output;                    ///< the file to make
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
};

std::vector<Option> options_of(IndexOptions& options);

/// What was done to an index, and what it holds afterwards.
struct IndexSummary : RunFacts {
  std::uint64_t added = 0;               ///< replacing ones, too
  std::uint64_t replaced = 0;            ///< of them, those whose id the index had
  std::uint64_t unchanged = 0;           ///< that the index had already, equal in everything
  std::uint64_t repeated = 0;            ///< whose id came again later in the inputs
  std::uint64_t removed = 0;             ///< deleted by their ids
  std::vector<std::string> not_there;    ///< ids to be deleted that the index does not have
  std::vector<std::string> bad_records;  ///< the first ones, as file:record: reason
  IndexStats stats;                      ///< afterwards
};

/// Makes an empty index. Heeds: index, settings; without a scheme, mod(samples=64). Errors: usage
/// (a scheme, an analyzer; the folder exists and is not empty), io.
Result<IndexSummary> create_index(const IndexOptions& options, const RunControl& control);
/// Adds the documents of the inputs, all of them or, if it fails or is interrupted, none. One whose
/// id the index has takes the place of the old one; a record without an id has the id file:record.
/// Heeds all but settings and output. Errors: as dedup(); another process changes the index.
Result<IndexSummary> add_to_index(const IndexOptions& options, const RunControl& control);
/// Deletes the documents whose ids are the inputs, all in one change; "-": a line of the standard
/// input is an id. Errors: usage (no id), io.
Result<IndexSummary> delete_from_index(const IndexOptions& options, const RunControl& control);
/// Merges all segments into one, without a byte of deleted documents.
Result<IndexSummary> compact_index(const IndexOptions& options, const RunControl& control);
/// Reads every byte. Error (io): the first damage, with file and offset.
Result<IndexSummary> verify_index(const IndexOptions& options, const RunControl& control);
Result<IndexSummary> index_stats(const IndexOptions& options, const RunControl& control);
/// A line of JSON for each document, in the order of adding, into `output` or to control.kept:
/// what was added of it, and its text if the index keeps texts.
Result<IndexSummary> export_index(const IndexOptions& options, const RunControl& control);

std::vector<Option> options_of(QuerySettings& query);

/// inputs: the documents that are asked for.
struct QueryOptions : ReadingOptions, QuerySettings {
  std::string index;   ///< the folder
  std::string of;      ///< in place of inputs: the id or URL of a document of the index
  std::string output;  ///< the file to make; else control.kept gets the lines
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
};

std::vector<Option> options_of(QueryOptions& options);

struct QuerySummary : RunFacts {
  std::uint64_t queries = 0;
  std::uint64_t answered = 0;  ///< of them, those with a hit
  std::uint64_t hits = 0;
  std::uint64_t compared = 0;            ///< documents that share a key with a query, added up
  std::uint64_t skipped = 0;             ///< keys that too many documents have, added up
  std::uint64_t passages = 0;            ///< in all lines
  std::uint64_t timed_out = 0;           ///< queries of which there may be more
  std::vector<std::string> bad_records;  ///< the first ones, as file:record: reason
};

/// Answers each document of the inputs with a line of JSON, in their order (docs/index.md). Errors:
/// as dedup(), and those of Index::open().
Result<QuerySummary> query_index(const QueryOptions& options, const RunControl& control);

std::vector<Option> options_of(LocateSettings& settings);

struct LocateOptions : LocateSettings {
  std::string index;              ///< the folder
  std::vector<std::string> urls;  ///< the pages to locate
};

std::vector<Option> options_of(LocateOptions& options);

/// Index::locate() of each URL. Errors: usage (no URL), and those of Index::open() and locate().
Result<std::vector<PageLocation>> locate(const LocateOptions& options, const RunControl& control);

std::vector<Option> options_of(LookupSettings& settings);

struct LookupOptions : LookupSettings {
  std::string index;               ///< the folder
  std::vector<std::string> names;  ///< ids or URLs
};

std::vector<Option> options_of(LookupOptions& options);

/// Index::lookup() of each name. Errors: usage (no name), and those of Index::open() and lookup().
Result<std::vector<IndexLookup>> lookup(const LookupOptions& options, const RunControl& control);

// Versions of pages over time (B 6.5, S 2.6.1): documents of one URL in the order of their dates.

/// What a version is to the one before it.
enum class ChangeKind : std::uint8_t {
  same,    ///< equal words
  small,   ///< other words, but a signature within `distance` bits: an unimportant change by weight
  large,   ///< a signature further away: an important one
  broken,  ///< unlike the page, which a later version is like again: an error page, a cut-off one
  back     ///< like the page again, after broken versions
};

struct TrackOptions : ReadingOptions {
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
  std::string url;                       ///< the field of a document's URL
  std::string date;                      ///< the field of its date
  std::string output;                    ///< folder to make
  std::string report;                    ///< HTML page to make, with its facts as .json
  std::string scheme = "simhash";        ///< whose signatures weigh a change
  unsigned distance = 3;                 ///< a change of more bits is large
  /// A page that is gone has moved to a new URL whose first version resembles its last so much.
  Ratio resemblance{1, 2};
  /// A page that has no version since this date is gone; empty: since the day of the newest one.
  std::string since;
  /// There is a version only where a page changed, so none is gone for want of one.
  bool changes = false;
  std::uint64_t top = 20;  ///< hosts and pages in the summary
};

std::vector<Option> options_of(TrackOptions& options);

struct TrackedVersion {
  std::string date;        ///< as its record has it
  std::string id;          ///< a JSON value
  std::uint64_t hash = 0;  ///< XXH3-64 of the bytes of its text
  /// To the version before it; nullopt: it is the first, or nothing is known. Shares are estimated
  /// from samples of 256 shingles at most.
  std::optional<double> resemblance;
  std::optional<double> containment;  ///< of the version before in this one
  std::optional<unsigned> distance;   ///< bits in which the signatures differ
  std::optional<ChangeKind> kind;
};

struct TrackedPage {
  std::string url;
  std::uint64_t part = 1;  ///< a page of many versions has several lines
  std::vector<TrackedVersion> versions;
  std::optional<std::string> moved_to;    ///< the URL where its content went
  std::optional<std::string> moved_from;  ///< the URL whence it came
  bool born = false;                      ///< first seen after the first day, and not moved there
  bool gone = false;                      ///< not seen in the last sweep, and not moved
  /// When to read it again: half as long as the last time after three changes, twice as long after
  /// three versions of one signature (S 2.6.1); nullopt: it has one version.
  std::optional<double> recrawl_days;
};

/// Sums over pages: of a host, or of the collection.
struct TrackCounts {
  std::uint64_t pages = 0;  ///< URLs
  std::uint64_t versions = 0;
  std::uint64_t same = 0;  ///< versions by kind
  std::uint64_t small = 0;
  std::uint64_t large = 0;
  std::uint64_t broken = 0;
  std::uint64_t back = 0;
  std::uint64_t bytes_only = 0;       ///< of the same ones, those of other bytes
  std::uint64_t small_of_much = 0;    ///< small changes of more than a tenth of the shingles
  std::uint64_t large_of_little = 0;  ///< large changes of less
  std::uint64_t moved_within = 0;     ///< pages that moved within their host
  std::uint64_t moved_between = 0;
  std::uint64_t born = 0;
  std::uint64_t died = 0;
  double days = 0;         ///< from the first to the last version, over all pages
  double resemblance = 0;  ///< sums over small and large changes
  double containment = 0;
  double distance = 0;

  std::uint64_t compared() const { return versions - pages; }
  /// From a version to the next sweep a page stays, moves or dies.
  std::uint64_t chances() const { return compared() + moved_within + moved_between + died; }
  std::uint64_t changed() const { return small + large; }
};

struct TrackedHost {
  std::string host;
  TrackCounts counts;
};

/// What happened in a month.
struct TrackedMonth {
  std::string month;  ///< 2026-05
  std::uint64_t versions = 0;
  std::uint64_t changed = 0;
  std::uint64_t born = 0;
  std::uint64_t gone = 0;  ///< moved or died: seen then for the last time
};

struct TrackSummary : RunFacts {
  TrackCounts counts;
  std::uint64_t hosts = 0;
  std::uint64_t without_url = 0;              ///< documents, left out
  std::uint64_t without_date = 0;             ///< likewise: none that can be read
  std::string scheme;                         ///< in full
  std::string since;                          ///< when the last sweep began
  std::vector<std::uint64_t> by_resemblance;  ///< small and large changes, by twentieths
  std::vector<std::uint64_t> by_distance;     ///< likewise, by bits
  std::vector<TrackedMonth> months;
  std::vector<TrackedHost> most_changed;  ///< hosts with the most changes
  std::vector<std::string> broken_pages;  ///< the first URLs that broke and came back
};

/// Compares the versions of each page of the inputs, and writes a line for each page to
/// changes.jsonl.zst in the folder (docs/track.md). Errors: usage (an option; no document has a URL
/// and a date), and those of reading.
Result<TrackSummary> track(const TrackOptions& options, const RunControl& control);

/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(TrackedVersion& version);
std::vector<Field> fields_of(TrackedPage& page);
std::vector<Field> fields_of(TrackCounts& counts);
std::vector<Field> fields_of(TrackedHost& host);
std::vector<Field> fields_of(TrackedMonth& month);
std::vector<Field> fields_of(TrackSummary& summary);
std::vector<Field> fields_of(IndexSettings& settings);
std::vector<Field> fields_of(IndexDocument& document);
std::vector<Field> fields_of(StoredDocument& stored);
std::vector<Field> fields_of(Likeness& likeness);
std::vector<Field> fields_of(SharedPassage& passage);
std::vector<Field> fields_of(IndexHit& hit);
std::vector<Field> fields_of(QuotingHost& host);
std::vector<Field> fields_of(CommonPassage& passage);
std::vector<Field> fields_of(IndexAnswer& answer);
std::vector<Field> fields_of(MoveEvidence& evidence);
std::vector<Field> fields_of(PageLocation& location);
std::vector<Field> fields_of(IndexCluster& cluster);
std::vector<Field> fields_of(IndexLookup& lookup);
std::vector<Field> fields_of(IndexStats& stats);
std::vector<Field> fields_of(IndexSummary& summary);
std::vector<Field> fields_of(QuerySummary& summary);

/// For a terminal, and as JSON objects.
std::string to_text(const PageLocation& location);
std::string to_text(const IndexLookup& lookup);
std::string to_text(const TrackSummary& summary);
std::string to_text(const IndexStats& stats);
std::string to_text(const IndexSummary& summary);
std::string to_text(const QuerySummary& summary);
/// A line, without its end.
std::string to_json(const PageLocation& location);
std::string to_json(const IndexLookup& lookup);
std::string to_json(const IndexStats& stats);
std::string to_json(const IndexSummary& summary);

}  // namespace twinset
