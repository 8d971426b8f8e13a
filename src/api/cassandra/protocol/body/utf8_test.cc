#include "api/cassandra/protocol/body/utf8.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

TEST(Utf8Test, TakesEveryLengthAndTheEdgesOfRanges) {
  for (const char* text : {"", "00", "7f", "c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf",
                           "f0908080", "f48fbfbf"}) {
    EXPECT_TRUE(IsUtf8(Hex(text))) << text;
    EXPECT_TRUE(IsUtf8("eight by" + Hex(text) + "tes and more")) << text;
  }
}

TEST(Utf8Test, RefusesWhatIsMalformedAnywhere) {
  for (const char* text : {"80", "bf", "c0af", "c1bf", "c2", "c2c2", "e08080", "e09fbf", "eda080",
                           "edbfbf", "e282", "f0808080", "f48f bf", "f4908080", "f5808080", "ff"}) {
    EXPECT_FALSE(IsUtf8(Hex(text))) << text;
    EXPECT_FALSE(IsUtf8("eight by" + Hex(text))) << text;
    EXPECT_FALSE(IsUtf8("x" + Hex(text) + "eight bytes")) << text;
  }
}

TEST(Utf8Test, APrefixEndsBetweenCharacters) {
  EXPECT_EQ(Utf8Prefix("abc", 3), "abc");
  EXPECT_EQ(Utf8Prefix("abc", 2), "ab");
  EXPECT_EQ(Utf8Prefix("a\u20AC", 3), "a");
  EXPECT_EQ(Utf8Prefix("a\u20AC", 4), "a\u20AC");
  EXPECT_EQ(Utf8Prefix("\u20AC", 2), "");
}

}  // namespace
}  // namespace orrery::cassandra
