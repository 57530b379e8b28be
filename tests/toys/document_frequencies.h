// A toy collector: the number of documents that have each token.
//
// Threads: as a Collector.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "run/collector.h"

namespace twinset::testing {

struct TokenRows final : Collector::Rows {
  void begin(const BatchPlace&) override { tokens.clear(); }
  void release_large() override { tokens = {}; }
  std::vector<std::uint64_t> tokens;  ///< distinct ones of each document
};

class DocumentFrequencies final : public CollectorOf<TokenRows> {
 public:
  explicit DocumentFrequencies(std::string name) : name_(std::move(name)) {}

  const std::map<std::uint64_t, std::uint64_t>& documents() const { return documents_; }
  /// Called after each batch.
  std::function<void()> after_put;

  Status open(const StateFile* checkpoint) override {
    documents_.clear();
    if (checkpoint == nullptr) return {};
    for (std::uint64_t i = 0; i < checkpoint->number(name_ + ".tokens"); ++i) {
      const std::string token = name_ + "." + std::to_string(i);
      documents_[checkpoint->number(token + ".token")] = checkpoint->number(token + ".documents");
    }
    return {};
  }
  Status checkpoint(StateFile& file) override {
    file.set(name_ + ".tokens", documents_.size());
    std::uint64_t i = 0;
    for (const auto& [token, documents] : documents_) {
      file.set(name_ + "." + std::to_string(i) + ".token", token);
      file.set(name_ + "." + std::to_string(i++) + ".documents", documents);
    }
    return {};
  }

 private:
  Status take(const ReadRecord& record, TokenRows& rows) const override {
    if (!record.is_document()) return {};
    std::vector<std::uint64_t> tokens = record.view.analysis().tokens;
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    rows.tokens.insert(rows.tokens.end(), tokens.begin(), tokens.end());
    return {};
  }
  Status put(TokenRows& rows) override {
    for (const std::uint64_t token : rows.tokens) ++documents_[token];
    if (after_put) after_put();
    return {};
  }

  const std::string name_;
  std::map<std::uint64_t, std::uint64_t> documents_;
};

}  // namespace twinset::testing
