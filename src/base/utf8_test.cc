#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

#include "base/bytes.h"

namespace orrery {
namespace {

constexpr size_t kNone = std::string_view::npos;

TEST(Utf8, WellFormedTextHasNoInvalidByte) {
  for (const std::string_view text : {"", "SELECT a FROM t", "\u00b5s", "\u0800\uFFFF",
                                      "\U00010000\U0010FFFF", "0123456789\u20ac"})
    EXPECT_EQ(FindInvalidUtf8(text), kNone) << text;
}

TEST(Utf8, TheFirstBadByteIsNamed) {
  const struct {
    std::string_view text;
    size_t at;
  } cases[] = {
      {"a\x80", 1},                 // continuation without a start
      {"a\xC3", 1},                 // cut off
      {"\xC0\xAF", 0},              // overlong
      {"\xE0\x80\xAF", 0},          // overlong
      {"\xED\xA0\x80", 0},          // a surrogate
      {"\xF4\x90\x80\x80", 0},      // above U+10FFFF
      {"\xF8\x88\x80\x80\x80", 0},  // five bytes
      {"12345678\xFF", 8},
  };
  for (const auto& [text, at] : cases) EXPECT_EQ(FindInvalidUtf8(text), at);
}

std::string Bytes(std::string_view hex) {
  std::string bytes;
  EXPECT_TRUE(FromHex(hex, bytes)) << hex;
  return bytes;
}

TEST(Utf8, TakesEveryLengthAndTheEdgesOfRanges) {
  for (const char* text : {"", "00", "7f", "c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf",
                           "f0908080", "f48fbfbf"}) {
    EXPECT_TRUE(IsUtf8(Bytes(text))) << text;
    EXPECT_TRUE(IsUtf8("eight by" + Bytes(text) + "tes and more")) << text;
  }
}

TEST(Utf8, RefusesWhatIsMalformedAnywhere) {
  for (const char* text : {"80", "bf", "c0af", "c1bf", "c2", "c2c2", "e08080", "e09fbf", "eda080",
                           "edbfbf", "e282", "f0808080", "f48fbf", "f4908080", "f5808080", "ff"}) {
    EXPECT_FALSE(IsUtf8(Bytes(text))) << text;
    EXPECT_FALSE(IsUtf8("eight by" + Bytes(text))) << text;
    EXPECT_FALSE(IsUtf8("x" + Bytes(text) + "eight bytes")) << text;
  }
}

TEST(Utf8, APrefixNeverCutsACharacter) {
  EXPECT_EQ(Utf8Prefix("a\u20acb", 5), "a\u20acb");
  EXPECT_EQ(Utf8Prefix("a\u20acb", 4), "a\u20ac");
  EXPECT_EQ(Utf8Prefix("a\u20acb", 3), "a");
  EXPECT_EQ(Utf8Prefix("a\u20acb", 0), "");
  EXPECT_EQ(Utf8Prefix("\u20ac", 2), "");
}

TEST(Utf8, FirstCharacter) {
  EXPECT_EQ(FirstUtf8Character("\u20acb"), "\u20ac");
  EXPECT_EQ(FirstUtf8Character("b"), "b");
  EXPECT_EQ(FirstUtf8Character(""), "");
}

}  // namespace
}  // namespace orrery
