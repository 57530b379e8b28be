// Fuzzes the reader of df files and lexicons.
//
// If the first byte is odd, the rest describes a file with valid checksums, with terms, counts and
// facts of any kind. Any input must give an Error, or terms in order that keep the promises of
// their table.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/file_header.h"
#include "base/hash.h"
#include "base/varint.h"
#include "fuzz/input.h"
#include "stats/lexicon.h"
#include "stats/term_file.h"
#include "system/memory_files.h"

namespace {

using namespace twinset;
using fuzzing::FuzzInput;
using fuzzing::require;

std::string_view view(const void* bytes, std::size_t size) {
  return {static_cast<const char*>(bytes), size};
}

void append_block(std::string& file, std::uint32_t terms, std::uint64_t terms_before,
                  std::string_view bytes, std::uint64_t fingerprint) {
  const std::uint64_t numbers[] = {file.size(), terms_before, bytes.size(), terms};
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const std::uint64_t sum = checksum(bytes, checksum(view(numbers, sizeof numbers), fingerprint));
  file += view(&size, sizeof size);
  file += view(&terms, sizeof terms);
  file += view(&sum, sizeof sum);
  file += bytes;
}

/// A file with valid checksums.
std::string build(FuzzInput& told) {
  const bool lexicon = told.below(2) == 1;
  const std::uint64_t fingerprint = terms_fingerprint("words", 2);
  const std::uint64_t terms = told.below(6);
  std::string file = encode_file_header({.format = lexicon ? "lexicon" : "df",
                                         .fingerprint = fingerprint,
                                         .rows = told.below(8) == 1 ? told.below(9) : terms});
  std::string json = R"({"documents": )" + std::to_string(told.below(20)) +
                     R"(, "analyzer": "words", "analyzer_version": 2, "files": 1, "min_df": 1)";
  if (lexicon) {
    json += R"(, "primary": {"low": "0.2", "high": "0.8", "least_df": )" +
            std::to_string(told.below(4)) + R"(, "most_df": )" + std::to_string(told.below(20)) +
            R"(, "terms": )" + std::to_string(told.below(6)) + "}";
  }
  if (told.below(8) == 1) json += told.take(told.below(20));
  append_block(file, 0, 0, json + "}", fingerprint);
  for (std::uint64_t before = 0; before < terms;) {
    const auto here = static_cast<std::uint32_t>(1 + told.below(3));
    std::string block;
    for (std::uint32_t i = 0; i < here; ++i) {
      append_varint(told.below(5), block);
      const std::string_view text = told.take(told.below(6));
      append_varint(told.below(16) == 1 ? told.below(5000) : text.size(), block);
      block += text;
      append_varint(told.below(80), block);
    }
    append_block(file, here, before, block, fingerprint);
    before += here;
  }
  append_block(file, 0, terms, "", fingerprint);
  return file;
}

void read(const std::string& bytes) {
  MemoryFiles files;
  require(files.write("x.df", bytes).ok());
  const auto opened = TermFile::open(files, "x.df");
  if (!opened.ok()) return;
  const TermTable& table = opened.value().table();
  std::string before;
  std::uint64_t terms = 0;
  const Status done = opened.value().for_each([&](const CountedTerm& term) -> Status {
    require(terms == 0 || before < term.text);
    require(term.text.size() <= max_term_bytes);
    require(term.documents >= 1 && term.documents <= table.documents);
    require((term.part != TermPart::none) == table.is_lexicon());
    before = term.text;
    ++terms;
    return {};
  });
  require(!done.ok() || terms == table.terms);
  const auto lexicon = Lexicon::load(files, "x.df");
  require(!lexicon.ok() || lexicon.value().primary().size() == table.primary->terms);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  FuzzInput told(data + 1, size - 1);
  read(data[0] % 2 == 1 ? build(told) : std::string(told.rest()));
  return 0;
}
