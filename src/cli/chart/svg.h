// An Svg is a chart under construction, written out as text: rectangles, lines, paths, words.
//
// Looks come from classes, which its style sheet defines for light and for dark surroundings; a
// colour that means a value is given as a fill. All text is escaped. Coordinates have one decimal.
// Not thread-safe.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::cli {

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

enum class Anchor { kStart, kMiddle, kEnd };

class Svg {
 public:
  using Points = std::vector<std::pair<double, double>>;

  // `title` is what readers who do not see it are told. `style` is CSS.
  Svg(double width, double height, std::string_view title, std::string_view style);

  void Rect(const Box& box, std::string_view css_class);
  // Boxes of one colour, with sharp edges, so that neighbours meet without a seam.
  void FilledBoxes(std::span<const Box> boxes, std::string_view colour);
  void Line(double x1, double y1, double x2, double y2, std::string_view css_class);
  // Through all points.
  void Polyline(const Points& points, std::string_view css_class);
  // The area between them.
  void Polygon(const Points& points, std::string_view css_class);
  void Text(double x, double y, std::string_view text, std::string_view css_class,
            Anchor anchor = Anchor::kStart);
  // `text`, and `more` behind it in another look.
  void TextAndMore(double x, double y, std::string_view text, std::string_view css_class,
                   std::string_view more, std::string_view more_class);

  // Ends the chart.
  std::string Finish() &&;

 private:
  void Shape(std::string_view element, const Points& points, std::string_view css_class);

  std::string out_;
};

}  // namespace orrery::cli
