// This file's interface is cluster/index_pairs.h.
#include "cluster/index_pairs.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "base/message.h"
#include "system/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t documents_of_a_task = 64;

std::uint64_t packed(IndexPlace place) { return std::uint64_t{place.segment} << 32 | place.number; }
IndexPlace unpacked(std::uint64_t place) {
  return {static_cast<std::uint32_t>(place >> 32), static_cast<std::uint32_t>(place)};
}

struct TokensRow {
  Fingerprint tokens;
  std::uint64_t place = 0;
  auto operator<=>(const TokensRow&) const = default;
};
struct TokensRowLess {
  bool operator()(const TokensRow& a, const TokensRow& b) const { return a < b; }
  static std::uint64_t radix(const TokensRow& row) { return row.tokens.high; }
};

Error other_index(const std::string& folder) {
  return usage_error(folder + " is of another index: its documents are not those of this one");
}

std::uint64_t serial_of(DocumentId document) { return document.record() - 1; }

}  // namespace

/// Some documents, their keys if those are stored, and their pairs.
struct IndexPairs::Task {
  std::vector<IndexPlace> places;
  std::vector<std::uint32_t> serials;
  std::vector<std::size_t> first_key;  ///< of each
  std::vector<std::uint64_t> keys;
  std::vector<SharedPair> pairs;
};

IndexPairs::IndexPairs(const IndexSnapshot& snapshot, IndexPairsSettings settings)
    : snapshot_(snapshot), settings_(std::move(settings)) {
  const auto serials = static_cast<std::size_t>(snapshot.manifest().serials);
  originals_.assign(serials, none);
  identical_.assign(serials, false);
  is_asked_.assign(serials, false);
  for (const IndexSnapshot::Part& part : snapshot.parts()) left_out_.push_back(part.hidden);
}

RowsOptions IndexPairs::rows(const std::string& name) const {
  RowsOptions rows = settings_.rows;
  rows.path += name;
  return rows;
}

Status IndexPairs::fold() {
  SortedRows<TokensRow, TokensRowLess> rows(this->rows("tokens"));
  for (std::uint32_t part = 0; part < snapshot_.parts().size(); ++part) {
    const std::uint64_t documents = snapshot_.parts()[part].segment->documents();
    for (std::uint32_t number = 0; number < documents; ++number) {
      const IndexPlace place{part, number};
      if (snapshot_.is_hidden(place)) continue;
      TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(place));
      if (document.serial >= is_asked_.size()) {
        return io_error("the index is damaged: the document " + std::string(document.id) +
                        " has a number that none was given; take a copy of the index");
      }
      ++documents_;
      is_asked_[static_cast<std::size_t>(document.serial)] = true;
      // Texts without tokens say nothing that could make a group of them.
      if (document.tokens > 0) TWINSET_TRY(rows.append({document.tokens_hash, packed(place)}));
    }
  }
  TWINSET_TRY(rows.seal());
  std::optional<IndexedDocument> first;
  return for_each_row(rows, [&](const TokensRow& row) -> Status {
    const IndexPlace place = unpacked(row.place);
    TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(place));
    if (!first.has_value() || row.tokens != first->tokens_hash) {
      first = document;
      return {};
    }
    const auto serial = static_cast<std::size_t>(document.serial);
    originals_[serial] = static_cast<std::uint32_t>(first->serial);
    identical_[serial] = document.bytes_hash == first->bytes_hash;
    is_asked_[serial] = false;
    left_out_[place.segment].add(place.number);
    return {};
  });
}

/// Error (usage): the index has another document at the place of this one. It may have none.
Status IndexPairs::check_document(const PairLine& line, const std::string& folder) const {
  TWINSET_ASSIGN(const std::optional<IndexPlace> place,
                 snapshot_.find_serial(serial_of(line.document())));
  if (!place.has_value()) return {};
  TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(*place));
  if (document.id == line.id && document.bytes_hash.low == line.fingerprint) return {};
  return other_index(folder);
}

Status IndexPairs::take_over(FileSystem& files, const std::string& folder, std::uint64_t serials) {
  if (serials > is_asked_.size()) return other_index(folder);
  TWINSET_TRY(for_each_pair_line(
      files, folder + "/" + std::string(known_documents),
      [&](const PairLine& line) -> Status { return check_document(line, folder); }));
  took_over_ = true;
  const std::string pairs = folder + "/pairs.jsonl.zst";
  // Documents that stood for themselves, and still do, know all pairs among them.
  std::vector<bool> stands(static_cast<std::size_t>(serials));
  for (std::size_t serial = 0; serial < serials; ++serial) stands[serial] = is_asked_[serial];
  TWINSET_TRY(for_each_pair_line(files, pairs, [&](const PairLine& line) -> Status {
    const std::uint64_t serial = serial_of(line.document());
    if (serial >= serials) return other_index(folder);
    if (line.kind() != Fate::near) stands[static_cast<std::size_t>(serial)] = false;
    if (line.number % 4096 == 0) TWINSET_TRY(settings_.rows.context->check_cancelled());
    return check_document(line, folder);
  }));
  for (std::size_t serial = 0; serial < serials; ++serial) {
    if (stands[serial]) is_asked_[serial] = false;
  }
  return for_each_pair_line(files, pairs, [&](const PairLine& line) -> Status {
    const std::uint64_t a = serial_of(line.document());
    for (const auto& [document, numbers] : line.pairs) {
      const std::uint64_t b = serial_of(document);
      if (b >= a) return other_index(folder);
      if (!stands[static_cast<std::size_t>(a)] || !stands[static_cast<std::size_t>(b)]) continue;
      if (!settings_.query.floor.reached_by(numbers)) continue;
      TWINSET_TRY(pairs_->append(
          SharedPair{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), numbers}));
    }
    return {};
  });
}

