// What it costs to read the formats of records: split alone, and decoded to texts. All of the same
// 4,000 texts of some 2 kB, made here; "short" are rows of 40 bytes.
//
//   io_formats_bench --benchmark_filter=csv
#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "bench_archive.h"
#include "cpu_seconds.h"
#include "io/reader.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

/// Prose with lines, and now and then a quoted word.
std::string text_of(int i, std::string_view quote) {
  std::string text;
  for (int word = 0; word < 330; ++word) {
    text += "word" + std::to_string(word * (i + 7) % 977);
    if (word % 50 == 7) text.append(quote).append("so").append(quote);
    text += word % 12 == 11 ? '\n' : ' ';
  }
  return text;
}

/// The same lines in a string of JSON.
std::string json_text_of(int i) {
  std::string out;
  for (const char c : text_of(i, "\\\"")) out += c == '\n' ? std::string("\\n") : std::string(1, c);
  return out;
}

std::string file_of(std::string_view kind) {
  const bool tabs = kind == "tsv";
  std::string out = kind == "json" ? "[" : kind == "csv" || kind == "short" ? "id,text\n" : "";
  if (tabs) out = "id\ttext\n";
  for (int i = 0; i < (kind == "short" ? 200'000 : 4000); ++i) {
    const std::string id = std::to_string(i);
    if (kind == "csv" || tabs) {
      out += id + (tabs ? "\t\"" : ",\"") + text_of(i, "\"\"") + "\"\n";
    } else if (kind == "short") {
      out += id + ",the words of a row that are not quoted\n";
    } else if (kind == "sgml") {
      out += "<REUTERS TOPICS=\"YES\" NEWID=\"" + id +
             "\">\n<DATE>26-FEB-1987</DATE>\n<TOPICS><D>cocoa" +
             "</D></TOPICS>\n<TEXT>&#2;\n<TITLE>A TITLE</TITLE>\n<BODY>" + text_of(i, "&lt;") +
             "&#3;</BODY></TEXT>\n</REUTERS>\n";
    } else {
      if (kind == "json") out += i == 0 ? "\n" : ",\n";
      out += "{\"id\": " + id + ", \"text\": \"" + json_text_of(i) + "\"}";
      if (kind == "jsonl") out += "\n";
    }
  }
  if (kind == "json") out += "\n]\n";
  return out;
}

void read_all(benchmark::State& state, const std::string& kind, bool decode) {
  MemoryFiles files;
  const std::string bytes = file_of(kind);
  if (!files.write("x", bytes).ok()) return;
  Input input;
  input.path = "x";
  input.format = find_format(kind == "short" ? "csv" : kind)->declaration->name;
  FieldNames fields;
  fields.named = {"date"};
  double records = 0;
  RecordBatch batch;
  const double begin = cpu_seconds();
  for (auto _ : state) {
    auto reader = open_reader(files, input, {}).value();
    while (reader->read(batch).value()) {
      if (decode) reader->decode(fields, batch);
      records += static_cast<double>(batch.records.size());
    }
  }
  const double seconds = cpu_seconds() - begin;
  state.counters["MB_per_s"] =
      static_cast<double>(bytes.size() * state.iterations()) / seconds / 1e6;
  state.counters["records_per_s"] = records / seconds;
}

const bool registered = [] {
  for (const char* const kind : {"jsonl", "csv", "short", "tsv", "json", "sgml"}) {
    for (const bool decode : {false, true}) {
      const std::string name = std::string(kind) + (decode ? "/decode" : "/split");
      benchmark::RegisterBenchmark(name.c_str(), [kind, decode](benchmark::State& state) {
        read_all(state, kind, decode);
      })->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
}  // namespace twinset
