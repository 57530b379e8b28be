#include "look/input_again.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "collection/one_record.h"
#include "run/record_files.h"
#include "system/context.h"
#include "words/visible.h"

namespace twinset {

Status InputAgain::open() {
  const std::string name = visible_name(input_.input.shown);
  if (input_.input.shown == "-") {
    return io_error("standard input cannot be read again");
  }
  if (input_.input.path.empty()) return io_error("there is no " + name + " any more");
  ReaderLimits limits = folder_.limits;
  limits.fields = &folder_.fields;
  TWINSET_ASSIGN(reader_, open_reader(files_, input_.input, limits));
  return {};
}

Result<bool> InputAgain::next() {
  at_ = 0;
  TWINSET_TRY(check_stop(cancel_));
  if (ended_) return false;
  if (reader_ == nullptr) TWINSET_TRY(open());
  const bool limited = folder_.options.input.limit != 0;
  Result<bool> more = false;
  if (!limited || lines_ < input_.facts.lines) more = reader_->read(batch_);
  TWINSET_TRY(more);
  if (!more.value()) {
    batch_.records.clear();
    ended_ = true;
    return false;
  }
  lines_ = batch_.lines;
  std::erase_if(batch_.records,
                [&](const Record& record) { return record.number > input_.facts.lines; });
  for_each_piece(batch_, [&](std::string_view piece) { checksum_.add(piece); });
  return true;
}

void InputAgain::decode(const Record& record, RecordBatch& out) const {
  Input input = input_.input;
  input.header = batch_.header;
  decode_record(input, record.raw, folder_.fields, out);
}

Result<std::string> InputAgain::opening() {
  TWINSET_ASSIGN(const bool more, next());
  const bool framed = more && !batch_.records.empty() && batch_.records.front().frame;
  return framed ? std::string(batch_.records.front().raw) : std::string();
}

Result<const Record*> InputAgain::find(std::uint64_t number) {
  for (;;) {
    for (; at_ < batch_.records.size(); ++at_) {
      const Record& record = batch_.records[at_];
      if (record.number == number) return &record;
      if (record.number > number) return nullptr;
    }
    TWINSET_ASSIGN(const bool more, next());
    if (!more) return nullptr;
  }
}

Result<bool> InputAgain::same() {
  for (;;) {
    TWINSET_ASSIGN(const bool more, next());
    if (!more) break;
  }
  const bool limited = folder_.options.input.limit != 0;
  const bool as_long = limited ? lines_ >= input_.facts.lines : lines_ == input_.facts.lines;
  return as_long && checksum_.value() == input_.facts.checksum;
}

bool is_changed(const Record* record, std::uint64_t fingerprint) {
  return record == nullptr || (fingerprint != 0 && record_fingerprint(record->raw) != fingerprint);
}

std::string changed_note(std::string_view file) {
  return visible_name(file) + " has changed since the run";
}

namespace {

/// The text of one record, which must be unchanged since the run.
SeenText text_of(const InputAgain& again, const MadeInput& input, const Record& record,
                 std::size_t most_bytes, const ViewRule& rule) {
  RecordBatch batch;
  again.decode(record, batch);
  const Record& decoded = batch.records.front();
  if (decoded.bad != BadReason::none) {
    return {std::nullopt, changed_note(input.input.shown)};
  }
  RecordView view(rule);
  view.look_at(decoded);
  std::string text = shown_text(view);
  text.resize(whole_prefix(text, most_bytes).size());
  return {std::move(text), "", view.left_out()};
}

}  // namespace

Result<std::vector<SeenText>> read_texts(FileSystem& files, const OutputFolder& folder,
                                         std::span<const RecordPlace> places,
                                         std::size_t most_bytes, const std::atomic<bool>* cancel,
                                         const ViewRule* rule) {
  const ViewRule whole{.analyzer = folder.analyzer};
  std::vector<SeenText> out(places.size());
  std::map<std::string_view, std::vector<std::size_t>> by_file;
  for (std::size_t i = 0; i < places.size(); ++i) by_file[places[i].document.file].push_back(i);
  for (auto& entry : by_file) {
    const std::string_view file = entry.first;
    std::vector<std::size_t>& wanted = entry.second;
    const auto say = [&](const std::string& why) {
      for (const std::size_t i : wanted) {
        if (out[i].missing.empty()) out[i] = {std::nullopt, why};
      }
    };
    const MadeInput* input = folder.find(file);
    if (input == nullptr) {
      say(visible_name(file) + " is none of the run's inputs");
      continue;
    }
    std::sort(wanted.begin(), wanted.end(), [&](std::size_t a, std::size_t b) {
      return places[a].document.record < places[b].document.record;
    });
    InputAgain again(files, folder, *input, cancel);
    bool trusted = true;
    bool changed = false;
    for (const std::size_t i : wanted) {
      const RecordPlace& place = places[i];
      const Result<const Record*> found = again.find(place.document.record);
      if (!found.ok()) {
        TWINSET_TRY(check_stop(cancel));
        say(found.error().text());
        break;
      }
      trusted = trusted && place.fingerprint != 0;
      if (is_changed(found.value(), place.fingerprint)) {
        changed = true;
        break;
      } else {
        out[i] =
            text_of(again, *input, *found.value(), most_bytes, rule != nullptr ? *rule : whole);
      }
    }
    if (!trusted && !changed) {
      const Result<bool> same = again.same();
      TWINSET_TRY(check_stop(cancel));
      changed = !same.ok() || !same.value();
    }
    if (!changed) continue;
    for (const std::size_t i : wanted) out[i] = {std::nullopt, changed_note(file)};
  }
  return out;
}

}  // namespace twinset
