#include "query/lexer/char_cursor.h"

#include <gtest/gtest.h>

namespace orrery::query {
namespace {

TEST(CharCursor, CountsLinesFromOneAndColumnsFromZero) {
  CharCursor cursor("ab\ncd");
  EXPECT_EQ(cursor.position(), (TextPosition{.line = 1, .column = 0}));
  cursor.Advance(2);
  EXPECT_EQ(cursor.position(), (TextPosition{.line = 1, .column = 2}));
  cursor.Advance(2);
  EXPECT_EQ(cursor.position(), (TextPosition{.line = 2, .column = 1}));
}

TEST(CharCursor, ColumnsAreCharactersNotBytes) {
  CharCursor cursor("'\u00e9\u20ac\U0001F600' x");
  cursor.Advance(cursor.text().size() - 1);
  EXPECT_EQ(cursor.position().column, 6u);
  EXPECT_EQ(cursor.Peek(), 'x');
}

TEST(CharCursor, PastTheEndIsNul) {
  CharCursor cursor("a");
  EXPECT_EQ(cursor.Peek(1), '\0');
  EXPECT_EQ(cursor.Peek(1000), '\0');
  cursor.Advance(1);
  EXPECT_TRUE(cursor.at_end());
  EXPECT_EQ(cursor.Peek(), '\0');
}

TEST(CharCursor, SkipBlanksStopsAtTheFirstOtherByte) {
  CharCursor cursor(" \t\r\n\n x");
  cursor.SkipBlanks();
  EXPECT_EQ(cursor.Peek(), 'x');
  EXPECT_EQ(cursor.position(), (TextPosition{.line = 3, .column = 1}));
}

TEST(CharCursor, SkipLineLeavesTheLineEnd) {
  CharCursor cursor("-- note\nx");
  cursor.SkipLine();
  EXPECT_EQ(cursor.Peek(), '\n');
  cursor.Advance(1);
  cursor.SkipLine();
  EXPECT_TRUE(cursor.at_end());
}

TEST(CharCursor, SkipPastFindsTheMarkOrTheEnd) {
  CharCursor cursor("/* a\nb */x");
  EXPECT_TRUE(cursor.SkipPast("*/"));
  EXPECT_EQ(cursor.Peek(), 'x');
  EXPECT_EQ(cursor.position(), (TextPosition{.line = 2, .column = 4}));
  EXPECT_FALSE(cursor.SkipPast("*/"));
  EXPECT_TRUE(cursor.at_end());
}

}  // namespace
}  // namespace orrery::query
