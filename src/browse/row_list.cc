// Lines are stored as they stand in their files, and read by their declared fields when they are
// asked for.
#include "browse/row_list.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "browse/cluster_choice.h"
#include "collection/output_lines.h"
#include "detect/detect_fields.h"
#include "detect/detect_lines.h"
#include "detect/detected_folder.h"
#include "detect/reused_sites.h"
#include "io/field_json.h"
#include "io/json.h"
#include "io/json_read.h"
#include "io/json_scan.h"
#include "run/run_fields.h"
#include "spans/span_lines.h"
#include "system/context.h"
#include "track/track_run.h"
#include "twinset/look.h"
#include "web/chunks.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::uint64_t stop_lines = 4096;

/// Is the text in a value? Of a string in what it means, and never in a value that is missing.
bool value_has_text(std::string_view value, std::string_view lowered, std::string& room) {
  if (value.empty() || value == "null") return false;
  if (value.front() != '"') return has_text(value, lowered, room);
  if (value.find('\\') == std::string_view::npos) {
    return has_text(value.substr(1, value.size() - 2), lowered, room);
  }
  const Result<JsonNode> node = read_json(value, "");
  return node.ok() && has_text(node.value().text(), lowered, room);
}

/// Gives `use` the fields of an object until it returns false; keys are without their quotes.
/// False: it is damaged before that.
template <class Use>
bool walk_fields(std::string_view object, const Use& use) {
  const char* const end = object.data() + object.size();
  const char* p = skip_json_space(object.data(), end);
  if (p == end || *p != '{') return false;
  p = skip_json_space(p + 1, end);
  if (p != end && *p == '}') return true;
  JsonFault fault;
  for (;;) {
    if (p == end || *p != '"') return false;
    const std::string_view key = scan_json_value(p, end, 0, fault).raw;
    if (key.empty()) return false;
    p = skip_json_space(p + key.size(), end);
    if (p == end || *p != ':') return false;
    p = skip_json_space(p + 1, end);
    const JsonValue value = scan_json_value(p, end, max_json_depth, fault);
    if (value.kind == JsonKind::none) return false;
    if (!use(key.substr(1, key.size() - 2), value)) return true;
    p = skip_json_space(p + value.raw.size(), end);
    if (p == end || (*p != ',' && *p != '}')) return false;
    if (*p == '}') return true;
    p = skip_json_space(p + 1, end);
  }
}

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
          TWINSET_TRY(walk(number, raw, [&](std::size_t column, std::string_view value) {
            values[column] = value;
            return true;
          }));
          return use(number, values);
        });
  }

  Status for_each_value(std::size_t column, const std::atomic<bool>* cancel,
                        const UseValue& use) const override {
    return lines_.for_each(
        0, rows(), [&](std::uint64_t number, std::string_view raw) -> Result<bool> {
          if (number % stop_lines == 0) TWINSET_TRY(check_stop(cancel));
          std::string_view found = "null";
          TWINSET_TRY(walk(number, raw, [&](std::size_t here, std::string_view value) {
            if (here == column) found = value;
            return here != column;
          }));
          TWINSET_TRY(use(number, found));
          return true;
        });
  }

  Status for_each_with(std::string_view lowered, const std::atomic<bool>* cancel,
                       const UseNumber& use) const override {
    std::string room;
    return lines_.for_each(
        0, rows(), [&](std::uint64_t number, std::string_view raw) -> Result<bool> {
          if (number % stop_lines == 0) TWINSET_TRY(check_stop(cancel));
          // If a line without escapes has not the text, none of its values has it.
          if (!has_text(raw, lowered, room) && raw.find('\\') == std::string_view::npos)
            return true;
          bool found = false;
          TWINSET_TRY(walk(number, raw, [&](std::size_t, std::string_view value) {
            found = value_has_text(value, lowered, room);
            return !found;
          }));
          if (found) TWINSET_TRY(use(number));
          return true;
        });
  }

 private:
  /// Gives `use` the values of columns until it returns false.
  template <class Use>
  Status walk(std::uint64_t number, std::string_view raw, const Use& use) const {
    bool on = true;
    if (walk_columns(raw, "", 0, use, on)) return {};
    return io_error(name() + ":" + std::to_string(number + 1) + " is damaged");
  }

  /// Columns mostly come in their order: `next` is looked at first. False: the object is damaged.
  template <class Use>
  bool walk_columns(std::string_view object, const std::string& prefix, std::size_t next,
                    const Use& use, bool& on) const {
    bool whole = true;
    const auto is_column = [&](const ListColumn& column, std::string_view key) {
      return column.name.size() == prefix.size() + key.size() && column.name.ends_with(key) &&
             column.name.starts_with(prefix);
    };
    const bool walked = walk_fields(object, [&](std::string_view key, const JsonValue& value) {
      if (next == columns().size() || !is_column(columns()[next], key)) {
        const auto found = std::ranges::find_if(
            columns(), [&](const ListColumn& column) { return is_column(column, key); });
        next = static_cast<std::size_t>(found - columns().begin());
      }
      if (next < columns().size()) {
        on = use(next++, value.raw);
      } else if (value.kind == JsonKind::object) {
        whole = walk_columns(value.raw, prefix + std::string(key) + "_", 0, use, on);
      }
      return on && whole;
    });
    return walked && whole;
  }

  RowStore lines_;
};

