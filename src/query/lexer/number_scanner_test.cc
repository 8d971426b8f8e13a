#include "query/lexer/number_scanner.h"

#include <gtest/gtest.h>

namespace orrery::query {
namespace {

TEST(NumberScanner, Shapes) {
  const struct {
    std::string_view text;
    NumberShape shape;
  } cases[] = {
      {"", {0, true}},       {"x", {0, true}},       {"0", {1, true}},    {"42)", {2, true}},
      {"1.5", {3, false}},   {"1.", {2, false}},     {"1e5", {3, false}}, {"1.e-5,", {5, false}},
      {"1E+05", {5, false}}, {"1e", {1, true}},      {"1e+", {1, true}},  {"1..2", {1, true}},
      {"1...2", {2, false}}, {"1.2..3", {3, false}}, {".5", {0, true}},   {"12abc", {2, true}},
  };
  for (const auto& [text, shape] : cases) EXPECT_EQ(ScanNumber(text), shape) << text;
}

TEST(NumberScanner, Digits) {
  EXPECT_EQ(CountDigits("123a"), 3u);
  EXPECT_EQ(CountHexDigits("12aFg"), 4u);
  EXPECT_EQ(CountHexDigits(""), 0u);
}

}  // namespace
}  // namespace orrery::query
