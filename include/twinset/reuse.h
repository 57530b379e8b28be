// Content that is reused: discover() finds the chunks and files that a collection has again and
// again, or takes those of known content; detect() finds the pages that hold such labels, and the
// neighborhoods of the Web where copying is common (Ardi and Heidemann, "Precise Detection of
// Content Reuse in the Web", paper 004).
//
//   DiscoverOptions known;
//   known.from = {"wikipedia.warc.gz"};
//   known.output = "wikipedia.labels";
//   Result<DiscoverSummary> made = discover(known, RunControl{});
//   DetectOptions detect_options;
//   detect_options.inputs = {"crawl.warc.gz"};
//   detect_options.labels = known.output;
//   detect_options.output = "copies";
//   Result<DetectSummary> found = detect(detect_options, RunControl{});
//
// Discovery must see the whole collection: an object that stands 1,000 times in one half and 100
// times in the other passes a threshold of 1,000 in the whole alone (section 4.2). Detection may be
// split: with DetectOptions::merge it makes the lists of one run (4.3).
//
// Threads: one call at a time per output; a call uses resources.threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twinset/collection.h"
#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// How a page is cut into chunks, and what names them (docs/chunks.md).
struct ChunkSettings {
  enum class Cuts : std::uint8_t {
    html,        ///< pages at the elements `at`; texts that are no pages at blank lines
    hadoop,      ///< as the Hadoop programs of the paper's authors
    auntietuna,  ///< as their browser extension
    paragraphs   ///< all texts at blank lines
  };
  enum class Content : std::uint8_t { markup, text };
  enum class Attributes : std::uint8_t { keep, ignore };
  enum class WhiteSpace : std::uint8_t { normalize, keep };
  enum class Hash : std::uint8_t { xxh3, sha1, sha256, blake3, blake3_128 };

  Cuts chunks = Cuts::html;
  /// Of html: p, div, table, cell, frame, separated by commas; with "ends" their ends cut, too.
  std::string at = "p,div";
  Content content = Content::markup;               ///< of html: what is hashed
  Attributes chunk_attributes = Attributes::keep;  ///< of markup: whether they are hashed, too
  WhiteSpace white_space = WhiteSpace::normalize;  ///< of html and paragraphs
  std::optional<Hash> hash;     ///< nullopt: xxh3, or that of the authors' program
  std::uint64_t hash_seed = 0;  ///< of xxh3
  /// Shorter chunks are stop chunks; nullopt: 101 ("longer than 100 characters", 8.1), or that of
  /// the authors' program.
  std::optional<std::uint64_t> min_chars;
};

/// What a page's place in the Web is.
struct PageSettings {
  /// The field with the URL of a record; pages of archives know theirs. A record without one stands
  /// where its file does.
  std::string url = "url";
  /// Parts of a path that stand so often in a row are a crawler's recursion error, and the page is
  /// left out (4.4.1); 0: none is.
  std::uint64_t repeats = 3;
};

struct DiscoverOptions : ReadingOptions {
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
  ChunkSettings cutting;
  PageSettings pages;
  std::vector<std::string> from;        ///< known content, all chunks of which are labels
  std::string output;                   ///< file of labels to make
  std::uint64_t over_files = 1000;      ///< of inputs, files seen more often are labels
  std::uint64_t over_chunks = 100'000;  ///< likewise chunks
  std::string stop;                     ///< a file of labels that are stop chunks; empty: none
  /// A chunk that more pages of one site have is a stop chunk; 0: never.
  std::uint64_t stop_in_site = 0;
  /// A chunk that more sites have is a stop chunk; 0: never.
  std::uint64_t stop_over_sites = 0;
  std::string report;      ///< HTML page to make, with its facts as .json; empty: none
  std::uint64_t top = 50;  ///< most frequent labels in the summary
};

std::vector<Option> options_of(DiscoverOptions& options);

/// An object that was labeled.
struct DiscoveredLabel {
  bool is_file = false;
  std::string hash;             ///< in hexadecimal digits
  std::uint64_t count = 0;      ///< how often it was seen
  std::uint64_t documents = 0;  ///< in how many
  std::uint64_t sites = 0;
  std::string url;   ///< of the first page that has it
  std::string text;  ///< its first bytes
};

/// So many distinct objects were seen so often.
struct ObjectFrequency {
  std::uint64_t count = 0;
  std::uint64_t objects = 0;
  std::uint64_t labels = 0;  ///< of these
};

/// What became of the objects of a kind.
struct ObjectCounts {
  std::uint64_t seen = 0;      ///< occurrences, those that are too short left out
  std::uint64_t distinct = 0;  ///< of these
  std::uint64_t short_seen = 0;
  std::uint64_t stop_seen = 0;  ///< of `seen`: in the file of stop chunks
  std::uint64_t in_site = 0;    ///< distinct objects left out by stop_in_site
  std::uint64_t over_sites = 0;
  std::uint64_t labels = 0;
  std::uint64_t labels_seen = 0;             ///< occurrences of the labels
  double expected_false_matches = 0;         ///< pairs of unlike objects of one hash (6.5)
  std::vector<ObjectFrequency> frequencies;  ///< by rising count
};

