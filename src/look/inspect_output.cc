#include "look/inspect_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>

#include "cluster/cluster_fields.h"
#include "cluster/pair_lines.h"
#include "collection/output_lines.h"
#include "io/bytes.h"
#include "io/field_json.h"
#include "io/json_read.h"
#include "look/cluster_lines.h"
#include "look/output_folder.h"
#include "run/run_fields.h"
#include "run/workspace.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// The part of a line that is enough to tell which file it is from.
constexpr std::size_t peek_bytes = std::size_t{64} << 10;

struct Kind {
  std::string_view name;  ///< as dedup or cluster name the file
  std::string_view holds;
};
constexpr Kind removed_kind{removed_file_name, "records that dedup removed"};
constexpr Kind clusters_kind{clusters_file_name, "clusters of dedup, cluster or recut"};
constexpr Kind pairs_kind{pairs_file_name, "pairs that cluster found"};
constexpr Kind quarantine_kind{quarantine_file_name, "what could not be read as a document"};
constexpr Kind kept_kind{"kept.jsonl", "ids of the records that dedup kept"};
constexpr Kind spans_kind{"spans.jsonl.zst", "passages that stand at an earlier place, too"};
constexpr Kind pages_kind{"pages.jsonl.zst", "pages in which detect found labels, the worst first"};
constexpr Kind matches_kind{"matches.jsonl.zst", "labels that detect found, by page"};
constexpr Kind neighborhoods_kind{"neighborhoods.jsonl.zst",
                                  "neighborhoods that detect ranked, the worst first"};
constexpr Kind recursion_kind{"recursion.jsonl.zst",
                              "pages that detect left out: recursion errors of a crawler"};
constexpr std::array kinds{&removed_kind,       &clusters_kind, &pairs_kind, &quarantine_kind,
                           &kept_kind,          &spans_kind,    &pages_kind, &matches_kind,
                           &neighborhoods_kind, &recursion_kind};

/// The beginning of a file, decoded; empty if it does not decode.
Result<std::string> peek(FileSystem& files, const std::string& path) {
  const Compression compression = path.ends_with(".zst") ? Compression::zstd : Compression::none;
  TWINSET_ASSIGN(std::unique_ptr<ByteSource> source, open_bytes(files, path, compression, {}));
  std::string bytes(peek_bytes, '\0');
  std::size_t used = 0;
  while (used < bytes.size()) {
    TWINSET_ASSIGN(const std::size_t got, source->read(bytes.data() + used, bytes.size() - used));
    if (got == 0) break;
    used += got;
  }
  bytes.resize(used);
  return bytes;
}

/// The kind of file that a line is from; nullptr: none. Lines have their fields in the documented
/// order.
const Kind* kind_of_line(std::string_view line) {
  if (line.starts_with(R"({"representative": {"id": )")) return &clusters_kind;
  if (line.starts_with(R"({"a": {"id": )")) return &spans_kind;
  if (line.starts_with(R"({"prefix": )")) return &neighborhoods_kind;
  const bool is_page = line.starts_with(R"({"url": )");
  if (!is_page && !line.starts_with(R"({"id": )")) return nullptr;
  const Result<JsonNode> read = read_json(line, "");
  if (!read.ok()) return nullptr;
  const JsonNode node = read.value();
  if (is_page) {
    if (node["labeled"] && node["contains"]) return &pages_kind;
    if (node["parts"] && node["times"]) return &recursion_kind;
    return node["offset"] && node["hash"] ? &matches_kind : nullptr;
  }
  if (node["survivor_id"] && node["kind"]) return &removed_kind;
  if (node["reason"] && node["offset"] && node["length"]) return &quarantine_kind;
  const auto fields = node.fields();
  if (fields.size() == 3 && fields[1].first == "file" && fields[2].first == "record") {
    return &kept_kind;
  }
  return fields.size() > 3 && fields[1].first == "input" && fields[2].first == "record" &&
                 fields[3].first == "fingerprint"
             ? &pairs_kind
             : nullptr;
}