template <class T>
std::vector<Field> own_fields(T& value) {
  return fields_of(value);
}

/// Each line must have the fields that are declared for it. `see` is given each.
template <class T>
Result<std::unique_ptr<RowList>> read_lines_of(FileSystem& files, const std::string& name,
                                               const std::string& path, const BrowseLimits& limits,
                                               typename FieldLine<T>::FieldsOf of = own_fields<T>,
                                               const T& unread = T(),
                                               const std::function<void(const T&)>& see = nullptr) {
  TWINSET_ASSIGN(RowStore store, RowStore::make(files, limits.tmp));
  FieldLine<T> line(of);
  std::vector<ListColumn> columns = flat_fields(of(*line)).columns;
  std::uint64_t number = 0;
  TWINSET_TRY(for_each_raw_line(files, path, [&](std::string_view raw) -> Result<bool> {
    if (++number % stop_lines == 0) TWINSET_TRY(check_stop(limits.cancel));
    *line = unread;
    TWINSET_TRY(line.read(raw, path + ":" + std::to_string(number)));
    TWINSET_TRY(store.append(raw));
    if (see) see(*line);
    return true;
  }));
  TWINSET_TRY(store.seal());
  return std::unique_ptr<RowList>(
      std::make_unique<LineList>(name, std::move(columns), std::move(store)));
}

/// What the matches tell of their sites.
Result<std::unique_ptr<RowList>> reuse_rows(FileSystem& files, const ReusedSites& sites,
                                            const BrowseLimits& limits) {
  TWINSET_ASSIGN(RowStore store, RowStore::make(files, limits.tmp));
  FieldLine<ReusedSite> line;
  std::vector<ListColumn> columns = flat_fields(fields_of(*line)).columns;
  std::string room;
  for (const ReusedSite& site : sites.ranked()) {
    room.clear();
    *line = site;
    line.append_json(room);
    TWINSET_TRY(store.append(room));
  }
  TWINSET_TRY(store.seal());
  return std::unique_ptr<RowList>(
      std::make_unique<LineList>("reuse", std::move(columns), std::move(store)));
}

/// A member with its cluster and its representative.
class MemberList final : public RowList {
 public:
  explicit MemberList(const ClusterTable& table)
      : RowList("clusters", columns_of_members()), table_(table) {
    for (const std::string& file : table.sources()) {
      append_json_string(files_.emplace_back(), file);
    }
  }

  std::uint64_t rows() const override { return table_.members() - table_.clusters(); }

