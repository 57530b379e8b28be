// A worker counts the terms of its batch, so that each different term of a batch costs one step of
// the counting that is done in order. Terms are counted when their batch is put: a checkpoint then
// has exactly the batches before it.
//
// This file's interface is lexicon/term_counter.h; the rest is private.
#include "lexicon/term_counter.h"

#include <algorithm>
#include <bit>

#include "run/stored_rows.h"
#include "stats/term_file.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

constexpr std::size_t least_slots = 1024;

}  // namespace

void append_term(const Analyzer& analyzer, std::string_view text, TokenOffsets token,
                 std::uint64_t hash, std::string& out) {
  const std::size_t begin = out.size();
  analyzer.append_token(text, token, out);
  const std::string_view whole = std::string_view(out).substr(begin);
  if (token_hash(whole) == hash) return;
  // A string among features is hashed after its quotation mark.
  const std::string quoted = '"' + std::string(whole);
  if (token_hash(quoted) == hash) {
    out.replace(begin, out.npos, quoted);
    return;
  }
  // A compatibility character may be several words, which the analyzer separates by spaces.
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = std::min(whole.find(' ', at), whole.size());
    const std::string word(whole.substr(at, end - at));
    if (token_hash(word) == hash) {
      out.replace(begin, out.npos, word);
      return;
    }
    at = end + 1;
  }
}

// The terms of a batch.

void TermRows::begin(const BatchPlace&) {
  // Batches of one collection have about as many terms.
  slots_.assign(std::max(least_slots, std::bit_ceil(2 * entries_.size())), 0);
  entries_.clear();
  texts_.clear();
  documents_ = 0;
  long_terms_ = 0;
}

void TermRows::grow() {
  slots_.assign(2 * slots_.size(), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = static_cast<std::size_t>(entries_[i].hash) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

/// The term's entry; a new one has no documents.
TermRows::Entry& TermRows::entry_of(std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash) return entry;
  }
  if (entries_.size() >= slots_.size() / 2) {
    grow();
    return entry_of(hash);
  }
  entries_.push_back({.hash = hash});
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  return entries_.back();
}

void TermRows::take(const VisibleText& document, const Analyzer& analyzer) {
  ++documents_;
  const Analysis& analysis = document.analysis;
  for (std::size_t i = 0; i < analysis.tokens.size(); ++i) {
    Entry& entry = entry_of(analysis.tokens[i]);
    if (entry.last_document == documents_) continue;
    entry.last_document = documents_;
    if (++entry.documents > 1) {
      long_terms_ += entry.bytes == 0 ? 1 : 0;
      continue;
    }
    entry.offset = texts_.size();
    append_term(analyzer, document.text, analysis.offsets[i], entry.hash, texts_);
    entry.bytes = texts_.size() - entry.offset;
    if (entry.bytes <= max_term_bytes) continue;
    texts_.resize(entry.offset);
    entry.bytes = 0;
    ++long_terms_;
  }
}

Status TermRows::add_to(StringCounts& counts) const {
  for (const Entry& entry : entries_) {
    if (entry.bytes == 0) continue;
    TWINSET_TRY(
        counts.add(std::string_view(texts_).substr(entry.offset, entry.bytes), entry.documents));
  }
  return {};
}

// The collector.

TermCounter::TermCounter(const RowsOptions& options)
    : options_(options), name_(options.path.substr(options.path.rfind('/') + 1)) {}

Status TermCounter::take(const ReadRecord& record, TermRows& rows) const {
  if (record.is_document()) rows.take(record.view.visible(), *record.view.analyzer());
  return {};
}

Status TermCounter::put(TermRows& rows) {
  documents_ += rows.documents();
  long_terms_ += rows.long_terms();
  return rows.add_to(*counts_);
}

Status TermCounter::open(const StateFile* checkpoint) {
  documents_ = checkpoint == nullptr ? 0 : checkpoint->number(name_ + ".documents");
  long_terms_ = checkpoint == nullptr ? 0 : checkpoint->number(name_ + ".long_terms");
  return open_rows(options_, checkpoint, name_, counts_);
}

Status TermCounter::checkpoint(StateFile& file) {
  file.set(name_ + ".documents", documents_);
  file.set(name_ + ".long_terms", long_terms_);
  return checkpoint_rows(*counts_, name_, file);
}

}  // namespace twinset
