// Two documents side by side, and one document's fate explained.
//
//   CompareOptions options{.a = "draft.txt", .b = "crawl.jsonl.zst:4711"};
//   Result<std::string> answer = compare(options);
//
// Threads: pure but for reading.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

/// How an answer is to be written.
struct AnswerOptions {
  bool color = false;    ///< ANSI colors
  bool json = false;     ///< one JSON object instead of text
  bool numbers = false;  ///< the numbers only, without shared and differing passages
};

struct CompareOptions {
  std::string a;  ///< a text file, or FILE:RECORD of a file of records
  std::string b;
  InputSettings input;
  std::string analyzer = "words";
  std::optional<std::uint64_t> shingle_tokens;  ///< unset: 5; of features 1
  AnswerOptions answer;
};

std::vector<Option> options_of(CompareOptions& options);

/// Exact resemblance, containment both ways, and the shared and differing
/// passages, as text or JSON. Errors: usage, io.
Result<std::string> compare(const CompareOptions& options);

struct ExplainOptions {
  std::string output;  ///< folder that dedup made
  std::string id;      ///< a record's id, or file:record
  AnswerOptions answer;
};

std::vector<Option> options_of(ExplainOptions& options);

/// Why a record went, with the passages it shares with its survivor; or what a
/// kept one stands for. Errors: usage (no such folder, unknown id), io.
Result<std::string> explain(const ExplainOptions& options);

}  // namespace twinset