struct DiscoverSummary : RunFacts {
  std::uint64_t pages = 0;  ///< whose chunks were counted
  std::uint64_t recursion_errors = 0;
  std::vector<std::string> recursion_examples;  ///< URLs, at most ten
  std::vector<std::string> bad_records;         ///< the first ones, "file:record: reason"
  std::uint64_t sites = 0;
  ObjectCounts files;
  ObjectCounts chunks;
  std::string rules;                 ///< of the chunks, as the file of labels has them
  std::string labels_hash;           ///< of the file's content
  std::vector<DiscoveredLabel> top;  ///< most frequent first
};

/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(DiscoveredLabel& label);
std::vector<Field> fields_of(ObjectFrequency& frequency);
std::vector<Field> fields_of(ObjectCounts& counts);
std::vector<Field> fields_of(DiscoverSummary& summary);

/// Writes the labels. Errors: usage (an option; no input; an output that exists; a file of stop
/// chunks of other rules), io, bad_records, interrupted; no output is left then.
Result<DiscoverSummary> discover(const DiscoverOptions& options, const RunControl& control);

/// For a terminal; `verbose`: time and memory, too.
std::string to_text(const DiscoverSummary& summary, bool verbose = false);
/// One object.
std::string to_json(const DiscoverSummary& summary);

// Discovery in parts, for an engine that brings the objects of many machines together: it cuts the
// pages of each part, adds up what it finds, and asks for the fate of each object.

/// A chunk or a file where discover() counts it.
struct PageObject {
  bool is_file = false;
  std::string hash;          ///< in hexadecimal digits
  std::uint64_t offset = 0;  ///< of its first byte in the page
  std::uint64_t length = 0;
};

/// A page as discover() sees it.
struct CutPage {
  std::uint64_t record = 0;      ///< of its column, from 1
  std::string url;               ///< as its record has it
  std::string site;              ///< its host; empty if it has none
  bool recursion_error = false;  ///< it is left out, and has no objects
  /// The file first, then the chunks in order; without short and stop chunks.
  std::vector<PageObject> objects;
  std::uint64_t short_chunks = 0;
  std::uint64_t stop_chunks = 0;
  bool file_stops = false;  ///< the file is in the file of stop chunks
  /// The first words of the objects at `begin`, as a label has them.
  std::function<std::string(const PageObject& object)> quote;
};

/// How the pages of a run are cut, as a file of labels has it.
struct CutRules {
  std::string rules;
  std::string hash;    ///< its name
  bool pages = false;  ///< texts are pages
};

/// Checks the options, and calls `use` for each page of options.columns that can be read, in order.
/// Errors: those of discover(), and of `use`.
Result<CutRules> cut_pages(const DiscoverOptions& options, const RunControl& control,
                           const std::function<Status(const CutPage& page)>& use);

/// An object of all pages, counted.
struct ObjectSums {
  std::uint64_t count = 0;         ///< how often it was seen
  std::uint64_t sites = 0;         ///< that have it
  std::uint64_t most_in_site = 0;  ///< the most pages of one site that do
  bool known = false;              ///< it is of known content
};

enum class ObjectFate : std::uint8_t { rare, label, in_site, over_sites };

/// What discover() makes of it; the last two are why it stops.
ObjectFate fate_of(const ObjectSums& object, bool is_file, const DiscoverOptions& options);

/// A share in units of 2^-32, rounded down, so that sums of shares are the same in any order and
/// any split: wrong by less than 2.4e-10, and never above a threshold that the whole share only
/// equals. 0 of nothing. Range: part <= whole.
std::uint64_t share_units(std::uint64_t part, std::uint64_t whole);

/// Shares of wholes, added up:
///
///   ShareSums sums;
///   sums.add(share_units(1, 3));        // a page with one label in three chunks
///   sums.add(0, 9);                     // nine pages without a label
///   sums.mean() + sums.deviation()      // the threshold of paper 004, 6.3
class ShareSums {
 public:
  /// Twentieths, and all.
  static constexpr std::size_t bars = 21;
  using State = std::array<std::uint64_t, 5 + bars>;

  void add(std::uint64_t units, std::uint64_t times = 1);
  void add(const ShareSums& other);

  std::uint64_t count() const { return count_; }
  /// Exact if all shares are equal; 0 of none.
  double mean() const;
  /// The standard deviation of all of them, not of a sample; exactly 0 if all are equal.
  double deviation() const;
  /// How many shares are in each twentieth, the last one for wholes.
  std::vector<std::uint64_t> by_twentieth() const { return {bars_.begin(), bars_.end()}; }

  /// The sums as numbers, to be brought elsewhere.
  State state() const;
  static ShareSums of(const State& state);

 private:
  using Wide = unsigned __int128;

  std::uint64_t count_ = 0;
  Wide sum_ = 0;
  Wide squares_ = 0;
  std::array<std::uint64_t, bars> bars_{};
};

/// The pages of a neighborhood counted as one text, or the mean over its pages.
enum class Badness : std::uint8_t {
  chunks,  ///< labeled chunks of all chunks
  pages    ///< the mean share of labeled chunks of a page, as section 4.1 prints it
};

