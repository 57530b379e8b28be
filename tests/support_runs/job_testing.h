// Shared by the tests of job: made-up collections on disk, runs over them, and the files of a run,
// read back as plain values.
//
//   MadeCollection collection = planted_collection({.seed = 1, .documents = 500});
//   const ScratchFolder folder;
//   DedupOptions options = collection.write(folder);
//   Result<DedupSummary> done = dedup(options, quiet_control());
//   RunOutput output = read_output(options.output);
//
// Threads: one thread at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "evaluate/edits.h"
#include "evaluate/random.h"
#include "io/bytes.h"
#include "io/json.h"
#include "io/json_read.h"
#include "support/json_object.h"
#include "support/scratch_folder.h"
#include "system/files.h"
#include "system/forwarding_file.h"
#include "system/memory_files.h"
#include "twinset/dedup.h"

namespace twinset::testing {

/// The disk, but nothing is ever flushed: a test that makes hundreds of runs
/// would wait for the disk most of the time.
class UnsyncedFiles final : public ForwardingFiles {
 public:
  UnsyncedFiles() : ForwardingFiles(disk()) {}
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    Result<std::unique_ptr<File>> opened = below().open(path, mode);
    if (!opened.ok()) return opened;
    return std::unique_ptr<File>(std::make_unique<UnsyncedFile>(std::move(opened).value()));
  }
  Status rename(const std::string& from, const std::string& to) override {
    std::error_code failed;
    std::filesystem::rename(from, to, failed);
    if (failed) return io_error("cannot rename " + from + " to " + to + ": " + failed.message());
    return {};
  }
  Status sync_tree(const std::string&) override { return {}; }
  Status sync_directory(const std::string&) override { return {}; }

 private:
  class UnsyncedFile final : public ForwardingFile {
   public:
    using ForwardingFile::ForwardingFile;
    Status sync() override { return {}; }
  };
};

inline UnsyncedFiles& unsynced() {
  static UnsyncedFiles files;
  return files;
}

/// Control of a run over unsynced files, without messages.
inline RunControl quiet_control() { return {nullptr, nullptr, &unsynced()}; }

/// The budget a run needs at least, and `more`: 0 makes every store spill. Records of
/// up to a mebibyte take nothing of it.
inline void set_small_memory(CollectionOptions& options, unsigned threads, std::uint64_t more) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  options.input.max_record = mebibyte;
  options.resources.threads = threads;
  options.resources.memory = (64 + 32 * threads) * mebibyte + more;
}

/// One made-up record.
struct MadeRecord {
  std::string id;  ///< empty: no id field
  std::string text;
  std::string order;  ///< a JSON value for the field "order"; empty: no such field

  std::string line() const {
    std::string out;
    JsonObject object(out);
    if (!id.empty()) object.string("id", id);
    object.string("text", text);
    if (!order.empty()) object.raw("order", order);
    object.end();
    return out + "\n";
  }
};

struct MadeFile {
  std::string name;  ///< ends in .jsonl, .jsonl.gz or .jsonl.zst
  std::vector<MadeRecord> records;
  bool reference = false;

  std::string bytes() const {
    std::string all;
    for (const MadeRecord& record : records) all += record.line();
    return all;
  }
};

inline Compression compression_of(const std::string& name) {
  if (name.ends_with(".gz")) return Compression::gzip;
  if (name.ends_with(".zst")) return Compression::zstd;
  return Compression::none;
}

/// Packed files have many members or frames, which end anywhere; folders are made.
inline void put_file(const std::string& path, std::string_view bytes, Compression compression) {
  const std::size_t member_bytes = std::max<std::size_t>(bytes.size() / 9 + 1, 3001);
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  MemoryFiles members;
  std::string all;
  do {
    const bool packed = compression != Compression::none;
    const std::string_view part = packed ? bytes.substr(0, member_bytes) : bytes;
    bytes.remove_prefix(part.size());
    auto sink = create_bytes(members, "member", compression);
    ASSERT_TRUE(sink.ok()) << sink.error().message;
    ASSERT_TRUE(sink.value()->write(part).ok());
    ASSERT_TRUE(sink.value()->finish().ok());
    all += members.read("member");
    ASSERT_TRUE(members.remove_file("member").ok());
  } while (!bytes.empty());
  ASSERT_TRUE(write_file_atomically(unsynced(), path, all).ok());
}

