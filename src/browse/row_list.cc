// Lines are stored as they stand in their files, and read by their declared fields when they are
// asked for.
#include "browse/row_list.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>

#include "base/varint.h"
#include "browse/cluster_choice.h"
#include "collection/output_lines.h"
#include "detect/detect_fields.h"
#include "detect/detect_lines.h"
#include "detect/detected_folder.h"
#include "io/field_json.h"
#include "io/json.h"
#include "io/json_read.h"
#include "rows/sorted_records.h"
#include "run/run_fields.h"
#include "run/scratch_folder.h"
#include "spans/span_lines.h"
#include "system/context.h"
#include "track/track_run.h"
#include "twinset/look.h"
#include "web/chunks.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::uint64_t sort_bytes = std::uint64_t{16} << 20;
constexpr std::uint64_t stop_lines = 4096;
/// Strings that are equal so far keep the order of the list.
constexpr std::size_t most_key_bytes = 256;

/// By Unit.
constexpr std::array<const char*, 8> unit_names{"text",  "code",  "count",   "percent",
                                                "share", "bytes", "seconds", "sentence"};

/// A list of lines, whose values are taken as they are written.
class LineList final : public RowList {
 public:
  LineList(std::string name, std::vector<ListColumn> columns, RowStore lines)
      : RowList(std::move(name), std::move(columns)), lines_(std::move(lines)) {}

  std::uint64_t rows() const override { return lines_.rows(); }
  std::uint64_t memory_bytes() const override { return lines_.memory_bytes(); }
  const RowStore* lines() const override { return &lines_; }

  Status for_each(std::uint64_t first, std::uint64_t end, const Use& use) const override {
    std::vector<std::string> values(columns().size());
    return lines_.for_each(
        first, end, [&](std::uint64_t number, std::string_view raw) -> Result<bool> {
          for (std::string& value : values) value = "null";
          TWINSET_ASSIGN(const JsonNode line,
                         read_json(raw, name() + ":" + std::to_string(number + 1)));
          take(line, "", values);
          return use(number, values);
        });
  }

 private:
  void take(const JsonNode& object, const std::string& prefix,
            std::vector<std::string>& values) const {
    object.walk([&](std::string_view key, const JsonNode& value) {
      if (key.size() < 2) return true;
      const std::string column = prefix + std::string(key.substr(1, key.size() - 2));
      const auto found = std::ranges::find(columns(), column, &ListColumn::name);
      if (found != columns().end()) {
        values[static_cast<std::size_t>(found - columns().begin())] = value.raw();
      } else if (value.kind() == JsonKind::object) {
        take(value, column + "_", values);
      }
      return true;
    });
  }

  RowStore lines_;
};

template <class T>
std::vector<Field> own_fields(T& value) {
  return fields_of(value);
}

/// Each line must have the fields that are declared for it.
template <class T>
Result<std::unique_ptr<RowList>> read_lines_of(FileSystem& files, const std::string& name,
                                               const std::string& path, const BrowseLimits& limits,
                                               typename FieldLine<T>::FieldsOf of = own_fields<T>,
                                               const T& unread = T()) {
  TWINSET_ASSIGN(RowStore store, RowStore::make(files, limits.tmp));
  FieldLine<T> line(of);
  std::vector<ListColumn> columns = flat_fields(of(*line)).columns;
  std::uint64_t number = 0;
  TWINSET_TRY(for_each_raw_line(files, path, [&](std::string_view raw) -> Result<bool> {
    if (++number % stop_lines == 0) TWINSET_TRY(check_stop(limits.cancel));
    *line = unread;
    TWINSET_TRY(line.read(raw, path + ":" + std::to_string(number)));
    TWINSET_TRY(store.append(raw));
    return true;
  }));
  TWINSET_TRY(store.seal());
  return std::unique_ptr<RowList>(
      std::make_unique<LineList>(name, std::move(columns), std::move(store)));
}

/// A member with its cluster and its representative.
class MemberList final : public RowList {
 public:
  explicit MemberList(const ClusterTable& table)
      : RowList("clusters", columns_of_members()), table_(table) {}

  std::uint64_t rows() const override { return table_.members() - table_.clusters(); }

