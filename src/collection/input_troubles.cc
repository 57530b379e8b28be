#include "collection/input_troubles.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/message.h"
#include "io/field_json.h"
#include "io/json_fields.h"
#include "io/scratch.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// The number of records without the text field whose field names are kept.
constexpr std::size_t records_looked_into = 4;
constexpr std::size_t most_fields = 12;

/// "id, label, kind, text": each name of the examined records once.
std::string fields_in_words(const InputTrouble& trouble) {
  std::vector<std::string> names;
  for (const std::vector<std::string>& record : trouble.fields) {
    for (const std::string& name : record) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most_fields); ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  return out + (names.size() > most_fields ? ", ..." : "");
}

/// The commonest reason, in words.
std::string in_words(const InputTrouble& trouble, const InputTrouble::Kind& kind) {
  const std::string first = " (record " + format_count(kind.first_record) + ")";
  switch (kind.reason) {
    case BadReason::invalid_json:
      return "not JSON: " + kind.detail + first;
    case BadReason::missing_text: {
      const std::string fields = fields_in_words(trouble);
      if (trouble.fields.empty()) return kind.detail;
      return kind.detail +
             (fields.empty() ? "; the records have no fields" : "; the records have: " + fields);
    }
    case BadReason::record_too_long:
      return "longer than " + option("max_record") + first;
    default:
      return (kind.detail.empty() ? std::string(reason_name(kind.reason)) : kind.detail) + first;
  }
}

/// The totals of an input's bad records.
struct Sums {
  std::uint64_t faults = 0;  ///< places where the input itself is damaged
  std::uint64_t bad = 0;     ///< records that are not documents
  const InputTrouble::Kind* first_fault = nullptr;
  const InputTrouble::Kind* commonest = nullptr;

  explicit Sums(const InputTrouble& trouble) {
    for (const InputTrouble::Kind& kind : trouble.kinds) {
      if (is_stream_fault(kind.reason)) {
        faults += kind.records;
        if (first_fault == nullptr) first_fault = &kind;
      } else {
        bad += kind.records;
        if (commonest == nullptr || kind.records > commonest->records) commonest = &kind;
      }
    }
  }
};

/// "gzip: checksum differs; its records may be damaged".
std::string cause_of(const InputTrouble::Kind& fault, std::uint64_t faults) {
  std::string cause = fault.detail;
  const std::string place = fault_place(fault.stored_offset);
  if (cause.starts_with(place)) cause.erase(0, place.size());
  if (cause.ends_with("checksum differs")) cause += "; its records may be damaged";
  if (faults > 1) {
    cause += "; " + format_count(faults - 1, "more place is", "more places are") + " damaged";
  }
  return cause;
}

void describe_guesses(const Collection& collection, RunFacts& facts) {
  for (const Source& source : collection.sources()) {
    if (!source.guessed) continue;
    const auto known = std::ranges::find(facts.guessed, source.format, &GuessedInputs::format);
    if (known != facts.guessed.end()) {
      ++known->files;
    } else {
      facts.guessed.push_back({std::string(source.format), 1, source.shown});
    }
  }
}

std::vector<Field> fields_of(InputTrouble::Kind& kind) {
  const auto set_reason = [&kind](std::string_view json) -> Status {
    const std::optional<std::uint64_t> reason = JsonNode({JsonKind::number, json}).integer();
    if (!reason.has_value() || *reason >= static_cast<std::uint64_t>(BadReason::over_memory)) {
      return io_error("is no reason");
    }
    kind.reason = static_cast<BadReason>(*reason);
    return {};
  };
  return {{"reason",
           JsonForm{[&kind] { return std::to_string(static_cast<int>(kind.reason)); }, set_reason}},
          {"records", &kind.records},
          {"first", &kind.first_record},
          {"detail", &kind.detail},
          {"offset", &kind.stored_offset}};
}

std::vector<Field> fields_of(InputTrouble& trouble) {
  return {{"source", &trouble.source},
          {"records", &trouble.records},
          {"kinds", NestedList(&trouble.kinds, [](InputTrouble::Kind& k) { return fields_of(k); })},
          {"fields", &trouble.fields}};
}

}  // namespace