/// The decoded bytes of a file.
inline std::string get_file(const std::string& path) {
  auto source = open_bytes(unsynced(), path, compression_of(path), {});
  EXPECT_TRUE(source.ok()) << path;
  if (!source.ok()) return {};
  std::string all;
  std::string buffer(1 << 16, '\0');
  for (;;) {
    const Result<std::size_t> got = source.value()->read(buffer.data(), buffer.size());
    EXPECT_TRUE(got.ok()) << path;
    if (!got.ok() || got.value() == 0) break;
    all.append(buffer, 0, got.value());
  }
  EXPECT_EQ(source.value()->fault().reason, BadReason::none) << path;
  return all;
}

/// A collection: some files, some of them references.
struct MadeCollection {
  std::vector<MadeFile> files;

  /// Writes the files below `folder`/in and /ref and gives options that read
  /// them and write to `folder`/out.
  template <class Options = DedupOptions>
  Options write(const ScratchFolder& folder) const {
    Options options;
    for (const MadeFile& file : files) {
      const std::string path = folder / ((file.reference ? "ref/" : "in/") + file.name);
      put_file(path, file.bytes(), compression_of(path));
      (file.reference ? options.against : options.inputs).push_back(path);
    }
    options.output = folder / "out";
    set_small_memory(options, 1, std::uint64_t{64} << 20);
    return options;
  }
};

struct PlantedOptions {
  std::uint64_t seed = 1;
  std::uint64_t documents = 400;
  std::uint64_t files = 3;
  std::uint64_t references = 0;    ///< of the files
  std::uint64_t most_words = 120;  ///< of an original
  std::uint64_t copy_per_mille = 600;
  bool compressed = false;  ///< some of the files
  bool orders = false;      ///< most records have the field "order"
};

/// Originals in many languages, and copies changed by the edits of evaluate/; some
/// texts are empty, of white space, or of a word or two.
inline MadeCollection planted_collection(const PlantedOptions& wanted) {
  static constexpr std::string_view languages[] = {
      "the quick brown fox jumps over the lazy dog and runs away from it",
      "\xd0\xb2\xd1\x81\xd0\xb5 \xd1\x81\xd1\x87\xd0\xb0\xd1\x81\xd1\x82\xd0\xbb\xd0\xb8\xd0\xb2"
      "\xd1\x8b\xd0\xb5 \xd1\x81\xd0\xb5\xd0\xbc\xd1\x8c\xd0\xb8",
      "\xe6\x88\x91\xe5\x80\x91\xe7\x9a\x84\xe5\x9c\x8b\xe5\xae\xb6\xe6\x98\xaf\xe4\xb8\x80\xe5"
      "\x80\x8b\xe5\xa4\xa7\xe5\x9c\x8b\xe5\xae\xb6\xe4\xba\xba\xe6\xb0\x91\xe5\xbe\x88\xe5\xa4"
      "\x9a",
      "\xce\xb5\xce\xbd \xce\xb1\xcf\x81\xcf\x87\xce\xb7 \xce\xb7\xce\xbd \xce\xbf \xce\xbb\xce"
      "\xbf\xce\xb3\xce\xbf\xcf\x82",
      "caf\xc3\xa9 na\xc3\xafve \xc3\xbc"
      "ber stra\xc3\x9f"
      "e d\xc3\xa9j\xc3\xa0 vu \xf0\x9f\x98\x80 ok"};
  static constexpr std::string_view odd[] = {"",    " ",    "\n\t ",     "...",    "?!",
                                             "one", "One.", "two words", "a b c d"};
  MadeCollection collection;
  for (std::uint64_t f = 0; f < wanted.files; ++f) {
    std::string name = "part-" + std::to_string(f) + ".jsonl";
    if (wanted.compressed && f % 3 != 0) name += f % 3 == 1 ? ".gz" : ".zst";
    collection.files.push_back({name, {}, f < wanted.references});
  }
  SeededRandom random(derive_seed(wanted.seed, 77));
  std::vector<std::string> texts;
  for (std::uint64_t d = 0; d < wanted.documents; ++d) {
    MadeRecord record;
    if (random.chance(7, 8)) record.id = "d" + std::to_string(d);
    if (random.chance(1, 40)) {
      record.text = odd[random.below(std::size(odd))];
    } else if (!texts.empty() && random.chance(wanted.copy_per_mille, 1000)) {
      const std::string& original = texts[random.below(texts.size())];
      const Edit& edit = edits()[random.below(edits().size())];
      record.text = edit.apply(original, random.next());
      if (random.chance(1, 10)) {
        record.text = embed_in(original, texts[random.below(texts.size())], random.next());
      }
    } else {
      const std::uint64_t words =
          random.chance(1, 8) ? random.below(8) : 8 + random.below(wanted.most_words);
      record.text = made_words(languages[random.below(std::size(languages))], words, random.next());
    }
    texts.push_back(record.text);
    if (wanted.orders && random.chance(9, 10)) {
      record.order = std::to_string(random.below(1000)) + "." + std::to_string(random.below(100));
      if (random.chance(1, 3)) record.order.insert(0, "-");
    }
    collection.files[random.below(wanted.files)].records.push_back(std::move(record));
  }
  return collection;
}