  Status for_each(std::uint64_t first, std::uint64_t end, const Use& use) const override {
    end = std::min(end, rows());
    if (first >= end) return {};
    // Before a member of cluster c stand c + 1 representatives, which have no row.
    std::uint64_t cluster = 0;
    std::uint64_t past = table_.clusters();
    while (cluster + 1 < past) {
      const std::uint64_t middle = cluster + (past - cluster) / 2;
      (table_.begin(middle) - middle <= first ? cluster : past) = middle;
    }
    std::vector<std::string> lead;
    std::vector<std::string> values;
    std::uint64_t number = first;
    const auto set_names = [&](std::vector<std::string>& out, const RecordPlace& place) {
      for (const std::string* text : {&place.document.id, &place.document.file}) {
        append_json_string(out.emplace_back(), *text);
      }
      out.push_back(std::to_string(place.document.record));
    };
    while (number < end) {
      TWINSET_ASSIGN(const RecordPlace representative, table_.name(table_.begin(cluster)));
      lead.clear();
      set_names(lead, representative);
      const std::uint64_t begin = number + cluster + 1;
      const std::uint64_t stop = std::min(table_.end(cluster), end + cluster + 1);
      bool on = true;
      TWINSET_TRY(table_.for_each_name(
          begin, stop, [&](std::uint64_t, const RecordPlace& place) -> Result<bool> {
            values.assign(1, std::to_string(cluster + 1));
            set_names(values, place);
            values.insert(values.end(), lead.begin(), lead.end());
            TWINSET_ASSIGN(on, use(number++, values));
            return on;
          }));
      if (!on) return {};
      ++cluster;
    }
    return {};
  }

 private:
  static std::vector<ListColumn> columns_of_members() {
    std::vector<ListColumn> out{{"cluster", "count", "its number from 1, in the order of the run"}};
    RecordName name;
    for (const std::string prefix : {"", "representative_"}) {
      for (ListColumn& column : flat_fields(fields_of(name), prefix).columns) {
        out.push_back(std::move(column));
      }
    }
    return out;
  }

  const ClusterTable& table_;
};

/// A pair, or a copy and its original.
class PairList final : public RowList {
 public:
  PairList(const PairTable& pairs, const PairsFolder& folder,
           const std::vector<std::string>& sources)
      : RowList("pairs", columns_of_pairs()), pairs_(pairs), folder_(folder), sources_(sources) {}

  std::uint64_t rows() const override { return pairs_.rows(); }

  Status for_each(std::uint64_t first, std::uint64_t end, const Use& use) const override {
    Row row;
    const std::vector<Field> fields = fields_of_row(row);
    std::vector<std::string> values(fields.size());
    return pairs_.for_each(
        first, end, [&](std::uint64_t number, const PairTableRow& pair) -> Result<bool> {
          TWINSET_TRY(set_name(pair.document, row.document));
          TWINSET_TRY(set_name(pair.other, row.other));
          row.kind = name_of(pair.kind());
          row.is_template = pair.is_template();
          row.resemblance.reset();
          row.containment.reset();
          row.other_containment.reset();
          row.distance.reset();
          const bool copy = pair.kind() != RemovalKind::near;
          const Link link = copy ? Link::copy() : Link::read(folder_.kind(), pair.keys);
          if (link.counts() || link.estimated()) row.resemblance = link.resemblance();
          if (link.counts()) {
            row.containment = link.numbers.containment();
            row.other_containment = link.numbers.earlier_containment();
          }
          if (link.kind == LinkKind::distance) row.distance = link.numbers.shared;
          for (std::size_t i = 0; i < fields.size(); ++i) values[i] = value_json(fields[i]);
          return use(number, values);
        });
  }

 private:
  struct Row {
    RecordName document;
    RecordName other;
    std::string kind;
    std::optional<double> resemblance;
    std::optional<double> containment;
    std::optional<double> other_containment;
    std::optional<std::uint64_t> distance;
    bool is_template = false;
  };

  static std::vector<Field> fields_of_row(Row& row) {
    std::vector<Field> fields = flat_fields(fields_of(row.document)).fields;
    add_fields(fields, flat_fields(fields_of(row.other)).fields);
    add_fields(fields,
               {{"kind", &row.kind, Unit::text, "`identical`, `lexical` or `near`"},
                {"resemblance", &row.resemblance, Unit::share, "of the two"},
                {"containment", &row.containment, Unit::share, "of it in the other"},
                {"other_containment", &row.other_containment, Unit::share, "of the other in it"},
                {"distance", &row.distance, Unit::count, "bits that differ"},
                {"template", &row.is_template, Unit::text, "a template pair"}});
    return fields;
  }

