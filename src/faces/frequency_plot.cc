#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "faces/reports.h"

namespace twinset {
namespace {

constexpr double panel_width = 360;
constexpr double inner_width = 290;
constexpr double inner_height = 240;
constexpr double left = 60;
constexpr double top = 34;
constexpr int steps = 400;  ///< of an axis: places at which points can be

constexpr const char* ink = "#808080";
constexpr const char* seen_color = "#8a8a8a";
constexpr const char* label_color = "#d1823a";
constexpr const char* threshold_color = "#b8504a";

/// The decades that an axis needs for a value.
int decades(std::uint64_t most) {
  int count = 1;
  for (double reach = 10; reach < static_cast<double>(most); reach *= 10) ++count;
  return count;
}

double along(std::uint64_t value, int of_decades) {
  return value == 0 ? 0 : std::log10(static_cast<double>(value)) / of_decades;
}

std::string text_at(double x, double y, const char* anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     text);
}

class Panel {
 public:
  Panel(double x, const char* objects, const ObjectCounts& counts, std::uint64_t over)
      : x_(x + left), objects_(objects), counts_(counts), over_(over) {
    std::uint64_t most_count = over;
    std::uint64_t most_objects = 1;
    for (const ObjectFrequency& frequency : counts.frequencies) {
      most_count = std::max(most_count, frequency.count);
      most_objects = std::max(most_objects, frequency.objects);
    }
    across_ = decades(most_count);
    up_ = decades(most_objects);
  }

  void draw(std::string& out) const {
    axes(out);
    points(out, false);
    points(out, true);
    if (over_ == 0) return;
    const double x = at_x(over_);
    out += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
        "stroke-dasharray=\"4 3\"/>\n",
        x, top, top + inner_height, threshold_color);
  }

 private:
  double at_x(std::uint64_t count) const { return x_ + along(count, across_) * inner_width; }
  double at_y(std::uint64_t objects) const {
    return top + inner_height - along(objects, up_) * inner_height;
  }

  void axes(std::string& out) const {
    for (int i = 0; i <= across_; ++i) {
      const double x = x_ + inner_width * i / across_;
      out += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
          "stroke-opacity=\"0.25\"/>\n",
          x, top, top + inner_height, ink);
      out += text_at(x, top + inner_height + 16, "middle", decade(i));
    }
    for (int i = 0; i <= up_; ++i) {
      const double y = top + inner_height - inner_height * i / up_;
      out += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
          "stroke-opacity=\"0.25\"/>\n",
          x_, x_ + inner_width, y, ink);
      out += text_at(x_ - 6, y + 4, "end", decade(i));
    }
    out += text_at(x_ + inner_width / 2, top + inner_height + 34, "middle", "times seen");
    out += text_at(x_ + inner_width / 2, top - 14, "middle",
                   fmt::format("distinct {}, by the times they were seen", objects_));
  }

  static std::string decade(int power) {
    if (power < 4) return std::to_string(static_cast<int>(std::pow(10.0, power)));
    return fmt::format("10<tspan dy=\"-4\" font-size=\"9\">{}</tspan>", power);
  }

  /// One dot for each place of a fine grid, so that the file stays small.
  void points(std::string& out, bool labels) const {
    std::set<std::pair<int, int>> drawn;
    for (const ObjectFrequency& frequency : counts_.frequencies) {
      const std::uint64_t objects =
          labels ? frequency.labels : frequency.objects - frequency.labels;
      if (objects == 0) continue;
      const auto place = [](double share) { return static_cast<int>(std::lround(share * steps)); };
      drawn.emplace(place(along(frequency.count, across_)), place(along(objects, up_)));
    }
    for (const auto& [across, up] : drawn) {
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.4\" fill=\"{}\"/>\n",
                         x_ + inner_width * across / steps,
                         top + inner_height - inner_height * up / steps,
                         labels ? label_color : seen_color);
    }
  }

  double x_;
  const char* objects_;
  const ObjectCounts& counts_;
  std::uint64_t over_;
  int across_ = 1;
  int up_ = 1;
};

}  // namespace

std::string frequency_plot(const DiscoverFindings& found) {
  constexpr double width = 2 * panel_width + 10;
  constexpr double height = top + inner_height + 70;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\" fill=\"{2}\">\n"
      "<title>Frequencies and occurrences of files and chunks</title>\n",
      width, height, ink);
  Panel(0, "files", found.summary.files, found.options.over_files).draw(out);
  Panel(panel_width, "chunks", found.summary.chunks, found.options.over_chunks).draw(out);
  const double y = height - 10;
  const auto key = [&](double x, const char* color, const char* name) {
    out +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x, y - 4, color);
    out += text_at(x + 10, y, "start", name);
  };
  key(left, label_color, "labels");
  key(left + 90, seen_color, "not labeled");
  out += fmt::format(
      "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\" stroke=\"{3}\" "
      "stroke-dasharray=\"4 3\"/>\n",
      left + 210, left + 240, y - 4, threshold_color);
  out += text_at(left + 248, y, "start", "threshold: labels are to its right");
  return out + "</svg>\n";
}

}  // namespace twinset
