#include "run/texts.h"

#include <algorithm>

#include "base/hash.h"
#include "collection/input_changed.h"
#include "collection/one_record.h"
#include "run/page_file.h"
#include "run/prepare.h"
#include "scheme/record_view.h"
#include "system/ordered.h"

namespace twinset {
namespace {

/// A larger batch, from a long record, is freed after use.
constexpr std::size_t kept_batch_bytes = std::size_t{8} << 20;
constexpr unsigned offset_check_bits = 16;

/// An offset and a check of it and its document in one word; never 0.
std::uint64_t checked_offset(std::uint64_t index, std::uint64_t offset) {
  const std::uint64_t check = mix64(offset ^ mix64(index)) >> (64 - offset_check_bits);
  return offset << offset_check_bits | check | 1;
}

}  // namespace

/// Buffers of one reader.
struct Texts::Scratch {
  std::string raw;
  RecordBatch batch;
  RecordView view;
  PageTokens page;
};

/// Borrows a scratch for a scope; frees large ones at its end.
class Texts::Borrowed {
 public:
  explicit Borrowed(Texts& texts) : texts_(texts) {
    const std::lock_guard lock(texts.mutex_);
    if (texts.free_scratch_.empty()) {
      scratch_ = std::make_unique<Scratch>(Scratch{{}, {}, RecordView(texts.job_.signer.view), {}});
    } else {
      scratch_ = std::move(texts.free_scratch_.back());
      texts.free_scratch_.pop_back();
    }
  }
  ~Borrowed() {
    if (scratch_->raw.capacity() > 2 * texts_.job_.memory.steady_record_bytes()) return;
    const std::lock_guard lock(texts_.mutex_);
    texts_.free_scratch_.push_back(std::move(scratch_));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Scratch& operator*() { return *scratch_; }

 private:
  Texts& texts_;
  std::unique_ptr<Scratch> scratch_;
};

Texts::Texts(const Job& job, const RecordFiles& records, const DocumentTable& documents)
    : job_(job), records_(records), documents_(documents) {}

Texts::~Texts() = default;

Status Texts::extract(RowCursor<Edge>& edges) {
  std::vector<bool> wanted;
  TWINSET_TRY(for_each_row(edges, [&](const Edge& edge) {
    expect_earlier(documents_.index(edge.pair.earlier.document));
    for (const Place& place : {edge.pair.later, edge.pair.earlier}) {
      if (at_random(place.document.source())) continue;
      if (wanted.empty()) wanted.resize(documents_.size());
      wanted[documents_.index(place.document)] = true;
    }
  }));
  return wanted.empty() ? Status() : extract(wanted);
}

void Texts::expect_earlier(std::uint64_t index) {
  if (earlier_.empty()) {
    earlier_.resize(documents_.size());
    earlier_again_.resize(documents_.size());
  }
  (earlier_[index] ? earlier_again_ : earlier_)[index] = true;
}

bool Texts::earlier_once(DocumentId document) const {
  if (earlier_.empty()) return false;
  const std::uint64_t index = documents_.index(document);
  return earlier_[index] && !earlier_again_[index];
}

Status Texts::extract(const std::vector<bool>& wanted) {
  bool opened = false;
  for (std::uint64_t source = 0; source < job_.sources(); ++source) {
    if (at_random(source)) continue;
    if (!opened) {
      TWINSET_TRY(open_extracted());
      TWINSET_TRY(extracted_->truncate(0));
      TWINSET_TRY(offsets_->truncate(0));
      cached_offsets_.reset();
      opened = true;
    }
    TWINSET_TRY(extract_source(source, wanted));
  }
  return opened ? hold_offsets() : Status();
}

/// The offsets take 8 bytes a document, so a small part of the memory is enough.
Status Texts::hold_offsets() {
  TWINSET_ASSIGN(const std::uint64_t bytes, offsets_->size());
  TWINSET_ASSIGN(cached_offsets_,
                 CachedFile::make(*offsets_, bytes, job_.context.memory_bytes / 64));
  return {};
}

Status Texts::open_extracted() {
  Result<std::unique_ptr<File>> texts =
      job_.context.files->open(job_.spill + "texts", OpenMode::append);
  TWINSET_TRY(texts);
  extracted_ = std::move(texts).value();
  TWINSET_ASSIGN(offsets_,
                 job_.context.files->open(job_.spill + "texts.offsets", OpenMode::append));
  return {};
}

/// Writes the offsets of documents that are near each other in one piece, with zeros for the
/// documents between them. Each place in the file is written once.
Status Texts::put_offsets(std::span<const ExtractedPlace> places) {
  constexpr std::uint64_t most_between = 4096;
  std::vector<std::uint64_t> words;
  for (std::size_t begin = 0; begin < places.size();) {
    words.clear();
    std::size_t end = begin;
    for (; end < places.size(); ++end) {
      const std::uint64_t at = places[end].index - places[begin].index;
      if (at > words.size() + most_between) break;
      words.resize(at);
      words.push_back(checked_offset(places[end].index, extracted_bytes_ + places[end].offset));
    }
    TWINSET_TRY(offsets_->write_at(
        places[begin].index * sizeof(std::uint64_t),
        {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t)}));
    begin = end;
  }
  return {};
}

Result<std::uint64_t> Texts::extracted_offset(std::uint64_t index) const {
  std::uint64_t word = 0;
  TWINSET_ASSIGN(
      const std::size_t got,
      cached_offsets_->read_at(index * sizeof word, reinterpret_cast<char*>(&word), sizeof word));
  const std::uint64_t offset = word >> offset_check_bits;
  if (got == sizeof word && word == checked_offset(index, offset)) return offset;
  return io_error(job_.spill + "texts.offsets is damaged; remove the .partial folder");
}

Status Texts::extract_source(std::uint64_t source, const std::vector<bool>& wanted) {
  const std::uint64_t first = documents_.first_index(source);
  const std::uint64_t end = documents_.first_index(source + 1);
  auto missing = std::count(wanted.begin() + static_cast<std::ptrdiff_t>(first),
                            wanted.begin() + static_cast<std::ptrdiff_t>(end), true);
  if (missing == 0) return {};
  TWINSET_ASSIGN(std::unique_ptr<Reader> reader, job_.collection->open(source, job_.limits));
  struct Task {
    RecordBatch batch;
    std::vector<ExtractedPlace> places;
    std::string raw;
    BatchRoom room;
  };
  OrderedSteps<Task> steps;
  bool at_limit = false;
  steps.take = [&](Task& task, TaskPlace) -> Result<bool> {
    TWINSET_TRY(job_.context.check_cancelled());
    if (at_limit) return false;
    TWINSET_ASSIGN(bool more, reader->read(task.batch));
    TWINSET_TRY(check_held(job_, job_.source(source), task.batch, task.room));
    at_limit = task.batch.lines >= end - first;
    return more;
  };
  steps.alone = [](const Task& task) { return task.room.alone; };
  steps.work = [&](unsigned, Task& task) -> Status {
    task.places.clear();
    task.raw.clear();
    for (const Record& record : task.batch.records) {
      const std::uint64_t index = first + record.number - 1;
      if (index >= end) break;
      if (!wanted[index]) continue;
      TWINSET_ASSIGN(RecordRow row, records_.row(index));
      if (row.length != record.raw.size()) return changed(source);
      task.places.push_back({index, task.raw.size()});
      task.raw += record.raw;
    }
    return {};
  };
  steps.put = [&](Task& task) -> Status {
    TWINSET_TRY(put_offsets(task.places));
    TWINSET_TRY(extracted_->append(task.raw));
    extracted_bytes_ += task.raw.size();
    missing -= static_cast<std::ptrdiff_t>(task.places.size());
    if (task.batch.bytes.capacity() > kept_batch_bytes) task = Task();
    return {};
  };
  TWINSET_TRY(run_in_order(job_.context.threads, steps));
  return missing == 0 ? Status() : changed(source);
}

Status Texts::shingles(DocumentId document, std::vector<std::uint64_t>& out) {
  Borrowed borrowed(*this);
  Scratch& scratch = *borrowed;
  bool is_page = false;
  if (job_.pages != nullptr) {
    TWINSET_ASSIGN(is_page, job_.pages->read(document, scratch.raw, scratch.page));
  }
  if (is_page) {
    scratch.view.look_at_page(scratch.page);
  } else {
    TWINSET_ASSIGN(RecordRow row, records_.row(documents_.index(document)));
    TWINSET_TRY(read_record(document, row, scratch));
    scratch.view.look_at(scratch.batch.records[0]);
  }
  scratch.view.take_shingles(out);
  return {};
}

Result<bool> Texts::is_long(DocumentId document) {
  const std::uint64_t steady = job_.memory.steady_record_bytes();
  if (job_.memory.most_record_bytes() <= steady) return false;
  TWINSET_ASSIGN(RecordRow row, records_.row(documents_.index(document)));
  return row.length > steady;
}

Status Texts::see(DocumentId document, std::string& out, TokenRanges& left_out) {
  Borrowed borrowed(*this);
  Scratch& scratch = *borrowed;
  TWINSET_ASSIGN(RecordRow row, records_.row(documents_.index(document)));
  TWINSET_TRY(read_record(document, row, scratch));
  scratch.view.look_at(scratch.batch.records[0]);
  out = shown_text(scratch.view);
  left_out = scratch.view.left_out();
  return {};
}

Status Texts::analyze(DocumentId document, Offsets offsets, Analysis& out) {
  Borrowed borrowed(*this);
  Scratch& scratch = *borrowed;
  TWINSET_ASSIGN(RecordRow row, records_.row(documents_.index(document)));
  TWINSET_TRY(read_record(document, row, scratch));
  const Record& record = scratch.batch.records[0];
  twinset::analyze(*job_.signer.view.analyzer, record.text, record.markup, offsets, out);
  return {};
}

Status Texts::read_record(DocumentId document, const RecordRow& row, Scratch& scratch) {
  const std::uint64_t source = document.source();
  scratch.raw.resize(row.length);
  Result<std::size_t> got = 0;
  if (!at_random(source)) {
    TWINSET_ASSIGN(const std::uint64_t offset, extracted_offset(documents_.index(document)));
    got = extracted_->read_at(offset, scratch.raw.data(), row.length);
  } else {
    got = job_.collection->read_at(source, row.offset, scratch.raw);
  }
  TWINSET_TRY(got);
  if (got.value() != row.length) return changed(source);
  job_.collection->decode(source, row.offset, scratch.raw, job_.fields, scratch.batch);
  if (scratch.batch.records[0].bad != BadReason::none) return changed(source);
  return {};
}

bool Texts::at_random(std::uint64_t source) const {
  return job_.collection->rereading(source) == Rereading::at_random;
}

Error Texts::changed(std::uint64_t source) const { return input_changed(job_.source(source)); }

}  // namespace twinset