  static std::vector<ListColumn> columns_of_pairs() {
    Row row;
    std::vector<ListColumn> columns = flat_fields(fields_of_row(row)).columns;
    constexpr std::size_t name_fields = 3;
    for (std::size_t i = name_fields; i < 2 * name_fields; ++i) {
      columns[i].name = "other_" + columns[i].name;
    }
    return columns;
  }

  Status set_name(DocumentId document, RecordName& out) const {
    RecordPlace place;
    TWINSET_ASSIGN(const bool found, pairs_.name(document, place));
    if (!found || document.source() >= sources_.size()) {
      return io_error("pairs name a document that has no line of its own; the list is damaged");
    }
    out = std::move(place.document);
    out.file = sources_[document.source()];
    return {};
  }

  const PairTable& pairs_;
  const PairsFolder& folder_;
  const std::vector<std::string>& sources_;
};

// ---- Sorting ----

/// A row's value in a form whose bytes sort as the values do: numbers, then strings, then nothing.
struct SortedValue {
  std::string key;
  std::uint64_t row = 0;

  void append_to(std::string& out) const {
    append_varint(row, out);
    out += key;
  }
  static bool take(EncodedBytes& rest, SortedValue& out) {
    if (!take_varint(rest, out.row)) return false;
    out.key.assign(reinterpret_cast<const char*>(rest.data()), rest.size());
    rest = {};
    return true;
  }
  std::uint64_t memory_bytes() const { return sizeof *this + key.capacity(); }
};

struct ByValue {
  bool operator()(const SortedValue& a, const SortedValue& b) const {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
  }
};

std::string sort_key(const std::string& value) {
  if (value.empty() || value == "null") return "3";
  if (value.front() == '"') {
    const Result<JsonNode> node = read_json(value, "");
    return "2" + (node.ok() ? node.value().text() : value).substr(0, most_key_bytes);
  }
  const Result<JsonNode> node = read_json(value, "");
  const std::optional<double> number = node.ok() ? node.value().real() : std::nullopt;
  if (!number.has_value()) return "2" + value.substr(0, most_key_bytes);
  // The bits of a double sort as it does once those of a negative one are turned over.
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  std::uint64_t bits = std::bit_cast<std::uint64_t>(*number);
  bits = (bits & sign) != 0 ? ~bits : bits | sign;
  std::string key = "1";
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(bits >> shift & 0xFF);
  return key;
}

bool has_value_with(const std::vector<std::string>& values, std::string_view searched,
                    std::string& room) {
  for (const std::string& value : values) {
    if (value.find('\\') == std::string::npos) {
      if (has_text(value, searched, room)) return true;
      continue;
    }
    const Result<JsonNode> node = read_json(value, "");
    if (node.ok() && has_text(node.value().text(), searched, room)) return true;
  }
  return false;
}

}  // namespace

FlatFields flat_fields(const std::vector<Field>& fields, const std::string& prefix) {
  FlatFields out;
  for (const Field& field : fields) {
    if (field.name.empty() || field.presence == Presence::left_out) continue;
    if (std::holds_alternative<FieldRule>(field.member)) continue;
    if (std::holds_alternative<Restored>(field.member)) continue;
    const std::string name = prefix + std::string(field.name);
    const auto* nested = std::get_if<Nested>(&field.member);
    if (nested != nullptr && nested->form == NestedForm::object) {
      FlatFields below =
          flat_fields(nested->made != nullptr ? *nested->made : nested->fields(), name + "_");
      for (Field& each : below.fields) out.fields.push_back(std::move(each));
      for (ListColumn& each : below.columns) out.columns.push_back(std::move(each));
      continue;
    }
    out.fields.push_back(field);
    out.columns.push_back(
        {name, unit_names[static_cast<std::size_t>(field.unit)], std::string(field.help)});
  }
  return out;
}

std::string row_json(const std::vector<std::string>& values) {
  std::string out = "[";
  for (const std::string& value : values) {
    if (out.size() > 1) out += ", ";
    out += value;
  }
  return out + "]";
}