/// The kind of an empty file in a folder that twinset made, by its name.
Result<const Kind*> kind_of_empty(FileSystem& files, const std::string& path) {
  const std::filesystem::path whole(path);
  const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const Kind* kind) {
    return whole.filename() == std::string(kind->name);
  });
  TWINSET_ASSIGN(FileStatus summary, files.status((whole.parent_path() / summary_file).string()));
  if (known == kinds.end() || summary.kind != FileStatus::Kind::regular) {
    return static_cast<const Kind*>(nullptr);
  }
  return *known;
}

/// Counts the lines of a file, and by one of their fields.
Result<FileFacts> count_lines(FileSystem& files, const std::string& path, const std::string& field,
                              const std::string& lines_are = "records") {
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t lines = 0;
  TWINSET_TRY(for_each_line(files, path, [&](const JsonNode& line) -> Result<bool> {
    ++lines;
    if (!field.empty()) ++counts[line[field].text()];
    return true;
  }));
  FileFacts facts{{lines_are, format_count(lines)}};
  for (const auto& [name, count] : counts) {
    facts.push_back({"", format_count(count) + " " + visible_name(name)});
  }
  return facts;
}

Result<FileFacts> count_clusters(FileSystem& files, const std::string& path) {
  std::uint64_t clusters = 0;
  std::uint64_t documents = 0;
  std::uint64_t size = 0;
  std::uint64_t largest = 0;
  ClusterUse use;
  use.begin = [&](std::string_view) {
    size = 1;
    return Status{};
  };
  use.member = [&](std::string_view) {
    ++size;
    return Status{};
  };
  use.end = [&]() -> Result<bool> {
    ++clusters;
    documents += size;
    largest = std::max(largest, size);
    return true;
  };
  TWINSET_TRY(for_each_cluster(files, path, use));
  return FileFacts{{"clusters", format_count(clusters)},
                   {"documents", format_count(documents)},
                   {"largest", format_count(largest)}};
}

Result<FileFacts> count_pairs(FileSystem& files, const std::string& path) {
  std::uint64_t lines = 0;
  std::uint64_t pairs = 0;
  std::uint64_t copies = 0;
  TWINSET_TRY(for_each_pair_line(files, path, [&](const PairLine& line) -> Status {
    ++lines;
    pairs += line.pairs.size();
    copies += line.kind() == Fate::near ? 0 : 1;
    return {};
  }));
  return FileFacts{{"documents", format_count(lines)},
                   {"pairs", format_count(pairs)},
                   {"copies", format_count(copies)}};
}

Result<FileFacts> count(FileSystem& files, const std::string& path, const Kind& kind) {
  if (&kind == &clusters_kind) return count_clusters(files, path);
  if (&kind == &pairs_kind) return count_pairs(files, path);
  if (&kind == &removed_kind) return count_lines(files, path, "kind");
  if (&kind == &spans_kind) return count_lines(files, path, "place", "spans");
  if (&kind == &pages_kind || &kind == &recursion_kind)
    return count_lines(files, path, "", "pages");
  if (&kind == &neighborhoods_kind) return count_lines(files, path, "", "neighborhoods");
  if (&kind == &matches_kind) return count_lines(files, path, "kind", "matches");
  return count_lines(files, path, &kind == &quarantine_kind ? "reason" : "");
}

/// True for a summary.json, which stands for its folder.
bool is_summary(std::string_view bytes, const std::string& path) {
  return std::filesystem::path(path).filename() == std::string(summary_file) &&
         bytes.starts_with("{\n  \"read\": ");
}

