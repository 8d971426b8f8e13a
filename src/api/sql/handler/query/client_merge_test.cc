#include "api/sql/handler/query/client_merge.h"

#include <gtest/gtest.h>

#include <string>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

bool Needs(const std::string& info, const std::string& hybrid = "null") {
  return NeedsMerge(model::ValueFromJson(R"({"queryInfo":)" + info +
                                         R"(,"hybridSearchQueryInfo":)" + hybrid + "}")
                        .value());
}

TEST(ClientMerge, RowsOfOnePartitionAfterTheOther) {
  EXPECT_FALSE(Needs("null"));
  EXPECT_FALSE(Needs(R"({"distinctType":"None","top":null,"orderBy":[],"aggregates":[]})"));
}

TEST(ClientMerge, OneKey) {
  const auto is_one = [](const char* ranges) {
    return IsOfOneKey(
        model::ValueFromJson(std::string(R"({"queryRanges":)") + ranges + "}").value());
  };
  EXPECT_TRUE(is_one(R"([{"min":"A1","max":"A1"}])"));
  EXPECT_FALSE(is_one(R"([{"min":"","max":"FF"}])"));
  EXPECT_FALSE(is_one(R"([{"min":"A1","max":"A1"},{"min":"A2","max":"A2"}])"));
}

TEST(ClientMerge, RowsThatAreMerged) {
  EXPECT_TRUE(Needs(R"({"distinctType":"Unordered"})"));
  EXPECT_TRUE(Needs(R"({"top":5})"));
  EXPECT_TRUE(Needs(R"({"orderBy":["Ascending"]})"));
  EXPECT_TRUE(Needs(R"({"aggregates":["Count"]})"));
  EXPECT_TRUE(Needs(R"({"groupByExpressions":["c.a"]})"));
  EXPECT_TRUE(Needs(R"({"groupByAliasToAggregateType":{"$1":"Average"}})"));
  EXPECT_FALSE(Needs(R"({"groupByAliasToAggregateType":{}})"));
  EXPECT_TRUE(Needs("null", R"({"take":10})"));
}

}  // namespace
}  // namespace orrery::sql
