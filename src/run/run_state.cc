#include "run/run_state.h"

#include <algorithm>
#include <set>

namespace twinset {
namespace {

template <class Rows>
Status checkpoint_rows(Rows& rows, const std::string& name, StateFile& file) {
  std::vector<PartLength> parts;
  TWINSET_TRY(rows.checkpoint(parts));
  file.set(name + ".parts", parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = name + ".part." + std::to_string(i);
    file.set(part + ".path", parts[i].path);
    file.set(part + ".bytes", parts[i].bytes);
    file.set(part + ".rows", parts[i].rows);
  }
  return {};
}

std::vector<PartLength> load_parts(const StateFile& file, const std::string& name) {
  std::vector<PartLength> parts(file.number(name + ".parts"));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = name + ".part." + std::to_string(i);
    parts[i] = {file.text(part + ".path"), file.number(part + ".bytes"),
                file.number(part + ".rows")};
  }
  return parts;
}

template <class Rows>
Status open_rows(const RowsOptions& options, const StateFile* checkpoint, const std::string& name,
                 std::unique_ptr<Rows>& out) {
  out = std::make_unique<Rows>(options);
  if (checkpoint == nullptr) return {};
  return out->restore(load_parts(*checkpoint, name));
}

/// Removes from the spill folder what the checkpoint does not name.
Status remove_strays(const Job& job, const StateFile& checkpoint) {
  std::set<std::string> known;
  for (const char* suffix : {"run.records", "run.names", "run.sketches"}) {
    known.insert(job.spill + suffix);
  }
  if (checkpoint.has("matched")) {
    for (const char* name : {"standings", "proofs", "texts", "texts.offsets"})
      known.insert(job.spill + name);
  }
  for (const char* name : {"fold", "bands", "counted"}) {
    for (const PartLength& part : load_parts(checkpoint, name)) known.insert(part.path);
  }
  Result<std::vector<std::string>> names = job.context.files->list(job.context.tmp);
  TWINSET_TRY(names);
  for (const std::string& name : names.value()) {
    const std::string path = job.spill + name;
    if (!known.contains(path)) TWINSET_TRY(job.context.files->remove_file(path));
  }
  return {};
}

}  // namespace

void store_read_state(const ReadState& state, StateFile& file) {
  file.set("finished", std::uint64_t{state.finished});
  file.set("source", state.source);
  file.set("source_lines", state.source_lines);
  for (std::size_t i = 0; i < state.lines.size(); ++i) {
    file.set("lines." + std::to_string(i), state.lines[i]);
    file.set("checksum." + std::to_string(i), state.checksums[i]);
  }
  file.set("records", state.records);
  file.set("bad", state.bad);
  file.set("text_bytes", state.text_bytes);
  file.set("rows", state.record_lengths.rows);
  file.set("name_bytes", state.record_lengths.name_bytes);
  file.set("quarantine_bytes", state.quarantine_bytes);
  file.set("large_bytes", state.large_bytes);
  file.set("source_records", state.source_records);
  file.set("not_utf8.records", state.not_utf8_records);
  file.set("not_utf8.sources", state.not_utf8_sources);
  file.set("not_utf8.first", state.first_not_utf8);
  file.set("not_utf8.last", state.last_not_utf8);
  file.set("troubles", state.troubles.inputs().size());
  for (std::size_t i = 0; i < state.troubles.inputs().size(); ++i) {
    file.set("trouble." + std::to_string(i), state.troubles.line(i));
  }
}

Status load_read_state(const StateFile& file, ReadState& state) {
  if (!file.has("source") || !file.has("rows")) {
    return io_error("the checkpoint is not one of dedup; remove the .partial folder");
  }
  state.finished = file.number("finished") != 0;
  state.source = file.number("source");
  state.source_lines = file.number("source_lines");
  for (std::uint64_t i = 0; i < state.source; ++i) {
    state.lines.push_back(file.number("lines." + std::to_string(i)));
    state.checksums.push_back(file.number("checksum." + std::to_string(i)));
  }
  state.records = file.number("records");
  state.bad = file.number("bad");
  state.text_bytes = file.number("text_bytes");
  state.record_lengths = {file.number("rows"), file.number("name_bytes")};
  state.quarantine_bytes = file.number("quarantine_bytes");
  state.large_bytes = file.number("large_bytes");
  state.source_records = file.number("source_records");
  state.not_utf8_records = file.number("not_utf8.records");
  state.not_utf8_sources = file.number("not_utf8.sources");
  state.first_not_utf8 = file.number("not_utf8.first");
  state.last_not_utf8 = file.number("not_utf8.last");
  for (std::uint64_t i = 0; i < file.number("troubles"); ++i) {
    TWINSET_TRY(state.troubles.add_line(file.text("trouble." + std::to_string(i))));
  }
  return {};
}

