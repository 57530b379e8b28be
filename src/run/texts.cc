#include "run/texts.h"

#include <bit>
#include <cassert>

#include "collection/input_changed.h"
#include "collection/one_record.h"
#include "run/known_documents.h"
#include "run/page_file.h"
#include "run/prepare.h"
#include "scheme/record_view.h"
#include "system/clean_up.h"
#include "system/ordered.h"

namespace twinset {

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
      scratch_ = std::make_unique<Scratch>(Scratch{{}, {}, RecordView(texts.view_), {}});
    } else {
      scratch_ = std::move(texts.free_scratch_.back());
      texts.free_scratch_.pop_back();
    }
  }
  ~Borrowed() {
    if (scratch_->raw.capacity() > 2 * texts_.job_.memory.steady_record_bytes()) return;
    clean_up([&]() -> Status {
      const std::lock_guard lock(texts_.mutex_);
      texts_.free_scratch_.push_back(std::move(scratch_));
      return {};
    });
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Scratch& operator*() { return *scratch_; }

 private:
  Texts& texts_;
  std::unique_ptr<Scratch> scratch_;
};

Texts::Texts(const Job& job, const RecordFiles& records, const DocumentTable& documents)
    : Texts(job, records, documents, job.signer.view) {}

Texts::Texts(const Job& job, const RecordFiles& records, const DocumentTable& documents,
             const ViewRule& view)
    : job_(job), view_(view), records_(records), documents_(documents) {}

Texts::~Texts() = default;

Status Texts::extract(RowCursor<Edge>& edges) {
  std::vector<bool> wanted;
  TWINSET_TRY(for_each_row(edges, [&](const Edge& edge) {
    expect_earlier(documents_.index(edge.pair.earlier.document));
    for (const Place& place : {edge.pair.later, edge.pair.earlier}) {
      if (is_known(place.document) || at_random(place.document.source())) continue;
      if (wanted.empty()) wanted.resize(documents_.size());
      wanted[documents_.index(place.document)] = true;
    }
  }));
  return wanted.empty() ? Status() : extract(wanted);
}

void Texts::expect_earlier(std::uint64_t index) {
  if (documents_.is_earlier(index)) return;
  if (earlier_.empty()) {
    earlier_.resize(documents_.size());
    earlier_again_.resize(documents_.size());
  }
  (earlier_[index] ? earlier_again_ : earlier_)[index] = true;
}

bool Texts::earlier_once(DocumentId document) const {
  if (earlier_.empty() || is_known(document)) return false;
  const std::uint64_t index = documents_.index(document);
  return earlier_[index] && !earlier_again_[index];
}

void Texts::Numbered::assign(std::uint64_t documents) {
  marks_.assign(documents / 64 + 1, 0);
  before_.resize(marks_.size());
}

void Texts::Numbered::number() {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    before_[i] = sum;
    sum += static_cast<std::uint64_t>(std::popcount(marks_[i]));
  }
}

std::uint64_t Texts::Numbered::number_of(std::uint64_t index) const {
  assert((marks_[index / 64] >> index % 64 & 1) != 0);
  const std::uint64_t earlier = (std::uint64_t{1} << index % 64) - 1;
  return before_[index / 64] +
         static_cast<std::uint64_t>(std::popcount(marks_[index / 64] & earlier));
}

Status Texts::extract(const std::vector<bool>& wanted) {
  numbers_.assign(documents_.size());
  extracted_.emplace(RowsOptions{.context = &job_.context, .path = job_.spill + "texts"});
  for (std::uint64_t source = 0; source < job_.sources(); ++source) {
    if (!at_random(source)) TWINSET_TRY(extract_source(source, wanted));
  }
  numbers_.number();
  // The places take 16 bytes a text, so a small part of the memory is enough.
  TWINSET_TRY(extracted_->flush());
  return extracted_->hold_places(job_.context.memory_bytes / 64);
}

