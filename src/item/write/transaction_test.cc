#include "item/write/transaction.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;

class TransactionTest : public testing::Test {
 protected:
  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = IndexedSchema();
};

TEST_F(TransactionTest, AllOrNothing) {
  ASSERT_OK(harness_.Run(schema_, "p", Do(kCreate, "taken", R"({"n":0})")).status);
  const Totals before = harness_.ledger().Sum();
  auto outcome = harness_.Run(schema_, "p",
                              {Do(kCreate, "a", R"({"n":1})"), Do(kCreate, "taken", R"({"n":2})"),
                               Do(kCreate, "b", R"({"n":3})")});
  EXPECT_EQ(outcome.code(), Code::kAlreadyExists);
  EXPECT_EQ(outcome.result.failed_operation, 1u);
  EXPECT_TRUE(outcome.result.results.empty());
  EXPECT_GT(outcome.result.charge, RequestUnits::Whole(1));
  EXPECT_EQ(harness_.ReadJson(*schema_, "p", "a"), std::nullopt);
  EXPECT_EQ(harness_.ledger().Sum(), before);
  harness_.ExpectConsistent({schema_});
}

TEST_F(TransactionTest, OperationsSeeEachOther) {
  auto outcome = harness_.Run(schema_, "p",
                              {Do(kCreate, "a", R"({"n":1})"), Do(kReplace, "a", R"({"n":2})"),
                               Do(kRead, "a"), Do(kCreate, "b", R"({"n":3})"), Do(kDelete, "b")});
  ASSERT_OK(outcome.status);
  ASSERT_EQ(outcome.result.results.size(), 5u);
  EXPECT_EQ(model::ToJson(*outcome.result.results[2].document), R"({"n":2})");
  EXPECT_EQ(outcome.result.results[2].lsn, outcome.result.lsn);
  EXPECT_EQ(harness_.ReadJson(*schema_, "p", "a"), R"({"n":2})");
  EXPECT_EQ(harness_.ReadJson(*schema_, "p", "b"), std::nullopt);
  EXPECT_EQ(harness_.ledger().Sum().items, 1);
  harness_.ExpectConsistent({schema_});

  const FeedPage feed = harness_.Feed(*schema_, FeedMode::kLatestVersion);
  ASSERT_EQ(feed.entries.size(), 1u);
  EXPECT_EQ(model::ToJson(*feed.entries[0].document), R"({"n":2})");
}

TEST_F(TransactionTest, ChargeIsTheSumOfTheOperations) {
  auto outcome = harness_.Run(schema_, "p", {Do(kCreate, "a", R"({"n":1})"), Do(kRead, "a")});
  ASSERT_OK(outcome.status);
  EXPECT_EQ(outcome.result.charge,
            outcome.result.results[0].charge + outcome.result.results[1].charge);
}

TEST_F(TransactionTest, ReadOnlyTakesNoPosition) {
  auto written = harness_.Run(schema_, "p", Do(kCreate, "a", R"({"n":1})"));
  auto read = harness_.Run(schema_, "p", Do(kRead, "a"));
  ASSERT_OK(read.status);
  EXPECT_EQ(read.result.lsn, written.result.lsn);
}

TEST_F(TransactionTest, FullPartitionsRefuseToGrow) {
  schema_->logical_partition_bytes_max = 1 << 20;
  const std::string big = R"({"s":")" + std::string(600'000, 'x') + R"("})";
  const std::string small = R"({"s":"x"})";
  ASSERT_OK(harness_.Run(schema_, "p", Do(kCreate, "a", big)).status);
  auto outcome = harness_.Run(schema_, "p", {Do(kRead, "a"), Do(kCreate, "b", big)});
  ASSERT_EQ(outcome.code(), Code::kPartitionFull);
  EXPECT_EQ(outcome.status.error().message(), "Partition key reached maximum size of 1 MB");
  EXPECT_EQ(outcome.result.failed_operation, 1u);
  EXPECT_TRUE(harness_.Run(schema_, "q", Do(kCreate, "b", big)).status.has_value());

  // Over the limit already, as after it was lowered: what does not grow goes on.
  schema_->logical_partition_bytes_max = 1 << 10;
  EXPECT_EQ(harness_.Run(schema_, "p", Do(kCreate, "b", small)).code(), Code::kPartitionFull);
  EXPECT_TRUE(harness_.Run(schema_, "p", Do(kRead, "a")).status.has_value());
  EXPECT_TRUE(harness_.Run(schema_, "p", {Do(kCreate, "b", small), Do(kReplace, "a", small)})
                  .status.has_value());
  EXPECT_TRUE(harness_.Run(schema_, "p", Do(kDelete, "a")).status.has_value());
  harness_.ExpectConsistent({schema_});
}

