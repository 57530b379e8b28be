// Pages that imitate known ones: phish() holds saved or archived pages, such as those of URLs from
// mail, against labels of known pages, and tells which pages of other sites hold parts of them
// (Ardi and Heidemann, "Precise Detection of Content Reuse in the Web", paper 004, section 8.2).
//
//   PhishOptions options;
//   options.labels = "bank.labels";
//   options.inputs = {"from_mail.warc.gz"};
//   Result<PhishSummary> done = phish(options, RunControl{});
//
// A site is a registered domain: "bank.co.uk" of "https://login.bank.co.uk/". A page of the site
// that a part is known from is no imitation, and neither are pages of its other hosts.
//
// Threads: one call at a time; a call uses resources.threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/collection.h"
#include "twinset/option.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

struct PhishOptions : ReadingOptions {
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
  std::string labels;  ///< the labels of known pages, which say how pages are cut into parts
  std::string stop;    ///< a file of labels that are stop chunks; empty: none
  /// The field with the URL of a record; pages of archives know theirs. A page without one is of no
  /// site, and imitates whatever it holds parts of.
  std::string url = "url";
  std::string site;                ///< the site of labels that name no page of theirs
  std::vector<std::string> allow;  ///< hosts whose sites may hold parts of the known pages
  std::uint64_t min_parts = 1;     ///< a page with fewer parts of a known site is no imitation
  Ratio min_share;                 ///< likewise one with a smaller share of such parts
  std::uint64_t top = 100;         ///< pages to tell, the first of the ranked
};

std::vector<Option> options_of(PhishOptions& options);

/// A part of a page that a known page has.
struct PhishPart {
  std::string text;          ///< its first words
  std::uint64_t offset = 0;  ///< in the text of the page
  std::uint64_t length = 0;  ///< in bytes
};

/// A page that holds parts of a page of another site.
struct PhishPage {
  std::string url;   ///< as its record has it; else its file and record
  std::string file;  ///< as the user wrote it
  std::uint64_t record = 0;
  std::string imitates;       ///< the known page that most of these parts are of, as labels name it
  std::string site;           ///< its registered domain
  std::uint64_t chunks = 0;   ///< its parts, without short ones and stop chunks
  std::uint64_t labeled = 0;  ///< those of them that `site` has
  std::vector<PhishPart> parts;  ///< the first of these, at most 20

  /// The share of its parts that `site` has, in (0, 1].
  double contains() const { return static_cast<double>(labeled) / static_cast<double>(chunks); }
};

struct PhishSummary : RunFacts {
  std::uint64_t pages = 0;
  std::uint64_t imitations = 0;  ///< pages that imitate a known one
  std::uint64_t own_pages = 0;   ///< pages that hold parts of their own site alone, or are allowed
  std::uint64_t pages_without_site = 0;  ///< that have no URL with a host
  std::string first_without_site;        ///< the first of them
  std::uint64_t chunks = 0;              ///< without short ones and stop chunks
  std::uint64_t short_chunks = 0;
  std::uint64_t stop_chunks = 0;
  std::uint64_t labels = 0;               ///< of chunks, in the file
  std::uint64_t labels_without_site = 0;  ///< that name no page with a host
  std::string labels_hash;                ///< of the content of the file of labels
  std::string stop_hash;                  ///< of that of stop chunks; empty: there is none
  std::string rules;                      ///< how the chunks were cut and hashed
  std::string public_suffixes;            ///< SHA-1 of the list by which sites are told
  std::vector<std::string> bad_records;   ///< the first ones, as file:record: reason
  std::vector<PhishPage> found;  ///< the largest share first, then the most parts, then by URL
};

/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(PhishPart& part);
std::vector<Field> fields_of(PhishPage& page);
std::vector<Field> fields_of(PhishSummary& summary);

/// Errors: usage (an option; labels none of which has a site; stop chunks of other rules; a build
/// without the list of public suffixes), io (a file of labels that is none or damaged),
/// bad_records, interrupted.
Result<PhishSummary> phish(const PhishOptions& options, const RunControl& control);

/// For a terminal: a page and some of its parts, ranked, then counts; `verbose`: all parts, and
/// time and memory.
std::string to_text(const PhishSummary& summary, bool verbose = false);
/// An object a page, ranked.
std::string to_json(const PhishSummary& summary);

}  // namespace twinset
