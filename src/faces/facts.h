// The facts of a report: the values that a run collects for people to look at. report.json
// holds them, and the page (page.h) is made from that file alone.
//
//   ReportFacts facts{.title = "Clusters", .output = "groups"};
//   facts.sections.push_back({.name = "sizes", .title = "Sizes", .histograms = {by_size}});
//   const std::string json = report_json(facts);
//   Result<ReportFacts> same = read_report_facts(json, "groups/report.json");
//
// A section has any of the kinds below and is drawn in their order. A verb with something new to
// show adds sections; neither this file nor the page changes. Strings are unescaped: the page makes
// them harmless. docs/formats/report.md describes the file.
//
// Threads: values and pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "join/fate.h"
#include "twinset/field.h"
#include "twinset/result.h"

namespace twinset {

struct ReportDocument {
  std::string id{};          ///< empty: it has none
  std::string file{};        ///< empty: its id says where it is
  std::uint64_t record = 0;  ///< from 1
  std::string words{};       ///< its first words; empty: not read
  std::uint64_t index = 0;   ///< in the run, while the facts are collected; in no file
};

/// A value, and the unit in which people read it.
struct Value {
  Unit unit = Unit::text;
  std::string string;        ///< text, code
  std::uint64_t number = 0;  ///< count, bytes; the part of a percentage
  std::uint64_t whole = 0;   ///< of a percentage
  double real = 0;           ///< share, seconds
  double threshold = 0;      ///< of a share, which is never rounded across it

  static Value text(std::string text) { return {Unit::text, std::move(text), 0, 0, 0, 0}; }
  static Value code(std::string text) { return {Unit::code, std::move(text), 0, 0, 0, 0}; }
  static Value count(std::uint64_t number) { return {Unit::count, {}, number, 0, 0, 0}; }
  static Value percent(std::uint64_t part, std::uint64_t whole) {
    return {Unit::percent, {}, part, whole, 0, 0};
  }
  static Value share(double share, double threshold = 0) {
    return {Unit::share, {}, 0, 0, share, threshold};
  }
  static Value bytes(std::uint64_t number) { return {Unit::bytes, {}, number, 0, 0, 0}; }
  static Value seconds(double seconds) { return {Unit::seconds, {}, 0, 0, seconds, 0}; }
};

/// "1,234", "12.5 %", "0.856", "2.5 MB": as in numbers.h.
std::string value_text(const Value& value);

/// A named value. `note` adds a few words, or is empty.
struct Fact {
  std::string name;
  Value value;
  std::string note{};
};

/// A part of a whole, in the color of a fate.
struct Part {
  std::string name;
  Fate color = Fate::kept;
  std::uint64_t count = 0;
};

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;  ///< each with a value for every column
};

struct Bar {
  std::string label;                  ///< below the bar
  std::string range;                  ///< the whole range
  std::vector<std::uint64_t> counts;  ///< of each series; stacked
};

struct Histogram {
  std::string title;
  std::string across;               ///< the name of the bars' ranges
  std::string up;                   ///< the things that are counted
  std::vector<std::string> series;  ///< names; one alone is not shown
  std::vector<Bar> bars;
  bool logarithmic = false;  ///< logarithmic heights
};

/// Leads to the element `number`, from 1, of the section's graphs, list or pairs.
struct Anchor {
  std::string text{};
  std::string section{};
  std::uint64_t number = 0;

  bool empty() const { return section.empty(); }
};

/// A part of a treemap, as large as its count.
struct Tile {
  std::string name;
  std::uint64_t count = 0;
  std::string note{};
  Anchor link{};  ///< empty: it leads nowhere
};

struct PlotPoint {
  double across = 0;
  double up = 0;
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
  double threshold = 0;  ///< a place on the axis across; 0: none
};

/// Points of one or more series by two numbers.
struct Plot {
  std::string title;
  std::string across;  ///< the names of the axes
  std::string up;
  bool logarithmic = false;  ///< both axes; each number is above 0 then
  std::vector<PlotSeries> series;
};

struct GraphNode {
  ReportDocument document;
  std::uint64_t copies = 0;  ///< that it represents
};

