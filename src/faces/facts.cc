// Each struct lists its fields once, in fields(), after its name. JsonWriter, JsonReader and
// SchemaWriter use it, so they cannot differ. A field that is empty, 0 or false is not written.
//
// This file's interface is facts.h; the rest is private.
#include "faces/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <span>
#include <type_traits>

#include "io/json.h"
#include "io/json_read.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr const char* format_name = "twinset report 1";
constexpr double most_real = 1e9;
/// Of a point, which may be a count.
constexpr double most_point = 1e18;
/// Laying out a graph takes time and memory quadratic in its nodes.
constexpr std::size_t most_graph_nodes = 1000;

constexpr std::array<const char*, 8> unit_names{"text",  "code",  "count",   "percent",
                                                "share", "bytes", "seconds", "sentence"};
constexpr std::array<const char*, 7> mark_names{"plain", "shared", "only",   "moved",
                                                "label", "cut",    "skipped"};

std::span<const char* const> names_of(Unit) { return unit_names; }
std::span<const char* const> names_of(Mark) { return mark_names; }
std::span<const char* const> names_of(Fate) { return fate_names; }

void fields(auto& json, ReportDocument& document) {
  json.of("ReportDocument")("id", document.id)("file", document.file)("record", document.record)(
      "words", document.words);
}

void fields(auto& json, Value& value) {
  json.of("Value")("unit", value.unit)("string", value.string)("number", value.number)("whole",
                                                                                       value.whole);
  json("real", value.real)("threshold", value.threshold);
}

void fields(auto& json, Fact& fact) {
  json.of("Fact")("name", fact.name)("value", fact.value)("note", fact.note);
}

void fields(auto& json, Part& part) {
  json.of("Part")("name", part.name)("color", part.color)("count", part.count);
}

void fields(auto& json, Table& table) {
  json.of("Table")("columns", table.columns)("rows", table.rows);
}

void fields(auto& json, Bar& bar) {
  json.of("Bar")("label", bar.label)("range", bar.range)("counts", bar.counts);
}

void fields(auto& json, Histogram& chart) {
  json.of("Histogram")("title", chart.title)("across", chart.across)("up", chart.up)("series",
                                                                                     chart.series);
  json("logarithmic", chart.logarithmic)("bars", chart.bars);
}

void fields(auto& json, Anchor& link) {
  json.of("Anchor")("text", link.text)("section", link.section)("number", link.number);
}

void fields(auto& json, Tile& tile) {
  json.of("Tile")("name", tile.name)("count", tile.count)("note", tile.note)("link", tile.link);
}

void fields(auto& json, PlotSeries& series) {
  json.of("PlotSeries")("name", series.name)("points", series.points)("threshold",
                                                                      series.threshold);
}

void fields(auto& json, Plot& plot) {
  json.of("Plot")("title", plot.title)("across", plot.across)("up", plot.up);
  json("logarithmic", plot.logarithmic)("series", plot.series);
}

void fields(auto& json, GraphNode& node) {
  json.of("GraphNode")("document", node.document)("copies", node.copies);
}

void fields(auto& json, GraphEdge& edge) {
  json.of("GraphEdge")("a", edge.a)("b", edge.b)("resemblance", edge.resemblance);
}

void fields(auto& json, Graph& graph) {
  json.of("Graph")("name", graph.name)("note", graph.note)("threshold", graph.threshold);
  json("nodes", graph.nodes)("edges", graph.edges);
}

void fields(auto& json, ListMember& member) {
  json.of("ListMember")("document", member.document)("facts", member.facts);
}

void fields(auto& json, ListItem& item) {
  json.of("ListItem")("documents", item.documents)("facts", item.facts)("links", item.links);
  json("members_name", item.members_name)("members", item.members);
}

void fields(auto& json, Piece& piece) { json.of("Piece")("mark", piece.mark)("text", piece.text); }

void fields(auto& json, PairRow& row) {
  json.of("PairRow")("same", row.same)("a", row.a)("b", row.b);
}

void fields(auto& json, ShownPair& pair) {
  json.of("ShownPair")("tag", pair.tag)("color", pair.color)("a", pair.a)("b", pair.b)("facts",
                                                                                       pair.facts);
  json("rows", pair.rows)("more", pair.more);
}

