#include "cluster/pair_lines.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/file_header.h"
#include "io/json.h"
#include "io/json_read.h"
#include "io/json_scan.h"

namespace twinset {
namespace {

constexpr std::size_t fingerprint_digits = 16;

bool read_number(const JsonNode& node, std::uint32_t& out) {
  const std::optional<std::uint64_t> number = node.integer();
  if (!number.has_value() || *number > UINT32_MAX) return false;
  out = static_cast<std::uint32_t>(*number);
  return true;
}

/// The number that fingerprint_text() wrote; false if the digits are any others.
bool read_fingerprint(std::string_view digits, std::uint64_t& out) {
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), out, 16);
  return digits.size() == fingerprint_digits && failed == std::errc() &&
         end == digits.data() + digits.size();
}

/// The numbers of [[1, 12, 14, 15], ...], which is known to be JSON; false if there
/// is anything else in it.
bool read_pairs(std::string_view raw, std::uint32_t number, std::vector<SharedPair>& out) {
  std::array<std::uint32_t, 4> values{};
  std::size_t read = 0;
  const char* const end = raw.data() + raw.size();
  for (const char* at = raw.data(); at != end;) {
    if (*at >= '0' && *at <= '9') {
      if (read == values.size()) return false;
      const auto [next, failed] = std::from_chars(at, end, values[read++]);
      if (failed != std::errc()) return false;
      at = next;
      continue;
    }
    if (*at == ']' && read > 0) {
      if (read != values.size()) return false;
      out.push_back({number, values[0], {values[1], values[2], values[3]}});
      read = 0;
    } else if (*at != '[' && *at != ']' && *at != ',' && *at != ' ') {
      return false;
    }
    ++at;
  }
  return true;
}

/// Are these counts that cluster could have written?
bool plausible(const SharedPair& pair) {
  const Overlap& keys = pair.keys;
  return pair.b < pair.a && keys.shared > 0 && keys.shared <= std::min(keys.later, keys.earlier);
}

/// A line in any order of its fields.
bool read_fields(const JsonNode& node, PairLine& line, std::string_view& id) {
  line.kind = Fate::near;
  line.fingerprint = 0;
  line.pairs.clear();
  id = {};
  JsonNode pairs;
  JsonNode original;
  bool whole = false;
  bool read = true;
  for (const auto& [name, value] : node.fields()) {  // Once: lines are long.
    if (name == "id") {
      id = value.raw();
    } else if (name == "number") {
      whole = read_number(value, line.number);
    } else if (name == "fingerprint") {
      read = read_fingerprint(value.text(), line.fingerprint);
    } else if (name == "pairs") {
      pairs = value;
    } else if (const std::optional<Fate> kind = removed_fate(name); kind && is_copy(*kind)) {
      line.kind = *kind;
      original = value;
    }
  }
  whole = whole && read && !id.empty();
  if (line.kind != Fate::near) {
    whole = whole && read_number(original, line.original) && line.original < line.number;
  } else if (pairs) {
    whole = whole && read_pairs(pairs.raw(), line.number, line.pairs);
    for (const SharedPair& pair : line.pairs) whole = whole && plausible(pair);
  }
  return whole;
}

/// Steps over what a line is known to go on with.
bool skip(const char*& at, const char* end, std::string_view what) {
  if (static_cast<std::size_t>(end - at) < what.size() ||
      std::string_view(at, what.size()) != what) {
    return false;
  }
  at += what.size();
  return true;
}

bool skip_number(const char*& at, const char* end, std::uint32_t& out) {
  const auto [next, failed] = std::from_chars(at, end, out);
  if (failed != std::errc()) return false;
  at = next;
  return true;
}

/// A line just as append_pair_line() writes one, read in one go; false if it is
/// any other, well-formed or not.
bool read_as_written(std::string_view raw, PairLine& line, std::string_view& id) {
  const char* at = raw.data();
  const char* const end = raw.data() + raw.size();
  if (!skip(at, end, R"({"id": )") || at == end) return false;
  JsonFault fault;
  id = scan_json_value(at, end, 1, fault).raw;
  if (id.empty()) return false;
  at += id.size();
  if (!skip(at, end, R"(, "number": )") || !skip_number(at, end, line.number)) return false;
  if (skip(at, end, R"(, "fingerprint": ")")) {
    if (static_cast<std::size_t>(end - at) < fingerprint_digits ||
        !read_fingerprint({at, fingerprint_digits}, line.fingerprint)) {
      return false;
    }
    at += fingerprint_digits;
    if (!skip(at, end, "\"")) return false;
  }
  if (skip(at, end, R"(, "identical": )")) {
    line.kind = Fate::identical;
  } else if (skip(at, end, R"(, "lexical": )")) {
    line.kind = Fate::lexical;
  }
  if (line.kind != Fate::near) {
    if (!skip_number(at, end, line.original) || line.original >= line.number) return false;
  } else if (skip(at, end, R"(, "pairs": [)")) {
    do {
      SharedPair& pair = line.pairs.emplace_back();
      pair.a = line.number;
      const bool read = skip(at, end, "[") && skip_number(at, end, pair.b) && skip(at, end, ", ") &&
                        skip_number(at, end, pair.keys.shared) && skip(at, end, ", ") &&
                        skip_number(at, end, pair.keys.later) && skip(at, end, ", ") &&
                        skip_number(at, end, pair.keys.earlier) && skip(at, end, "]");
      if (!read || !plausible(pair)) return false;
    } while (skip(at, end, ", "));
    if (!skip(at, end, "]")) return false;
  }
  return skip(at, end, "}\n") && at == end;
}

}  // namespace

void append_pair_line(std::string& out, const PairLine& line, std::string_view id) {
  JsonObject object(out);
  object.raw("id", id).number("number", line.number);
  if (line.fingerprint != 0) object.string("fingerprint", fingerprint_text(line.fingerprint));
  if (line.kind != Fate::near) {
    object.number(fate_name(line.kind), line.original);
  } else if (!line.pairs.empty()) {
    std::string pairs = "[";
    for (const SharedPair& pair : line.pairs) {
      pairs += pairs.size() > 1 ? ", [" : "[";
      for (const std::uint32_t value :
           {pair.b, pair.keys.shared, pair.keys.later, pair.keys.earlier}) {
        std::array<char, 12> digits;
        pairs.append(digits.data(),
                     std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
        pairs += ", ";
      }
      pairs.resize(pairs.size() - 2);
      pairs += ']';
    }
    object.raw("pairs", pairs + "]");
  }
  object.end();
  out += '\n';
}

Status read_pair_line(std::string_view raw, const std::string& file, std::uint64_t number_in_file,
                      PairLine& line, std::string_view& id) {
  line.kind = Fate::near;
  line.fingerprint = 0;
  line.pairs.clear();
  if (read_as_written(raw, line, id)) return {};
  const std::string place = file + ":" + std::to_string(number_in_file);
  TWINSET_ASSIGN(const JsonNode node, read_json(raw, place));
  if (read_fields(node, line, id)) return {};
  return io_error(place + " is no line of cluster's pairs; the file is damaged or another's");
}

}  // namespace twinset
