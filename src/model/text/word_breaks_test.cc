#include "model/text/word_breaks.h"

#include <gtest/gtest.h>

namespace orrery::model {
namespace {

using Words = std::vector<std::string_view>;

TEST(WordBreaks, WordsAsPeopleCountThem) {
  EXPECT_EQ(WordsOf("Hello, World!", 255), (Words{"Hello", "World"}));
  EXPECT_EQ(WordsOf("don't foo_bar 3.14 1,000 a.b", 255),
            (Words{"don't", "foo_bar", "3.14", "1,000", "a.b"}));
  EXPECT_EQ(WordsOf("end. 'quoted' a..b 1.a", 255), (Words{"end", "quoted", "a", "b", "1", "a"}));
  EXPECT_EQ(WordsOf("\xe6\x97\xa5\xe6\x9c\xac", 255), (Words{"\xe6\x97\xa5", "\xe6\x9c\xac"}));
  EXPECT_EQ(WordsOf("", 255), Words{});
  EXPECT_EQ(WordsOf(" .,; ", 255), Words{});
  EXPECT_EQ(WordsOf("ab\xff"
                    "cd",
                    255),
            (Words{"ab", "cd"}));
}

TEST(WordBreaks, LongOnesAreLeftOut) { EXPECT_EQ(WordsOf("abc abcd ab", 3), (Words{"abc", "ab"})); }

TEST(WordBreaks, PartsBetweenDelimiters) {
  EXPECT_EQ(SplitAt("a,b,,c,", U','), (Words{"a", "b", "c"}));
  EXPECT_EQ(SplitAt("", U','), Words{});
  EXPECT_EQ(SplitAt("\xc3\xa4\xe2\x82\xac"
                    "b",
                    0x20AC),
            (Words{"\xc3\xa4", "b"}));
}

TEST(WordBreaks, FirstCharacters) {
  EXPECT_EQ(FirstCharacter("\xe2\x82\xacx"), 0x20ACu);
  EXPECT_EQ(FirstCharacter("\xff"), 0xFFFDu);
}

}  // namespace
}  // namespace orrery::model
