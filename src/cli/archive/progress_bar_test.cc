#include "cli/archive/progress_bar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace orrery::cli {
namespace {

TEST(ProgressBarTest, ShowsHowFarItIs) {
  std::ostringstream out;
  ProgressBar bar(out, /*terminal=*/true, "shop/orders", 10);
  bar.Advance(5);
  EXPECT_EQ(bar.Line(), "[##########..........]  50 %  shop/orders  5 of 10 items");
  bar.Advance(5);
  bar.Finish();
  EXPECT_NE(out.str().find("100 %"), std::string::npos);
  EXPECT_EQ(out.str().back(), '\n');
}

TEST(ProgressBarTest, WithoutATerminalWritesAFewLines) {
  std::ostringstream out;
  ProgressBar bar(out, /*terminal=*/false, "c", 1'000'000);
  for (int i = 0; i < 1'000; ++i) bar.Advance(1'000);
  bar.Finish();
  const std::string text = out.str();
  EXPECT_EQ(std::ranges::count(text, '\n'), 10);
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(ProgressBarTest, NeedsNoTotal) {
  std::ostringstream out;
  ProgressBar bar(out, /*terminal=*/false, "c", 0);
  bar.Advance(3);
  bar.Finish();
  EXPECT_EQ(out.str(), "c  3 items\n");
}

}  // namespace
}  // namespace orrery::cli
