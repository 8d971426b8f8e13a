#include "api/cassandra/parser/token/lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace orrery::cassandra {
namespace {

// "kind:text" of every token but the end, for a table of cases.
std::string Shape(std::string_view text) {
  const auto tokens = Tokenize(text, {});
  if (!tokens) return tokens.error().message;
  constexpr std::string_view kNames[] = {"end", "name", "keyword", "quoted", "empty",
                                         "sym", "str",  "int",     "float",  "bool",
                                         "dur", "uuid", "hex",     "nan",    "inf"};
  std::string shape;
  for (const Token& token : *tokens) {
    if (token.kind == TokenKind::kEnd) break;
    if (!shape.empty()) shape += ' ';
    shape += kNames[static_cast<size_t>(token.kind)];
    shape += ':';
    shape += token.TextIn(text);
  }
  return shape;
}

TEST(Lexer, Tokens) {
  const struct {
    std::string_view text;
    std::string_view shape;
  } cases[] = {
      {"", ""},
      {"SELECT a", "keyword:SELECT name:a"},
      {"a_1 \"A b\" \"\" \"x\"\"y\"", "name:a_1 quoted:\"A b\" empty:\"\" quoted:\"x\"\"y\""},
      {"'it''s' '' $$a'b$$ $$$$", "str:'it''s' str:'' str:$$a'b$$ str:$$$$"},
      {"1 -1 1.5 -1.5e3 1. 1e5", "int:1 int:-1 float:1.5 float:-1.5e3 float:1. float:1e5"},
      {"a -1 - 1", "name:a int:-1 sym:- int:1"},
      {"1-2", "int:1 int:-2"},
      {"1..2 ..3", "int:1 sym:.. int:2 sym:.. int:3"},
      {"true FALSE NaN -nan Infinity -INFINITY",
       "bool:true bool:FALSE nan:NaN nan:-nan inf:Infinity inf:-INFINITY"},
      {"0xCAFE 0x 0XaB", "hex:0xCAFE hex:0x hex:0XaB"},
      {"1h30m -2d 5\u00b5s P1Y -PT5S P1Yx P",
       "dur:1h30m dur:-2d dur:5\u00b5s dur:P1Y dur:-PT5S "
       "name:P1Yx name:P"},
      {"550e8400-e29b-41d4-a716-446655440000", "uuid:550e8400-e29b-41d4-a716-446655440000"},
      {"abcdefab-e29b-41d4-a716-446655440000", "uuid:abcdefab-e29b-41d4-a716-446655440000"},
      {"a=1;b+=2 c-=d!=e<=f>=g",
       "name:a sym:= int:1 sym:; name:b sym:+= int:2 name:c sym:-= "
       "name:d sym:!= name:e sym:<= name:f sym:>= name:g"},
      {"a -- x\nb // y\nc /* z\n */ d --", "name:a name:b name:c name:d"},
      {"{?::x}[]().", "sym:{ sym:? sym:: sym:: name:x sym:} sym:[ sym:] sym:( sym:) sym:."},
  };
  for (const auto& [text, shape] : cases) EXPECT_EQ(Shape(text), shape) << text;
}

TEST(Lexer, Failures) {
  const struct {
    std::string_view text;
    std::string_view message;
  } cases[] = {
      {"a # b", "line 1:2 no viable alternative at character '#'"},
      {"a !b", "line 1:2 no viable alternative at character '!'"},
      {"\n  \u20ac", "line 2:2 no viable alternative at character '\u20ac'"},
      {"_a", "line 1:0 no viable alternative at character '_'"},
      {"$a$", "line 1:0 no viable alternative at character '$'"},
      {"'abc", "line 1:4 mismatched character '<EOF>' expecting '''"},
      {"\"abc", "line 1:4 mismatched character '<EOF>' expecting '\"'"},
      {"$$abc$", "line 1:6 mismatched character '<EOF>' expecting '$'"},
      {"/* abc", "line 1:6 mismatched character '<EOF>' expecting '*/'"},
      {"'a\xFF'", "line 1:2 the text is not valid UTF-8"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(Shape(text), message) << text;
}

TEST(Lexer, PositionsAreThoseOfTheFirstCharacter) {
  const auto tokens = Tokenize("a 'x\n\u00e9' b\n c", {});
  ASSERT_TRUE(tokens.has_value());
  ASSERT_EQ(tokens->size(), 5u);
  EXPECT_EQ((*tokens)[1].position, (query::TextPosition{.line = 1, .column = 2}));
  EXPECT_EQ((*tokens)[2].position, (query::TextPosition{.line = 2, .column = 3}));
  EXPECT_EQ((*tokens)[3].position, (query::TextPosition{.line = 3, .column = 1}));
  EXPECT_EQ((*tokens)[4].kind, TokenKind::kEnd);
}

TEST(Lexer, TextIsBounded) {
  const ParserLimits limits{.statement_bytes_max = 3};
  EXPECT_TRUE(Tokenize("abc", limits).has_value());
  ASSERT_FALSE(Tokenize("abcd", limits).has_value());
}

}  // namespace
}  // namespace orrery::cassandra
