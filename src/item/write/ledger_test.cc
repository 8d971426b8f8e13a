#include "item/write/ledger.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;

class LedgerTest : public testing::Test {
 protected:
  void Create(const std::string& pk, const std::string& id, size_t size = 10) {
    const auto outcome =
        harness_.Run(schema_, pk, Do(kCreate, id, R"({"s":")" + std::string(size, 'x') + R"("})"));
    ASSERT_TRUE(outcome.status.has_value()) << outcome.status.error().ToString();
  }
  uint64_t StoredBytes(const std::string& pk) {
    const ItemKey key = KeyOf(pk, "");
    const auto stored =
        storage::Read(harness_.engine(), SizesKey(schema_->id, key.hash, key.partition_key));
    return stored.has_value() ? static_cast<uint64_t>(DecodeTotals(*stored)->bytes) : 0;
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = PlainSchema();
};

TEST_F(LedgerTest, SizeIsKeyAndRecord) {
  Create("p", "a");
  const std::string key = DataKey(schema_->id, KeyOf("p", "a"));
  const auto record = storage::Read(harness_.engine(), key);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(StoredBytes("p"), key.size() + record->size());
  EXPECT_EQ(harness_.ledger().Sum(), (Totals{static_cast<int64_t>(StoredBytes("p")), 1}));
}

TEST_F(LedgerTest, TotalsAreByContainerAndSurvive) {
  Create("p", "a");
  Create("q", "a");
  const auto other = PlainSchema(2);
  ASSERT_OK(harness_.Run(other, "p", Do(kCreate, "a", R"({"n":1})")).status);
  const auto totals = harness_.ledger().ByContainer();
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals.at(schema_->id).items, 2);
  EXPECT_EQ(totals.at(other->id).items, 1);
  harness_.Close();
  harness_.Open();
  EXPECT_EQ(harness_.ledger().ByContainer(), totals);
}

TEST_F(LedgerTest, NothingRemainsOfAnEmptyContainer) {
  Create("p", "a");
  ASSERT_OK(harness_.Run(schema_, "p", Do(kDelete, "a")).status);
  EXPECT_TRUE(harness_.ledger().ByContainer().empty());
  EXPECT_EQ(StoredBytes("p"), 0u);
  EXPECT_TRUE(ReadStoredTotals(harness_.engine(), nullptr)->empty());
}

TEST_F(LedgerTest, FailedTransactionsLeaveNoTrace) {
  Create("p", "a");
  const Totals before = harness_.ledger().Sum();
  EXPECT_FALSE(harness_.Run(schema_, "p", {Do(kCreate, "b", R"({"n":1})"), Do(kDelete, "none")})
                   .status.has_value());
  EXPECT_EQ(harness_.ledger().Sum(), before);
  Create("p", "c");
  EXPECT_EQ(harness_.ledger().Sum().items, 2);
  harness_.ExpectConsistent({schema_});
}

TEST_F(LedgerTest, WithoutRoomOnlyGrowthIsRefused) {
  Create("p", "a");
  harness_.ledger().RefuseGrowth(true);
  const auto refused = harness_.Run(schema_, "p", {Do(kCreate, "b", R"({"n":1})")});
  ASSERT_FALSE(refused.status.has_value());
  EXPECT_EQ(refused.status.error().code(), Code::kResourceExhausted);
  ASSERT_OK(harness_.Run(schema_, "p", {Do(kDelete, "a")}).status);
  harness_.ledger().RefuseGrowth(false);
  Create("p", "b");
  harness_.ExpectConsistent({schema_});
}

TEST_F(LedgerTest, KnowsTheLargest) {
  Create("small", "a", 10);
  Create("large", "a", 10'000);
  Create("middle", "a", 1'000);
  const auto largest = harness_.ledger().Largest(2);
  ASSERT_EQ(largest.size(), 2u);
  EXPECT_EQ(largest[0].partition_key, Tuple("large"));
  EXPECT_EQ(largest[0].bytes, StoredBytes("large"));
  EXPECT_EQ(largest[1].partition_key, Tuple("middle"));
}

TEST_F(LedgerTest, CorrectionsAreStored) {
  Create("p", "a");
  const Totals before = harness_.ledger().Sum();
  ASSERT_OK(harness_.Submit([&](auto done) {
    return Ledger::Correction(harness_.ledger(), {{schema_->id, {.bytes = 100, .items = 2}}},
                              std::move(done));
  }));
  EXPECT_EQ(harness_.ledger().Sum(), (Totals{before.bytes + 100, before.items + 2}));
  harness_.Close();
  harness_.Open();
  EXPECT_EQ(harness_.ledger().Sum(), (Totals{before.bytes + 100, before.items + 2}));
}

TEST_F(LedgerTest, EstimatesNeverGoBelowNothing) {
  Create("p", "a");
  ASSERT_OK(harness_.Submit([&](auto done) {
    return Ledger::Correction(
        harness_.ledger(), {{schema_->id, {.bytes = -1'000'000, .items = -50}}}, std::move(done));
  }));
  EXPECT_EQ(harness_.ledger().Sum(), Totals{});
}

}  // namespace
}  // namespace orrery::item
