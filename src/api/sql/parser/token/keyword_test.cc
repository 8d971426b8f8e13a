#include "api/sql/parser/token/keyword.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

TEST(Keyword, EveryOneIsFoundInAnyCase) {
#define ORRERY_SQL_KEYWORD(name, text, is_reserved)    \
  EXPECT_EQ(FindKeyword(text), Keyword::name) << text; \
  EXPECT_EQ(IsReserved(Keyword::name), is_reserved) << text;
  ORRERY_SQL_KEYWORDS(ORRERY_SQL_KEYWORD)
#undef ORRERY_SQL_KEYWORD
  EXPECT_EQ(FindKeyword("SELECT"), Keyword::kSelect);
  EXPECT_EQ(FindKeyword("sElEcT"), Keyword::kSelect);
  EXPECT_EQ(FindKeyword("Undefined"), Keyword::kUndefined);
}

TEST(Keyword, OtherWordsAreNone) {
  for (const std::string_view word : {"", "selec", "selects", "root", "c", "left", "right",
                                      "undefined_", "a_word_that_is_longer_than_all"})
    EXPECT_EQ(FindKeyword(word), Keyword::kNone) << word;
  EXPECT_FALSE(IsReserved(Keyword::kNone));
}

}  // namespace
}  // namespace orrery::sql
