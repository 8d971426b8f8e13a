#include "api/sql/container/composite_indexes.h"

#include <gtest/gtest.h>

#include "api/sql/container/policy_indexes.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

std::vector<item::NamedIndex> CompositesFrom(std::string_view json) {
  auto indexes = CompositeIndexesFrom(*model::ValueFromJson(json));
  EXPECT_TRUE(indexes.has_value()) << indexes.error().ToString();
  return indexes.has_value() ? *std::move(indexes) : std::vector<item::NamedIndex>();
}

// "1 /a/b, 2 /c/d-": - behind a path that falls
std::string Show(const std::vector<item::NamedIndex>& indexes) {
  std::string text;
  for (const item::NamedIndex& index : indexes) {
    text += (text.empty() ? "" : ", ") + std::to_string(index.id) + " ";
    for (size_t i = 0; i < index.paths.size(); ++i) {
      const bool falls = index.direction(i) == model::Direction::kDescending;
      text += index.paths[i].ToString() + (falls ? "-" : "");
    }
  }
  return text;
}

TEST(CompositeIndexes, OfOneDirection) {
  EXPECT_EQ(Show(CompositesFrom(R"([[{"path":"/a"},{"path":"/b/c","order":"Ascending"}]])")),
            "0 /a/b/c");
  EXPECT_EQ(Show(CompositesFrom(
                R"([[{"path":"/a","order":"descending"},{"path":"/b","order":"descending"}],
                          [{"path":"/a"},{"path":"/b"}]])")),
            "0 /a/b");
}

TEST(CompositeIndexes, OfMixedDirections) {
  EXPECT_EQ(Show(CompositesFrom(R"([[{"path":"/a"},{"path":"/b","order":"descending"}],
                          [{"path":"/a"},{"path":"/b"}],
                          [{"path":"/a","order":"descending"},{"path":"/b"}]])")),
            "0 /a/b-, 0 /a/b");
  const auto mixed =
      CompositesFrom(R"([[{"path":"/a","order":"descending"},{"path":"/b"},{"path":"/c"}]])");
  EXPECT_EQ(Show(mixed), "0 /a/b-/c-");
  EXPECT_EQ(Show(WithPolicyIndexes(WithPolicyIndexes({}, mixed, 0), mixed, 1)), "1 /a/b-/c-");
}

TEST(CompositeIndexes, IdsStayAndAreNotUsedAgain) {
  const auto ab = CompositesFrom(R"([[{"path":"/a"},{"path":"/b"}]])");
  const auto both =
      CompositesFrom(R"([[{"path":"/c"},{"path":"/d"}],[{"path":"/a"},{"path":"/b"}]])");
  const std::vector<item::NamedIndex> others = {{3, "by_x", {*model::Path::Parse("/x")}}};
  const auto first = WithPolicyIndexes(others, ab, 3);
  EXPECT_EQ(Show(first), "3 /x, 4 /a/b");
  const auto second = WithPolicyIndexes(first, both, 4);
  EXPECT_EQ(Show(second), "3 /x, 5 /c/d, 4 /a/b");
  const auto none = WithPolicyIndexes(second, {}, 5);
  EXPECT_EQ(Show(none), "3 /x");
  EXPECT_EQ(Show(WithPolicyIndexes(none, ab, 5)), "3 /x, 6 /a/b");
}

TEST(CompositeIndexes, WhatIsWrong) {
  for (const char* json :
       {"{}", "[1]", R"([[{"path":"/a"}]])", R"([[{"path":"/a"},{}]])",
        R"([[{"path":"/a"},{"path":"/a"}]])", R"([[{"path":"/a"},{"path":"b"}]])",
        R"([[{"path":"/a"},{"path":"/b/*"}]])", R"([[{"path":"/a"},{"path":"/"}]])",
        R"([[{"path":"/a"},{"path":"/b","order":"up"}]])"}) {
    EXPECT_FALSE(CompositeIndexesFrom(*model::ValueFromJson(json)).has_value()) << json;
  }
}

}  // namespace
}  // namespace orrery::sql
