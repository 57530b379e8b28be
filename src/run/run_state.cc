#include "run/run_state.h"

#include <algorithm>

#include "rows/rows.h"

namespace twinset {

ReadState read_state_from(std::uint64_t source) {
  ReadState state;
  state.source = source;
  state.lines.resize(source);
  state.checksums.resize(source);
  return state;
}

void ReadState::append(const ReadState& later) {
  lines.insert(lines.end(), later.lines.begin() + static_cast<std::ptrdiff_t>(lines.size()),
               later.lines.end());
  checksums.insert(checksums.end(),
                   later.checksums.begin() + static_cast<std::ptrdiff_t>(checksums.size()),
                   later.checksums.end());
  source = later.source;
  records += later.records;
  bad += later.bad;
  text_bytes += later.text_bytes;
  tokens += later.tokens;
  documents += later.documents;
  large_bytes = std::max(large_bytes, later.large_bytes);
  troubles.append(later.troubles);
  not_utf8.append(later.not_utf8);
  raw_html.append(later.raw_html);
  text_per_line = text_per_line || later.text_per_line;
  exact_only += later.exact_only;
  short_documents += later.short_documents;
  without_document.append(later.without_document);
  mended.append(later.mended);
  without_value.append(later.without_value);
  left_out.scripts += later.left_out.scripts;
  left_out.style_sheets += later.left_out.style_sheets;
  left_out.empty_pages += later.left_out.empty_pages;
  decoded.add(later.decoded);
}

void store_read_state(const ReadState& state, const std::string& pass, StateFile& file) {
  const auto set = [&](const std::string& name, auto value) { file.set(pass + "." + name, value); };
  set("finished", std::uint64_t{state.finished});
  set("source", state.source);
  set("source_lines", state.source_lines);
  set("source_checksum", state.source_checksum);
  for (std::size_t i = 0; i < state.lines.size(); ++i) {
    set("lines." + std::to_string(i), state.lines[i]);
    set("checksum." + std::to_string(i), state.checksums[i]);
  }
  set("records", state.records);
  set("bad", state.bad);
  set("text_bytes", state.text_bytes);
  set("tokens", state.tokens);
  set("documents", state.documents);
  set("large_bytes", state.large_bytes);
  set("source_records", state.source_records);
  set("source_carried", state.source_carried);
  const auto set_count = [&](const std::string& name, const SourceCount& count) {
    set(name + ".records", count.records);
    set(name + ".sources", count.sources);
    set(name + ".first", count.first);
    set(name + ".last", count.last);
  };
  set_count("not_utf8", state.not_utf8);
  set_count("raw_html", state.raw_html);
  set("text_per_line", state.text_per_line ? 1 : 0);
  set("exact_only", state.exact_only);
  set("short_documents", state.short_documents);
  set_count("without_document", state.without_document);
  set_count("mended", state.mended);
  set_count("without_value", state.without_value);
  set("left_out.scripts", state.left_out.scripts);
  set("left_out.style_sheets", state.left_out.style_sheets);
  set("left_out.empty_pages", state.left_out.empty_pages);
  for (std::size_t i = 0; i < state.decoded.records.size(); ++i) {
    if (state.decoded.records[i] == 0) continue;
    set("decoded." + std::to_string(i), state.decoded.records[i]);
    set("guessed." + std::to_string(i), state.decoded.guessed[i]);
  }
  set("loose_xhtml", state.decoded.loose_xhtml);
  set("broken_mails", state.decoded.broken_mails);
  set("troubles", state.troubles.inputs().size());
  for (std::size_t i = 0; i < state.troubles.inputs().size(); ++i) {
    set("trouble." + std::to_string(i), state.troubles.line(i));
  }
}

bool has_read_state(const StateFile& file, const std::string& pass) {
  return file.has(pass + ".source");
}

Status load_read_state(const StateFile& file, const std::string& pass, ReadState& state) {
  if (!has_read_state(file, pass)) {
    return io_error("the checkpoint has no pass \"" + pass + "\"; remove the .partial folder");
  }
  const auto number = [&](const std::string& name) { return file.number(pass + "." + name); };
  state.finished = number("finished") != 0;
  state.source = number("source");
  state.source_lines = number("source_lines");
  state.source_checksum = number("source_checksum");
  for (std::uint64_t i = 0; i < state.source; ++i) {
    state.lines.push_back(number("lines." + std::to_string(i)));
    state.checksums.push_back(number("checksum." + std::to_string(i)));
  }
  state.records = number("records");
  state.bad = number("bad");
  state.text_bytes = number("text_bytes");
  state.tokens = number("tokens");
  state.documents = number("documents");
  state.large_bytes = number("large_bytes");
  state.source_records = number("source_records");
  state.source_carried = number("source_carried");
  const auto count = [&](const std::string& name) {
    return SourceCount{number(name + ".records"), number(name + ".sources"),
                       number(name + ".first"), number(name + ".last")};
  };
  state.not_utf8 = count("not_utf8");
  state.raw_html = count("raw_html");
  state.text_per_line = number("text_per_line") != 0;
  state.exact_only = number("exact_only");
  state.short_documents = number("short_documents");
  state.without_document = count("without_document");
  state.mended = count("mended");
  state.without_value = count("without_value");
  state.left_out = {number("left_out.scripts"), number("left_out.style_sheets"),
                    number("left_out.empty_pages")};
  for (std::size_t i = 0; i < state.decoded.records.size(); ++i) {
    if (!file.has(pass + ".decoded." + std::to_string(i))) continue;
    state.decoded.records[i] = number("decoded." + std::to_string(i));
    state.decoded.guessed[i] = number("guessed." + std::to_string(i));
  }
  state.decoded.loose_xhtml = number("loose_xhtml");
  state.decoded.broken_mails = number("broken_mails");
  for (std::uint64_t i = 0; i < number("troubles"); ++i) {
    TWINSET_TRY(state.troubles.add_line(file.text(pass + ".trouble." + std::to_string(i))));
  }
  return {};
}

Status save_standings(const Job& job, const DocumentTable& documents, StateFile& file) {
  RowFile<std::uint64_t> rows(
      RowsOptions{&job.context, job.spill + "standings", 0, job.signer.fingerprint});
  for (std::uint64_t index = 0; index < documents.size(); ++index) {
    TWINSET_TRY(rows.append(documents.word(index)));
  }
  TWINSET_TRY(rows.seal());
  file.keep_file(rows.path());
  return rows.sync();
}

Status load_standings(const Job& job, DocumentTable& documents) {
  TWINSET_ASSIGN(auto file, RowFile<std::uint64_t>::open(job.context, job.spill + "standings",
                                                         job.signer.fingerprint));
  if (file->rows() != documents.size()) {
    return io_error(file->path() + " is of another collection; remove the .partial folder");
  }
  std::uint64_t index = 0;
  return for_each_row(*file, [&](std::uint64_t word) { documents.set_word(index++, word); });
}

}  // namespace twinset
