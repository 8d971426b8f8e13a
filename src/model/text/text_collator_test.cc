#include "model/text/text_collator.h"

#include <gtest/gtest.h>

namespace orrery::model {
namespace {

TEST(TextCollatorTest, StrengthSaysWhatCounts) {
  const auto letters = TextCollator::Make({.locale = "en", .strength = 1}).value();
  EXPECT_EQ(letters->Key("resume"), letters->Key("Résumé"));
  const auto accents = TextCollator::Make({.locale = "en", .strength = 2}).value();
  EXPECT_EQ(accents->Key("resume"), accents->Key("RESUME"));
  EXPECT_NE(accents->Key("resume"), accents->Key("résumé"));
  const auto all = TextCollator::Make({.locale = "en"}).value();
  EXPECT_LT(all->Key("a"), all->Key("A"));
  EXPECT_LT(all->Key("A"), all->Key("b"));
}

TEST(TextCollatorTest, DigitsMayCompareAsNumbers) {
  const auto plain = TextCollator::Make({.locale = "en"}).value();
  EXPECT_LT(plain->Key("a10"), plain->Key("a2"));
  const auto numeric = TextCollator::Make({.locale = "en", .numeric = true}).value();
  EXPECT_GT(numeric->Key("a10"), numeric->Key("a2"));
}

TEST(TextCollatorTest, LanguagesDiffer) {
  const auto german = TextCollator::Make({.locale = "de"}).value();
  const auto swedish = TextCollator::Make({.locale = "sv"}).value();
  EXPECT_LT(german->Key("ä"), german->Key("z"));
  EXPECT_GT(swedish->Key("ä"), swedish->Key("z"));
}

TEST(TextCollatorTest, LocalesWithoutRulesOfTheirOwnAreKnown) {
  for (const char* locale : {"en", "en_US", "en_AU", "it", "pt", "root"})
    EXPECT_TRUE(TextCollator::Make({.locale = locale}).has_value()) << locale;
}

TEST(TextCollatorTest, UnknownLocalesAreRefused) {
  for (const char* locale : {"xx", "xx_US", "english"})
    EXPECT_FALSE(TextCollator::Make({.locale = locale}).has_value()) << locale;
}

}  // namespace
}  // namespace orrery::model
