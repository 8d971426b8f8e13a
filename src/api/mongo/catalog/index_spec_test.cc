#include "api/mongo/catalog/index_spec.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::mongo {
namespace {

Answer<IndexSpec> Parse(std::string_view json) { return ParseIndexSpec(*model::ParseJson(json)); }
int32_t CodeOf(std::string_view json) {
  const auto parsed = Parse(json);
  return parsed.has_value() ? 0 : parsed.error().code;
}

TEST(IndexSpecTest, ReadsAndShowsASpec) {
  const auto spec =
      Parse(R"({"key": {"a": 1, "b": -1}, "name": "x", "sparse": true, "hidden": false})");
  ASSERT_TRUE(spec.has_value());
  EXPECT_TRUE(spec->is_sparse());
  EXPECT_FALSE(spec->is_unique());
  EXPECT_EQ(model::ToJson(spec->spec.view()),
            R"({"v":2,"key":{"a":1,"b":-1},"name":"x","sparse":true})");
  const auto named = NamedIndexOf(*spec, 7);
  ASSERT_TRUE(named.has_value());
  EXPECT_EQ(named->paths.size(), 2u);
  EXPECT_EQ(named->direction(1), model::Direction::kDescending);
  EXPECT_EQ(DefaultIndexName(spec->key), "a_1_b_-1");
}

TEST(IndexSpecTest, MistakesHaveTheirCodes) {
  EXPECT_EQ(CodeOf(R"({"key": {"z": 1}})"), 9);
  EXPECT_EQ(CodeOf(R"({"key": {}, "name": "x"})"), 67);
  EXPECT_EQ(CodeOf(R"({"key": {"a": 0}, "name": "x"})"), 67);
  EXPECT_EQ(CodeOf(R"({"key": {"a": "foo"}, "name": "x"})"), 67);
  EXPECT_EQ(CodeOf(R"({"key": {"a": true}, "name": "x"})"), 67);
  EXPECT_EQ(CodeOf(R"({"key": {"$a": 1}, "name": "x"})"), 67);
  EXPECT_EQ(CodeOf(R"({"key": {"a..b": 1}, "name": "x"})"), 67);
  EXPECT_EQ(CodeOf(R"({"key": {"a": 1}, "name": "x", "foo": 1})"), 197);
  EXPECT_EQ(CodeOf(R"({"key": {"a": 1, "b": 1}, "name": "x", "expireAfterSeconds": 5})"), 67);
  EXPECT_EQ(CodeOf(R"({"key": {"a": 1}, "name": "x", "expireAfterSeconds": -1})"), 67);
}

TEST(IndexSpecTest, ConflictsAreToldApart) {
  const std::vector<IndexSpec> there = {*Parse(R"({"key": {"a": 1}, "name": "a_1"})")};
  EXPECT_TRUE(IsAlreadyThere(there[0], there).value());
  EXPECT_FALSE(IsAlreadyThere(*Parse(R"({"key": {"b": 1}, "name": "b_1"})"), there).value());
  EXPECT_EQ(IsAlreadyThere(*Parse(R"({"key": {"a": 1}, "name": "other"})"), there).error().code,
            85);
  EXPECT_EQ(IsAlreadyThere(*Parse(R"({"key": {"b": 1}, "name": "a_1"})"), there).error().code, 86);
  EXPECT_FALSE(
      IsAlreadyThere(*Parse(R"({"key": {"a": 1}, "name": "s", "sparse": true})"), there).value());
}

}  // namespace
}  // namespace orrery::mongo