void InputTrouble::note(const Record& record) {
  if (record.bad == BadReason::none) return;
  auto kind = std::find_if(kinds.begin(), kinds.end(),
                           [&](const Kind& known) { return known.reason == record.bad; });
  if (kind == kinds.end()) {
    kinds.push_back(
        {record.bad, 0, record.number, std::string(record.detail), record.stored_offset});
    kind = kinds.end() - 1;
  }
  ++kind->records;
  // In other formats than JSON the fields that there are have no such names.
  const std::string_view object = object_of(record.raw);
  if (record.bad == BadReason::missing_text && fields.size() < records_looked_into &&
      object.starts_with('{')) {
    fields.push_back(json_field_names(object));
  }
}

void InputTrouble::add(InputTrouble&& later) {
  for (Kind& found : later.kinds) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const Kind& known) { return known.reason == found.reason; });
    if (kind == kinds.end()) {
      kinds.push_back(std::move(found));
    } else {
      kind->records += found.records;
    }
  }
  for (std::vector<std::string>& names : later.fields) {
    if (fields.size() < records_looked_into) fields.push_back(std::move(names));
  }
}

void InputTroubles::add(InputTrouble&& batch) {
  if (batch.empty()) return;
  if (inputs_.empty() || inputs_.back().source != batch.source) {
    inputs_.push_back(std::move(batch));
  } else {
    inputs_.back().add(std::move(batch));
  }
}

void InputTroubles::end_input(std::uint64_t source, std::uint64_t records) {
  if (!inputs_.empty() && inputs_.back().source == source) inputs_.back().records = records;
}

std::string InputTroubles::line(std::size_t i) const {
  return fields_json(fields_of(to_write(inputs_[i])));
}

Status InputTroubles::add_line(const std::string& line) {
  const Status read = read_fields(line, "the checkpoint", fields_of(inputs_.emplace_back()));
  return read.ok() ? read : io_error(read.error().message + "; remove the .partial folder");
}

void describe_troubles(const InputTroubles& troubles, const Collection& collection,
                       RunFacts& facts) {
  /// Inputs with more bad records than documents, by the commonest reason: shards of one collection
  /// have one cause, and one line.
  struct Bad {
    std::uint64_t inputs = 0;
    std::string first;
  };
  std::map<BadReason, Bad> of_kind;
  describe_guesses(collection, facts);
  for (const LeftOut& input : collection.left_out()) {
    facts.lost_inputs.push_back(
        {input.shown, std::string(unread_name(input.why)), input.fault, 0, 0});
  }
  for (const InputTrouble& trouble : troubles.inputs()) {
    const Source& input = collection.sources()[trouble.source];
    const Sums sums(trouble);
    const std::uint64_t records = trouble.records - std::min(trouble.records, sums.faults);
    if (sums.first_fault != nullptr) {
      facts.lost_inputs.push_back({input.shown, std::string(reason_name(sums.first_fault->reason)),
                                   cause_of(*sums.first_fault, sums.faults),
                                   sums.first_fault->stored_offset, records});
    } else if (sums.bad == records && records == 1 && input.walked && input.guessed) {
      // JSON in one long line is more often one value than JSON Lines of one record.
      facts.warnings.push_back(input.shown + ": its one record is not a document: " +
                               in_words(trouble, *sums.commonest));
      continue;
    } else if (sums.bad == records) {
      const std::string none =
          records == 1 ? "its one record is not a document"
                       : "none of its " + format_count(records) + " records is a document";
      facts.lost_inputs.push_back({input.shown, "no_document",
                                   none + ": " + in_words(trouble, *sums.commonest),
                                   input.stored_bytes, records});
      continue;
    }
    if (2 * sums.bad <= records) continue;
    const auto [kind, is_new] = of_kind.try_emplace(sums.commonest->reason);
    ++kind->second.inputs;
    if (!is_new) continue;
    kind->second.first = input.shown + ": " + format_count(sums.bad) + " of its " +
                         format_count(records) + " records are not documents" +
                         (sums.commonest->records == sums.bad
                              ? ": "
                              : ", " + format_count(sums.commonest->records) + " of them: ") +
                         in_words(trouble, *sums.commonest);
  }
  for (const auto& [reason, kind] : of_kind) {
    const std::uint64_t more = kind.inputs - 1;
    facts.warnings.push_back(
        kind.first +
        (more == 0 ? "" : "; and so it is in " + format_count(more, "more input", "more inputs")));
  }
}

Status nothing_left(const std::vector<LostInput>& lost) {
  if (lost.empty()) return {};
  std::string message = "there is no document to work on";
  for (const LostInput& input : lost) {
    message += (lost.size() == 1 ? ": " : "\n  ") + input.file + ": " + input.cause;
  }
  return Error{ErrorCode::lost_input, std::move(message)};
}