  Status for_each(std::uint64_t first, std::uint64_t end, const Use& use) const override {
    end = std::min(end, rows());
    if (first >= end) return {};
    std::uint64_t cluster = cluster_of_row(first);
    std::vector<std::string> values(columns().size());
    TWINSET_ASSIGN(const RecordPlace lead, table_.name(table_.begin(cluster)));
    begin_cluster(cluster, lead.document.id, values);
    std::uint64_t number = first;
    return table_.for_each_id(first + cluster + 1, end + cluster_of_row(end - 1) + 1,
                              [&](std::uint64_t member, std::string_view id) -> Result<bool> {
                                if (member == table_.end(cluster)) {
                                  begin_cluster(++cluster, id, values);
                                  return true;
                                }
                                set_name(member, id, &values[member_column]);
                                return use(number++, values);
                              });
  }

 private:
  static constexpr std::size_t member_column = 1;
  static constexpr std::size_t representative_column = 4;

  /// Before a member of cluster c stand c + 1 representatives, which have no row.
  std::uint64_t cluster_of_row(std::uint64_t row) const {
    std::uint64_t cluster = 0;
    std::uint64_t past = table_.clusters();
    while (cluster + 1 < past) {
      const std::uint64_t middle = cluster + (past - cluster) / 2;
      (table_.begin(middle) - middle <= row ? cluster : past) = middle;
    }
    return cluster;
  }

  void begin_cluster(std::uint64_t cluster, std::string_view id,
                     std::vector<std::string>& values) const {
    values[0] = std::to_string(cluster + 1);
    set_name(table_.begin(cluster), id, &values[representative_column]);
  }

  /// Three values: id, file, record.
  void set_name(std::uint64_t member, std::string_view id, std::string* values) const {
    const DocumentId document = table_.document(member);
    values[0].clear();
    append_json_string(values[0], id);
    values[1] = files_[document.source()];
    values[2] = std::to_string(document.record());
  }

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
  std::vector<std::string> files_;  ///< JSON, by source
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
    std::optional<DocumentId> last;
    return pairs_.for_each(first, end,
                           [&](std::uint64_t number, const PairTableRow& pair) -> Result<bool> {
                             // A document's pairs stand together.
                             if (last != pair.document)
                               TWINSET_TRY(set_name(pair.document, row.document));
                             last = pair.document;
                             TWINSET_TRY(set_name(pair.other, row.other));
                             set_numbers(pair, row);
                             for (std::size_t i = 0; i < fields.size(); ++i)
                               values[i] = value_json(fields[i]);
                             return use(number, values);
                           });
  }

  /// Of a column of ids nothing else is read.
  Status for_each_value(std::size_t column, const std::atomic<bool>* cancel,
                        const UseValue& use) const override {
    if (!is_id(column)) return RowList::for_each_value(column, cancel, use);
    RecordName name;
    std::string id;
    std::optional<DocumentId> last;
    return pairs_.for_each(0, rows(),
                           [&](std::uint64_t number, const PairTableRow& pair) -> Result<bool> {
                             if (number % stop_lines == 0) TWINSET_TRY(check_stop(cancel));
                             const DocumentId document = document_of(pair, column);
                             if (last != document) {
                               TWINSET_TRY(set_name(document, name));
                               id.clear();
                               append_json_string(id, name.id);
                               last = document;
                             }
                             TWINSET_TRY(use(number, id));
                             return true;
                           });
  }

  Result<bool> for_each_number(std::size_t column, const std::atomic<bool>* cancel,
                               const UseReal& use) const override {
    if (is_id(column)) return false;
    std::vector<std::string> ordered = sources_;
    std::ranges::sort(ordered);
    std::vector<double> ranks;  // of sources
    for (const std::string& source : sources_) {
      ranks.push_back(
          static_cast<double>(std::ranges::lower_bound(ordered, source) - ordered.begin()));
    }
    TWINSET_TRY(pairs_.for_each(
        0, rows(), [&](std::uint64_t number, const PairTableRow& pair) -> Result<bool> {
          if (number % stop_lines == 0) TWINSET_TRY(check_stop(cancel));
          TWINSET_TRY(use(number, number_of(pair, column, ranks)));
          return true;
        }));
    return true;
  }

 private:
  /// Id, file and record.
  static constexpr std::size_t name_fields = 3;

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
    for (std::size_t i = name_fields; i < 2 * name_fields; ++i) {
      columns[i].name = "other_" + columns[i].name;
    }
    return columns;
  }

  void set_numbers(const PairTableRow& pair, Row& row) const {
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
  }

  static bool is_id(std::size_t column) { return column == 0 || column == name_fields; }
  static DocumentId document_of(const PairTableRow& pair, std::size_t column) {
    return column < name_fields ? pair.document : pair.other;
  }

  /// Of a column that is no id.
  double number_of(const PairTableRow& pair, std::size_t column,
                   const std::vector<double>& ranks) const {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    if (column < 2 * name_fields) {
      const DocumentId document = document_of(pair, column);
      if (column % name_fields == 2) return static_cast<double>(document.record());
      return document.source() < ranks.size() ? ranks[document.source()] : missing;
    }
    Row row;
    set_numbers(pair, row);
    switch (column - 2 * name_fields) {
      case 0:
        return row.kind.front();  // kinds begin with letters of their own
      case 1:
        return row.resemblance.value_or(missing);
      case 2:
        return row.containment.value_or(missing);
      case 3:
        return row.other_containment.value_or(missing);
      case 4:
        return row.distance.has_value() ? static_cast<double>(*row.distance) : missing;
      default:
        return row.is_template ? 1 : 0;
    }
  }

  void set_place(DocumentId document, RecordName& out) const {
    out.record = document.record();
    if (document.source() < sources_.size()) out.file = sources_[document.source()];
  }

  Status set_name(DocumentId document, RecordName& out) const {
    RecordPlace place;
    TWINSET_ASSIGN(const bool found, pairs_.name(document, place));
    if (!found || document.source() >= sources_.size()) {
      return io_error("pairs name a document that has no line of its own; the list is damaged");
    }
    out.id = std::move(place.document.id);
    set_place(document, out);
    return {};
  }

  const PairTable& pairs_;
  const PairsFolder& folder_;
  const std::vector<std::string>& sources_;
};

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

