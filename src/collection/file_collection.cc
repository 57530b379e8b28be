#include "collection/file_collection.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "collection/input_changed.h"
#include "collection/output_files.h"
#include "io/bytes.h"

namespace twinset {
namespace {

Source source_of(const Input& input) {
  Source source;
  source.shown = input.shown;
  source.name = input.name;
  source.path = input.path;
  source.role = input.reference ? Role::reference : Role::input;
  source.format = input.format;
  source.compression = input.compression;
  source.walked = input.walked;
  source.guessed = input.guessed;
  source.pages = is_page(input.markup);
  source.pages_by_text = input.markup == Markup::by_text;
  source.one_document = is_one_document(input);
  source.made_texts = has_made_texts(input);
  source.own_members = has_own_members(input);
  source.rows = row_format(input) != nullptr;
  source.framed = is_framed(input);
  source.stored_bytes = input.status.size;
  source.window_bytes = input.window_bytes;
  return source;
}

/// Are its records other bytes than the file's?
bool is_decoded(const Source& source) {
  return source.compression != Compression::none || source.rows;
}

/// Names the columns that decoded bytes of `input` are of; empty unless it is a table.
std::string fields_held(const Input& input, const FieldNames* fields) {
  if (row_format(input) == nullptr) return {};
  const FieldNames usual;
  const FieldNames& read = fields == nullptr ? usual : *fields;
  std::set<std::string_view> names(read.named.begin(), read.named.end());
  std::string out = read.text + '\0' + read.id;
  for (const std::string_view name : names) out.append(1, '\0').append(name);
  return out;
}

std::uint64_t memory_bytes(const std::vector<StoredFrame>& frames) {
  return frames.capacity() * sizeof(StoredFrame);
}

/// Bytes held in memory, and the frames they were in.
class HeldSource final : public ByteSource {
 public:
  using Frames = std::vector<StoredFrame>;

  /// `log` may be null.
  HeldSource(std::shared_ptr<const HeldBytes> bytes, std::shared_ptr<const Frames> frames,
             std::uint64_t stored_bytes, Frames* log)
      : bytes_(std::move(bytes)),
        frames_(std::move(frames)),
        stored_bytes_(stored_bytes),
        log_(log) {}

  Result<std::size_t> read(char* out, std::size_t size) override {
    const std::size_t got = bytes_->read_at(at_, out, size);
    at_ += got;
    while (log_ != nullptr && logged_ < frames_->size() && (*frames_)[logged_].decoded_end <= at_) {
      log_->push_back((*frames_)[logged_++]);
    }
    return got;
  }
  const StreamFault& fault() const override { return no_fault_; }
  bool resume() override { return false; }
  std::uint64_t stored_bytes_read() const override {
    if (at_ == bytes_->size()) return stored_bytes_;
    return static_cast<std::uint64_t>(static_cast<double>(stored_bytes_) *
                                      static_cast<double>(at_) /
                                      static_cast<double>(bytes_->size()));
  }

 private:
  const std::shared_ptr<const HeldBytes> bytes_;
  const std::shared_ptr<const Frames> frames_;
  const std::uint64_t stored_bytes_;
  Frames* const log_;
  const StreamFault no_fault_;
  std::size_t logged_ = 0;
  std::uint64_t at_ = 0;
};

/// The output of a table, which is made from the input again: that must be the one that was read.
class CheckedOutput final : public ByteSink {
 public:
  CheckedOutput(const FileCollection& collection, std::uint64_t source,
                std::unique_ptr<ByteSink> sink)
      : collection_(collection), source_(source), sink_(std::move(sink)) {}

  Status write(std::string_view rows) override {
    const Status written = sink_->write(rows);
    return written.ok() ? written : checked(written);
  }
  Status finish() override { return checked(sink_->finish()); }

 private:
  Status checked(const Status& done) const {
    if (!collection_.has_changed(source_)) return done;
    return input_changed(collection_.sources()[source_]);
  }

