#include "faces/histograms.h"

#include <fmt/format.h>

#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t most_resemblance_bars = 26;

std::uint64_t sum_of(const ResemblanceBins& all, std::size_t begin, std::size_t end) {
  std::uint64_t sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += all.bins[i];
  return sum;
}

}  // namespace

Histogram resemblance_histogram(std::string title, std::string up, const ResemblanceBins& first,
                                std::string first_name, const ResemblanceBins& second,
                                std::string second_name) {
  Histogram chart{
      std::move(title), "resemblance", std::move(up), {std::move(first_name)}, {}, false};
  const bool two = sum_of(second, 0, 101) > 0;
  if (two) chart.series.push_back(std::move(second_name));
  std::size_t lowest = 0;
  while (lowest < 101 && first.bins[lowest] + second.bins[lowest] == 0) ++lowest;
  if (lowest == 101) return chart;
  // A step that divides 100, so that bars end at 1; the last bar is exactly 1.
  std::size_t step = 1;
  for (const std::size_t candidate : {1, 2, 4, 5}) {
    step = candidate;
    if ((100 - lowest + step - 1) / step + 1 <= most_resemblance_bars) break;
  }
  const auto add_bar = [&](std::string label, std::string range, std::size_t begin,
                           std::size_t end) {
    Bar bar{std::move(label), std::move(range), {sum_of(first, begin, end)}};
    if (two) bar.counts.push_back(sum_of(second, begin, end));
    chart.bars.push_back(std::move(bar));
  };
  for (std::size_t begin = lowest - lowest % step; begin < 100; begin += step) {
    const std::string label = fmt::format("{:.2f}", static_cast<double>(begin) / 100);
    const std::size_t end = begin + step;
    const std::string below =
        end == 100 ? "1" : fmt::format("{:.2f}", static_cast<double>(end) / 100);
    add_bar(label, label + " to below " + below, begin, end);
  }
  add_bar("1", "exactly 1", 100, 101);
  return chart;
}

Histogram size_histogram(const std::vector<std::uint64_t>& sizes) {
  Histogram chart{
      "Clusters by size", "documents in the cluster", "clusters", {"clusters"}, {}, true};
  for (std::size_t i = 1; i < sizes.size() && i < 64; ++i) {
    const std::uint64_t first = std::uint64_t{1} << i;
    chart.bars.push_back({short_count(first) + "+",
                          format_count(first) + " to " + format_count(first + (first - 1)),
                          {sizes[i]}});
  }
  return chart;
}

}  // namespace twinset
