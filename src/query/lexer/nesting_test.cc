#include "query/lexer/nesting.h"

#include <gtest/gtest.h>

namespace orrery::query {
namespace {

TEST(Nesting, ALevelLastsAsLongAsItsScope) {
  Nesting nesting(2);
  {
    NestingLevel first(nesting);
    EXPECT_TRUE(first.ok());
    {
      NestingLevel second(nesting);
      EXPECT_TRUE(second.ok());
      NestingLevel third(nesting);
      EXPECT_FALSE(third.ok());
    }
    NestingLevel again(nesting);
    EXPECT_TRUE(again.ok());
  }
  EXPECT_EQ(nesting.depth(), 0u);
}

}  // namespace
}  // namespace orrery::query
