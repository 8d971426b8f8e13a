#include "partition/group_batch.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace orrery::partition {
namespace {

using Kind = GroupBatch::Kind;
using Word = GroupBatch::Word;
using Words = std::map<std::string_view, Word>;

Words ContentOf(GroupBatch& batch, std::string_view lower = "", std::string_view upper = "") {
  Words words;
  batch.Collect(lower, upper, words);
  return words;
}

std::vector<std::string_view> OperandsOf(const GroupBatch& batch, std::string_view key) {
  std::vector<std::string_view> operands;
  batch.AppendOperands(key, operands);
  return operands;
}

TEST(GroupBatchTest, TheLastWordCounts) {
  GroupBatch batch;
  EXPECT_EQ(batch.Find("a"), std::nullopt);
  batch.Put("a", "1");
  batch.Put("b", "");
  EXPECT_EQ(batch.Find("a"), (Word{Kind::kPut, "1"}));
  EXPECT_EQ(batch.Find("b"), (Word{Kind::kPut, ""}));
  batch.Delete("a");
  EXPECT_EQ(batch.Find("a"), (Word{Kind::kDelete}));
  batch.Put("a", "2");
  EXPECT_EQ(batch.Find("a"), (Word{Kind::kPut, "2"}));
  EXPECT_EQ(batch.Find("c"), std::nullopt);
}

TEST(GroupBatchTest, UnreadEntriesAreWrittenButNotFound) {
  GroupBatch batch;
  batch.PutUnread("a", "1");
  batch.DeleteUnread("b");
  EXPECT_FALSE(batch.empty());
  EXPECT_EQ(batch.Find("a"), std::nullopt);
  EXPECT_EQ(batch.Find("b"), std::nullopt);
}

TEST(GroupBatchTest, LongValuesAreFoundWhole) {
  GroupBatch batch;
  for (const size_t size : {127, 128, 16'383, 16'384, 2 << 20}) {
    const std::string value(size, 'v');
    batch.Put("key", value);
    EXPECT_EQ(batch.Find("key"), (Word{Kind::kPut, value})) << size;
    batch.Merge("merged", value);
    EXPECT_EQ(OperandsOf(batch, "merged").back(), value) << size;
  }
}

TEST(GroupBatchTest, RollbackTakesBackWhatTheTransactionWrote) {
  GroupBatch batch;
  batch.Begin();
  batch.Put("a", "1");
  batch.Commit();
  batch.Begin();
  EXPECT_FALSE(batch.wrote());
  batch.Put("a", "2");
  batch.Delete("a");
  batch.Put("b", "2");
  EXPECT_TRUE(batch.wrote());
  EXPECT_EQ(ContentOf(batch), (Words{{"a", {Kind::kDelete}}, {"b", {Kind::kPut, "2"}}}));
  batch.Rollback();
  EXPECT_EQ(batch.Find("b"), std::nullopt);
  EXPECT_EQ(ContentOf(batch), (Words{{"a", {Kind::kPut, "1"}}}));
  EXPECT_EQ(batch.batch().count(), 1u);
}

TEST(GroupBatchTest, OperandsComeInOrderAndGoWithTheirTransaction) {
  GroupBatch batch;
  EXPECT_FALSE(batch.has_merges());
  batch.Begin();
  batch.Merge("a", "1");
  batch.Merge("a", "2");
  batch.Commit();
  batch.Begin();
  batch.Merge("a", "3");
  batch.Merge("b", "4");
  EXPECT_EQ(OperandsOf(batch, "a"), (std::vector<std::string_view>{"1", "2", "3"}));
  EXPECT_EQ(batch.Find("b"), (Word{Kind::kMerge, "4"}));
  batch.Rollback();
  EXPECT_EQ(OperandsOf(batch, "a"), (std::vector<std::string_view>{"1", "2"}));
  EXPECT_TRUE(OperandsOf(batch, "b").empty());
  batch.Merge("a", "5");
  EXPECT_EQ(OperandsOf(batch, "a"), (std::vector<std::string_view>{"1", "2", "5"}));
  EXPECT_TRUE(ContentOf(batch).empty());
  EXPECT_TRUE(batch.has_merges());
}

TEST(GroupBatchTest, CollectKeepsToItsBounds) {
  GroupBatch batch;
  for (const char* key : {"d", "b", "a", "c"}) batch.Put(key, "1");
  EXPECT_EQ(ContentOf(batch, "b", "d").size(), 2u);
  batch.Delete("bb");
  EXPECT_EQ(ContentOf(batch, "b", "c"), (Words{{"b", {Kind::kPut, "1"}}, {"bb", {Kind::kDelete}}}));
  EXPECT_EQ(ContentOf(batch, "c").size(), 2u);
}

TEST(GroupBatchTest, ClearForgetsLargeAndSmall) {
  GroupBatch batch;
  for (const size_t size : {10, 2 << 20}) {
    batch.Put("a", std::string(size, 'x'));
    batch.Clear();
    EXPECT_TRUE(batch.empty());
    EXPECT_EQ(batch.Find("a"), std::nullopt);
    batch.Put("b", "1");
    EXPECT_EQ(ContentOf(batch), (Words{{"b", {Kind::kPut, "1"}}}));
    batch.Clear();
  }
}

// Random transactions, some taken back, beside a map: enough keys for the table to grow.
TEST(GroupBatchTest, AgreesWithAMap) {
  constexpr uint32_t kSeed = 20'240'229;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  GroupBatch batch;
  std::map<std::string, std::optional<std::string>> model;
  const auto expected = [&model] {
    Words words;
    for (const auto& [key, value] : model) {
      words[key] = value.has_value() ? Word{Kind::kPut, *value} : Word{Kind::kDelete};
    }
    return words;
  };
  for (int transaction = 0; transaction < 400; ++transaction) {
    auto changed = model;
    batch.Begin();
    for (uint32_t i = random() % 20; i > 0; --i) {
      const std::string key = "key" + std::to_string(random() % 3'000);
      if (random() % 4 == 0) {
        batch.Delete(key);
        changed[key] = std::nullopt;
      } else {
        const std::string value(random() % 300, static_cast<char>('a' + random() % 26));
        batch.Put(key, value);
        changed[key] = value;
      }
    }
    if (random() % 8 == 0) ContentOf(batch);  // sorts what may be taken back
    if (random() % 3 == 0) {
      batch.Rollback();
    } else {
      batch.Commit();
      model = std::move(changed);
    }
    if (transaction % 50 == 0) EXPECT_EQ(ContentOf(batch), expected());
  }
  EXPECT_GT(model.size(), 1'024u);
  EXPECT_EQ(ContentOf(batch), expected());
  for (const auto& [key, word] : expected()) EXPECT_EQ(batch.Find(key), word) << key;
}

}  // namespace
}  // namespace orrery::partition
