#include "cli/chart/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Svg, TextIsEscaped) {
  Svg svg(10, 10, "a & b", "");
  svg.Text(1, 2, "<script>", "label");
  const std::string text = std::move(svg).Finish();
  EXPECT_THAT(text, HasSubstr("<title>a &amp; b</title>"));
  EXPECT_THAT(text, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
}

TEST(Svg, Shapes) {
  Svg svg(10, 10, "t", "");
  svg.Polyline({{0, 1}, {2, 3}}, "line");
  svg.FilledBoxes(std::vector<Box>{{1, 2, 3, 4}, {5, 6.25, 7, 8}}, "#fff");
  const std::string text = std::move(svg).Finish();
  EXPECT_THAT(text, HasSubstr("<polyline class=\"line\" points=\"0.0,1.0 2.0,3.0 \"/>"));
  EXPECT_THAT(text, HasSubstr("d=\"M1 2h3v4h-3zM5 6.3h7v8h-7z\"/>"));
  EXPECT_TRUE(text.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace orrery::cli
