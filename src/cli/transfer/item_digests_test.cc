#include "cli/transfer/item_digests.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::cli {
namespace {

Hash128 DigestOfJson(std::string_view text) {
  const auto value = model::ValueFromJson(text);
  EXPECT_TRUE(value.has_value()) << text;
  return DigestOfItem(*value);
}

TEST(ItemDigestsTest, TheOrderOfFieldsDoesNotMatter) {
  EXPECT_EQ(DigestOfJson(R"({"a":1,"b":{"c":[1,{"x":1,"y":2}],"d":null}})"),
            DigestOfJson(R"({"b":{"d":null,"c":[1,{"y":2,"x":1}]},"a":1})"));
  EXPECT_EQ(DigestOfJson(R"({"a":1.0})"), DigestOfJson(R"({"a":1})"));
}

TEST(ItemDigestsTest, EverythingElseDoes) {
  const Hash128 digest = DigestOfJson(R"({"a":[1,2]})");
  for (const char* other : {R"({"a":[2,1]})", R"({"a":[1]})", R"({"a":["1",2]})", R"({"A":[1,2]})",
                            R"({"a":[1,2],"b":null})", "{}"})
    EXPECT_NE(DigestOfJson(other), digest) << other;
}

TEST(ItemDigestsTest, WhatIsThereTwiceMustBeFoundTwice) {
  ItemDigests digests;
  const Hash128 one = DigestOfJson("1");
  const Hash128 two = DigestOfJson("2");
  digests.Add(one);
  digests.Add(one);
  digests.Add(two);
  digests.Remove(one);
  digests.Remove(DigestOfJson("3"));
  EXPECT_EQ(digests.left(), 2u);
  digests.Remove(one);
  digests.Remove(one);
  EXPECT_EQ(digests.left(), 1u);
  digests.Remove(two);
  EXPECT_EQ(digests.left(), 0u);
}

}  // namespace
}  // namespace orrery::cli
