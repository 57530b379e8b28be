// collection: writes a synthetic collection with known truth as JSONL, and
// measures a finished run's recall and precision against that truth.
//
//   collection write --documents 5000000 > five-million.jsonl
//   twinset dedup five-million.jsonl -o out
//   collection check out --documents 5000000
//
// Record i is a pure function of the options and i (support_runs/synthetic.h), so writing keeps no
// state, and checking makes both texts of a pair again. The options of both calls must agree.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collection_check.h"
#include "evaluate/random.h"
#include "support_runs/synthetic.h"
#include "system/threads.h"

namespace {

using twinset::SyntheticCollection;
using twinset::SyntheticOptions;
using twinset::SyntheticTruth;

/// True if any of the eight bytes must be escaped in a JSON string.
bool any_escaped(std::uint64_t bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  constexpr std::uint64_t highs = ones << 7;
  const auto below = [&](std::uint64_t value, std::uint64_t bound) {
    return (value - ones * bound) & ~value & highs;
  };
  return (below(bytes, 0x20) | below(bytes ^ ones * '"', 1) | below(bytes ^ ones * '\\', 1)) != 0;
}

/// Appends `text` (valid UTF-8) as the inside of a JSON string.
void append_escaped(std::string& out, std::string_view text) {
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::uint64_t next = 0;
    while (i + sizeof(next) <= text.size()) {
      std::memcpy(&next, text.data() + i, sizeof(next));
      if (any_escaped(next)) break;
      i += sizeof(next);
    }
    if (i == text.size()) break;
    const char c = text[i];
    if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20) continue;
    out += text.substr(done, i - done);
    done = i + 1;
    out += '\\';
    out += c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : c;
  }
  out += text.substr(done);
}

void append_record(std::string& out, const SyntheticCollection& collection, std::uint64_t document,
                   std::string& text) {
  const SyntheticTruth truth = collection.truth(document);
  collection.text(document, text);
  out += "{\"id\":\"d" + std::to_string(document) + "\",\"text\":\"";
  append_escaped(out, text);
  out += "\",\"year\":" + std::to_string(1990 + twinset::derive_seed(7, document) % 35);
  out += ",\"truth\":{\"cluster\":" + std::to_string(truth.cluster);
  out += ",\"size\":" + std::to_string(truth.cluster_size);
  out += ",\"copy\":" + std::to_string(truth.copy);
  out += ",\"original\":\"d" + std::to_string(truth.original) + "\",\"edit\":\"";
  out += truth.edit;
  out += "\"}}\n";
}

struct WriteOptions {
  std::uint64_t first = 0;
  std::uint64_t count = ~std::uint64_t{0};
  unsigned threads = 1;
  std::string output;
};

/// Blocks of records, a block a thread at a time, written in order.
int write_collection(const SyntheticCollection& collection, const WriteOptions& options) {
  constexpr std::uint64_t records_per_block = 1'000;
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };
  const std::unique_ptr<std::FILE, Close> file(
      options.output.empty() ? stdout : std::fopen(options.output.c_str(), "wb"));
  if (!file) {
    std::fprintf(stderr, "collection: cannot write %s\n", options.output.c_str());
    return 4;
  }
  const std::uint64_t first = std::min(options.first, collection.size());
  const std::uint64_t end = first + std::min(options.count, collection.size() - first);
  std::vector<std::string> blocks(options.threads);
  for (std::uint64_t at = first; at < end; at += records_per_block * options.threads) {
    const auto made = twinset::run_workers(options.threads, [&](unsigned worker) {
      std::string& block = blocks[worker];
      block.clear();
      std::string text;
      const std::uint64_t begin = std::min(end, at + worker * records_per_block);
      for (std::uint64_t i = begin; i < std::min(end, begin + records_per_block); ++i) {
        append_record(block, collection, i, text);
      }
      return twinset::Status();
    });
    bool written = made.ok();
    for (const std::string& block : blocks) {
      written = written && std::fwrite(block.data(), 1, block.size(), file.get()) == block.size();
    }
    if (!written || std::ferror(file.get()) != 0) {
      std::fprintf(stderr, "collection: writing failed; is the disk full?\n");
      return 4;
    }
  }
  if (std::fflush(file.get()) != 0) {
    std::fprintf(stderr, "collection: writing failed; is the disk full?\n");
    return 4;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A synthetic collection with planted copies and known truth");
  app.require_subcommand(1);
  SyntheticOptions options;
  WriteOptions writing;
  twinset::CheckOptions checking;
  std::string folder;
  const auto describe = [&](CLI::App* command) {
    command->add_option("--documents", options.documents, "Documents in the collection");
    command->add_option("--seed", options.seed, "Another seed, another collection");
    command->add_option("--clustered", options.clustered_per_mille,
                        "Of 1,000 documents, those in clusters of two or more");
    command->add_option("--largest", options.largest_cluster, "Cap on a cluster's documents");
    command->add_option("--mean-words", options.mean_words, "Mean words of an original");
    command->add_option("--threads", writing.threads, "Threads")->check(CLI::Range(1, 256));
  };
  CLI::App* write = app.add_subcommand("write", "Write the collection as JSONL");
  describe(write);
  write->add_option("--first", writing.first, "First document to write");
  write->add_option("--count", writing.count, "Documents to write");
  write->add_option("-o,--output", writing.output, "File; standard output if not given");
  CLI::App* check = app.add_subcommand("check", "Recall and precision of a finished run");
  describe(check);
  check->add_option("folder", folder, "The run's output folder")->required();
  check->add_option("--resemblance", checking.resemblance, "The run's threshold");
  check->add_option("--containment", checking.containment, "The run's containment, if used");
  check->add_option("--pairs", checking.pairs, "Pairs sampled for recall");
  check->add_option("--removals", checking.removals, "Removals whose resemblance is recomputed");
  check->add_flag("--json", checking.json, "One JSON object in place of the tables");
  CLI11_PARSE(app, argc, argv);

  const auto collection = SyntheticCollection::make(options);
  if (!collection.ok()) {
    std::fprintf(stderr, "collection: %s\n", collection.error().text().c_str());
    return 2;
  }
  if (write->parsed()) return write_collection(collection.value(), writing);
  checking.threads = writing.threads;
  const auto report = twinset::check_run(collection.value(), folder, checking);
  if (!report.ok()) {
    std::fprintf(stderr, "collection: %s\n", report.error().text().c_str());
    return static_cast<int>(report.error().code);
  }
  std::fputs(report.value().text.c_str(), stdout);
  return report.value().sound ? 0 : 1;
}
