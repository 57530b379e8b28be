// The collection that a run reads, how it reads it, and how it compares documents. The options of
// a verb consist of those parts of this file that the verb heeds, and of its own.
//
//   ClusterOptions options;
//   options.inputs = {"crawl.jsonl.zst", "notes/"};
//   options.input.text = "body.text";
//   options.resources.threads = 4;
//
// Nothing here fails by itself: the verb refuses a bad option (usage) before it reads
// anything.
//
// Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/columns.h"
#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// What decides whether two documents that share keys are a pair (--verify).
enum class Check : std::uint8_t {
  exact,   ///< shingle sets of the texts themselves
  sketch,  ///< an estimate, of the two sketches or of the shared keys counted: faster
  none     ///< nothing: documents that share one key are one cluster (B 5.3); not for dedup()
};

/// Whether pages are compared with the templates of their sites: menus, boxes, footers, all that
/// is common to many unlike pages (docs/templates.md).
enum class Templates : std::uint8_t {
  keep,      ///< whole pages are compared
  drop,      ///< templates are learned from the collection first, and left out of what is compared;
             ///< without any page those of its texts: forms, letters, tickets
  automatic  ///< drop if any input has pages, else keep
};

/// How to read records.
struct InputSettings {
  /// A format's name; empty or "auto": by extension and content. With "html" the texts in JSON
  /// Lines are pages, with "auto" those that begin like one.
  std::string format;
  /// Nested names are joined by dots, several fields by commas; "messages[].content" takes the
  /// field of each element of a list. Several texts are joined by line ends.
  std::string text = "text";
  std::string id = "id";
  std::uint64_t max_record = std::uint64_t{64} << 20;  ///< bytes; longer ones are quarantined
  std::uint64_t limit = 0;                             ///< read at most so many records; 0: all
  enum class Content : std::uint8_t {
    texts,
    scripts  ///< scripts, style sheets and empty pages of archives and folders are documents, too
  };
  Content content = Content::texts;
  /// Of mails: quoted replies, the lines that attribute them, and signatures.
  enum class MailQuotes : std::uint8_t {
    keep,
    drop  ///< they are no part of the text
  };
  MailQuotes mail_quotes = MailQuotes::keep;
  /// In folders, reads hidden files, too, and those that programs leave beside data.
  bool hidden = false;
  /// Leaves out inputs that cannot be read, and lets a run with damaged inputs succeed.
  bool allow_lost_inputs = false;
};

/// How pages are compared.
struct TemplateSettings {
  Templates templates = Templates::keep;
  /// The field of a record's URL, whose host is the site of the page; empty: pages of web archives
  /// know theirs, and all others are one site. Of texts without markup any field: those of one
  /// value are a group.
  std::string url;
};

/// Words and windows of pages that were compared without their templates.
struct TemplateSums {
  std::uint64_t words = 0;             ///< of the whole pages
  std::uint64_t words_left_out = 0;    ///< those of them that were not compared
  std::uint64_t shingles_dropped = 0;  ///< windows of five words, equal ones counted each time
  std::uint64_t pages_at_floor = 0;    ///< that blocks came back to, so that they have 20 words
};

/// A block that pages of a site lack in the comparison.
struct TemplateBlock {
  std::uint64_t pages = 0;  ///< of those counted that have an equal block
  std::uint64_t words = 0;
  std::string text;  ///< its first words
};

struct TemplateSiteFacts {
  std::string site;           ///< its host; empty: of all records without a URL
  std::uint64_t pages = 0;    ///< that are no copies
  std::uint64_t copies = 0;   ///< of these
  std::uint64_t counted = 0;  ///< of the pages
  TemplateSums left_out;
  std::vector<TemplateBlock> blocks;  ///< left out that most counted pages have, at most 20
};

/// What was learned of the sites of a collection's pages, and what was left out.
struct TemplateFacts {
  /// Of texts without markup, in groups by a field: a site is a group, and a page is a text.
  bool texts = false;
  std::uint64_t sites = 0;
  std::uint64_t pages = 0;                 ///< that are no copies
  std::uint64_t left_alone = 0;            ///< sites of too few pages
  std::uint64_t too_alike = 0;             ///< those of them that have enough with the copies
  std::string first_too_alike;             ///< by name
  std::uint64_t not_learned = 0;           ///< sites that memory could not hold
  std::string first_not_learned;           ///< by name
  TemplateSums left_out;                   ///< of the pages of all learned sites
  std::vector<TemplateSiteFacts> largest;  ///< learned sites, most pages first, at most 20
};

/// The share of words that a run left out, in a sentence.
std::string to_text(const TemplateFacts& facts);

/// What a run reads, and its share of the machine.
struct ReadingOptions {
  std::vector<std::string> inputs;  ///< files, folders, globs, "-"
  /// Texts in memory, in place of inputs. Their names, ids and fields are their own; of `input` the
  /// format says as for JSON Lines which texts are pages. A run that makes no file spills to a disk
  /// only if resources.tmp is set; a folder that it makes is never continued.
  std::vector<TextColumn> columns;
  InputSettings input;
  /// How the run was asked for, in the caller's own words: shown in the report and the summary, and
  /// changes nothing else. The command line puts what was typed; a program may leave it empty.
  std::string command;
  Resources resources;
};

/// How documents become signatures.
struct SigningOptions : TemplateSettings {
  std::string analyzer = "words";
  std::uint64_t seed = 0;
  /// Warns if more documents are read with a table of document frequencies; nullopt: twice as many
  /// as it counted. Words that came into use since weigh as if one document had them.
  std::optional<std::uint64_t> df_documents;
};

/// How pairs of documents are found.
struct ComparisonOptions : SigningOptions {
  std::string scheme;  ///< a spec, as `twinset schemes` lists them; empty: the verb's default
  /// Of a scheme that joins by distance: the most bits, up to 7, in which the signatures of a pair
  /// differ, as text; "100:2,3" is 2 if the shorter document has fewer than 100 tokens, else 3.
  /// Empty: 3.
  std::string distance;
  /// A file that calibrate() made: sets the scheme, the analyzer and the thresholds that `typed`
  /// does not name.
  std::string profile;
  /// The options that the caller has set, which the profile must not: Option::name() of each, such
  /// as "scheme" or "resemblance". Option::set() adds its name; a program that sets members adds
  /// theirs. Nothing reads it without a profile.
  std::vector<std::string> typed;
  std::uint64_t max_group = 1000;  ///< a key of more documents is common (B 5.1); 0: never
};

/// A whole collection.
struct CollectionOptions : ReadingOptions, ComparisonOptions {
  std::uint64_t min_tokens = 0;  ///< leaves out shorter documents
  /// A field of the records: only documents with equal values of it are compared, those without it
  /// among themselves. Empty: all are.
  std::string within;
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
  /// Documents of fewer tokens are compared byte for byte alone: they have no near or lexical copy.
  std::uint64_t exact_below = 0;
};

/// Does the name end as those of inputs that are known by it, such as "a.jsonl.gz"?
bool is_input_name(std::string_view name);

}  // namespace twinset
