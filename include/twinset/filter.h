// A filter: each message is held against prototypes at once, as it comes: known spam, pages of
// known phishing, posts that a moderator took away (I 5.2).
//
//   FilterOptions options;
//   options.set = "spam.index";                        // is made if there is none
//   options.prototypes = {"known-spam.jsonl"};
//   const Filter filter = Filter::open(options).value();
//   const FilterAnswer answer = filter.check("a message").value();
//   if (answer.verdict == FilterVerdict::match) use(answer.prototype->document.id);
//   // It is durable when this returns.
//   if (!filter.add("reported-17", "the text of a message").ok()) return;
//
// The prototypes are an index (twinset/index.h): all that is done to an index can be done to a set
// of prototypes while no filter holds it.
//
// Threads: any; check() while others add and remove.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/collection.h"
#include "twinset/index.h"
#include "twinset/option.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// When a message matches a prototype: one that it resembles so much, or to which its signature is
/// as near or equal as the scheme tells, or whose tokens it has; which of these, the schemes of the
/// set say.
struct MessageSettings {
  Ratio resemblance{4, 5};
  /// Or one contains so much of the other.
  std::optional<Ratio> containment{};
  /// A message of fewer tokens is not known, whatever it says, and is no prototype.
  std::uint64_t min_tokens = 5;
  /// Keys that more prototypes have are skipped; a message that matches no other way is not known.
  /// 0: none are.
  std::uint64_t max_group = 10'000;
  /// A message that takes more milliseconds is not known, if nothing was found until then.
  std::optional<std::uint64_t> time_limit{};
};

std::vector<Option> options_of(MessageSettings& settings);

/// The same, and how long prototypes live.
struct FilterSettings : MessageSettings {
  /// A prototype goes so many days after it was added.
  std::optional<std::uint64_t> expire_after{};
  /// A prototype goes that no message has matched for so many days.
  std::optional<std::uint64_t> expire_unused{};
};

std::vector<Option> options_of(FilterSettings& settings);

enum class FilterVerdict : std::uint8_t {
  match,
  pass,    ///< no prototype is like it
  unknown  ///< it cannot be told
};

enum class WhyUnknown : std::uint8_t {
  known,
  few_tokens,    ///< than FilterSettings::min_tokens
  no_signature,  ///< under any scheme of the set, such as without words of a lexicon
  common_keys,   ///< it has keys that more than max_group prototypes have
  time_limit,
  unreadable  ///< a record of an input that is no message
};

struct FilterAnswer {
  FilterVerdict verdict = FilterVerdict::pass;
  WhyUnknown why = WhyUnknown::known;
  /// The one that is most like it, without passages.
  std::optional<IndexHit> prototype;
};

/// How often messages matched a prototype. Times are of the form 2026-01-31T23:59:59Z.
struct PrototypeCount {
  std::string id;     ///< a JSON value
  std::string added;  ///< to the minute, or when the first filter after it opened the set
  std::uint64_t matches = 0;
  std::string first_seen;
  std::string last_seen;
};

struct FilterStats {
  std::uint64_t prototypes = 0;
  std::uint64_t checked = 0;  ///< messages since the filter was opened
  std::uint64_t matched = 0;
  std::uint64_t passed = 0;
  std::uint64_t unknown = 0;
  std::uint64_t added = 0;    ///< prototypes since then
  std::uint64_t removed = 0;  ///< ... by their ids
  std::uint64_t expired = 0;
  std::vector<PrototypeCount> most_matched;  ///< of all times, the most first
};

std::vector<Field> fields_of(PrototypeCount& count);
std::vector<Field> fields_of(FilterStats& stats);
std::vector<Field> fields_of(FilterAnswer& answer);

/// Holds one message against the documents of an index, as a Filter does against its prototypes,
/// and counts nothing. `html`: the text is a page. Errors: as Index::query().
Result<FilterAnswer> check_message(const Index& index, std::string_view text,
                                   const MessageSettings& settings = {}, bool html = false);

/// What happens to messages of the inputs.
enum class EmitMessages : std::uint8_t {
  verdicts,  ///< a line of JSON for each
  match,     ///< the records that match, byte for byte
  pass       ///< the others, those that are not known among them
};

/// inputs, columns: the messages; columns that are references are prototypes.
struct FilterOptions : ReadingOptions, FilterSettings {
  std::string set;  ///< the folder of the prototypes; empty: they are forgotten at the end
  std::vector<std::string> prototypes;  ///< files and folders to add to it first
  /// Of a set that is made: analyzer, scheme (fss if none is given) and distance.
  IndexSettings settings;
  /// The set that is made keeps no texts, so that sketches judge.
  bool sketches = false;
  EmitMessages emit = EmitMessages::verdicts;
  std::string listen;  ///< in place of inputs: the path of a local socket to serve
  std::string output;  ///< the file to make; else control.kept gets what is emitted
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
};

std::vector<Option> options_of(FilterOptions& options);

/// A set of prototypes that is asked and changed.
class Filter {
 public:
  /// Makes the set if there is none, and adds `prototypes`. Heeds all but inputs, emit, listen,
  /// output. Errors: usage (a scheme; the set is of another one), io (another process changes the
  /// set; it is damaged), and those of add_to_index(). `control` outlives the filter.
  static Result<Filter> open(const FilterOptions& options, const RunControl& control = {});
  Filter(Filter&&) noexcept;
  Filter& operator=(Filter&&) noexcept;
  /// Keeps the counts, which a kill loses since the last change.
  ~Filter();

  /// `html`: the text is a page. Errors: usage (a text of more than 4 GiB - 64 bytes), io (the set
  /// is damaged).
  Result<FilterAnswer> check(std::string_view text, bool html = false) const;
  /// Adds a prototype, durably, in place of another of its id. Errors: usage (fewer tokens than
  /// min_tokens), io: then it is not known whether it is there, and a later call tries anew.
  Status add(std::string_view id, std::string_view text, bool html = false) const;
  /// Removes one, durably; false if there is none of that id. Errors: io.
  Result<bool> remove(std::string_view id) const;
  /// Removes the prototypes whose time is over, and tells how many; add() and remove() do so once a
  /// minute. Errors: io.
  Result<std::uint64_t> expire() const;
  /// With so many of the prototypes that were matched most. Errors: io.
  Result<FilterStats> stats(std::uint64_t top = 10) const;

 private:
  struct Parts;
  explicit Filter(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// What a filter did with the messages of its inputs, or of its socket.
struct FilterSummary : RunFacts {
  FilterStats stats;
  std::uint64_t prototypes_added = 0;    ///< from options.prototypes; the rest was there
  std::uint64_t clients = 0;             ///< of a socket
  std::vector<std::string> bad_records;  ///< the first ones, as file:record: reason
};

std::vector<Field> fields_of(FilterSummary& summary);

/// Answers each message of the inputs, in their order (docs/filter.md); with `listen`, serves a
/// socket until control.cancel is set, which is no error. Errors: as Filter::open() and dedup();
/// usage (neither inputs nor a socket; a socket that another process serves).
Result<FilterSummary> filter(const FilterOptions& options, const RunControl& control);

std::string to_text(const FilterSummary& summary);
std::string to_text(const FilterStats& stats);
std::string to_json(const FilterSummary& summary);
std::string to_json(const FilterStats& stats);
std::string to_json(const FilterAnswer& answer);

}  // namespace twinset
