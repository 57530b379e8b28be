// Bars in a fixed coordinate system of 360 by 200 units: at a phone's width a unit is a pixel, so
// labels stay legible, and wider pages scale it.
//
// This file's interface is charts.h; the rest is private.
#include "faces/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr double chart_width = 360, chart_height = 200;
constexpr double left = 8, right = 8, top = 26, bottom = 38;

std::uint64_t sum_of(const Bar& bar) {
  return std::accumulate(bar.counts.begin(), bar.counts.end(), std::uint64_t{0});
}

std::uint64_t highest(const Histogram& chart) {
  std::uint64_t most = 0;
  for (const Bar& bar : chart.bars) most = std::max(most, sum_of(bar));
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

std::string counted(const Histogram& chart, const Bar& bar) {
  std::string text = bar.range + ": " + format_count(sum_of(bar)) + ' ' + chart.up;
  if (chart.series.size() < 2) return text;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    text += (i == 0 ? " (" : ", ") + format_count(bar.counts[i]) + ' ' + chart.series[i];
  }
  return text + ')';
}

/// About the width of a label of the axis, and of the space before the next one.
double label_width(const Bar& bar) { return 6 * static_cast<double>(bar.label.size()) + 6; }
/// Labels of the first and last bars are moved inwards by less than this.
constexpr double moved_label = 8;

/// The distance of labels in bars: 1, 2, 5, 10 ...; the last bar has one, too.
std::size_t label_step(double bar_width, double label) {
  std::size_t step = 1;
  for (std::size_t i = 0; static_cast<double>(step) * bar_width < label; ++i) {
    step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  }
  return step;
}

void append_bar(std::string& out, const Bar& bar, double x, double height, double width) {
  const auto sum = static_cast<double>(sum_of(bar));
  double top_of_next = chart_height - bottom;
  for (std::size_t i = 0; i < bar.counts.size(); ++i) {
    if (bar.counts[i] == 0) continue;
    const double part = height * static_cast<double>(bar.counts[i]) / sum;
    top_of_next -= part;
    append_rectangle(out, fmt::format("s{}", i + 1).c_str(), x, top_of_next, width, part);
  }
}

void append_bars(std::string& out, const Histogram& chart) {
  const double plot_height = chart_height - top - bottom;
  const double base = chart_height - bottom;
  const double step = (chart_width - left - right) / static_cast<double>(chart.bars.size());
  const double width = std::min(std::max(step * 0.8, step - 6), 40.0);
  const std::uint64_t most = highest(chart);
  const bool counts_fit = step >= 26;
  double widest = 34;
  for (const Bar& bar : chart.bars) widest = std::max(widest, label_width(bar) + moved_label);
  const std::size_t every = label_step(step, widest);
  const auto label_place = [&](std::size_t bar) {
    // A long one is moved in, and may reach over the margin.
    const double half =
        std::max(10.0, 3 * static_cast<double>(chart.bars[bar].label.size()) - left);
    return std::clamp(left + (static_cast<double>(bar) + 0.5) * step, left + half,
                      chart_width - right - half);
  };
  const std::size_t final = chart.bars.size() - 1;
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Bar& bar = chart.bars[i];
    const std::uint64_t sum = sum_of(bar);
    const double center = left + (static_cast<double>(i) + 0.5) * step;
    const double height = plot_height * height_of(sum, most, chart.logarithmic);
    out += "<g><title>" + html_text(counted(chart, bar)) + "</title>";
    // An invisible rectangle of full height, so that a pointer finds the tooltip.
    append_rectangle(out, "hit", center - step / 2, top, step, plot_height);
    append_bar(out, bar, center - width / 2, height, width);
    if (sum > 0 && (counts_fit || sum == most)) {
      append_text(out, "count", std::clamp(center, left + 14, chart_width - right - 14),
                  base - height - 5, short_count(sum));
    }
    const bool crowds_last = label_place(final) - label_place(i) <
                             (label_width(bar) + label_width(chart.bars[final])) / 2;
    if (i == final || (i % every == 0 && !crowds_last)) {
      append_text(out, "tick", label_place(i), base + 15, bar.label);
    }
    out += "</g>";
  }
}

void append_table(std::string& out, const Histogram& chart) {
  out += "<details><summary>The numbers</summary><table><thead><tr><th scope=\"col\">" +
         html_text(chart.across) + "</th>";
  for (const std::string& name : chart.series) {
    out += "<th scope=\"col\" class=\"n\">" + html_text(name) + "</th>";
  }
  out += "</tr></thead><tbody>";
  for (const Bar& bar : chart.bars) {
    out += "<tr><td>" + html_text(bar.range) + "</td>";
    for (const std::uint64_t count : bar.counts) {
      out += "<td class=\"n\">" + format_count(count) + "</td>";
    }
    out += "</tr>";
  }
  out += "</tbody></table></details>";
}

}  // namespace

void append_chart(std::string& out, const Histogram& chart) {
  out += "<figure class=\"chart\"><figcaption>" + html_text(chart.title);
  if (chart.logarithmic) out += "<span class=\"quiet\"> &middot; log scale</span>";
  out += "</figcaption>";
  if (chart.bars.empty() || highest(chart) == 0) {
    out += "<p class=\"quiet\">Nothing to show.</p></figure>";
    return;
  }
  if (chart.series.size() > 1) {
    out += "<p class=\"key\">";
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      out += fmt::format("<span><span class=\"swatch s{}\"></span>{}</span> ", i + 1,
                         html_text(chart.series[i]));
    }
    out += "</p>";
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
