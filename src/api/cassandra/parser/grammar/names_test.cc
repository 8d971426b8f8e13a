#include "api/cassandra/parser/grammar/names.h"

#include <gtest/gtest.h>

#include <string>

#include "api/cassandra/parser/grammar/parsed.h"
#include "api/cassandra/parser/token/keyword.h"

namespace orrery::cassandra {
namespace {

using query::TextPosition;

TEST(Names, AreFoldedUnlessQuoted) {
  const auto truncate = ParseAs<ast::Truncate>("TRUNCATE Ks.\"My\"\"Table\"");
  EXPECT_EQ(truncate.table.keyspace, "ks");
  EXPECT_EQ(truncate.table.name.text, "My\"Table");
  EXPECT_EQ(truncate.table.name.position, (TextPosition{.line = 1, .column = 12}));
}

TEST(Names, KeywordsAreNamesWhereCassandraLetsThem) {
  for (int i = 1; i <= static_cast<int>(Keyword::kWritetime); ++i) {
    const auto keyword = static_cast<Keyword>(i);
    const KeywordClass keyword_class = ClassOf(keyword);
    const std::string word(KeywordText(keyword));
    const bool unreserved = keyword_class != KeywordClass::kReserved;
    EXPECT_EQ(ParseStatement("TRUNCATE " + word).has_value(), unreserved) << word;
    EXPECT_EQ(ParseStatement("SELECT " + word + " FROM t").has_value(),
              unreserved || word == "null" || word == "nan" || word == "infinity")
        << word;
    EXPECT_EQ(ParseStatement("INSERT INTO t (" + word + ") VALUES (1)").has_value(), unreserved);
    EXPECT_EQ(ParseStatement("DROP TYPE " + word).has_value(),
              keyword_class == KeywordClass::kBasic || word == "key")
        << word;
    const bool function = keyword_class == KeywordClass::kBasic ||
                          keyword_class == KeywordClass::kNativeType || word == "token" ||
                          word == "count";
    EXPECT_EQ(ParseStatement("DROP FUNCTION ks." + word).has_value(), function) << word;
  }
}

TEST(Names, TokenIsAFunctionAndNothingElse) {
  EXPECT_TRUE(ParseStatement("SELECT token(a) FROM t").has_value());
  EXPECT_FALSE(ParseStatement("SELECT token FROM t").has_value());
}

TEST(Names, RolesKeepTheirCaseInStringsAndUsersAlways) {
  EXPECT_EQ(ParseAs<ast::CreateRole>("CREATE ROLE Bob").role.text, "bob");
  EXPECT_EQ(ParseAs<ast::CreateRole>("CREATE ROLE 'Bob'").role.text, "Bob");
  EXPECT_EQ(ParseAs<ast::CreateRole>("CREATE ROLE \"Bob\"").role.text, "Bob");
  EXPECT_EQ(ParseAs<ast::CreateRole>("CREATE USER Bob").role.text, "Bob");
}

}  // namespace
}  // namespace orrery::cassandra
