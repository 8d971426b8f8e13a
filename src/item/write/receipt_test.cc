// Receipts: what programs keep of themselves beside the items that they change.
#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

// Creates an item once: a program that comes again finds the receipt of the first.
class CreateOnce final : public DocumentProgram {
 public:
  CreateOnce(std::string id, std::string receipt, bool fails = false)
      : id_(std::move(id)), names_{std::move(receipt)}, fails_(fails) {}

  std::span<const std::string> reads() const override { return {}; }
  std::span<const std::string> receipts() const override { return names_; }
  Result<ProgramDecision> Decide(std::span<const std::optional<CurrentDocument>> /*documents*/,
                                 Micros /*now*/) const override {
    return Fail(Code::kInternal, "not asked");
  }
  Result<ProgramDecision> DecideWithReceipts(
      std::span<const std::optional<CurrentDocument>> /*documents*/,
      std::span<const std::optional<std::string>> receipts, Micros /*now*/) const override {
    ProgramDecision decision;
    if (receipts[0].has_value()) {
      decision.outcome = "again, after " + *receipts[0];
      return decision;
    }
    decision.operations.push_back(Do(OperationKind::kCreate, id_, R"({"n":1})"));
    if (fails_) decision.operations.push_back(Do(OperationKind::kReplace, "missing", R"({"n":1})"));
    decision.outcome = "made";
    decision.receipts.push_back(
        {.name = names_[0], .bytes = id_, .lifetime = std::chrono::minutes(1)});
    return decision;
  }
  size_t bytes() const override { return 10; }

 private:
  const std::string id_;
  const std::vector<std::string> names_;
  const bool fails_;
};

class ReceiptTest : public testing::Test {
 protected:
  // The outcome, or the error.
  std::string Run(const std::string& pk, const CreateOnce& program) {
    std::promise<std::string> promise;
    TransactionRequest request{schema_, HashOfKey(pk), Tuple(pk), {}};
    request.program = std::make_shared<CreateOnce>(program);
    auto transaction = std::make_unique<Transaction>(
        std::move(request), [&promise](std::unique_ptr<Transaction> self, Status status) {
          promise.set_value(status.has_value() ? self->result().outcome
                                               : status.error().ToString());
        });
    transaction->SetLedger(harness_.ledger());
    harness_.sequencer().Submit(std::move(transaction));
    return promise.get_future().get();
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = IndexedSchema();
};

TEST_F(ReceiptTest, AreSeenByLaterProgramsOfTheLogicalPartition) {
  EXPECT_EQ(Run("p", {"a", "r"}), "made");
  EXPECT_EQ(Run("p", {"b", "r"}), "again, after a");
  EXPECT_EQ(Run("p", {"b", "other"}), "made");
  EXPECT_EQ(Run("q", {"a", "r"}), "made");
  harness_.Close();
  harness_.Open();
  EXPECT_EQ(Run("p", {"c", "r"}), "again, after a");
}

TEST_F(ReceiptTest, AreWrittenOnlyWithTheOperations) {
  EXPECT_NE(Run("p", {"a", "r", /*fails=*/true}), "made");
  EXPECT_EQ(harness_.ReadJson(*schema_, "p", "a"), std::nullopt);
  EXPECT_EQ(Run("p", {"a", "r"}), "made");
}

TEST_F(ReceiptTest, Expire) {
  EXPECT_EQ(Run("p", {"a", "r"}), "made");
  harness_.Advance(std::chrono::minutes(1));
  EXPECT_EQ(Run("p", {"b", "r"}), "made");
}

TEST_F(ReceiptTest, AreNoItems) {
  EXPECT_EQ(Run("p", {"a", "r"}), "made");
  EXPECT_EQ(harness_.ledger().Sum().items, 1);
  EXPECT_EQ(harness_.Feed(*schema_, FeedMode::kLatestVersion).entries.size(), 1u);
  const auto bytes = harness_.ledger().Sum().bytes;
  EXPECT_EQ(Run("q", {"a", "a much longer name of a receipt"}), "made");
  EXPECT_EQ(harness_.ledger().Sum().bytes, 2 * bytes);
  harness_.ExpectConsistent({schema_});
}

TEST_F(ReceiptTest, NamesAreBounded) {
  EXPECT_NE(Run("p", {"a", std::string(kReceiptNameBytesMax + 1, 'x')}), "made");
  EXPECT_EQ(Run("p", {"a", std::string(kReceiptNameBytesMax, 'x')}), "made");
}

}  // namespace
}  // namespace orrery::item