Status save_standings(const Job& job, const DocumentTable& documents) {
  RowFile<std::uint64_t> file(
      RowsOptions{&job.context, job.spill + "standings", 0, job.fingerprint});
  for (std::uint64_t index = 0; index < documents.size(); ++index) {
    TWINSET_TRY(file.append(documents.word(index)));
  }
  TWINSET_TRY(file.seal());
  return file.sync();
}

Status load_standings(const Job& job, DocumentTable& documents) {
  auto file = RowFile<std::uint64_t>::open(job.context, job.spill + "standings", job.fingerprint);
  TWINSET_TRY(file);
  if (file.value()->rows() != documents.size()) {
    return io_error(file.value()->path() + " is of another collection; remove the .partial folder");
  }
  auto cursor = file.value()->read();
  TWINSET_TRY(cursor);
  for (std::uint64_t index = 0; index < documents.size(); ++index) {
    Result<const std::uint64_t*> word = cursor.value()->next();
    TWINSET_TRY(word);
    documents.set_word(index, *word.value());
  }
  return {};
}

Status open_stores(const Job& job, const StateFile* checkpoint, const ReadState& state,
                   Stores& stores) {
  if (checkpoint != nullptr) TWINSET_TRY(remove_strays(job, *checkpoint));
  Result<std::unique_ptr<RecordFiles>> records =
      RecordFiles::open(job.context, job.spill + "run", job.stored_sketch_bytes());
  TWINSET_TRY(records);
  stores.records = std::move(records).value();
  TWINSET_TRY(stores.records->truncate(state.record_lengths));

  Result<std::unique_ptr<File>> quarantine =
      job.context.files->open(job.work + "/out/quarantine.jsonl", OpenMode::append);
  TWINSET_TRY(quarantine);
  stores.quarantine = std::move(quarantine).value();
  Result<std::uint64_t> quarantined = stores.quarantine->size();
  TWINSET_TRY(quarantined);
  if (quarantined.value() < state.quarantine_bytes) {
    return io_error(job.work +
                    "/out/quarantine.jsonl is shorter than its checkpoint says; remove " +
                    job.work + " and run again");
  }
  TWINSET_TRY(stores.quarantine->truncate(state.quarantine_bytes));

  // Once all is matched there is nothing more to join.
  if (checkpoint != nullptr && checkpoint->has("matched")) checkpoint = nullptr;
  // Tenths of the budget; what is left is for the pairs of the match.
  const std::uint64_t tenth = job.context.memory_bytes / 10;
  const bool counts = job.counted_scheme() != nullptr;
  const auto options = [&](const char* name, std::uint64_t tenths) {
    return RowsOptions{&job.context, job.spill + name, tenth * tenths, job.fingerprint};
  };
  TWINSET_TRY(open_rows(options("fold", 2), checkpoint, "fold", stores.fingerprints));
  if (job.uses_bands()) {
    TWINSET_TRY(open_rows(options("bands", counts ? 2 : 4), checkpoint, "bands", stores.bands));
  }
  if (counts) {
    TWINSET_TRY(open_rows(options("counted", job.uses_bands() ? 2 : 4), checkpoint, "counted",
                          stores.counted));
  }
  return {};
}

Status checkpoint_stores(Stores& stores, StateFile& file) {
  TWINSET_TRY(stores.records->sync());
  TWINSET_TRY(stores.quarantine->sync());
  TWINSET_TRY(checkpoint_rows(*stores.fingerprints, "fold", file));
  if (stores.bands != nullptr) TWINSET_TRY(checkpoint_rows(*stores.bands, "bands", file));
  if (stores.counted != nullptr) TWINSET_TRY(checkpoint_rows(*stores.counted, "counted", file));
  return {};
}

}  // namespace twinset