/// A line of removed.jsonl.zst.
struct RemovedLine {
  std::string id;  ///< as written, JSON
  std::string file;
  std::uint64_t record = 0;
  std::string kind;
  std::string survivor_id;
  std::string survivor_file;
  std::uint64_t survivor_record = 0;
  double resemblance = 0;
  double containment = 0;
  double survivor_containment = 0;
  std::optional<double> standard_error;
};

/// The files of an output, with their decoded and parsed contents.
struct RunOutput {
  /// By name. summary.json is without its run part.
  std::map<std::string, std::string> bytes;
  std::vector<RemovedLine> removed;
  std::map<std::string, std::vector<std::string>> clusters;  ///< members by representative
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline std::map<std::string, std::string> folder_bytes(const std::string& folder) {
  std::map<std::string, std::string> bytes;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ostringstream content;
    content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const std::string name = std::filesystem::relative(entry.path(), folder).string();
    std::string text = content.str();
    if (name == "summary.json") text.resize(std::min(text.size(), text.find("\"run\":")));
    bytes[name] = std::move(text);
  }
  return bytes;
}

inline RunOutput read_output(const std::string& folder) {
  RunOutput output;
  output.bytes = folder_bytes(folder);
  for (const std::string& text : lines_of(get_file(folder + "/removed.jsonl.zst"))) {
    const Result<JsonNode> parsed = read_json(text, "removed.jsonl.zst");
    EXPECT_TRUE(parsed.ok()) << text;
    if (!parsed.ok()) continue;
    const JsonNode line = parsed.value();
    RemovedLine removed{std::string(line["id"].raw()),
                        line["file"].text(),
                        line["record"].integer().value_or(0),
                        line["kind"].text(),
                        std::string(line["survivor_id"].raw()),
                        line["survivor_file"].text(),
                        line["survivor_record"].integer().value_or(0),
                        line["resemblance"].real().value_or(-1),
                        line["containment"].real().value_or(-1),
                        line["survivor_containment"].real().value_or(-1),
                        line["standard_error"].real()};
    output.removed.push_back(std::move(removed));
  }
  for (const std::string& text : lines_of(get_file(folder + "/clusters.jsonl.zst"))) {
    const Result<JsonNode> parsed = read_json(text, "clusters.jsonl.zst");
    EXPECT_TRUE(parsed.ok()) << text;
    if (!parsed.ok()) continue;
    std::vector<std::string> members;
    for (const JsonNode& member : parsed.value()["members"].elements()) {
      members.emplace_back(member["id"].raw());
    }
    output.clusters[std::string(parsed.value()["representative"]["id"].raw())] = members;
  }
  return output;
}

}  // namespace twinset::testing
