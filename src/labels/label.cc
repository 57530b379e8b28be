#include "labels/label.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace twinset {
namespace {

std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return a > most - b ? most : a + b;
}

}  // namespace

void add_sample(Label& label, LabelSample sample) {
  if (sample.url.size() > most_url_bytes) return;
  const auto place = std::ranges::lower_bound(label.samples, sample);
  if (place != label.samples.end() && *place == sample) return;
  label.samples.insert(place, std::move(sample));
  if (label.samples.size() > most_label_samples) label.samples.pop_back();
}

void add_text(Label& label, std::string_view text) {
  if (text.size() > most_label_text_bytes) {
    std::size_t size = most_label_text_bytes;
    while (size > most_label_text_bytes - 4 && (text[size] & 0xC0) == 0x80) --size;
    text = text.substr(0, size);
  }
  if (!text.empty() && (label.text.empty() || text < label.text)) label.text = text;
}

void add_label(Label& label, const Label& other) {
  assert(compare_labels(label, other) == 0);
  label.count = capped_sum(label.count, other.count);
  label.documents = capped_sum(label.documents, other.documents);
  for (const LabelSample& sample : other.samples) add_sample(label, sample);
  add_text(label, other.text);
}

}  // namespace twinset
