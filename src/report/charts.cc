// Bars in a fixed coordinate system of 360 by 200 units: at a phone's width a
// unit is a pixel, so that labels stay legible, and wider pages scale it.
//
// This file's interface is charts.h; the rest is private.
#include "report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/numbers.h"
#include "report/visible.h"

namespace twinset {
namespace {

constexpr double chart_width = 360, chart_height = 200;
constexpr double left = 8, right = 8, top = 26, bottom = 38;
constexpr std::size_t most_resemblance_bars = 26;

std::uint64_t highest(const Chart& chart) {
  std::uint64_t most = 0;
  for (const ChartBar& bar : chart.bars) most = std::max(most, bar.first + bar.second);
  return most;
}

/// A count's height as a share of the plot, at least a visible sliver.
double height_of(std::uint64_t count, std::uint64_t most, bool logarithmic) {
  if (count == 0) return 0;
  const double share =
      logarithmic ? std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most))
                  : static_cast<double>(count) / static_cast<double>(most);
  return std::max(share, 0.012);
}

void append_rectangle(std::string& out, const char* css, double x, double y, double width,
                      double height) {
  fmt::format_to(std::back_inserter(out),
                 "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                 "rx=\"1.5\"/>",
                 css, x, y, width, height);
}

void append_text(std::string& out, const char* css, double x, double y, std::string_view text) {
  fmt::format_to(std::back_inserter(out), "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">", css, x,
                 y);
  append_html(out, text, Lines::spell);
  out += "</text>";
}

std::string counted(const Chart& chart, const ChartBar& bar) {
  std::string text = format_count(bar.first + bar.second) + ' ' + chart.up;
  if (!chart.second_name.empty() && bar.second > 0) {
    text += fmt::format(" ({} {}, {} {})", format_count(bar.first), chart.first_name,
                        format_count(bar.second), chart.second_name);
  }
  return text;
}

void append_bars(std::string& out, const Chart& chart) {
  const double plot_height = chart_height - top - bottom;
  const double step = (chart_width - left - right) / static_cast<double>(chart.bars.size());
  const double width = std::min(std::max(step * 0.8, step - 6), 40.0);
  const std::uint64_t most = highest(chart);
  const bool counts_fit = step >= 26;
  const auto every = static_cast<std::size_t>(std::ceil(34 / step));
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const ChartBar& bar = chart.bars[i];
    const std::uint64_t sum = bar.first + bar.second;
    const double center = left + (static_cast<double>(i) + 0.5) * step;
    const double height = plot_height * height_of(sum, most, chart.logarithmic);
    const double base = chart_height - bottom;
    const double above =
        sum == 0 ? 0 : height * static_cast<double>(bar.second) / static_cast<double>(sum);
    out += "<g><title>" + html_text(bar.long_label + ": " + counted(chart, bar)) + "</title>";
    // An unseen rectangle of full height lets a pointer find the tooltip.
    append_rectangle(out, "hit", center - step / 2, top, step, plot_height);
    if (height > above)
      append_rectangle(out, "bar", center - width / 2, base - height + above, width,
                       height - above);
    if (above > 0) append_rectangle(out, "bar2", center - width / 2, base - height, width, above);
    if (sum > 0 && (counts_fit || sum == most)) {
      append_text(out, "count", std::clamp(center, left + 14, chart_width - right - 14),
                  base - height - 5, short_count(sum));
    }
    const bool last = i + 1 == chart.bars.size();
    const bool crowds_last = !last && i + every >= chart.bars.size();
    if (last || (i % every == 0 && !crowds_last)) {
      append_text(out, "tick", std::clamp(center, left + 10, chart_width - right - 10), base + 15,
                  bar.label);
    }
    out += "</g>";
  }
}

void append_table(std::string& out, const Chart& chart) {
  out += "<details><summary>The numbers</summary><table><thead><tr><th scope=\"col\">" +
         html_text(chart.across) + "</th>";
  const bool two = !chart.second_name.empty();
  out += "<th scope=\"col\" class=\"n\">" + html_text(two ? chart.first_name : chart.up) + "</th>";
  if (two) out += "<th scope=\"col\" class=\"n\">" + html_text(chart.second_name) + "</th>";
  out += "</tr></thead><tbody>";
  for (const ChartBar& bar : chart.bars) {
    out += "<tr><td>" + html_text(bar.long_label) + "</td><td class=\"n\">" +
           format_count(bar.first) + "</td>";
    if (two) out += "<td class=\"n\">" + format_count(bar.second) + "</td>";
    out += "</tr>";
  }
  out += "</tbody></table></details>";
}

}  // namespace

