// Nearly all lines are as a run wrote them, byte for byte, and are read from left to right, at ten
// times the speed of fields in any order. Any other line is read by its declared fields, which name
// what is wrong.
#include "cluster/pair_lines.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <deque>
#include <utility>

#include "base/file_header.h"
#include "collection/output_lines.h"
#include "io/field_json.h"
#include "io/json_read.h"
#include "io/json_scan.h"
#include "run/run_fields.h"

namespace twinset {
namespace {

constexpr std::size_t fingerprint_digits = 16;

/// Is there such a document in any run?
bool is_document(std::uint64_t input, std::uint64_t record) {
  return input < DocumentId::max_sources && record > 0 && record <= DocumentId::max_record;
}

/// Could cluster have written these numbers, of a link of any kind?
bool plausible(const Overlap& numbers) {
  if (numbers.later == 1 && numbers.earlier == 1) return true;  // A coordinate, too.
  return numbers.shared <= std::min(numbers.later, numbers.earlier) &&
         (numbers.shared > 0 || numbers.later == numbers.earlier);  // A distance of 0.
}

NumberRows::Numbers row_of(const PairedDocument& pair) {
  return {pair.document.source(), pair.document.record(), pair.keys.shared, pair.keys.later,
          pair.keys.earlier};
}

std::optional<PairedDocument> read_row(const NumberRows::Numbers& row) {
  const auto fits = [](std::uint64_t number) { return number <= UINT32_MAX; };
  const auto count = [&row](std::size_t i) { return static_cast<std::uint32_t>(row[i]); };
  const Overlap keys{count(2), count(3), count(4)};
  if (!is_document(row[0], row[1]) || !std::all_of(&row[2], &row[5], fits) || !plausible(keys)) {
    return std::nullopt;
  }
  return PairedDocument{{row[0], row[1]}, keys};
}

NumberRows::Numbers row_of_rest(const Overlap& rest) {
  return {rest.shared, rest.later, rest.earlier};
}

std::optional<Overlap> read_rest(const NumberRows::Numbers& row) {
  if (std::max({row[0], row[1], row[2]}) > UINT32_MAX || row[0] > std::min(row[1], row[2])) {
    return std::nullopt;
  }
  return Overlap{static_cast<std::uint32_t>(row[0]), static_cast<std::uint32_t>(row[1]),
                 static_cast<std::uint32_t>(row[2])};
}

/// The fingerprint, which is left out if it is not known.
TextForm fingerprint_form(std::uint64_t& fingerprint) {
  TextForm form = checksum_form(fingerprint);
  return {[&fingerprint] { return fingerprint == 0 ? "" : fingerprint_text(fingerprint); },
          [&fingerprint, set = std::move(form.set)](std::string_view text) {
            if (!text.empty()) return set(text);
            fingerprint = 0;
            return true;
          }};
}

bool is_earlier(const PairLine& line, const std::vector<std::uint64_t>& copy_of) {
  return copy_of.empty() || (copy_of.size() == 2 && is_document(copy_of[0], copy_of[1]) &&
                             DocumentId(copy_of[0], copy_of[1]) < line.document());
}

/// Bytes that are read from left to right. Each function steps over what is expected next, or
/// returns false.
struct Text {
  const char* at;
  const char* end;

