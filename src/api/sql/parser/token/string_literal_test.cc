#include "api/sql/parser/token/string_literal.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

TEST(StringLiteral, EndsAtItsOwnQuote) {
  EXPECT_EQ(ScanString(R"("a" "b")"), 3u);
  EXPECT_EQ(ScanString(R"('a"b' c)"), 5u);
  EXPECT_EQ(ScanString(R"("a\"b" c)"), 6u);
  EXPECT_EQ(ScanString(R"("\\" c)"), 4u);
  EXPECT_EQ(ScanString(R"('')"), 2u);
}

TEST(StringLiteral, MayNotEnd) {
  for (const std::string_view text : {R"(")", R"("a)", R"("a')", R"("a\")", R"("\)", R"('\\\')"})
    EXPECT_EQ(ScanString(text), std::string_view::npos) << text;
}

TEST(StringLiteral, SaysWhatItsEscapesMean) {
  EXPECT_EQ(UnquoteString(R"('it''s')"), "it''s");  // a doubled quote means nothing here
  EXPECT_EQ(UnquoteString(R"('it\'s "it"')"), "it's \"it\"");
  EXPECT_EQ(UnquoteString(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(UnquoteString(R"("\u0041\u00e9\u20AC")"), "A\u00e9\u20ac");
  EXPECT_EQ(UnquoteString(R"("\ud83d\ude00")"), "\U0001F600");
  EXPECT_EQ(UnquoteString(R"("\u0000")"), std::string(1, '\0'));
}

TEST(StringLiteral, RefusesWhatIsNoEscape) {
  for (const std::string_view literal :
       {R"("\q")", R"("\x41")", R"("\u12")", R"("\u12g4")", R"("\ud83d")", R"("\ud83d\n")",
        R"("\ud83d\u0041")", R"("\ude00")"})
    EXPECT_EQ(UnquoteString(literal), std::nullopt) << literal;
}

TEST(StringLiteral, WhatIsQuotedIsUnquotedAgain) {
  std::string content = "plain 'single' \"double\" \\ \u20ac \U0001F600 \x7f";
  for (char c = 0; c < 0x20; ++c) content += c;
  const std::string literal = QuoteString(content);
  EXPECT_EQ(ScanString(literal), literal.size());
  EXPECT_EQ(UnquoteString(literal), content);
  EXPECT_EQ(QuoteString("a\n\"b\"\x01"), R"("a\n\"b\"\u0001")");
}

}  // namespace
}  // namespace orrery::sql