Chart cluster_size_chart(const SizeHistogram& histogram) {
  Chart chart{.title = "Clusters by size",
              .across = "records in the cluster",
              .up = "clusters",
              .first_name = {},
              .second_name = {},
              .bars = {},
              .logarithmic = true};
  std::size_t used = histogram.bins.size();
  while (used > 0 && histogram.bins[used - 1] == 0) --used;
  for (std::size_t i = 0; i < used; ++i) {
    const std::uint64_t first = (std::uint64_t{1} << i) + 1;
    const std::uint64_t last = i + 1 < 64 ? std::uint64_t{1} << (i + 1) : ~std::uint64_t{0};
    const std::string long_label = i == 0 ? "2" : format_count(first) + " to " + format_count(last);
    chart.bars.push_back(
        {i == 0 ? "2" : "\xe2\x89\xa4" + short_count(last), long_label, histogram.bins[i], 0});
  }
  return chart;
}

Chart resemblance_chart(const ResemblanceHistogram& near, const ResemblanceHistogram& contained) {
  Chart chart{.title = "Removed records by resemblance to their survivor",
              .across = "resemblance",
              .up = "records",
              .first_name = "near",
              .second_name = {},
              .bars = {},
              .logarithmic = false};
  std::size_t lowest = 100;
  bool any_contained = false;
  std::uint64_t all = 0;
  for (std::size_t i = 101; i-- > 0;) {
    if (near.bins[i] + contained.bins[i] > 0) lowest = i;
    any_contained = any_contained || contained.bins[i] > 0;
    all += near.bins[i] + contained.bins[i];
  }
  if (all == 0) return chart;
  if (any_contained) chart.second_name = "contained";
  // A step that divides 100, so that bars end at 1; the last bar is 1 itself.
  std::size_t step = 1;
  for (const std::size_t candidate : {1, 2, 4, 5}) {
    step = candidate;
    if ((100 - lowest + step - 1) / step + 1 <= most_resemblance_bars) break;
  }
  for (std::size_t begin = lowest - lowest % step; begin < 100; begin += step) {
    ChartBar bar;
    bar.label = fmt::format("{:.2f}", static_cast<double>(begin) / 100);
    const std::size_t end = begin + step;
    bar.long_label =
        end == 100 ? bar.label + " to below 1"
                   : fmt::format("{} to below {:.2f}", bar.label, static_cast<double>(end) / 100);
    for (std::size_t i = begin; i < end; ++i) {
      bar.first += near.bins[i];
      bar.second += contained.bins[i];
    }
    chart.bars.push_back(bar);
  }
  chart.bars.push_back({"1", "exactly 1", near.bins[100], contained.bins[100]});
  return chart;
}

void append_chart(std::string& out, const Chart& chart) {
  out += "<figure class=\"chart\"><figcaption>" + html_text(chart.title);
  if (chart.logarithmic) out += "<span class=\"quiet\"> &middot; log scale</span>";
  out += "</figcaption>";
  if (chart.bars.empty() || highest(chart) == 0) {
    out += "<p class=\"quiet\">Nothing to show.</p></figure>";
    return;
  }
  if (!chart.second_name.empty()) {
    out += "<p class=\"key\"><span><span class=\"swatch s1\"></span>" +
           html_text(chart.first_name) + "</span> <span><span class=\"swatch s2\"></span>" +
           html_text(chart.second_name) + "</span></p>";
  }
  fmt::format_to(std::back_inserter(out), "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"",
                 chart_width, chart_height);
  append_html(out, chart.title + "; the numbers follow as a table", Lines::spell);
  out += "\">";
  append_bars(out, chart);
  fmt::format_to(std::back_inserter(out),
                 "<line class=\"axis\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", left,
                 chart_height - bottom, chart_width - right, chart_height - bottom);
  append_text(out, "axis-label", chart_width / 2, chart_height - 4, chart.across);
  out += "</svg>";
  append_table(out, chart);
  out += "</figure>";
}

}  // namespace twinset