Status Texts::extract_source(std::uint64_t source, const std::vector<bool>& wanted) {
  const std::uint64_t first = documents_.first_index(source);
  const std::uint64_t end = documents_.first_index(source + 1);
  std::ptrdiff_t missing = 0;
  for (std::uint64_t index = first; index < end; ++index) {
    if (!wanted[index]) continue;
    numbers_.add(index);
    ++missing;
  }
  if (missing == 0) return {};
  TWINSET_ASSIGN(std::unique_ptr<Reader> reader, job_.open(source));
  struct Task {
    RecordBatch batch;
    std::vector<std::string_view> raws;  ///< of wanted records
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
    task.raws.clear();
    for (const Record& record : task.batch.records) {
      const std::uint64_t index = first + record.number - 1;
      if (index >= end) break;
      if (!wanted[index]) continue;
      TWINSET_ASSIGN(RecordRow row, records_.row(index));
      if (row.length != record.raw.size()) return changed(source);
      task.raws.push_back(record.raw);
    }
    return {};
  };
  steps.keeps_worker = [](const Task& task) { return is_large(task.batch); };
  steps.put = [&](Task& task) -> Status {
    for (const std::string_view raw : task.raws) {
      TWINSET_TRY(extracted_->append(raw));
      extracted_bytes_ += raw.size();
    }
    missing -= static_cast<std::ptrdiff_t>(task.raws.size());
    if (is_huge(task.batch)) task = Task();
    return {};
  };
  TWINSET_TRY(run_in_order(job_.context.threads, steps));
  return missing == 0 ? Status() : changed(source);
}

Status Texts::shingles(DocumentId document, std::vector<std::uint64_t>& out) {
  Borrowed borrowed(*this);
  Scratch& scratch = *borrowed;
  bool is_page = false;
  if (job_.pages != nullptr && !is_known(document)) {
    TWINSET_ASSIGN(is_page, job_.pages->read(document, scratch.raw, scratch.page));
  }
  if (is_page) {
    scratch.view.look_at_page(scratch.page);
  } else {
    TWINSET_TRY(read_record(document, scratch));
    scratch.view.look_at(scratch.batch.records[0]);
  }
  scratch.view.take_shingles(out);
  return {};
}

Result<bool> Texts::is_long(DocumentId document) {
  const std::uint64_t steady = job_.memory.steady_record_bytes();
  if (job_.memory.most_record_bytes() <= steady) return false;
  if (is_known(document)) {
    TWINSET_ASSIGN(const IndexedDocument known, job_.known->document(document));
    return known.text_bytes > steady;
  }
  TWINSET_ASSIGN(RecordRow row, records_.row(documents_.index(document)));
  return row.length > steady;
}

Status Texts::see(DocumentId document, std::string& out, TokenRanges& left_out) {
  Borrowed borrowed(*this);
  Scratch& scratch = *borrowed;
  TWINSET_TRY(read_record(document, scratch));
  scratch.view.look_at(scratch.batch.records[0]);
  out = shown_text(scratch.view);
  left_out = scratch.view.left_out();
  return {};
}

Status Texts::analyze(DocumentId document, Offsets offsets, Analysis& out) {
  Borrowed borrowed(*this);
  Scratch& scratch = *borrowed;
  TWINSET_TRY(read_record(document, scratch));
  const Record& record = scratch.batch.records[0];
  twinset::analyze(*job_.signer.view.analyzer, record.text, record.markup, offsets, out);
  return {};
}

Status Texts::read_record(DocumentId document, Scratch& scratch) {
  if (is_known(document)) {
    scratch.batch = RecordBatch();
    return job_.known->record(document, scratch.raw, scratch.batch.records.emplace_back());
  }
  TWINSET_ASSIGN(const RecordRow row, records_.row(documents_.index(document)));
  const std::uint64_t source = document.source();
  std::size_t got = row.length;
  if (at_random(source)) {
    scratch.raw.resize(row.length);
    TWINSET_ASSIGN(got, job_.collection->read_at(source, row.offset, scratch.raw));
  } else {
    const std::uint64_t number = numbers_.number_of(documents_.index(document));
    TWINSET_TRY(extracted_->read(number, scratch.raw));
  }
  if (got != row.length || scratch.raw.size() != row.length) return changed(source);
  job_.collection->decode(source, row.offset, scratch.raw, job_.fields, scratch.batch);
  if (scratch.batch.records[0].bad != BadReason::none) return changed(source);
  return {};
}

bool Texts::is_known(DocumentId document) const {
  return job_.known != nullptr && job_.known->has(document);
}

bool Texts::at_random(std::uint64_t source) const {
  return job_.collection->rereading(source) == Rereading::at_random;
}

Error Texts::changed(std::uint64_t source) const { return input_changed(job_.source(source)); }

}  // namespace twinset