/// The part of the summary of any verb that is shown, by the names of its counts.
struct SeenSummary {
  RunFacts facts;
  std::array<std::optional<std::uint64_t>, 12> counts;
  std::string scheme;
  std::string options;  ///< JSON
};
constexpr std::array counted{"read",        "kept",     "removed",       "documents",
                             "quarantined", "filtered", "spans",         "reused_tokens",
                             "pages",       "labels",   "labeled_pages", "labeled_chunks"};
constexpr std::size_t counted_before_clusters = 6;

std::vector<Field> fields_of(SeenSummary& seen) {
  std::vector<Field> fields;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    fields.push_back(if_set({counted[i], &seen.counts[i]}));
  }
  fields.push_back(if_set({"scheme", &seen.scheme}));
  fields.push_back(if_set(analyzer_field(seen.facts)));
  fields.push_back({"options", JsonForm{[&seen] { return seen.options; },
                                        [&seen](std::string_view json) {
                                          seen.options = json;
                                          return Status();
                                        }}});
  fields.push_back(run_field(seen.facts));
  return fields;
}

Result<FileFacts> describe_summary(FileSystem& files, const std::string& path,
                                   const std::string& summary_path) {
  TWINSET_ASSIGN(const std::string summary, read_result_file(files, summary_path));
  SeenSummary seen;
  TWINSET_TRY(read_fields(summary, summary_path, fields_of(seen)));
  const RunFacts& run = seen.facts;
  FileFacts facts{{"folder", visible_name(path)},
                  {"made by", "twinset " + visible_name(run.verb) + " " + run.version}};
  const auto add = [&](const std::string& name, const std::string& value) {
    facts.push_back({name, value});
  };
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (i == counted_before_clusters && (run.verb == "cluster" || run.verb == "recut")) {
      ClusterSummary made;
      TWINSET_TRY(read_fields(summary, summary_path, fields_of(made)));
      add("clusters", format_count(made.all.clusters) + " of " + format_count(made.all.documents) +
                          " documents, the largest of " + format_count(made.largest));
      add("pairs", format_count(made.kept_pairs) + " kept, " + format_count(made.edges) +
                       " at the threshold");
    }
    if (seen.counts[i].has_value()) add(counted[i], format_count(*seen.counts[i]));
  }
  if (!seen.scheme.empty()) add("scheme", visible_name(seen.scheme));
  if (!run.analyzer.empty()) {
    add("analyzer", visible_name(run.analyzer) + " version " + format_count(run.analyzer_version));
  }
  TWINSET_ASSIGN(const JsonNode options, read_json(seen.options, summary_path));
  for (const char* option : {"min_tokens", "keep", "resemblance", "containment", "shape"}) {
    const std::string value = options[option].text();
    if (!value.empty()) add(option, visible_name(value));
  }
  add("took", format_seconds(run.seconds));
  return facts;
}

}  // namespace

Result<FileFacts> inspect_output_folder(FileSystem& files, const std::string& path) {
  return describe_summary(files, path, path + "/" + std::string(summary_file));
}

Result<FileFacts> inspect_output_file(FileSystem& files, const std::string& path) {
  if (!path.ends_with(".jsonl") && !path.ends_with(".jsonl.zst") && !path.ends_with(".json")) {
    return FileFacts();
  }
  TWINSET_ASSIGN(std::string bytes, peek(files, path));
  if (is_summary(bytes, path)) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return describe_summary(files, folder.empty() ? "." : folder, path);
  }
  const std::size_t line_end = bytes.find('\n');
  const Kind* kind = kind_of_line(std::string_view(bytes).substr(0, line_end));
  if (bytes.empty()) {
    TWINSET_ASSIGN(const Kind* empty, kind_of_empty(files, path));
    kind = empty;
  }
  if (kind == nullptr) return FileFacts();
  TWINSET_ASSIGN(FileFacts facts, count(files, path, *kind));
  facts.insert(facts.begin(), {{"file", visible_name(path)}, {"holds", std::string(kind->holds)}});
  return facts;
}

}  // namespace twinset
