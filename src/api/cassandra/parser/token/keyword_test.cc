#include "api/cassandra/parser/token/keyword.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace orrery::cassandra {
namespace {

TEST(Keyword, IsFoundInAnyCase) {
  EXPECT_EQ(FindKeyword("select"), Keyword::kSelect);
  EXPECT_EQ(FindKeyword("SELECT"), Keyword::kSelect);
  EXPECT_EQ(FindKeyword("MaxWriteTime"), Keyword::kMaxwritetime);
}

TEST(Keyword, EverySpellingIsFoundAndOnlyThose) {
  for (int i = 1; i <= static_cast<int>(Keyword::kWritetime); ++i) {
    const auto keyword = static_cast<Keyword>(i);
    EXPECT_EQ(FindKeyword(KeywordText(keyword)), keyword) << KeywordText(keyword);
    EXPECT_EQ(FindKeyword(std::string(KeywordText(keyword)) + "_"), Keyword::kNone);
  }
  EXPECT_EQ(FindKeyword(""), Keyword::kNone);
  EXPECT_EQ(FindKeyword("selec"), Keyword::kNone);
  EXPECT_EQ(FindKeyword("cosmosdb_provisioned_throughput"), Keyword::kNone);
}

TEST(Keyword, TablesHaveTwoSpellings) {
  EXPECT_EQ(FindKeyword("COLUMNFAMILY"), Keyword::kTable);
  EXPECT_EQ(FindKeyword("columnfamilies"), Keyword::kTables);
}

TEST(Keyword, TheReservedOnesAreThoseOfCassandra) {
  std::set<std::string> reserved;
  for (int i = 1; i <= static_cast<int>(Keyword::kWritetime); ++i) {
    const auto keyword = static_cast<Keyword>(i);
    if (ClassOf(keyword) == KeywordClass::kReserved) reserved.emplace(KeywordText(keyword));
  }
  // Its list names COLUMNFAMILY too, which is TABLE here.
  const std::set<std::string> expected{
      "add",      "allow",   "alter",        "and",    "apply",       "asc",    "authorize",
      "batch",    "begin",   "by",           "create", "delete",      "desc",   "describe",
      "drop",     "entries", "execute",      "from",   "full",        "grant",  "if",
      "in",       "index",   "infinity",     "insert", "into",        "is",     "keyspace",
      "limit",    "modify",  "materialized", "nan",    "norecursive", "not",    "null",
      "of",       "on",      "or",           "order",  "primary",     "rename", "revoke",
      "schema",   "select",  "set",          "table",  "to",          "token",  "truncate",
      "unlogged", "update",  "use",          "using",  "view",        "where",  "with"};
  EXPECT_EQ(reserved, expected);
}

}  // namespace
}  // namespace orrery::cassandra