struct GraphEdge {
  std::uint64_t a = 0;  ///< numbers of nodes
  std::uint64_t b = 0;
  double resemblance = 0;
};

/// Documents and the pairs between them. Node 0 is drawn in another color.
struct Graph {
  Anchor name;
  std::string note;
  double threshold = 0;  ///< an edge below it is dashed
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
};

struct ListMember {
  ReportDocument document;
  std::vector<Fact> facts;
};

/// One or two documents, the important numbers about them, and other documents that a reader may
/// unfold.
struct ListItem {
  std::vector<ReportDocument> documents;
  std::vector<Fact> facts;  ///< the first one matters most
  std::vector<Anchor> links;
  std::string members_name{};  ///< "8 removed records of 20"
  std::vector<ListMember> members{};
};

enum class Mark : std::uint8_t {
  plain,   ///< between words
  shared,  ///< in both texts
  only,    ///< in this text alone
  moved,   ///< elsewhere in the other text
  label,   ///< the number of a moved part
  cut,     ///< note about text that is left out
  skipped  ///< note on words that were not compared, being their site's
};

/// A piece of a text; a stretch of one mark may be several neighboring pieces.
struct Piece {
  Mark mark = Mark::plain;
  std::string text;
};

/// Text of both sides at the same height.
struct PairRow {
  bool same = false;
  std::vector<Piece> a;
  std::vector<Piece> b;
};

/// Two documents side by side.
struct ShownPair {
  std::string tag;  ///< the reason to show it
  Fate color = Fate::near;
  ReportDocument a;
  ReportDocument b;
  std::vector<Fact> facts;
  std::vector<PairRow> rows;
  std::string more;  ///< about text that is not shown
};

struct Section {
  std::string name;     ///< its id in the page: small letters
  std::string title{};  ///< empty: no heading
  std::string lead{};   ///< sentences
  std::vector<Fact> numbers{};
  std::vector<Part> parts{};  ///< a whole, as a strip
  std::vector<Table> tables{};
  std::vector<Histogram> histograms{};
  std::vector<Tile> tiles{};
  std::vector<Plot> plots{};
  std::vector<Graph> graphs{};
  std::vector<ListItem> list{};
  std::string side_a{};  ///< the roles of the two sides of a pair
  std::string side_b{};
  std::vector<ShownPair> pairs{};

  /// Elements that an Anchor may lead to.
  std::size_t elements() const { return graphs.size() + list.size() + pairs.size(); }
};

struct ReportFacts {
  std::string title;   ///< "Clusters"
  std::string output;  ///< the run's folder
  std::string command;
  std::string started;  ///< ISO 8601
  std::string version;
  std::string folder;  ///< prefix of every file's name; shown once
  std::vector<std::string> warnings;
  std::vector<Section> sections;
};

/// Calls `visit(document, reads_words)` for each document.
template <class Visit>
void for_each_document(ReportFacts& facts, Visit visit) {
  for (Section& section : facts.sections) {
    for (Graph& graph : section.graphs) {
      for (GraphNode& node : graph.nodes) visit(node.document, false);
    }
    for (ListItem& item : section.list) {
      for (ReportDocument& document : item.documents) visit(document, true);
      for (ListMember& member : item.members) visit(member.document, true);
    }
    for (ShownPair& pair : section.pairs) {
      visit(pair.a, false);
      visit(pair.b, false);
    }
  }
}

/// report.json. Invalid UTF-8 in a string becomes U+FFFD.
std::string report_json(ReportFacts facts);
/// A pair as an element of its `side_by_side`.
std::string pair_json(ShownPair pair);
/// JSON Schemas of both ("Report", "ShownPair") and of every object within them, by their names,
/// which refer to each other as "#/components/schemas/NAME".
std::map<std::string, std::string> report_schemas();

/// Reads the facts from `text`; messages call it `what`. Error (io), with line and byte: not JSON,
/// not a report of this version, a field of another kind or an unknown one; a link, an edge or a
/// row that refers to nothing.
Result<ReportFacts> read_report_facts(std::string_view text, const std::string& what);

}  // namespace twinset