Status RowList::for_each_value(std::size_t column, const std::atomic<bool>* cancel,
                               const UseValue& use) const {
  return for_each(
      0, rows(), [&](std::uint64_t number, const std::vector<std::string>& values) -> Result<bool> {
        if (number % stop_lines == 0) TWINSET_TRY(check_stop(cancel));
        TWINSET_TRY(use(number, values[column]));
        return true;
      });
}

Status RowList::for_each_with(std::string_view lowered, const std::atomic<bool>* cancel,
                              const UseNumber& use) const {
  std::string room;
  return for_each(
      0, rows(), [&](std::uint64_t number, const std::vector<std::string>& values) -> Result<bool> {
        if (number % stop_lines == 0) TWINSET_TRY(check_stop(cancel));
        for (const std::string& value : values) {
          if (!value_has_text(value, lowered, room)) continue;
          TWINSET_TRY(use(number));
          break;
        }
        return true;
      });
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
  ReusedSites sites;
  std::vector<std::unique_ptr<RowList>> out;
  TWINSET_ASSIGN(out.emplace_back(), read_lines_of<DetectedPage>(files, "pages", path(pages_list),
                                                                 limits, page_line_fields));
  TWINSET_ASSIGN(out.emplace_back(),
                 read_lines_of<MatchLine>(
                     files, "matches", path(matches_list), limits, own_fields<MatchLine>, unread,
                     [&](const MatchLine& line) { sites.add(line.url, line.match); }));
  TWINSET_ASSIGN(out.emplace_back(), read_lines_of<DetectedNeighborhood>(
                                         files, "neighborhoods", path(neighborhoods_list), limits,
                                         neighborhood_line_fields));
  TWINSET_ASSIGN(out.emplace_back(), reuse_rows(files, sites, limits));
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