void fields(auto& json, Section& section) {
  json.of("Section")("name", section.name)("title", section.title)("lead", section.lead);
  json("numbers", section.numbers)("parts", section.parts)("tables", section.tables);
  json("histograms", section.histograms)("tiles", section.tiles)("plots", section.plots);
  json("graphs", section.graphs)("list", section.list);
  json("side_a", section.side_a)("side_b", section.side_b)("side_by_side", section.pairs);
}

/// The whole file: the facts after the name of its format.
struct ReportFile {
  std::string format;
  ReportFacts facts;
};

void fields(auto& json, ReportFile& file) {
  ReportFacts& facts = file.facts;
  json.of("Report")("format", file.format)("title", facts.title)("output", facts.output);
  json("command", facts.command)("started", facts.started)("version", facts.version);
  json("folder", facts.folder)("warnings", facts.warnings)("sections", facts.sections);
}

class JsonWriter {
 public:
  JsonWriter& of(const char*) { return *this; }
  template <class Member>
  JsonWriter& operator()(const char* name, Member& member) {
    if (is_nothing(member)) return *this;
    if (!first_) out_ += ", ";
    first_ = false;
    fmt::format_to(std::back_inserter(out_), "\"{}\": ", name);
    put(member);
    return *this;
  }

  template <class Object>
  void put(Object& object) {
    if constexpr (std::is_enum_v<Object>) {
      append_json_string(out_, names_of(object)[static_cast<std::size_t>(object)]);
    } else if constexpr (std::is_arithmetic_v<Object>) {
      fmt::format_to(std::back_inserter(out_), "{}", object);  // The shortest that reads back.
    } else {
      const bool first = std::exchange(first_, true);
      out_ += '{';
      fields(*this, object);
      out_ += '}';
      first_ = first;
    }
  }
  void put(std::string& text) { append_json_string(out_, text); }
  void put(PlotPoint& point) {
    fmt::format_to(std::back_inserter(out_), "[{}, {}]", point.across, point.up);
  }
  /// Each object or list on its own line, so that an error's line number is useful.
  template <class Element>
  void put(std::vector<Element>& list) {
    constexpr bool is_short =
        std::is_same_v<Element, std::string> || std::is_same_v<Element, PlotPoint>;
    const char* separator = std::is_class_v<Element> && !is_short ? "\n" : "";
    out_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      out_ += i > 0 ? ", " : "";
      out_ += separator;
      put(list[i]);
    }
    out_ += ']';
  }

  std::string take() { return std::move(out_); }

 private:
  template <class Member>
  static bool is_nothing(const Member& member) {
    if constexpr (std::is_arithmetic_v<Member>) {
      return member == Member();
    } else if constexpr (requires { member.empty(); }) {
      return member.empty();
    } else {
      return false;
    }
  }

  std::string out_;
  bool first_ = true;
};

/// Keeps the schemas of an object and of those within it.
class SchemaWriter {
 public:
  explicit SchemaWriter(std::map<std::string, std::string>& all) : all_(all) {}

  SchemaWriter& of(const char* name) {
    name_ = name;
    return *this;
  }
  template <class Member>
  SchemaWriter& operator()(const char* name, Member& member) {
    properties_ += fmt::format("{}\"{}\": {}", properties_.empty() ? "" : ", ", name, put(member));
    // What is written in any case.
    if constexpr (std::is_enum_v<Member> ||
                  (std::is_class_v<Member> && !requires { member.empty(); })) {
      required_ += fmt::format("{}\"{}\"", required_.empty() ? "" : ", ", name);
    }
    return *this;
  }

  /// Of a value of this type; an object is named.
  template <class Type>
  std::string put(Type& type) {
    if constexpr (std::is_enum_v<Type>) {
      return fmt::format(R"({{"enum": ["{}"]}})", fmt::join(names_of(type), R"(", ")"));
    } else if constexpr (std::is_same_v<Type, bool>) {
      return R"({"type": "boolean"})";
    } else if constexpr (std::is_arithmetic_v<Type>) {
      return fmt::format(R"({{"type": "{}", "minimum": 0}})",
                         std::is_integral_v<Type> ? "integer" : "number");
    } else {
      SchemaWriter object(all_);
      fields(object, type);
      return object.keep();
    }
  }
  std::string put(std::string&) { return R"({"type": "string"})"; }
  std::string put(PlotPoint& point) {
    const std::string number = put(point.across);
    return fmt::format(
        R"({{"type": "array", "prefixItems": [{0}, {0}], "items": false, "minItems": 2}})", number);
  }
  template <class Element>
  std::string put(std::vector<Element>&) {
    Element element{};
    return fmt::format(R"({{"type": "array", "items": {}}})", put(element));
  }