  /// A literal, whose known length saves a call.
  template <std::size_t size>
  bool skip(const char (&expected)[size]) {
    if (static_cast<std::size_t>(end - at) < size - 1 || std::memcmp(at, expected, size - 1) != 0) {
      return false;
    }
    at += size - 1;
    return true;
  }
  /// At most 19 digits, which fit into 64 bits.
  bool number(std::uint64_t& out) {
    const char* const begin = at;
    const char* const stop = begin + std::min<std::ptrdiff_t>(end - begin, 19);
    const char* digit = begin;
    std::uint64_t number = 0;
    for (; digit != stop && *digit >= '0' && *digit <= '9'; ++digit) {
      number = number * 10 + static_cast<std::uint64_t>(*digit - '0');
    }
    at = digit;
    out = number;
    return digit != begin;
  }
  bool count(std::uint32_t& out) {
    std::uint64_t wide = 0;
    if (!number(wide) || wide > UINT32_MAX) return false;
    out = static_cast<std::uint32_t>(wide);
    return true;
  }
  /// An input and a record.
  template <std::size_t size>
  bool document(const char (&between)[size], DocumentId& out) {
    std::uint64_t input = 0;
    std::uint64_t record = 0;
    if (!number(input) || !skip(between) || !number(record) || !is_document(input, record)) {
      return false;
    }
    out = {input, record};
    return true;
  }
  /// Three numbers, as the last ones of a row.
  bool overlap(Overlap& out) {
    return count(out.shared) && skip(", ") && count(out.later) && skip(", ") &&
           count(out.earlier) && skip("]");
  }
  bool fingerprint(std::uint64_t& out) {
    const char* const after = at + std::min<std::ptrdiff_t>(end - at, fingerprint_digits);
    const char* const begin = at;
    at = std::from_chars(begin, after, out, 16).ptr;
    return at == begin + fingerprint_digits;
  }
};

/// Reads a line just as its fields are written; false if it is any other, well-formed or not.
bool read_as_written(std::string_view raw, PairLine& line) {
  line.fingerprint = 0;
  line.rank.reset();
  line.identical.clear();
  line.lexical.clear();
  line.shingles.clear();
  line.pairs.clear();
  line.rests.clear();
  Text text{raw.data(), raw.data() + raw.size()};
  if (!text.skip(R"({"id": )") || text.at == text.end) return false;
  JsonFault fault;
  line.id = scan_json_value(text.at, text.end, max_json_depth, fault).raw;
  text.at += line.id.size();
  DocumentId document;
  if (line.id.empty() || !text.skip(R"(, "input": )") ||
      !text.document(R"(, "record": )", document)) {
    return false;
  }
  line.input = document.source();
  line.record = document.record();
  if (text.skip(R"(, "fingerprint": ")") &&
      !(text.fingerprint(line.fingerprint) && text.skip("\""))) {
    return false;
  }
  if (text.skip(R"(, "rank": )") && !text.count(line.rank.emplace())) return false;
  Fate copy = Fate::near;
  if (text.skip(R"(, "identical": [)"))
    copy = Fate::identical;
  else if (text.skip(R"(, "lexical": [)"))
    copy = Fate::lexical;
  else if (text.skip(R"(, "shingles": [)"))
    copy = Fate::shingles;
  if (is_copy(copy)) {
    DocumentId original;
    if (!text.document(", ", original) || !text.skip("]") || original >= document) return false;
    line.original_as(copy).assign({original.source(), original.record()});
  } else if (text.skip(R"(, "pairs": [)")) {
    do {
      auto& [other, keys] = line.pairs.emplace_back();
      const bool read =
          text.skip("[") && text.document(", ", other) && text.skip(", ") && text.overlap(keys);
      if (!read || other >= document || !plausible(keys)) return false;
    } while (text.skip(", "));
    if (!text.skip("]")) return false;
    if (text.skip(R"(, "rests": [)")) {
      do {
        Overlap& rest = line.rests.emplace_back();
        if (!text.skip("[") || !text.overlap(rest) ||
            rest.shared > std::min(rest.later, rest.earlier)) {
          return false;
        }
      } while (text.skip(", "));
      if (!text.skip("]") || line.rests.size() != line.pairs.size()) return false;
    }
  }
  return text.skip("}\n") && text.at == text.end;
}

}  // namespace

std::vector<Field> fields_of(PairLine& line) {
  return {
      {"id", AsWritten{&line.id}, Unit::text, "the document's id"},
      {"input", &line.input, Unit::count,
       "the place of its input in `files` of [`summary.json`](summary.md), from 0"},
      {"record", &line.record, Unit::count,
       "its number in this input, from 1, as in [`clusters.jsonl.zst`](clusters.md)"},
      if_set({"fingerprint", fingerprint_form(line.fingerprint), Unit::code,
              "of the record's bytes, as in [`removed.jsonl.zst`](removed.md)"}),
      if_set({"rank", &line.rank, Unit::count,
              "its place in lead order, from 0, if the run chose leads"}),
      if_set({"identical", &line.identical, Unit::count,
              "`[input, record]` of the document that stands for it: their text bytes are equal"}),
      if_set({"lexical", &line.lexical, Unit::count, "the same for equal tokens"}),
      if_set({"shingles", &line.shingles, Unit::count,
              "the same for an equal set of shingles, in a run that folds by them"}),
      if_set({"pairs",
              NumberRows(&line.pairs,
                         {{"input", "the input of the other document, which is earlier"},
                          {"record", "its record there"},
                          {"shared", "the number that both documents have"},
                          {"own", "that this document has"},
                          {"other's", "that the other one has"}},
                         row_of, read_row),
              Unit::count, "each earlier document that it shares keys with"}),
      if_set({"rests",
              NumberRows(&line.rests,
                         {{"shared", "the shingles that the rests of both texts have"},
                          {"own", "that the rest of this document has"},
                          {"other's", "that the rest of the other one has"}},
                         row_of_rest, read_rest),
              Unit::count,
              "of each pair what is left without templates, in a run that marks template pairs; "
              "`[0, 0, 0]` if nothing is left of both: their resemblance is unknown"}),
      {"rests has a row for each pair",
       FieldRule{[&line] { return line.rests.empty() || line.rests.size() == line.pairs.size(); }}},
      {"input and record are those of a document",
       FieldRule{[&line] { return is_document(line.input, line.record); }}},
      {"of identical, lexical, shingles and pairs there is one at most", FieldRule{[&line] {
         return line.identical.empty() + line.lexical.empty() + line.shingles.empty() +
                    line.pairs.empty() >=
                3;
       }}},
      {"a copy is one of an earlier document", FieldRule{[&line] {
         return is_earlier(line, line.identical) && is_earlier(line, line.lexical) &&
                is_earlier(line, line.shingles);
       }}},
      {"the other document of each pair is earlier", FieldRule{[&line] {
         return std::ranges::all_of(line.pairs, [&line](const PairedDocument& pair) {
           return pair.document < line.document();
         });
       }}}};
}

Status read_pair_line(std::string_view raw, const std::string& file, std::uint64_t number,
                      PairLine& line) {
  line.number = number;
  if (read_as_written(raw, line)) return {};
  const std::string place = file + ":" + std::to_string(number);
  TWINSET_ASSIGN(const JsonNode node, read_json(raw, place));
  if (node["number"] && !node["record"]) {
    return usage_error(file +
                       " was made by an older version of twinset, which numbered documents over "
                       "all inputs; run cluster again");
  }
  std::deque<std::string> decoded;
  return read_line(node, raw, place, fields_of(line), decoded);
}

Status for_each_pair_line(FileSystem& files, const std::string& path,
                          const std::function<Status(const PairLine&)>& use) {
  PairLine line;
  std::uint64_t number = 0;
  return for_each_raw_line(files, path, [&](std::string_view raw) -> Result<bool> {
    const DocumentId before = line.document();
    TWINSET_TRY(read_pair_line(raw, path, ++number, line));
    if (!(before < line.document())) {
      return io_error(path + ":" + std::to_string(number) + " is out of order");
    }
    TWINSET_TRY(use(line));
    return true;
  });
}

Error unknown_document(const std::string& file, const PairLine& line) {
  return io_error(file + ":" + std::to_string(line.number) + " names an unknown document");
}

}  // namespace twinset