/// Sorts the keys of the scheme by document, if nothing else tells them.
Status IndexPairs::gather_keys() {
  const std::size_t scheme = settings_.query.scheme;
  if (snapshot_.manifest().settings.texts) return {};
  TWINSET_ASSIGN(const bool told, sketches_tell_keys(snapshot_, scheme));
  if (told) return {};
  keys_ = std::make_unique<SortedRows<KeyRow, KeyRowLess>>(rows("keys"));
  for (std::uint32_t part = 0; part < snapshot_.parts().size(); ++part) {
    TWINSET_TRY(
        for_each_row(snapshot_.parts()[part].segment->keys(scheme), [&](const Posting& row) {
          return keys_->append(
              {packed({part, static_cast<std::uint32_t>(row.document)}), row.whole_key()});
        }));
  }
  TWINSET_TRY(keys_->seal());
  TWINSET_ASSIGN(key_cursor_, keys_->read());
  return {};
}

/// The next documents to be asked for; false at the end.
Result<bool> IndexPairs::next_task(Task& task) {
  task.places.clear();
  task.serials.clear();
  task.first_key.clear();
  task.keys.clear();
  const std::vector<IndexSnapshot::Part>& parts = snapshot_.parts();
  while (next_.segment < parts.size() && task.places.size() < documents_of_a_task) {
    if (next_.number >= parts[next_.segment].segment->documents()) {
      next_ = {next_.segment + 1, 0};
      continue;
    }
    const IndexPlace place = next_;
    ++next_.number;
    if (left_out_[place.segment].has(place.number)) continue;
    TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(place));
    if (!is_asked_[static_cast<std::size_t>(document.serial)]) continue;
    task.places.push_back(place);
    task.serials.push_back(static_cast<std::uint32_t>(document.serial));
    task.first_key.push_back(task.keys.size());
    if (key_cursor_ == nullptr) continue;
    const KeyRow* row = key_cursor_->peek();
    for (; row != nullptr && row->place <= packed(place); row = key_cursor_->peek()) {
      if (row->place == packed(place)) task.keys.push_back(row->key);
      key_cursor_->advance();
    }
    TWINSET_TRY(key_cursor_->status());
  }
  asked_ += task.places.size();
  return !task.places.empty();
}

Status IndexPairs::ask(IndexFinder& finder, Task& task) const {
  task.pairs.clear();
  PairQuery query = settings_.query;
  query.left_out = &left_out_;
  query.earlier_only = !took_over_;
  for (std::size_t i = 0; i < task.places.size(); ++i) {
    const std::uint32_t mine = task.serials[i];
    const auto stored = [&](IndexPlace, std::vector<std::uint64_t>& keys) -> Status {
      const std::size_t end =
          i + 1 < task.first_key.size() ? task.first_key[i + 1] : task.keys.size();
      keys.assign(task.keys.begin() + static_cast<std::ptrdiff_t>(task.first_key[i]),
                  task.keys.begin() + static_cast<std::ptrdiff_t>(end));
      return {};
    };
    StoredKeys keys;
    if (keys_ != nullptr) keys = stored;
    TWINSET_TRY(finder.pairs(
        task.places[i], query, keys, [&](IndexPlace place, const Overlap& numbers) -> Status {
          TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(place));
          const auto other = static_cast<std::uint32_t>(document.serial);
          if (other < mine) {
            task.pairs.push_back({mine, other, numbers});
          } else if (!is_asked_[other]) {
            // Nobody else tells this pair. Only counts are of one document each.
            const bool counts =
                query.floor.kind == LinkKind::shingles || query.floor.kind == LinkKind::keys;
            task.pairs.push_back(
                {other, mine,
                 counts ? Overlap{numbers.shared, numbers.earlier, numbers.later} : numbers});
          }
          return {};
        }));
  }
  return {};
}

Result<std::unique_ptr<SharedPairStore>> IndexPairs::find() {
  const RunContext& context = *settings_.rows.context;
  TWINSET_TRY(gather_keys());
  std::vector<std::unique_ptr<IndexFinder>> finders(std::max(1U, context.threads));
  OrderedSteps<Task> steps;
  steps.take = [&](Task& task, TaskPlace) -> Result<bool> {
    TWINSET_TRY(context.check_cancelled());
    return next_task(task);
  };
  steps.work = [&](unsigned worker, Task& task) -> Status {
    if (finders[worker] == nullptr) finders[worker] = std::make_unique<IndexFinder>(snapshot_);
    return ask(*finders[worker], task);
  };
  steps.put = [&](Task& task) -> Status {
    for (const SharedPair& pair : task.pairs) TWINSET_TRY(pairs_->append(pair));
    return {};
  };
  TWINSET_TRY(run_in_order(context.threads, steps));
  TWINSET_TRY(pairs_->seal());
  return std::move(pairs_);
}

}  // namespace twinset
