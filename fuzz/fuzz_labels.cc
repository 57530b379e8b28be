// Fuzzes the readers of files of labels and of AuntieTuna's lists.
//
// The first byte chooses: the rest is a file; or a list; or rows in a file with valid checksums.
// Any input must give an Error, or labels in order, within their bounds, each of which is found.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "labels/label_file.h"
#include "system/memory_files.h"

namespace {

using namespace twinset;
using fuzzing::FuzzInput;
using fuzzing::require;

void check(const Label& label) {
  require(label.samples.size() <= most_label_samples);
  require(label.text.size() <= most_label_text_bytes);
  for (const LabelSample& sample : label.samples) require(sample.url.size() <= most_url_bytes);
}

void read_file(MemoryFiles& files) {
  const auto file = LabelFile::open(files, "x");
  if (!file.ok()) return;
  std::vector<Label> labels;
  const Status done = file.value().for_each([&](const Label& label) -> Status {
    check(label);
    require(labels.empty() || compare_labels(labels.back(), label) < 0);
    labels.push_back(label);
    return {};
  });
  for (const Label& label : labels) {
    const auto found = file.value().find(label.kind, label.hash);
    const auto there = file.value().contains(label.kind, label.hash);
    // An index with valid checksums may still be wrong, or a later label of the key damaged.
    if (done.ok() && found.ok() && found.value()) require(*found.value() == label);
    if (found.ok() && there.ok()) require(found.value().has_value() == there.value());
  }
}

void read_rows(FuzzInput& told) {
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  TableWriter<LabelRow, Fingerprint> writer(context, "x", {"labels", 1, 0},
                                            R"({"rules":"r","hash":"sha256"})");
  std::uint64_t key = 0;
  for (std::size_t rows = told.below(20); rows > 0; --rows) {
    LabelRow row;
    key += told.below(8) == 1 ? 1 : 0;
    row.key.low = key;
    row.part = static_cast<std::uint16_t>(told.below(4));
    row.bytes = static_cast<std::uint16_t>(told.below(46));
    const std::string_view piece = told.take(told.below(LabelRow::piece_bytes + 1));
    std::memcpy(row.piece, piece.data(), piece.size());
    require(writer.append(row).ok());
  }
  require(writer.finish().ok());
  read_file(files);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  FuzzInput told(data + 1, size - 1);
  if (data[0] % 3 == 0) {
    MemoryFiles files;
    require(files.write("x", std::string(told.rest())).ok());
    read_file(files);
  } else if (data[0] % 3 == 1) {
    read_rows(told);
  } else {
    const auto labels = read_auntietuna_labels(told.rest(), "x");
    if (!labels.ok()) return 0;
    for (std::size_t i = 0; i < labels.value().size(); ++i) {
      check(labels.value()[i]);
      require(i == 0 || compare_labels(labels.value()[i - 1], labels.value()[i]) < 0);
    }
  }
  return 0;
}