struct DetectOptions : ReadingOptions {
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
  PageSettings pages;
  std::string labels;  ///< the file of labels, which says how pages are cut
  std::string stop;    ///< a file of labels that are stop chunks; empty: none
  std::string output;  ///< folder to make; empty: none
  std::string report;  ///< HTML page to make, with its facts as .json; empty: none
  /// A page or neighborhood with a higher share is marked bad: a share, or "auto": the mean and one
  /// standard deviation.
  std::string threshold = "auto";
  std::string page_threshold;  ///< of pages; empty: as `threshold`
  Badness badness = Badness::chunks;
  std::uint64_t top = 100;  ///< pages and neighborhoods in the summary and the report
  /// Folders that detect() made, of parts of one collection; then there are no inputs.
  std::vector<std::string> merge;
};

std::vector<Option> options_of(DetectOptions& options);

/// A page that holds a label.
struct DetectedPage {
  std::string url;   ///< as its record has it; else its file and record
  std::string file;  ///< as the user wrote it
  std::uint64_t record = 0;
  std::uint64_t chunks = 0;  ///< without stop chunks; equal ones counted each time
  std::uint64_t labeled = 0;
  bool file_labeled = false;  ///< the whole file is a label
  bool bad = false;

  /// The share of its chunks that are labels, 0 of none.
  double contains() const {
    return chunks == 0 ? 0 : static_cast<double>(labeled) / static_cast<double>(chunks);
  }
  std::uint64_t units() const { return share_units(labeled, chunks); }
};

/// A URL prefix, and the pages below it.
struct DetectedNeighborhood {
  std::string prefix;
  std::uint64_t pages = 0;
  std::uint64_t labeled_pages = 0;  ///< that hold a label
  std::uint64_t chunks = 0;
  std::uint64_t labeled = 0;
  std::uint64_t contains_sum = 0;  ///< over its pages, in units of 2^-32
  bool bad = false;

  double badness(Badness by) const;
  /// The same in units of 2^-32.
  std::uint64_t units(Badness by) const;
};

/// A threshold and what it is made of.
struct DetectThreshold {
  std::uint64_t of = 0;  ///< pages or neighborhoods
  double mean = 0;
  double deviation = 0;  ///< standard deviation of all `of`
  double threshold = 0;
  std::uint64_t bad = 0;  ///< above it

  /// Is a share, in units of 2^-32, bad?
  bool is_above(std::uint64_t units) const;
};

/// DetectOptions::threshold over the shares of all pages, or of all neighborhoods, that have
/// chunks. Error (usage): it is neither auto nor a share, naming `option`, such as "threshold".
Result<DetectThreshold> detect_threshold(const std::string& text, const char* option,
                                         const ShareSums& shares);

struct DetectSummary : RunFacts {
  std::uint64_t pages = 0;
  std::uint64_t recursion_errors = 0;
  std::uint64_t chunks = 0;  ///< without stop chunks
  std::uint64_t short_chunks = 0;
  std::uint64_t stop_chunks = 0;
  std::uint64_t labeled_chunks = 0;
  std::uint64_t labeled_pages = 0;  ///< that hold a label
  std::uint64_t labeled_files = 0;  ///< that are one
  std::uint64_t neighborhoods = 0;
  DetectThreshold page_threshold;
  DetectThreshold neighborhood_threshold;
  /// By twentieths of the badness, the last one all: neighborhoods (Figure 12).
  std::vector<std::uint64_t> by_badness;
  std::vector<std::uint64_t> by_contains;  ///< likewise pages
  std::uint64_t labels = 0;                ///< in the file
  std::string labels_hash;                 ///< of the content of the file of labels
  std::string stop_hash;                   ///< of that of stop chunks; empty: there is none
  std::string rules;                       ///< how the chunks were cut and hashed
  Badness badness = Badness::chunks;       ///< by which neighborhoods are ranked
  double expected_false_labels = 0;        ///< chunks that a label names wrongly (6.5)
  std::vector<DetectedPage> top_pages;
  std::vector<DetectedNeighborhood> top_neighborhoods;
};
/// What JSON holds, of a summary summary.json without the options (twinset/field.h).
std::vector<Field> fields_of(DetectedPage& page);
std::vector<Field> fields_of(DetectedNeighborhood& neighborhood);
std::vector<Field> fields_of(DetectThreshold& threshold);
std::vector<Field> fields_of(DetectSummary& summary);

/// Finds the labels in all pages. Errors: usage (an option; a file of stop chunks of other rules;
/// with `merge` folders of other labels), io (a file of labels that is none or damaged),
/// bad_records, interrupted.
Result<DetectSummary> detect(const DetectOptions& options, const RunControl& control);

/// For a terminal: pages, then neighborhoods, ranked; `verbose`: time and memory, too.
std::string to_text(const DetectSummary& summary, Badness by, bool verbose = false);
/// An object a line: pages, then neighborhoods, ranked.
std::string to_json(const DetectSummary& summary, Badness by);

}  // namespace twinset