TEST_F(TransactionTest, LimitOfTwentyGigabytesReadsAsDocumented) {
  schema_->logical_partition_bytes_max = uint64_t{20} << 30;
  const ItemKey key = KeyOf("p", "a");
  storage::Batch batch;
  std::string sizes;
  WriteTotals(sizes, {.bytes = int64_t{20} << 30, .items = 1'000'000});
  batch.Put(SizesKey(schema_->id, key.hash, key.partition_key), sizes);
  ASSERT_OK(harness_.engine().Write(batch, storage::Durability::kOs));
  const auto outcome = harness_.Run(schema_, "p", Do(kCreate, "a", R"({"n":1})"));
  ASSERT_EQ(outcome.code(), Code::kPartitionFull);
  EXPECT_EQ(outcome.status.error().message(), "Partition key reached maximum size of 20 GB");
}

TEST_F(TransactionTest, InvalidDocumentsAreRefusedBeforeTheirTurn) {
  schema_->default_ttl_s = -1;
  auto outcome = harness_.Run(schema_, "p", {Do(kRead, "a"), Do(kCreate, "a", R"({"ttl":0})")});
  EXPECT_EQ(outcome.code(), Code::kInvalidArgument);
  EXPECT_EQ(outcome.result.failed_operation, 1u);
}

TEST_F(TransactionTest, CanBeSubmittedAgainElsewhere) {
  std::promise<std::unique_ptr<Transaction>> returned;
  int calls = 0;
  auto transaction = std::make_unique<Transaction>(
      TransactionRequest{schema_, HashOfKey("p"), Tuple("p"), {Do(kCreate, "a", R"({"n":1})")}},
      [&](std::unique_ptr<Transaction> self, Status status) {
        ++calls;
        EXPECT_EQ(status.has_value(), calls == 2);
        returned.set_value(std::move(self));
      });
  transaction->SetLedger(harness_.ledger());
  harness_.sequencer().Retire(Error(Code::kMoved, "split"));
  harness_.sequencer().Submit(std::move(transaction));
  transaction = returned.get_future().get();

  harness_.Close();
  harness_.Open();
  returned = {};
  transaction->SetLedger(harness_.ledger());
  harness_.sequencer().Submit(std::move(transaction));
  transaction = returned.get_future().get();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(model::ToJson(*transaction->result().results[0].document), R"({"n":1})");
  EXPECT_EQ(harness_.ReadJson(*schema_, "p", "a"), R"({"n":1})");
}

TEST_F(TransactionTest, TooManyOperationsAreRefused) {
  std::vector<Operation> operations(kTransactionOperationsMax + 1, Do(kRead, "a"));
  EXPECT_EQ(harness_.Run(schema_, "p", std::move(operations)).code(), Code::kTooLarge);
}

TEST_F(TransactionTest, SurvivesReopening) {
  ASSERT_OK(harness_.Run(schema_, "p", Do(kCreate, "a", R"({"n":1})")).status);
  const Totals totals = harness_.ledger().Sum();
  harness_.Close();
  harness_.Open();
  EXPECT_EQ(harness_.ReadJson(*schema_, "p", "a"), R"({"n":1})");
  EXPECT_EQ(harness_.ledger().Sum(), totals);
  const auto later = harness_.Run(schema_, "p", Do(kCreate, "b", R"({"n":1})"));
  EXPECT_EQ(later.result.lsn, Lsn(2));
}

}  // namespace
}  // namespace orrery::item
