#include "cli/simulation/simulation_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>

#include "cli/chart/axis.h"
#include "cli/chart/svg.h"
#include "cli/duration.h"
#include "cli/simulation/heat_colours.h"
#include "cli/text_table.h"

namespace orrery::cli {
namespace {

using cluster::Outcome;
using cluster::Sample;
using cluster::Scenario;

constexpr double kChartWidth = 960;
constexpr double kLeft = 84;
constexpr double kPlotWidth = 840;  // seven for each column of the heat map
constexpr double kTop = 102;
constexpr double kPlotHeight = 104;
constexpr double kHeatHeight = 192;  // three for each of its rows
constexpr double kGap = 52;
constexpr int kPanels = 4;
constexpr double kHeight = kTop + kPanels * (kPlotHeight + kGap) + kHeatHeight + 96;
// More points than this in a line are not to be seen.
constexpr size_t kColumnsMax = 420;

constexpr const char* kStyle = R"(
text{font-family:system-ui,"Segoe UI","DejaVu Sans",sans-serif;fill:#1f2933}
.paper{fill:#ffffff}.frame{fill:#f5f7fa;stroke:none}.grid{stroke:#d9e0e8;stroke-width:1}
.box{fill:none;stroke:#9aa5b1;stroke-width:1}
.title{font-size:19px;font-weight:600}.sub{font-size:12.5px;fill:#52606d}
.panel{font-size:13px;font-weight:600}.label{font-size:11px;font-weight:400;fill:#52606d}
.one{fill:none;stroke:#1f6fb2;stroke-width:2;stroke-linejoin:round}.one-area{fill:#1f6fb2;fill-opacity:.18}
.two{fill:none;stroke:#c8460a;stroke-width:2;stroke-linejoin:round}.two-area{fill:#c8460a;fill-opacity:.22}
.band{fill:#6b4fa0;fill-opacity:.28}.mean{fill:none;stroke:#6b4fa0;stroke-width:2}
.take{stroke:#c8460a;stroke-width:1.8}.move{stroke:#1f6fb2;stroke-width:1.8}
@media (prefers-color-scheme:dark){
text{fill:#e4e7eb}.paper{fill:#14181d}.frame{fill:#1d232a}.grid{stroke:#323a44}.box{stroke:#616e7c}
.sub,.label{fill:#aab4bf}
.one{stroke:#62a8e5}.one-area{fill:#62a8e5}.two{stroke:#f2894b}.two-area{fill:#f2894b}
.band{fill:#a892d8}.mean{stroke:#b9a6e3}.take{stroke:#f2894b}.move{stroke:#62a8e5}
}
)";

// Samples of one column of the chart.
using Column = std::span<const Sample>;
using Measure = std::function<double(Column)>;

// Ticks that are one column, so that there are not too many.
size_t TicksPerColumn(std::span<const Sample> samples) {
  return (samples.size() + kColumnsMax - 1) / kColumnsMax;
}

std::vector<Column> ColumnsOf(std::span<const Sample> samples) {
  const size_t width = TicksPerColumn(samples);
  std::vector<Column> columns;
  for (size_t begin = 0; begin < samples.size(); begin += width)
    columns.push_back(samples.subspan(begin, std::min(width, samples.size() - begin)));
  return columns;
}

// The highest of a column.
template <typename Value>
Measure Highest(Value value) {
  return [value](Column column) {
    double highest = 0;
    for (const Sample& sample : column) highest = std::max(highest, value(sample));
    return highest;
  };
}
template <typename Value>
Measure Summed(Value value) {
  return [value](Column column) {
    double sum = 0;
    for (const Sample& sample : column) sum += static_cast<double>(value(sample));
    return sum;
  };
}

class Chart {
 public:
  Chart(const Scenario& scenario, const Outcome& outcome)
      : scenario_(scenario),
        outcome_(outcome),
        columns_(ColumnsOf(outcome.samples)),
        svg_(kChartWidth, kHeight, "Simulation of partitions and nodes over time", kStyle) {}

  std::string Draw() {
    svg_.Rect({0, 0, kChartWidth, kHeight}, "paper");
    Heading();
    PartitionsPanel();
    ThrottledPanel();
    NodesPanel();
    OwnersPanel();
    HeatPanel();
    return std::move(svg_).Finish();
  }

 private:
  void Heading() {
    svg_.Text(kLeft, 34, "Partitions and nodes over time", "title");
    svg_.Text(kLeft, 55,
              fmt::format("{} nodes, {} containers of {} RU/s, {} simulated, seed {}",
                          GroupDigits(scenario_.nodes), GroupDigits(scenario_.containers),
                          GroupDigits(static_cast<double>(scenario_.throughput)),
                          FormatDuration(scenario_.duration), scenario_.seed),
              "sub");
  }

  void PartitionsPanel() {
    const auto count = Highest([](const Sample& s) { return static_cast<double>(s.partitions); });
    BeginPanel("Physical partitions", "number", HighestOf(count), ShortNumber);
    Area(count, "one-area", "one");
    EndPanel();
  }

  void ThrottledPanel() {
    const auto share = Highest([](const Sample& s) { return s.ThrottledShare() * 100; });
    BeginPanel("Throttled share", "% of the request units wanted", std::max(1.0, HighestOf(share)),
               [](double percent) { return ShortNumber(percent) + " %"; });
    Area(share, "two-area", "two");
    EndPanel();
  }

  void NodesPanel() {
    const auto most = Highest([](const Sample& s) { return s.spread.most; });
    const auto mean = Highest([](const Sample& s) { return s.spread.mean; });
    const Measure least = [](Column column) {
      return std::ranges::min_element(column, {}, [](const Sample& s) { return s.spread.least; })
          ->spread.least;
    };
    BeginPanel("Load of nodes", "RU/s served: from the least to the most loaded node, and the mean",
               HighestOf(most), ShortNumber);
    Svg::Points band = PointsOf(most);
    const Svg::Points lower = PointsOf(least);
    band.insert(band.end(), lower.rbegin(), lower.rend());
    svg_.Polygon(band, "band");
    svg_.Polyline(PointsOf(mean), "mean");
    EndPanel();
  }

  void OwnersPanel() {
    const auto taken = Summed([](const Sample& s) { return s.take_overs; });
    const auto moved = Summed([](const Sample& s) { return s.moves; });
    const double highest = std::max({1.0, HighestOf(taken), HighestOf(moved)});
    const Micros width = static_cast<int64_t>(TicksPerColumn(outcome_.samples)) * scenario_.tick;
    BeginPanel("Changes of owner", fmt::format("partitions in {}", FormatDuration(width)), highest,
               ShortNumber);
    Stems(moved, "move");
    Stems(taken, "take");
    LegendEntry(plot_.right() - 150, "take", "take-overs");
    LegendEntry(plot_.right() - 64, "move", "moves");
    EndPanel();
  }

  void HeatPanel() {
    plot_ = {kLeft, next_top_, kPlotWidth, kHeatHeight};
    PanelTitle("Heat of the ring",
               "demand over rate of the partition at each position, first container");
    const auto& heat = outcome_.heat;
    const double width = plot_.width / static_cast<double>(heat.columns.size());
    const double height = plot_.height / static_cast<double>(heat.rows);
    std::map<std::string, std::vector<Box>> boxes;
    for (size_t column = 0; column < heat.columns.size(); ++column) {
      const std::vector<float>& cells = heat.columns[column];
      for (size_t begin = 0; begin < heat.rows;) {
        const std::string colour = HeatColour(cells[begin]);
        size_t end = begin + 1;
        while (end < heat.rows && HeatColour(cells[end]) == colour) ++end;
        boxes[colour].push_back({plot_.x + static_cast<double>(column) * width,
                                 plot_.y + static_cast<double>(begin) * height, width,
                                 static_cast<double>(end - begin) * height});
        begin = end;
      }
    }
    for (const auto& [colour, same] : boxes) svg_.FilledBoxes(same, colour);
    svg_.Text(plot_.x - 8, plot_.y + 10, "start", "label", Anchor::kEnd);
    svg_.Text(plot_.x - 8, plot_.y + plot_.height / 2 + 4, "of the ring", "label", Anchor::kEnd);
    svg_.Text(plot_.x - 8, plot_.bottom(), "end", "label", Anchor::kEnd);
    EndPanel();
    svg_.Text(kLeft + kPlotWidth / 2, plot_.bottom() + 34, "time since the start", "label",
              Anchor::kMiddle);
    HeatLegend();
  }

  void HeatLegend() {
    constexpr int kCells = 48;
    const Box scale{kLeft, plot_.bottom() + 48, 288, 10};
    for (int i = 0; i < kCells; ++i) {
      const Box cell{scale.x + i * scale.width / kCells, scale.y, scale.width / kCells,
                     scale.height};
      svg_.FilledBoxes({&cell, 1}, HeatColour((i + 0.5) * kHeatMax / kCells));
    }
    svg_.Rect(scale, "box");
    for (const double mark : {0.0, 0.5, 1.0, 1.5, kHeatMax}) {
      svg_.Text(scale.x + scale.width * mark / kHeatMax, scale.bottom() + 14,
                fmt::format("{:.0f} %{}", mark * 100, mark == kHeatMax ? "+" : ""), "label",
                Anchor::kMiddle);
    }
    svg_.Text(scale.right() + 36, scale.y + 9,
              "of the partition's rate; beyond 100 % requests are throttled", "label");
  }

  template <typename Label>
  void BeginPanel(std::string_view title, std::string_view unit, double highest, Label label) {
    plot_ = {kLeft, next_top_, kPlotWidth, kPlotHeight};
    PanelTitle(title, unit);
    svg_.Rect(plot_, "frame");
    const std::vector<double> marks = RoundMarks(highest, 4);
    axis_end_ = marks.back();
    for (const double mark : marks) {
      svg_.Line(plot_.x, YOf(mark), plot_.right(), YOf(mark), "grid");
      svg_.Text(plot_.x - 8, YOf(mark) + 4, label(mark), "label", Anchor::kEnd);
    }
  }

  void PanelTitle(std::string_view title, std::string_view unit) {
    svg_.TextAndMore(plot_.x, plot_.y - 9, title, "panel", unit, "label");
  }

  void EndPanel() {
    svg_.Rect(plot_, "box");
    const std::vector<Micros> marks = TimeMarks(scenario_.duration, 12);
    for (const Micros mark : marks) {
      const double x = plot_.x + plot_.width * (static_cast<double>(mark.count()) /
                                                static_cast<double>(scenario_.duration.count()));
      svg_.Line(x, plot_.bottom(), x, plot_.bottom() + 4, "box");
      svg_.Text(x, plot_.bottom() + 16, TimeLabel(mark, marks), "label", Anchor::kMiddle);
    }
    next_top_ = plot_.bottom() + kGap;
  }

  double YOf(double value) const {
    return plot_.bottom() - plot_.height * std::clamp(value / axis_end_, 0.0, 1.0);
  }
  double XOf(size_t column) const {
    const double count = static_cast<double>(columns_.size());
    return plot_.x + plot_.width * (static_cast<double>(column) + 0.5) / count;
  }

  double HighestOf(const Measure& measure) const {
    double highest = 0;
    for (const Column column : columns_) highest = std::max(highest, measure(column));
    return highest;
  }

  // From edge to edge.
  Svg::Points PointsOf(const Measure& measure) const {
    Svg::Points points;
    for (size_t i = 0; i < columns_.size(); ++i)
      points.emplace_back(XOf(i), YOf(measure(columns_[i])));
    points.insert(points.begin(), {plot_.x, points.front().second});
    points.emplace_back(plot_.right(), points.back().second);
    return points;
  }

  void Area(const Measure& measure, std::string_view area_class, std::string_view line_class) {
    Svg::Points points = PointsOf(measure);
    svg_.Polyline(points, line_class);
    points.emplace_back(plot_.right(), plot_.bottom());
    points.emplace_back(plot_.x, plot_.bottom());
    svg_.Polygon(points, area_class);
  }

  void Stems(const Measure& measure, std::string_view css_class) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      const double value = measure(columns_[i]);
      if (value > 0) svg_.Line(XOf(i), plot_.bottom(), XOf(i), YOf(value), css_class);
    }
  }

  void LegendEntry(double x, std::string_view css_class, std::string_view text) {
    svg_.Line(x, plot_.y - 13, x + 14, plot_.y - 13, css_class);
    svg_.Text(x + 19, plot_.y - 9, text, "label");
  }

  const Scenario& scenario_;
  const Outcome& outcome_;
  const std::vector<Column> columns_;
  Svg svg_;
  Box plot_;             // of the panel being drawn
  double axis_end_ = 1;  // of the panel being drawn
  double next_top_ = kTop;
};

}  // namespace

std::string DrawSimulation(const Scenario& scenario, const Outcome& outcome) {
  return Chart(scenario, outcome).Draw();
}

}  // namespace orrery::cli