Result<RowOrder> sort_rows(const RowList& list, FileSystem& files, const BrowseLimits& limits,
                           const ListRowsOptions& options) {
  const auto column = std::ranges::find(list.columns(), options.sort, &ListColumn::name);
  if (!options.sort.empty() && column == list.columns().end()) {
    return usage_error("'" + visible_name(options.sort) + "' is no column of the list " +
                       list.name());
  }
  if (list.rows() > UINT32_MAX) {
    return usage_error("the list " + list.name() + " has too many rows to be sorted or searched");
  }
  const auto place = static_cast<std::size_t>(column - list.columns().begin());
  RunContext context;
  context.files = &files;
  context.cancel = limits.cancel;
  Resources resources;
  resources.tmp = limits.tmp;
  SortedRecords<SortedValue, ByValue> sorted(
      {.context = &context, .path = scratch_path(resources, "browse"), .memory_bytes = sort_bytes});
  const std::string searched = lowered(options.search);
  std::string room;
  RowOrder out;
  TWINSET_TRY(list.for_each(
      0, list.rows(),
      [&](std::uint64_t number, const std::vector<std::string>& values) -> Result<bool> {
        if (number % stop_lines == 0) TWINSET_TRY(check_stop(limits.cancel));
        if (!searched.empty() && !has_value_with(values, searched, room)) return true;
        if (options.sort.empty()) {
          out.rows.push_back(static_cast<std::uint32_t>(number));
        } else {
          TWINSET_TRY(sorted.append({sort_key(values[place]), number}));
        }
        return true;
      }));
  if (!options.sort.empty()) {
    TWINSET_TRY(sorted.seal());
    TWINSET_ASSIGN(auto cursor, sorted.read());
    for (;;) {
      TWINSET_ASSIGN(const SortedValue* const next, cursor.next());
      if (next == nullptr) break;
      out.rows.push_back(static_cast<std::uint32_t>(next->row));
    }
  }
  if (options.reverse) std::reverse(out.rows.begin(), out.rows.end());
  return out;
}

std::unique_ptr<RowList> removed_list(RowStore lines) {
  Removal removal;
  return std::make_unique<LineList>("removed", flat_fields(fields_of(removal)).columns,
                                    std::move(lines));
}

Result<std::unique_ptr<RowList>> spans_rows(FileSystem& files, const std::string& path,
                                            const BrowseLimits& limits) {
  return read_lines_of<SpanLine>(files, "spans", path + "/" + spans_list, limits);
}

Result<std::vector<std::unique_ptr<RowList>>> detected_rows(FileSystem& files,
                                                            const std::string& folder,
                                                            const BrowseLimits& limits) {
  TWINSET_ASSIGN(const DetectedFolder made, read_detected_folder(files, folder));
  MatchLine unread;
  if (const auto rules = parse_chunk_rules(made.summary.rules)) unread.hash = rules->hash;
  const auto path = [&](const char* list) { return folder + "/" + list; };
  std::vector<std::unique_ptr<RowList>> out;
  TWINSET_ASSIGN(out.emplace_back(), read_lines_of<DetectedPage>(files, "pages", path(pages_list),
                                                                 limits, page_line_fields));
  TWINSET_ASSIGN(out.emplace_back(),
                 read_lines_of<MatchLine>(files, "matches", path(matches_list), limits,
                                          own_fields<MatchLine>, unread));
  TWINSET_ASSIGN(out.emplace_back(), read_lines_of<DetectedNeighborhood>(
                                         files, "neighborhoods", path(neighborhoods_list), limits,
                                         neighborhood_line_fields));
  TWINSET_ASSIGN(out.emplace_back(),
                 read_lines_of<RecursionError>(files, "recursion", path(recursion_list), limits));
  return out;
}

Result<std::vector<std::unique_ptr<RowList>>> tracked_rows(FileSystem& files,
                                                           const std::string& folder,
                                                           const BrowseLimits& limits) {
  std::vector<std::unique_ptr<RowList>> out;
  TWINSET_ASSIGN(out.emplace_back(),
                 read_lines_of<TrackedPage>(files, "changes", folder + "/" + changes_list, limits));
  TWINSET_ASSIGN(out.emplace_back(),
                 read_lines_of<TrackedHost>(files, "hosts", folder + "/" + hosts_list, limits));
  return out;
}

std::unique_ptr<RowList> member_rows(const ClusterTable& table) {
  return std::make_unique<MemberList>(table);
}

std::unique_ptr<RowList> pair_rows(const PairTable& pairs, const PairsFolder& folder,
                                   const std::vector<std::string>& sources) {
  return std::make_unique<PairList>(pairs, folder, sources);
}

}  // namespace twinset
