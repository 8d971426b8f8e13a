#include "api/sql/container/full_text_indexes.h"

#include <gtest/gtest.h>

#include "api/sql/container/policy_indexes.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

Result<std::vector<item::NamedIndex>> FullTextFrom(std::string_view json) {
  return FullTextIndexesFrom(*model::ValueFromJson(json));
}

TEST(FullTextIndexes, OnePathEach) {
  const auto indexes = FullTextFrom(R"([{"path":"/text"},{"path":"/a/b"},{"path":"/text"}])");
  ASSERT_TRUE(indexes.has_value()) << indexes.error().ToString();
  ASSERT_EQ(indexes->size(), 2u);
  EXPECT_EQ((*indexes)[0].kind, item::IndexKind::kTerms);
  EXPECT_EQ((*indexes)[1].paths, std::vector{*model::Path::Parse("/a/b")});
}

TEST(FullTextIndexes, IdsStayWhileThePolicyHasThem) {
  const auto first = WithPolicyIndexes({}, *FullTextFrom(R"([{"path":"/a"},{"path":"/b"}])"), 0);
  const auto second = WithPolicyIndexes(first, *FullTextFrom(R"([{"path":"/b"}])"), 2);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].id, 2u);
  const auto third = WithPolicyIndexes(second, *FullTextFrom(R"([{"path":"/a"}])"), 2);
  ASSERT_EQ(third.size(), 1u);
  EXPECT_EQ(third[0].id, 3u);
}

TEST(FullTextIndexes, WhatIsWrong) {
  for (const char* json : {R"({})", R"([1])", R"([{}])", R"([{"path":1}])", R"([{"path":"text"}])",
                           R"([{"path":"/"}])", R"([{"path":"/a/*"}])", R"([{"path":"/a/[]"}])"}) {
    const auto indexes = FullTextFrom(json);
    ASSERT_FALSE(indexes.has_value()) << json;
    EXPECT_EQ(indexes.error().code(), Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace orrery::sql
