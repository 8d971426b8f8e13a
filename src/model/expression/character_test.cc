#include "model/expression/character.h"

#include <gtest/gtest.h>

namespace orrery::model {
namespace {

TEST(Character, LettersOfAllScriptsAndDigitsMakeWords) {
  for (const char32_t c : {U'a', U'Ж', U'漢', U'é', U'7', U'\u0301', U'\U00020000'})
    EXPECT_TRUE(IsLetterOrDigit(c)) << static_cast<uint32_t>(c);
  for (const char32_t c : {U' ', U'-', U'_', U'€', U'\U0001F600'})
    EXPECT_FALSE(IsLetterOrDigit(c)) << static_cast<uint32_t>(c);
}

TEST(Character, Spaces) {
  EXPECT_TRUE(IsWhiteSpace(U'\u00A0'));
  EXPECT_TRUE(IsWhiteSpace(U'\n'));
  EXPECT_FALSE(IsWhiteSpace(U'x'));
}

TEST(Character, WhatIsNoCharacterIsNothing) {
  EXPECT_FALSE(IsLetterOrDigit(0x110000));
}

}  // namespace
}  // namespace orrery::model
