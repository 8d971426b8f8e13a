#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/sql/function/text/code_points.h"
#include "api/sql/function/text/phrase.h"
#include "api/sql/function/text/stop_words.h"
#include "model/text/find_text.h"
#include "model/text/tokenizer.h"

namespace orrery::sql {
namespace {

TEST(CodePoints, GoThereAndBack) {
  const std::string text = "aé漢😀\u0000z";
  std::string back;
  for (const char32_t character : ToCodePoints(text)) AppendCodePoint(back, character);
  EXPECT_EQ(back, text);
  EXPECT_EQ(CountCodePoints(text), ToCodePoints(text).size());
  EXPECT_EQ(ByteOfCodePoint(text, 2), 3u);
  EXPECT_EQ(ByteOfCodePoint(text, 100), text.size());
}

TEST(CodePoints, BrokenTextIsReadToItsEnd) {
  EXPECT_EQ(ToCodePoints("\xE6").size(), 1u);
  EXPECT_EQ(ToCodePoints("\xE6"
                         "a")
                .size(),
            2u);
  EXPECT_EQ(ToCodePoints("\x80\xFF").size(), 2u);
}

TEST(FindText, FirstAndLast) {
  EXPECT_EQ(model::FindText("abcabc", "bc"), 1u);
  EXPECT_EQ(model::FindText("abcabc", "bc", 2), 4u);
  EXPECT_EQ(model::FindText("abc", "x"), std::string_view::npos);
  EXPECT_EQ(model::FindText("abc", "", 3), 3u);
  EXPECT_EQ(model::FindText("abc", "", 4), std::string_view::npos);
  EXPECT_EQ(model::FindText("", "a"), std::string_view::npos);
  EXPECT_EQ(model::FindLastText("abcabc", "bc"), 4u);
  EXPECT_EQ(model::FindLastText("abcabc", "x"), std::string_view::npos);
  EXPECT_EQ(model::FindLastText("abc", ""), 3u);
}

TEST(StopWords, DoNotMakeATextLonger) {
  EXPECT_TRUE(IsStopWord("the"));
  EXPECT_TRUE(IsStopWord("a"));
  EXPECT_TRUE(IsStopWord("yourselves"));
  EXPECT_FALSE(IsStopWord("orrery"));
  EXPECT_FALSE(IsStopWord(""));
  EXPECT_EQ(TextLength(model::Tokenize("It was in the United States, also in 1977")), 3u);
}

TEST(Phrase, WordsThatBeginAgain) {
  const auto contains = [](std::string_view text, std::string_view phrase) {
    return ContainsPhrase(model::Tokenize(text), model::Tokenize(phrase));
  };
  EXPECT_TRUE(contains("a a a b", "a a b"));
  EXPECT_TRUE(contains("a b a b a c", "a b a c"));
  EXPECT_FALSE(contains("a b a b", "a b c"));
  EXPECT_FALSE(contains("a", ""));
}

}  // namespace
}  // namespace orrery::sql
