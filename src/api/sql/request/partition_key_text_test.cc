#include "api/sql/request/partition_key_text.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

gateway::ContainerEntry WithPaths(std::vector<std::string> paths) {
  gateway::ContainerEntry entry;
  entry.settings.partition_key_paths = std::move(paths);
  return entry;
}

TEST(PartitionKeyText, ThereAndBack) {
  for (const char* text : {"[]", "[{}]", "[null]", R"(["a"])", R"(["a",5,-1.5,true,false,null,{}])",
                           R"(["Ψ \"x\""])"}) {
    const auto values = ParsePartitionKey(text);
    ASSERT_TRUE(values.has_value()) << text;
    EXPECT_EQ(PartitionKeyText(*values), text);
  }
}

TEST(PartitionKeyText, WhatIsNoKey) {
  for (const char* text : {"", "a", "{}", "5", "[", "[[1]]", R"([{"a":1}])"})
    EXPECT_FALSE(ParsePartitionKey(text).has_value()) << text;
}

TEST(PartitionKeyText, NothingIsWhateverTheContainerHas) {
  const auto none = *ParsePartitionKey("[]");
  const auto undefined = *ParsePartitionKey("[{}]");
  EXPECT_EQ(KeyFor(WithPaths({}), undefined).size(), 0u);
  EXPECT_EQ(KeyFor(WithPaths({"/pk"}), none).size(), 1u);
  EXPECT_EQ(KeyFor(WithPaths({"/a", "/b"}), undefined).size(), 2u);
  EXPECT_EQ(KeyFor(WithPaths({"/a", "/b"}), *ParsePartitionKey(R"(["x"])")).size(), 1u);
}

}  // namespace
}  // namespace orrery::sql