void DecodedCounts::note(const Record& record) {
  if (record.markup == Markup::loose_xhtml) ++loose_xhtml;
  if (record.broken_mail) ++broken_mails;
  const FoundCharset& found = record.charset;
  if (found.charset == Charset::utf8) return;
  const auto i = static_cast<std::size_t>(found.charset);
  ++records[i];
  if (found.why == FoundCharset::Why::guess) ++guessed[i];
}

void DecodedCounts::add(const DecodedCounts& other) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i] += other.records[i];
    guessed[i] += other.guessed[i];
  }
  loose_xhtml += other.loose_xhtml;
  broken_mails += other.broken_mails;
}

void describe_decoded(const DecodedCounts& counts, RunFacts& facts) {
  facts.decoded.clear();
  facts.loose_xhtml = counts.loose_xhtml;
  facts.broken_mails = counts.broken_mails;
  std::uint64_t all = 0;
  std::string kinds;
  for (std::size_t i = 0; i < counts.records.size(); ++i) {
    const std::uint64_t records = counts.records[i];
    if (records == 0) continue;
    const std::string name(charset_name(static_cast<Charset>(i)));
    facts.decoded.push_back({name, records, counts.guessed[i]});
    all += records;
    kinds += (kinds.empty() ? "" : ", ") + format_count(records) + " " + name;
    if (counts.guessed[i] == records) {
      kinds += " (a guess)";
    } else if (counts.guessed[i] > 0) {
      kinds += " (" + format_count(counts.guessed[i]) + " a guess)";
    }
  }
  if (all > 0) {
    facts.warnings.push_back(
        format_count(all, "record", "records") +
        (all == 1 ? " is not in UTF-8 and was" : " are not in UTF-8 and were") +
        " decoded: " + kinds);
  }
  if (counts.loose_xhtml > 0) {
    facts.warnings.push_back(
        format_count(counts.loose_xhtml, "page is", "pages are") +
        " XHTML by name and not well-formed XML: read as HTML, but with empty elements and CDATA");
  }
  if (counts.broken_mails > 0) {
    facts.warnings.push_back(format_count(counts.broken_mails, "mail has", "mails have") +
                             " broken parts, or a coding or charset that is none, and " +
                             (counts.broken_mails == 1 ? "was" : "were") +
                             " read as far as that goes");
  }
}

void warn_of_texts(RunFacts& facts) {
  const auto counted = [](const CountedRecords& count) {
    return format_count(count.records, "record", "records") + " in " +
           format_count(count.files, "file", "files");
  };
  if (const CountedRecords& invalid = facts.invalid_utf8; invalid.records > 0) {
    facts.warnings.push_back(counted(invalid) + (invalid.records == 1 ? " is" : " are") +
                             " not all UTF-8 (the first in " + invalid.first +
                             "): bytes that are not UTF-8 separate words");
  }
  if (const CountedRecords& html = facts.raw_html; html.records > 0) {
    facts.warnings.push_back("the texts of " + counted(html) + " begin like HTML (the first in " +
                             html.first + "), and their tags are compared as words; " +
                             option("format", "auto") + " reads such texts as pages");
  }
  if (!facts.text_per_line.empty()) {
    facts.warnings.push_back(facts.text_per_line +
                             " is compared as one document and seems to have a text a line; " +
                             option("format", "lines") + " reads each line as a text");
  }
  if (const CountedRecords& mended = facts.mended_lengths; mended.records > 0) {
    facts.warnings.push_back(mended.first + " is damaged: it gives " + counted(mended) +
                             " a length that is too large by no more bytes than the record has "
                             "lines, as if carriage returns were removed; each was read up to the "
                             "next record");
  }
  if (const CountedRecords& without = facts.without_value; without.records > 0) {
    facts.warnings.push_back(
        counted(without) + (without.records == 1 ? " has" : " have") +
        " no value of the field of " + option("within") + " (the first in " + without.first +
        ") and " + (without.records == 1 ? "meets none that has one" : "meet each other alone"));
  }
  if (const CountedRecords& none = facts.without_document; none.records > 0) {
    facts.warnings.push_back(
        (none.files == 1
             ? none.first + " has no document"
             : format_count(none.files) + " inputs have no document, the first " + none.first) +
        ": " + format_count(none.records, "record", "records") +
        " of kinds that are written as they are");
  }
}

}  // namespace twinset
