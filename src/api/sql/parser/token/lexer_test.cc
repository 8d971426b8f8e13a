#include "api/sql/parser/token/lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace orrery::sql {
namespace {

// The tokens' texts with "|" between them.
std::string Split(std::string_view text) {
  const auto tokens = Tokenize(text, {});
  if (!tokens) return tokens.error().message;
  std::string joined;
  for (const Token& token : *tokens) {
    if (token.kind == TokenKind::kEnd) break;
    if (!joined.empty()) joined += '|';
    joined += token.TextIn(text);
  }
  return joined;
}

TokenKind KindOf(std::string_view text) {
  const auto tokens = Tokenize(text, {});
  return tokens && tokens->size() == 2 ? tokens->front().kind : TokenKind::kEnd;
}

TEST(Lexer, TakesTheLongestSymbol) {
  EXPECT_EQ(Split("a>>>b>>c>=d>e"), "a|>>>|b|>>|c|>=|d|>|e");
  EXPECT_EQ(Split("a<<b<=c<>d<e!=f"), "a|<<|b|<=|c|<>|d|<|e|!=|f");
  EXPECT_EQ(Split("a??b?c:d||e|f"), "a|??|b|?|c|:|d||||e|||f");
  EXPECT_EQ(Split("([{,.}])+-*/%&^~="), "(|[|{|,|.|}|]|)|+|-|*|/|%|&|^|~|=");
}

TEST(Lexer, KnowsWhatTokensAre) {
  EXPECT_EQ(KindOf("word_1"), TokenKind::kWord);
  EXPECT_EQ(KindOf("_rid"), TokenKind::kWord);
  EXPECT_EQ(KindOf("'s'"), TokenKind::kString);
  EXPECT_EQ(KindOf("@p"), TokenKind::kParameter);
  EXPECT_EQ(KindOf("{documentdb-a-0}"), TokenKind::kPlaceholder);
  for (const std::string_view number :
       {"0", "12", "1.", "1.5", ".5", "1e3", "1.5E+3", ".5e-3", "0x1F", "0XaB"})
    EXPECT_EQ(KindOf(number), TokenKind::kNumber) << number;
}

TEST(Lexer, DropsBlanksAndComments) {
  EXPECT_EQ(Split(" \t\r\n"), "");
  EXPECT_EQ(Split("a -- b\nc"), "a|c");
  EXPECT_EQ(Split("a /* b\n -- */ c /**/ d"), "a|c|d");
  EXPECT_EQ(Split("a--"), "a");
  EXPECT_EQ(Split("'--' \"/*\""), "'--'|\"/*\"");
}

TEST(Lexer, ADotBehindAWordIsNoNumber) {
  EXPECT_EQ(Split("c.a1.b"), "c|.|a1|.|b");
  EXPECT_EQ(Split("a-1"), "a|-|1");
  EXPECT_EQ(Split("[0].x"), "[|0|]|.|x");
}

TEST(Lexer, BracesAreAPlaceholderOnlyWithItsName) {
  EXPECT_EQ(Split("{documentdb-a} {documentdb:1}"), "{documentdb-a}|{|documentdb|:|1|}");
  EXPECT_EQ(Split("{documentdb-a b}"), "{|documentdb|-|a|b|}");
}

}  // namespace
}  // namespace orrery::sql
