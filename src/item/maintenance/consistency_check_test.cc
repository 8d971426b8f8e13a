#include "item/maintenance/consistency_check.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;

// Each test spoils one thing behind the writers' back.
class ConsistencyCheckTest : public testing::Test {
 protected:
  ConsistencyCheckTest() {
    schema_->default_ttl_s = 100;
    schema_->unique_keys = {{.paths = {PathOf("/n")}}};
    for (int i = 0; i < 5; ++i) {
      const std::string n = std::to_string(i);
      EXPECT_TRUE(
          harness_.Run(schema_, "p", Do(kCreate, n, R"({"n":)" + n + "}")).status.has_value());
    }
  }

  CheckReport Check(CheckOptions options = {}) {
    options.now = harness_.now();
    auto report = CheckConsistency(harness_.engine(), {{schema_, {}}}, options);
    EXPECT_TRUE(report.has_value());
    return report.has_value() ? *std::move(report) : CheckReport{};
  }
  // The first key of a space, and its value.
  std::pair<std::string, std::string> First(Space space) {
    const std::string prefix = SpacePrefix(space, schema_->id);
    return *storage::ContentOf(harness_.engine(), {.lower = prefix, .upper = PrefixEnd(prefix)})
                .begin();
  }
  void Put(std::string_view key, std::string_view value) {
    ASSERT_OK(storage::PutOne(harness_.engine(), key, value));
  }
  void Delete(std::string_view key) {
    storage::Batch batch;
    batch.Delete(key);
    ASSERT_OK(harness_.engine().Write(batch, storage::Durability::kOs));
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = IndexedSchema();
};

TEST_F(ConsistencyCheckTest, SoundDataHasNoDisagreements) {
  const CheckReport report = Check();
  EXPECT_TRUE(report.ok()) << report.ToString();
  EXPECT_EQ(report.items, 5u);
  EXPECT_EQ(report.index_entries, 5u);
  EXPECT_EQ(report.unique_entries, 5u);
  EXPECT_EQ(report.feed_entries, 5u);
}

TEST_F(ConsistencyCheckTest, AMissingEntryIsFoundInEverySpace) {
  for (const Space space :
       {Space::kFeed, Space::kIndex, Space::kSizes, Space::kExpiry, Space::kUnique}) {
    const auto [key, value] = First(space);
    Delete(key);
    EXPECT_FALSE(Check().ok()) << static_cast<char>(space);
    Put(key, value);
    EXPECT_TRUE(Check().ok()) << static_cast<char>(space);
  }
}

TEST_F(ConsistencyCheckTest, ADamagedEntryIsFoundInEverySpace) {
  for (const Space space :
       {Space::kData, Space::kFeed, Space::kIndex, Space::kSizes, Space::kExpiry, Space::kUnique}) {
    const auto [key, value] = First(space);
    Put(key, "\xff");
    EXPECT_FALSE(Check().ok()) << static_cast<char>(space);
    Put(key, value);
  }
}

TEST_F(ConsistencyCheckTest, AMissingRecordIsFound) {
  Delete(First(Space::kData).first);
  const CheckReport report = Check();
  // Its index, unique, feed, expiry and size entries and the totals all disagree now.
  EXPECT_EQ(report.disagreements, 6u) << report.ToString();
}

TEST_F(ConsistencyCheckTest, AnEntryTooManyIsFound) {
  const ItemKey ghost = KeyOf("p", "ghost");
  std::string key;
  std::string value;
  WriteIndexKey(key, schema_->id, IndexId(1), "v", ghost);
  WriteIndexEntry(value, {});
  Put(key, value);
  EXPECT_EQ(Check().disagreements, 1u);
  Delete(key);

  WriteChange(value, {.partition_key = ghost.partition_key, .row_key = ghost.row_key});
  key = FeedKey(schema_->id, Lsn(77), ghost.hash, 0);
  Put(key, value);
  EXPECT_EQ(Check().disagreements, 1u);
  Delete(key);

  WriteUniqueKey(key, schema_->id, ghost.hash, ghost.partition_key, 0, "v");
  WriteUniqueEntry(value, {.expiry = std::nullopt, .row_key = ghost.row_key});
  Put(key, value);
  EXPECT_EQ(Check().disagreements, 1u);
}

TEST_F(ConsistencyCheckTest, WrongTotalsAreFoundWhereTheyMustBeExact) {
  ASSERT_OK(harness_.Submit([&](auto done) {
    return Ledger::Correction(harness_.ledger(), {{schema_->id, {.bytes = 1, .items = 0}}},
                              std::move(done));
  }));
  EXPECT_EQ(Check().disagreements, 1u);
  EXPECT_TRUE(Check({.totals_are_exact = false}).ok());
}

TEST_F(ConsistencyCheckTest, ReportsAreBounded) {
  const std::string prefix = SpacePrefix(Space::kFeed, schema_->id);
  for (const auto& [key, value] :
       storage::ContentOf(harness_.engine(), {.lower = prefix, .upper = PrefixEnd(prefix)})) {
    Delete(key);
  }
  const CheckReport report = Check({.reported_max = 2});
  EXPECT_EQ(report.disagreements, 5u);
  EXPECT_EQ(report.reported.size(), 2u);
}

}  // namespace
}  // namespace orrery::item
