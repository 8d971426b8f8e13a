#include "partition/group_batch.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace orrery::partition {
namespace {

using Model = std::map<std::string, std::optional<std::string>>;

std::optional<std::string> Owned(GroupBatch::Word word) {
  return word.has_value() ? std::optional<std::string>(*word) : std::nullopt;
}

Model ContentOf(const GroupBatch& batch) {
  Model content;
  batch.ForEach([&](std::string_view key, GroupBatch::Word word) {
    EXPECT_TRUE(content.emplace(key, Owned(word)).second) << key;
  });
  return content;
}

TEST(GroupBatchTest, TheLastWordCounts) {
  GroupBatch batch;
  EXPECT_EQ(batch.Find("a"), std::nullopt);
  batch.Put("a", "1");
  batch.Put("b", "");
  EXPECT_EQ(batch.Find("a"), GroupBatch::Word("1"));
  EXPECT_EQ(batch.Find("b"), GroupBatch::Word(""));
  batch.Delete("a");
  EXPECT_EQ(batch.Find("a"), std::optional<GroupBatch::Word>(std::in_place));
  batch.Put("a", "2");
  EXPECT_EQ(batch.Find("a"), GroupBatch::Word("2"));
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
    EXPECT_EQ(batch.Find("key"), GroupBatch::Word(value)) << size;
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
  batch.Rollback();
  EXPECT_EQ(batch.Find("a"), GroupBatch::Word("1"));
  EXPECT_EQ(batch.Find("b"), std::nullopt);
  EXPECT_EQ(batch.batch().count(), 1u);
}

TEST(GroupBatchTest, ClearForgetsLargeAndSmall) {
  GroupBatch batch;
  for (const size_t size : {10, 2 << 20}) {
    batch.Put("a", std::string(size, 'x'));
    batch.Clear();
    EXPECT_TRUE(batch.empty());
    EXPECT_EQ(batch.Find("a"), std::nullopt);
    batch.Put("b", "1");
    EXPECT_EQ(ContentOf(batch), (Model{{"b", "1"}}));
    batch.Clear();
  }
}

// Random transactions, some taken back, beside a map: enough keys for the table to grow.
TEST(GroupBatchTest, AgreesWithAMap) {
  constexpr uint32_t kSeed = 20'240'229;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  GroupBatch batch;
  Model model;
  for (int transaction = 0; transaction < 400; ++transaction) {
    Model changed = model;
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
    if (random() % 3 == 0) {
      batch.Rollback();
    } else {
      batch.Commit();
      model = std::move(changed);
    }
  }
  EXPECT_GT(model.size(), 1'024u);
  EXPECT_EQ(ContentOf(batch), model);
  for (const auto& [key, value] : model) {
    const auto found = batch.Find(key);
    ASSERT_TRUE(found.has_value()) << key;
    EXPECT_EQ(Owned(*found), value) << key;
  }
}

}  // namespace
}  // namespace orrery::partition