 private:
  std::string keep() {
    const std::string required =
        required_.empty() ? "" : fmt::format(R"(, "required": [{}])", required_);
    all_[name_] = fmt::format(
        R"({{"type": "object", "properties": {{{}}}{}, "additionalProperties": false}})",
        properties_, required);
    return fmt::format(R"({{"$ref": "#/components/schemas/{}"}})", name_);
  }

  std::map<std::string, std::string>& all_;
  std::string name_;
  std::string properties_;
  std::string required_;
};

/// Stops at the first error and keeps it.
class JsonReader {
 public:
  JsonReader(std::string_view text, const std::string& what) : text_(text), what_(what) {}

  JsonReader& of(const char*) { return *this; }
  template <class Member>
  JsonReader& operator()(const char* name, Member& member) {
    const auto found = open_.find(name);
    if (found == open_.end()) return *this;
    const JsonNode node = found->second;
    open_.erase(found);
    if (status_.ok()) get(node, member);
    return *this;
  }

  template <class Object>
  void get(JsonNode node, Object& out) {
    if constexpr (std::is_enum_v<Object>) {
      const std::span<const char* const> names = names_of(out);
      const auto found = std::find(names.begin(), names.end(), node.text());
      if (found == names.end()) return fail(node, "is not a known word");
      out = static_cast<Object>(found - names.begin());
    } else {
      if (!is(node, JsonKind::object)) return;
      std::map<std::string, JsonNode> fields_here;
      for (const auto& [name, value] : node.fields()) {
        if (!fields_here.emplace(name, value).second) fail(value, "is a field given twice");
      }
      fields_here.swap(open_);
      fields(*this, out);
      if (!open_.empty()) fail(open_.begin()->second, "is a field that no report has");
      fields_here.swap(open_);
    }
  }
  void get(JsonNode node, std::string& out) {
    if (is(node, JsonKind::string)) out = node.text();
  }
  void get(JsonNode node, bool& out) {
    if (is(node, JsonKind::boolean)) out = node.boolean().value_or(false);
  }
  void get(JsonNode node, std::uint64_t& out) {
    const std::optional<std::uint64_t> number = node.integer();
    if (!number.has_value()) return fail(node, "is not a whole number");
    out = *number;
  }
  void get(JsonNode node, double& out) { get_real(node, out, most_real, "1e9"); }
  void get(JsonNode node, PlotPoint& out) {
    if (!is(node, JsonKind::array)) return;
    const auto numbers = node.elements();
    if (numbers.size() != 2) return fail(node, "is not a pair of numbers");
    get_real(numbers[0], out.across, most_point, "1e18");
    get_real(numbers[1], out.up, most_point, "1e18");
  }
  template <class Element>
  void get(JsonNode node, std::vector<Element>& out) {
    if (!is(node, JsonKind::array)) return;
    for (const JsonNode& element : node.elements()) {
      if (!status_.ok()) return;
      get(element, out.emplace_back());
    }
  }

  const Status& status() const { return status_; }

 private:
  void get_real(JsonNode node, double& out, double most, const char* shown) {
    const std::optional<double> number = node.real();
    if (!number.has_value() || !(*number >= 0 && *number <= most)) {
      return fail(node, "is not a number from 0 to " + std::string(shown));
    }
    out = *number;
  }

  bool is(JsonNode node, JsonKind kind) {
    if (node.kind() != kind) fail(node, "is not " + std::string(json_kind_name(kind)));
    return node.kind() == kind;
  }

  void fail(JsonNode node, const std::string& why) {
    if (!status_.ok()) return;
    const auto byte = node.raw().data() - text_.data();
    const auto line = 1 + std::count(text_.begin(), text_.begin() + byte, '\n');
    status_ = io_error(fmt::format("{}, line {}, byte {}: {} {}", what_, line, byte,
                                   std::string(node.raw().substr(0, 20)), why));
  }