  const FileCollection& collection_;
  const std::uint64_t source_;
  const std::unique_ptr<ByteSink> sink_;
};

}  // namespace

/// Passes on the bytes of another source and holds them. Drops them if the source is not read to
/// its end, does not decode or does not fit.
class FileCollection::HoldingBytes final : public ByteSource {
 public:
  /// `frames`: the log of `bytes`.
  HoldingBytes(FileCollection& collection, std::uint64_t source, std::string fields,
               std::unique_ptr<ByteSource> bytes, std::shared_ptr<std::vector<StoredFrame>> frames)
      : collection_(collection),
        source_(source),
        fields_(std::move(fields)),
        bytes_(std::move(bytes)),
        frames_(std::move(frames)),
        held_(std::make_shared<HeldBytes>()) {}

  Result<std::size_t> read(char* out, std::size_t size) override {
    Result<std::size_t> got = bytes_->read(out, size);
    if (held_ == nullptr) return got;
    if (!got.ok() || fault().reason != BadReason::none) {
      held_.reset();
    } else if (got.value() > 0) {
      hold({out, got.value()});
    } else {
      collection_.held_[source_] = {fields_, std::move(held_), frames_};
    }
    return got;
  }
  const StreamFault& fault() const override { return bytes_->fault(); }
  bool resume() override { return bytes_->resume(); }
  std::uint64_t stored_bytes_read() const override { return bytes_->stored_bytes_read(); }
  std::uint64_t window_bytes() const override { return bytes_->window_bytes(); }

 private:
  void hold(std::string_view bytes) {
    const std::uint64_t wanted =
        collection_.held_bytes() + memory_bytes(*frames_) + held_->memory_bytes_with(bytes.size());
    if (wanted > collection_.most_held_ || !held_->append(bytes).ok()) held_.reset();
    if (held_ == nullptr) std::vector<StoredFrame>().swap(*frames_);
  }

  FileCollection& collection_;
  const std::uint64_t source_;
  const std::string fields_;
  const std::unique_ptr<ByteSource> bytes_;
  const std::shared_ptr<std::vector<StoredFrame>> frames_;
  std::shared_ptr<HeldBytes> held_;
};

InputOptions input_options(const std::vector<std::string>& inputs, const InputSettings& settings,
                           const std::string& spool) {
  InputOptions options;
  options.inputs = inputs;
  options.format = settings.format;
  options.spool = spool;
  options.allow_lost = settings.allow_lost_inputs;
  options.text = settings.text;
  options.hidden = settings.hidden;
  options.scripts = settings.content == InputSettings::Content::scripts;
  return options;
}

FieldNames fields_read(const InputSettings& settings) {
  FieldNames fields;
  fields.text = settings.text;
  fields.id = settings.id;
  fields.scripts = settings.content == InputSettings::Content::scripts;
  fields.drop_mail_quotes = settings.mail_quotes == InputSettings::MailQuotes::drop;
  return fields;
}

Result<std::unique_ptr<FileCollection>> FileCollection::find(FileSystem& files,
                                                             const InputOptions& options) {
  TWINSET_ASSIGN(InputList list, expand_inputs(files, options));
  return std::make_unique<FileCollection>(files, std::move(list));
}

FileCollection::FileCollection(FileSystem& files, InputList list, bool marked_up)
    : files_(files), list_(std::move(list)) {
  for (Input& input : list_.inputs) {
    if (!marked_up) input.markup = Markup::none;
    sources_.push_back(source_of(input));
  }
}

FileCollection::~FileCollection() = default;

std::string FileCollection::identity() const {
  std::string out;
  for (const Input& input : list_.inputs) {
    // There is no way to tell whether it is the same input again.
    if (is_standard_input(input.shown)) return {};
    out += input.path + '\0' + std::to_string(input.status.size) + '\0' +
           std::to_string(input.status.mtime_ns) + '\0' + std::string(input.format) + '\0';
  }
  return out;
}

const HeldBytes* FileCollection::held(std::uint64_t source) const {
  const auto found = held_.find(source);
  return found == held_.end() ? nullptr : found->second.bytes.get();
}

std::uint64_t FileCollection::held_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [source, held] : held_) {
    bytes += held.bytes->memory_bytes() + memory_bytes(*held.frames);
  }
  return bytes;
}

