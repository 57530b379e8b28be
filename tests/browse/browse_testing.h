// A folder of dedup with made clusters, which a test knows by heart: the folder of a real run,
// whose lists are replaced.
//
//   MadeFolder made;
//   made.draw(7, 200);                 // 200 clusters by this seed
//   made.write();
//   RunBrowser::open({.folder = made.out}, quiet_control());
//
// Threads: one thread at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "io/json.h"
#include "support_runs/job_testing.h"
#include "twinset/browse.h"
#include "twinset/dedup.h"

namespace twinset::testing {

struct MadeMember {
  std::string id;
  std::size_t file = 0;
  std::uint64_t record = 0;
  RemovalKind kind = RemovalKind::near;  ///< of all but the first of a cluster
  unsigned millionths = 0;
};
using MadeCluster = std::vector<MadeMember>;

struct MadeFolder {
  ScratchFolder folder;
  std::string out = folder / "out";
  std::vector<std::string> files;
  std::vector<MadeCluster> clusters;

  MadeFolder() {
    for (const char* name : {"a.jsonl", "news/B.jsonl", "c.jsonl"}) {
      files.push_back(folder.write(name, "{\"id\": 1, \"text\": \"a text of its own, " +
                                             std::string(name) + ", of some words\"}\n"));
    }
    DedupOptions options;
    options.inputs = files;
    options.output = out;
    const auto done = dedup(options, quiet_control());
    EXPECT_TRUE(done.ok()) << done.error().message;
  }

  void draw(std::uint64_t seed, std::size_t number) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    std::vector<std::uint64_t> next(files.size(), 1);
    constexpr RemovalKind kinds[] = {RemovalKind::identical, RemovalKind::lexical,
                                     RemovalKind::near, RemovalKind::contained};
    for (std::size_t i = 0; i < number; ++i) {
      MadeCluster& cluster = clusters.emplace_back();
      const std::size_t members = below(20) == 0 ? 100 + below(300) : 2 + below(4);
      const RemovalKind kind = kinds[below(4)];
      for (std::size_t j = 0; j < members; ++j) {
        MadeMember& member = cluster.emplace_back();
        member.file = below(8) == 0 ? below(files.size()) : i % 2;
        member.record = next[member.file]++;
        member.id =
            (below(2) == 0 ? "Doc-" : "page/") + std::to_string(i) + "." + std::to_string(j);
        if (below(50) == 0)
          member.id = "\"<b>\xc3\xa9\\\n" + std::to_string(i) + "." + std::to_string(j);
        member.kind = below(3) == 0 ? kinds[below(4)] : kind;
        member.millionths = member.kind == RemovalKind::identical
                                ? 1'000'000
                                : static_cast<unsigned>(below(4) * 100'000 + 600'000);
      }
    }
  }

  std::string name_json(const MadeMember& member, const std::string& prefix = "") const {
    std::string out_json = "\"" + prefix + "id\": ";
    append_json_string(out_json, member.id);
    out_json += ", \"" + prefix + "file\": ";
    append_json_string(out_json, files[member.file]);
    return out_json + ", \"" + prefix + "record\": " + std::to_string(member.record);
  }

  void write() const {
    std::string listed;
    std::vector<std::pair<const MadeMember*, const MadeMember*>> removed;
    for (const MadeCluster& cluster : clusters) {
      for (std::size_t j = 0; j < cluster.size(); ++j) {
        listed += (j == 0   ? "{\"representative\": {"
                   : j == 1 ? ", \"members\": [{"
                            : ", {") +
                  name_json(cluster[j]) + ", \"fingerprint\": \"00000000000000a1\"}";
        if (j > 0) removed.emplace_back(&cluster[j], &cluster[0]);
      }
      listed += "]}\n";
    }
    std::sort(removed.begin(), removed.end(), [](const auto& a, const auto& b) {
      return std::pair(a.first->file, a.first->record) < std::pair(b.first->file, b.first->record);
    });
    std::string lines;
    for (const auto& [member, survivor] : removed) {
      lines += "{" + name_json(*member) + ", \"kind\": \"" + std::string(name_of(member->kind)) +
               "\", " + name_json(*survivor, "survivor_") +
               ", \"resemblance\": " + share(member->millionths) +
               ", \"containment\": 0.5, \"survivor_containment\": 0.25, \"fingerprint\": "
               "\"00000000000000a1\", \"survivor_fingerprint\": \"00000000000000a1\"}\n";
    }
    replace("clusters.jsonl.zst", listed);
    replace("removed.jsonl.zst", lines);
  }

  void replace(const std::string& name, const std::string& bytes) const {
    std::filesystem::remove(out + "/" + name);
    put_file(out + "/" + name, bytes, Compression::zstd);
  }

  static std::string share(unsigned millionths) {
    std::string text;
    append_json_real(text, millionths / 1e6);
    return text;
  }

  /// The folder, opened.
  RunBrowser browse(std::uint64_t memory = 0) const {
    BrowseOptions options;
    options.folder = out;
    options.memory = memory;
    options.tmp = folder.path();
    Result<RunBrowser> opened = RunBrowser::open(options, quiet_control());
    EXPECT_TRUE(opened.ok()) << opened.error().text();
    return std::move(opened).value();
  }
};

/// All rows of a list, page by page.
inline std::vector<std::string> rows_of_list(const RunBrowser& run, ListRowsOptions options) {
  std::vector<std::string> all;
  for (;;) {
    options.offset = all.size();
    options.limit = 37;
    const auto page = run.rows(options);
    EXPECT_TRUE(page.ok()) << page.error().text();
    if (!page.ok() || page.value()->rows.empty()) return all;
    all.insert(all.end(), page.value()->rows.begin(), page.value()->rows.end());
    EXPECT_GE(page.value()->total, all.size());
  }
}

inline std::size_t column_of(const RunBrowser& run, const std::string& list,
                             const std::string& column) {
  for (const BrowsedList& described : run.lists()) {
    if (described.name != list) continue;
    for (std::size_t i = 0; i < described.columns.size(); ++i) {
      if (described.columns[i].name == column) return i;
    }
  }
  ADD_FAILURE() << list << " has no column " << column;
  return 0;
}

}  // namespace twinset::testing