  std::string_view text_;
  const std::string& what_;
  Status status_;
  std::map<std::string, JsonNode> open_;  ///< fields of the object being read
};

/// Checks that every reference to another part exists there.
class ReferenceCheck {
 public:
  explicit ReferenceCheck(const ReportFacts& facts) {
    for (const Section& section : facts.sections) check_name(section);
    for (const Section& section : facts.sections) check(section);
  }

  std::string fault;  ///< the first one; empty: none

 private:
  void expect(bool holds, const Section& section, const char* why) {
    if (!holds && fault.empty()) fault = "section \"" + section.name + "\": " + why;
  }

  void check_name(const Section& section) {
    const bool letters = std::all_of(section.name.begin(), section.name.end(),
                                     [](char c) { return c >= 'a' && c <= 'z'; });
    expect(letters && !section.name.empty(), section, "its name is not in small letters");
    expect(elements_.emplace(section.name, section.elements()).second, section,
           "its name is that of another");
    const int kinds = !section.graphs.empty() + !section.list.empty() + !section.pairs.empty();
    expect(kinds <= 1, section, "it has more than one of graphs, list and side_by_side");
  }

  void check(const Section& section) {
    for (const Table& table : section.tables) {
      for (const std::vector<Value>& row : table.rows) {
        expect(row.size() == table.columns.size(), section, "a row is not as wide as its table");
      }
    }
    for (const Histogram& chart : section.histograms) {
      for (const Bar& bar : chart.bars) {
        expect(bar.counts.size() == chart.series.size(), section,
               "a bar has not one count for each series");
      }
    }
    for (const Tile& tile : section.tiles) {
      if (!tile.link.empty()) check(section, tile.link);
    }
    for (const Plot& plot : section.plots) {
      for (const PlotSeries& series : plot.series) {
        const bool fits =
            std::all_of(series.points.begin(), series.points.end(),
                        [](const PlotPoint& point) { return point.across > 0 && point.up > 0; });
        expect(fits || !plot.logarithmic, section, "a point is not on logarithmic axes");
      }
    }
    for (const Graph& graph : section.graphs) {
      expect(graph.nodes.size() <= most_graph_nodes, section, "a graph is too large to draw");
      check(section, graph.name);
      for (const GraphEdge& edge : graph.edges) {
        expect(std::max(edge.a, edge.b) < graph.nodes.size(), section, "an edge leads nowhere");
      }
    }
    for (const ListItem& item : section.list) {
      for (const Anchor& link : item.links) check(section, link);
    }
  }

  void check(const Section& section, const Anchor& link) {
    const auto found = elements_.find(link.section);
    expect(found != elements_.end() && link.number >= 1 && link.number <= found->second, section,
           "a link leads nowhere");
  }

  std::map<std::string, std::size_t> elements_;  ///< by section
};

}  // namespace

std::string value_text(const Value& value) {
  switch (value.unit) {
    case Unit::count:
      return format_count(value.number);
    case Unit::percent:
      return format_percent(value.number, value.whole);
    case Unit::share:
      return format_share(value.real, value.threshold);
    case Unit::bytes:
      return format_bytes(value.number);
    case Unit::seconds:
      return format_seconds(value.real);
    default:
      return value.string;
  }
}

std::string report_json(ReportFacts facts) {
  ReportFile file{format_name, std::move(facts)};
  JsonWriter writer;
  writer.put(file);
  return writer.take() + "\n";
}

std::string pair_json(ShownPair pair) {
  JsonWriter writer;
  writer.put(pair);
  return writer.take();
}

std::map<std::string, std::string> report_schemas() {
  std::map<std::string, std::string> schemas;
  ReportFile file;
  SchemaWriter(schemas).put(file);
  return schemas;
}

Result<ReportFacts> read_report_facts(std::string_view text, const std::string& what) {
  TWINSET_ASSIGN(const JsonNode json, read_json(text, what));
  if (json["format"].text() != format_name) {
    return io_error(what + " is not a report of this version: its format is not \"" + format_name +
                    "\"");
  }
  ReportFile file;
  JsonReader reader(text, what);
  reader.get(json, file);
  TWINSET_TRY(reader.status());
  const ReferenceCheck references(file.facts);
  if (!references.fault.empty()) return io_error(what + ": " + references.fault);
  return std::move(file.facts);
}

}  // namespace twinset