void FileCollection::drop_held() {
  held_.clear();
  most_held_ = 0;
}

Result<std::unique_ptr<Reader>> FileCollection::open(std::uint64_t source,
                                                     const ReaderLimits& limits) {
  const Input& input = list_.inputs[source];
  std::string fields = fields_held(input, limits.fields);
  if (const auto found = held_.find(source); found != held_.end()) {
    if (found->second.fields == fields) {
      const Held& held = found->second;
      return make_reader(
          input,
          std::make_unique<HeldSource>(held.bytes, held.frames, input.status.size, limits.frames),
          limits);
    }
    held_.erase(found);
  }
  ReaderLimits reading = limits;
  reading.as_it_comes = input.stream != nullptr;
  const bool holds = is_decoded(sources_[source]) && most_held_ > 0;
  const auto frames = std::make_shared<std::vector<StoredFrame>>();
  if (holds) reading.frames = frames.get();
  TWINSET_ASSIGN(std::unique_ptr<ByteSource> bytes, open_input(files_, input, reading));
  if (holds) {
    bytes =
        std::make_unique<HoldingBytes>(*this, source, std::move(fields), std::move(bytes), frames);
  }
  return make_reader(input, std::move(bytes), reading);
}

Result<bool> FileCollection::is_lost(std::uint64_t source) {
  const std::string& path = sources_[source].path;
  TWINSET_ASSIGN(FileStatus status, files_.status(path));
  if (status.kind == FileStatus::Kind::missing) return true;
  TWINSET_ASSIGN(const bool readable, files_.readable(path));
  return !readable;
}

Rereading FileCollection::rereading(std::uint64_t source) const {
  if (list_.inputs[source].stream != nullptr) return Rereading::never;
  const bool at_random = !is_decoded(sources_[source]) || held(source) != nullptr;
  return at_random ? Rereading::at_random : Rereading::in_order;
}

Result<std::size_t> FileCollection::read_at(std::uint64_t source, std::uint64_t offset,
                                            std::string& raw) {
  constexpr std::size_t kept_open = 64;
  if (const HeldBytes* const bytes = held(source); bytes != nullptr) {
    return bytes->read_at(offset, raw.data(), raw.size());
  }
  for (;;) {
    {
      const std::shared_lock reading(open_mutex_);
      for (const OpenFile& open : open_files_) {
        if (open.source != source) continue;
        return open.file->read_at(offset, raw.data(), raw.size());
      }
    }
    // Opens the file and tries again: another thread may close it before this one reads.
    const std::lock_guard alone(open_mutex_);
    if (std::ranges::find(open_files_, source, &OpenFile::source) != open_files_.end()) continue;
    TWINSET_ASSIGN(std::unique_ptr<File> file, files_.open(sources_[source].path, OpenMode::read));
    if (open_files_.size() == kept_open) open_files_.pop_front();
    open_files_.push_back({source, std::move(file)});
  }
}

void FileCollection::decode(std::uint64_t source, std::uint64_t, std::string_view raw,
                            const FieldNames& fields, RecordBatch& batch) const {
  decode_record(list_.inputs[source], raw, fields, batch);
}

bool FileCollection::has_changed(std::uint64_t source) const {
  const Input& input = list_.inputs[source];
  const Result<FileStatus> now = files_.status(input.path);
  return !now.ok() || now.value().size != input.status.size ||
         now.value().mtime_ns != input.status.mtime_ns;
}

Result<std::unique_ptr<ByteSink>> FileCollection::create_output(std::uint64_t source,
                                                                const RunContext& context,
                                                                const std::string& root,
                                                                const std::string& folder) const {
  const Input& input = list_.inputs[source];
  TWINSET_ASSIGN(std::unique_ptr<ByteSink> sink, create_input_output(context, input, root, folder));
  if (row_format(input) == nullptr) return sink;
  return std::unique_ptr<ByteSink>(std::make_unique<CheckedOutput>(*this, source, std::move(sink)));
}

}  // namespace twinset
