#include "cluster/simulation/key_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

using testing::HasSubstr;

std::string ErrorOf(std::string_view text) {
  const auto keys = ParseKeyList(text);
  return keys.has_value() ? "no error" : keys.error().message();
}

TEST(KeyList, KeysWithWeights) {
  const auto keys = ParseKeyList("a,3\nb,1.5\n");
  ASSERT_TRUE(keys.has_value());
  ASSERT_EQ(keys->size(), 2);
  EXPECT_EQ((*keys)[0].key, "a");
  EXPECT_EQ((*keys)[0].weight, 3);
  EXPECT_EQ((*keys)[1].weight, 1.5);
  EXPECT_EQ((*keys)[1].bytes, 0);
}

TEST(KeyList, HeaderBytesQuotesAndForeignLineEnds) {
  const auto keys = ParseKeyList("tenant,requests,bytes\r\n\"a, \"\"b\"\"\", 3 ,4096\r\n\r\nc,1,0");
  ASSERT_TRUE(keys.has_value()) << keys.error().message();
  ASSERT_EQ(keys->size(), 2);
  EXPECT_EQ((*keys)[0].key, "a, \"b\"");
  EXPECT_EQ((*keys)[0].bytes, 4096);
}

TEST(KeyList, OnlyTheFirstLineCanBeAHeader) {
  EXPECT_THAT(ErrorOf("a,1\nb,many\n"), HasSubstr("line 2: the weight 'many'"));
  EXPECT_THAT(ErrorOf("key,weight\nb,many\n"), HasSubstr("line 2: the weight 'many'"));
}

TEST(KeyList, WrongLinesAreNamed) {
  EXPECT_THAT(ErrorOf("a,1\nb\n"), HasSubstr("line 2: 'b' is not 'key,weight'"));
  EXPECT_THAT(ErrorOf("a,1,2,3\n"), HasSubstr("line 1"));
  EXPECT_THAT(ErrorOf("a,1\nb,-1\n"), HasSubstr("'-1' is not a number from 0"));
  EXPECT_THAT(ErrorOf("a,1\nb,nan\n"), HasSubstr("line 2"));
  EXPECT_THAT(ErrorOf("a,1\nb,inf\n"), HasSubstr("line 2"));
  EXPECT_THAT(ErrorOf("a,1,5\nb,1\n"), HasSubstr("either all lines have bytes or none"));
  EXPECT_THAT(ErrorOf("a,1,x\n"), HasSubstr("the bytes 'x'"));
  EXPECT_THAT(ErrorOf("a,1\na,2\n"), HasSubstr("line 2: the key 'a' stands in line 1 already"));
  EXPECT_THAT(ErrorOf("\"a,1\n"), HasSubstr("quote"));
}

TEST(KeyList, NothingToSpreadIsAnError) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("no keys"));
  EXPECT_THAT(ErrorOf("key,weight\n"), HasSubstr("no keys"));
  EXPECT_THAT(ErrorOf("a,0\nb,0\n"), HasSubstr("all keys are 0"));
}

TEST(KeyList, MessagesShowNoControlCharacters) {
  EXPECT_THAT(ErrorOf("a,1\nb\x1b[2J"), HasSubstr("'b?[2J'"));
}

}  // namespace
}  // namespace orrery::cluster
