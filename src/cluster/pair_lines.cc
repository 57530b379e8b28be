#include "cluster/pair_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <map>

#include "base/file_header.h"
#include "collection/output_lines.h"
#include "io/json.h"
#include "io/json_read.h"
#include "io/json_scan.h"

namespace twinset {
namespace {

constexpr std::size_t fingerprint_digits = 16;

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
    if (!number(input) || !skip(between) || !number(record) || input >= DocumentId::max_sources ||
        record == 0 || record > DocumentId::max_record) {
      return false;
    }
    out = {input, record};
    return true;
  }
  bool fingerprint(std::uint64_t& out) {
    const char* const after = at + std::min<std::ptrdiff_t>(end - at, fingerprint_digits);
    const char* const begin = at;
    at = std::from_chars(begin, after, out, 16).ptr;
    return at == begin + fingerprint_digits;
  }
};

/// Could cluster have written these numbers, of a link of any kind?
bool plausible(const Overlap& numbers) {
  if (numbers.later == 1 && numbers.earlier == 1) return true;  // A coordinate, too.
  return numbers.shared <= std::min(numbers.later, numbers.earlier) &&
         (numbers.shared > 0 || numbers.later == numbers.earlier);  // A distance of 0.
}

/// Reads a line just as append_pair_line() writes one; false if it is any other, well-formed
/// or not.
bool read_as_written(std::string_view raw, PairLine& line) {
  line.fingerprint = 0;
  line.rank.reset();
  line.kind = Fate::near;
  line.pairs.clear();
  Text text{raw.data(), raw.data() + raw.size()};
  if (!text.skip(R"({"id": )") || text.at == text.end) return false;
  JsonFault fault;
  line.id = scan_json_value(text.at, text.end, max_json_depth, fault).raw;
  text.at += line.id.size();
  if (line.id.empty() || !text.skip(R"(, "input": )") ||
      !text.document(R"(, "record": )", line.document)) {
    return false;
  }
  if (text.skip(R"(, "fingerprint": ")") &&
      !(text.fingerprint(line.fingerprint) && text.skip("\""))) {
    return false;
  }
  if (text.skip(R"(, "rank": )") && !text.count(line.rank.emplace())) return false;
  if (text.skip(R"(, "identical": [)")) {
    line.kind = Fate::identical;
  } else if (text.skip(R"(, "lexical": [)")) {
    line.kind = Fate::lexical;
  }
  if (line.kind != Fate::near) {
    if (!text.document(", ", line.original) || !text.skip("]") || line.original >= line.document) {
      return false;
    }
  } else if (text.skip(R"(, "pairs": [)")) {
    do {
      auto& [other, keys] = line.pairs.emplace_back();
      const bool read = text.skip("[") && text.document(", ", other) && text.skip(", ") &&
                        text.count(keys.shared) && text.skip(", ") && text.count(keys.later) &&
                        text.skip(", ") && text.count(keys.earlier) && text.skip("]");
      if (!read || other >= line.document || !plausible(keys)) return false;
    } while (text.skip(", "));
    if (!text.skip("]")) return false;
  }
  return text.skip("}\n") && text.at == text.end;
}

/// The line as append_pair_line() writes it, from one with any spaces and fields in any order.
std::string rewritten(const std::map<std::string, std::string_view>& fields) {
  std::string out;
  JsonObject object(out);
  for (const char* name :
       {"id", "input", "record", "fingerprint", "rank", "identical", "lexical", "pairs"}) {
    const auto field = fields.find(name);
    if (field == fields.end()) continue;
    std::string value(field->second);
    if (field->first != "id") {
      value.clear();
      for (const char c : field->second) {
        if (c != ' ' && c != '\t') value += c;
        if (c == ',') value += ' ';
      }
      if (value == "[]") continue;  // Another program took all pairs away.
    }
    object.raw(name, value);
  }
  object.end();
  return out + '\n';
}

/// Appends [0, 2].
void append_numbers(std::string& out, std::initializer_list<std::uint64_t> numbers) {
  std::array<char, 20> digits;
  out += '[';
  for (const std::uint64_t number : numbers) {
    out.append(digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr);
    out += ", ";
  }
  out.resize(out.size() - 2);
  out += ']';
}

}  // namespace

void append_pair_line(std::string& out, const PairLine& line) {
  JsonObject object(out);
  object.raw("id", line.id)
      .number("input", line.document.source())
      .number("record", line.document.record());
  if (line.fingerprint != 0) object.string("fingerprint", fingerprint_text(line.fingerprint));
  if (line.rank.has_value()) object.number("rank", *line.rank);
  std::string list;
  if (line.kind != Fate::near) {
    append_numbers(list, {line.original.source(), line.original.record()});
    object.raw(fate_name(line.kind), list);
  } else if (!line.pairs.empty()) {
    for (const auto& [document, keys] : line.pairs) {
      list += list.empty() ? "[" : ", ";
      append_numbers(list,
                     {document.source(), document.record(), keys.shared, keys.later, keys.earlier});
    }
    object.raw("pairs", list + "]");
  }
  object.end();
  out += '\n';
}

Status read_pair_line(std::string_view raw, const std::string& file, std::uint64_t number,
                      PairLine& line) {
  line.number = number;
  if (read_as_written(raw, line)) return {};
  const std::string place = file + ":" + std::to_string(number);
  TWINSET_ASSIGN(const JsonNode node, read_json(raw, place));
  std::map<std::string, std::string_view> fields;
  for (const auto& [name, value] : node.fields()) fields[name] = value.raw();
  const bool read = read_as_written(rewritten(fields), line);
  line.id = fields["id"];
  if (read) return {};
  if (fields.contains("number") && !fields.contains("record")) {
    return usage_error(file +
                       " was made by an older version of twinset, which numbered documents over "
                       "all inputs; run cluster again");
  }
  return io_error(place + " is no line of cluster's pairs; the file is damaged or another's");
}

Status for_each_pair_line(FileSystem& files, const std::string& path,
                          const std::function<Status(const PairLine&)>& use) {
  PairLine line;
  std::uint64_t number = 0;
  return for_each_raw_line(files, path, [&](std::string_view raw) -> Result<bool> {
    const DocumentId before = line.document;
    TWINSET_TRY(read_pair_line(raw, path, ++number, line));
    if (!(before < line.document)) {
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
