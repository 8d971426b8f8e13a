#include "cli/chart/svg.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace orrery::cli {
namespace {

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

double Tenths(double number) { return std::round(number * 10) / 10; }

std::string_view AnchorName(Anchor anchor) {
  switch (anchor) {
    case Anchor::kStart:
      return "start";
    case Anchor::kMiddle:
      return "middle";
    case Anchor::kEnd:
      return "end";
  }
  return "start";
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title, std::string_view style) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" role=\"img\">\n<title>{2}</title>\n<style>{3}</style>\n",
      width, height, Escaped(title), style);
}

void Svg::Rect(const Box& box, std::string_view css_class) {
  fmt::format_to(std::back_inserter(out_),
                 "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                 "class=\"{}\"/>\n",
                 box.x, box.y, box.width, box.height, css_class);
}

void Svg::FilledBoxes(std::span<const Box> boxes, std::string_view colour) {
  fmt::format_to(std::back_inserter(out_), "<path fill=\"{}\" shape-rendering=\"crispEdges\" d=\"",
                 colour);
  for (const Box& box : boxes)
    fmt::format_to(std::back_inserter(out_), "M{:g} {:g}h{:g}v{:g}h-{:g}z", Tenths(box.x),
                   Tenths(box.y), Tenths(box.width), Tenths(box.height), Tenths(box.width));
  out_ += "\"/>\n";
}

void Svg::Line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  fmt::format_to(std::back_inserter(out_),
                 "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n",
                 x1, y1, x2, y2, css_class);
}

void Svg::Shape(std::string_view element, const Points& points, std::string_view css_class) {
  fmt::format_to(std::back_inserter(out_), "<{} class=\"{}\" points=\"", element, css_class);
  for (const auto& [x, y] : points)
    fmt::format_to(std::back_inserter(out_), "{:.1f},{:.1f} ", x, y);
  out_ += "\"/>\n";
}

void Svg::Polyline(const Points& points, std::string_view css_class) {
  Shape("polyline", points, css_class);
}

void Svg::Polygon(const Points& points, std::string_view css_class) {
  Shape("polygon", points, css_class);
}

void Svg::Text(double x, double y, std::string_view text, std::string_view css_class,
               Anchor anchor) {
  fmt::format_to(std::back_inserter(out_),
                 "<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n", x,
                 y, css_class, AnchorName(anchor), Escaped(text));
}

void Svg::TextAndMore(double x, double y, std::string_view text, std::string_view css_class,
                      std::string_view more, std::string_view more_class) {
  fmt::format_to(std::back_inserter(out_),
                 "<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}<tspan dx=\"9\" "
                 "class=\"{}\">{}</tspan></text>\n",
                 x, y, css_class, Escaped(text), more_class, Escaped(more));
}

std::string Svg::Finish() && {
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace orrery::cli
