// What it costs to read mail: a mailbox, files of one mail each, and a Maildir, beside GMime that
// parses the same mailbox and decodes nothing. The mails are SpamAssassin's, below TWINSET_DATA.
//
//   TWINSET_DATA=... io_mail_bench
#include <benchmark/benchmark.h>
#include <gmime/gmime.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "bench_archive.h"
#include "cpu_seconds.h"
#include "io/reader.h"
#include "system/memory_files.h"
#include "twinset/files.h"

namespace twinset {
namespace {

/// The mails as they came, without their From_ lines.
std::vector<std::string> mails_of(const std::string& path) {
  std::vector<std::string> mails;
  Input input;
  input.path = path;
  input.format = find_format("jsonl")->declaration->name;
  input.compression = Compression::zstd;
  FieldNames fields;
  fields.text = "raw";
  auto reader = open_reader(disk(), input, {}).value();
  RecordBatch batch;
  while (reader->read(batch).value()) {
    reader->decode(fields, batch);
    for (const Record& record : batch.records) {
      // The JSON has each byte as the character of its number.
      std::string mail;
      for (std::size_t i = 0; i < record.text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(record.text[i]);
        mail += byte < 0x80
                    ? record.text[i]
                    : static_cast<char>((byte & 3U) << 6U |
                                        (static_cast<unsigned char>(record.text[++i]) & 63U));
      }
      if (mail.starts_with("From ")) mail.erase(0, mail.find('\n') + 1);
      mails.push_back(std::move(mail));
    }
  }
  return mails;
}

/// Once for all; empty without the collection.
const std::vector<std::string>& mails() {
  static const std::vector<std::string> all = [] {
    const char* const data = std::getenv("TWINSET_DATA");
    if (data == nullptr) return std::vector<std::string>();
    return mails_of(std::string(data) + "/spamassassin/messages.jsonl.zst");
  }();
  return all;
}

/// As programs write mailboxes: lines "From " are quoted.
const std::string& mailbox() {
  static const std::string box = [] {
    std::string made;
    for (const std::string& mail : mails()) {
      made += "From a@b.example Tue May  5 10:00:00 2026\n";
      std::size_t at = 0;
      while (at < mail.size()) {
        const std::size_t end = std::min(mail.find('\n', at), mail.size() - 1) + 1;
        const std::string_view line = std::string_view(mail).substr(at, end - at);
        if (line.starts_with("From ")) made += '>';
        made += line;
        at = end;
      }
      made += "\n\n";
    }
    return made;
  }();
  return box;
}

void told(benchmark::State& state, double mails_read, double seconds) {
  state.counters["MB_per_s"] =
      static_cast<double>(mailbox().size() * state.iterations()) / seconds / 1e6;
  state.counters["mails_per_s"] = mails_read / seconds;
}

/// The mails of files of one format.
double read_files(FileSystem& files, const std::vector<std::string>& paths, std::string_view format,
                  const FieldNames& fields) {
  Input input;
  input.format = find_format(format)->declaration->name;
  RecordBatch batch;
  double read = 0;
  for (const std::string& path : paths) {
    input.path = path;
    auto reader = open_reader(files, input, {}).value();
    while (reader->read(batch).value()) {
      reader->decode(fields, batch);
      read += static_cast<double>(batch.records.size());
    }
  }
  return read;
}

void read_mailbox(benchmark::State& state, bool drop_quotes) {
  if (mails().empty()) return state.SkipWithError("TWINSET_DATA has no spamassassin");
  MemoryFiles files;
  if (!files.write("x", mailbox()).ok()) return;
  FieldNames fields;
  fields.drop_mail_quotes = drop_quotes;
  double read = 0;
  const double begin = cpu_seconds();
  for (auto _ : state) read += read_files(files, {"x"}, "mbox", fields);
  told(state, read, cpu_seconds() - begin);
}

/// Files that the system has in its memory.
void read_maildir(benchmark::State& state) {
  if (mails().empty()) return state.SkipWithError("TWINSET_DATA has no spamassassin");
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("io_mail_bench." + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::vector<std::string> paths;
  for (const std::string& mail : mails()) {
    paths.push_back(folder / (std::to_string(paths.size()) + ".M1.host:2,S"));
    std::ofstream(paths.back(), std::ios::binary) << mail;
  }
  double read = 0;
  const double begin = cpu_seconds();
  for (auto _ : state) read += read_files(disk(), paths, "eml", {});
  told(state, read, cpu_seconds() - begin);
  std::filesystem::remove_all(folder);
}

void parse_by_gmime(benchmark::State& state) {
  if (mails().empty()) return state.SkipWithError("TWINSET_DATA has no spamassassin");
  g_mime_init();
  double read = 0;
  const double begin = cpu_seconds();
  for (auto _ : state) {
    GMimeStream* const stream =
        g_mime_stream_mem_new_with_buffer(mailbox().data(), mailbox().size());
    GMimeParser* const parser = g_mime_parser_new_with_stream(stream);
    g_object_unref(stream);
    g_mime_parser_set_format(parser, GMIME_FORMAT_MBOX);
    g_mime_parser_set_persist_stream(parser, TRUE);
    while (!g_mime_parser_eos(parser)) {
      GMimeMessage* const message = g_mime_parser_construct_message(parser, nullptr);
      if (message == nullptr) break;
      ++read;
      g_object_unref(message);
    }
    g_object_unref(parser);
  }
  told(state, read, cpu_seconds() - begin);
}

BENCHMARK_CAPTURE(read_mailbox, whole, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_mailbox, without_quotes, true)->Unit(benchmark::kMillisecond);
BENCHMARK(read_maildir)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_by_gmime)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace twinset
