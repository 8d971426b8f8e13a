#include "item/write/operation_evaluator.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"
#include "model/expression/expression_json.h"

namespace orrery::item {
namespace {

using enum OperationKind;

class OperationEvaluatorTest : public testing::Test {
 protected:
  ItemHarness::Outcome Run(Operation operation) {
    return harness_.Run(schema_, "p", std::move(operation));
  }
  Lsn Put(const std::string& json) {
    auto outcome = Run(Do(kUpsert, "a", json));
    EXPECT_TRUE(outcome.status.has_value());
    return outcome.result.lsn;
  }
  std::optional<std::string> Stored() { return harness_.ReadJson(*schema_, "p", "a"); }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = PlainSchema();
};

TEST_F(OperationEvaluatorTest, CreateStoresOnce) {
  auto outcome = Run(Do(kCreate, "a", R"({"n":1})"));
  ASSERT_TRUE(outcome.status.has_value());
  EXPECT_EQ(outcome.result.results[0].done, kCreate);
  EXPECT_EQ(outcome.result.results[0].lsn, outcome.result.lsn);
  EXPECT_EQ(model::ToJson(*outcome.result.results[0].document), R"({"n":1})");
  EXPECT_EQ(Run(Do(kCreate, "a", R"({"n":2})")).code(), Code::kAlreadyExists);
  EXPECT_EQ(Stored(), R"({"n":1})");
}

TEST_F(OperationEvaluatorTest, UpsertSaysWhatItDid) {
  EXPECT_EQ(Run(Do(kUpsert, "a", R"({"n":1})")).result.results[0].done, kCreate);
  EXPECT_EQ(Run(Do(kUpsert, "a", R"({"n":2})")).result.results[0].done, kReplace);
  EXPECT_EQ(Stored(), R"({"n":2})");
}

TEST_F(OperationEvaluatorTest, ReplaceNeedsTheItem) {
  EXPECT_EQ(Run(Do(kReplace, "a", R"({"n":1})")).code(), Code::kNotFound);
  Put(R"({"n":1})");
  EXPECT_TRUE(Run(Do(kReplace, "a", R"({"n":2})")).status.has_value());
  EXPECT_EQ(Stored(), R"({"n":2})");
}

TEST_F(OperationEvaluatorTest, DeleteNeedsTheItem) {
  EXPECT_EQ(Run(Do(kDelete, "a")).code(), Code::kNotFound);
  Put(R"({"n":1})");
  const auto outcome = Run(Do(kDelete, "a"));
  ASSERT_TRUE(outcome.status.has_value());
  EXPECT_FALSE(outcome.result.results[0].document.has_value());
  EXPECT_EQ(Stored(), std::nullopt);
}

TEST_F(OperationEvaluatorTest, ReadSeesTheItem) {
  EXPECT_EQ(Run(Do(kRead, "a")).code(), Code::kNotFound);
  const Lsn lsn = Put(R"({"n":1})");
  const auto outcome = Run(Do(kRead, "a"));
  ASSERT_TRUE(outcome.status.has_value());
  EXPECT_EQ(outcome.result.results[0].lsn, lsn);
  EXPECT_EQ(model::ToJson(*outcome.result.results[0].document), R"({"n":1})");
}

TEST_F(OperationEvaluatorTest, PatchChangesPartsOfTheItem) {
  Operation patch = Do(kPatch, "a");
  patch.patch = {{.type = model::PatchType::kIncrement,
                  .path = PathOf("/n"),
                  .value = model::Value::Int32(4),
                  .from = {}}};
  EXPECT_EQ(Run(patch).code(), Code::kNotFound);
  Put(R"({"n":1,"s":"x"})");
  const auto outcome = Run(patch);
  ASSERT_TRUE(outcome.status.has_value());
  EXPECT_EQ(outcome.result.results[0].done, kPatch);
  EXPECT_EQ(model::ToJson(*outcome.result.results[0].document), R"({"n":5,"s":"x"})");
  EXPECT_EQ(Stored(), R"({"n":5,"s":"x"})");

  patch.patch[0].path = PathOf("/s");
  EXPECT_EQ(Run(patch).code(), Code::kInvalidArgument);
  EXPECT_EQ(Stored(), R"({"n":5,"s":"x"})");
}

TEST_F(OperationEvaluatorTest, EtagMustMatch) {
  const Lsn first = Put(R"({"n":1})");
  const Lsn second = Put(R"({"n":2})");
  EXPECT_GT(second, first);
  Operation replace = Do(kReplace, "a", R"({"n":3})");
  replace.if_match = first;
  EXPECT_EQ(Run(replace).code(), Code::kPreconditionFailed);
  replace.if_match = second;
  EXPECT_TRUE(Run(replace).status.has_value());
  Operation remove = Do(kDelete, "a");
  remove.if_match = second;
  EXPECT_EQ(Run(remove).code(), Code::kPreconditionFailed);
  Operation upsert = Do(kUpsert, "absent", R"({"n":3})");
  upsert.if_match = second;
  EXPECT_EQ(Run(upsert).code(), Code::kPreconditionFailed);
  upsert.if_absent = true;
  EXPECT_TRUE(Run(upsert).status.has_value());
  EXPECT_EQ(Run(upsert).code(), Code::kPreconditionFailed);
}

TEST_F(OperationEvaluatorTest, IfAbsentRefusesWhatIsThere) {
  Operation upsert = Do(kUpsert, "a", R"({"n":1})");
  upsert.if_absent = true;
  EXPECT_TRUE(Run(upsert).status.has_value());
  EXPECT_EQ(Run(upsert).code(), Code::kPreconditionFailed);
}

TEST_F(OperationEvaluatorTest, ConditionMustBeTrueOfTheStoredItem) {
  Put(R"({"n":1})");
  const auto condition =
      model::ExpressionFromJson(model::ValueFromJson(R"({"=":[{"path":"/n"},1]})").value());
  ASSERT_TRUE(condition.has_value());
  Operation replace = Do(kReplace, "a", R"({"n":2})");
  replace.condition = *condition;
  EXPECT_TRUE(Run(replace).status.has_value());
  EXPECT_EQ(Run(replace).code(), Code::kPreconditionFailed);
}

TEST_F(OperationEvaluatorTest, ACheckLooksOnlyAtItsPreconditions) {
  Operation absent = Do(kCheck, "a");
  absent.if_absent = true;
  const auto outcome = Run(absent);
  ASSERT_TRUE(outcome.status.has_value());
  EXPECT_EQ(outcome.result.charge, RequestUnits());

  const Lsn lsn = Put(R"({"n":1})");
  EXPECT_EQ(Run(absent).code(), Code::kPreconditionFailed);
  Operation same = Do(kCheck, "a");
  same.if_match = lsn;
  const auto checked = Run(same);
  ASSERT_TRUE(checked.status.has_value());
  EXPECT_EQ(checked.result.results[0].lsn, lsn);
  EXPECT_FALSE(checked.result.results[0].document.has_value());
  Put(R"({"n":2})");
  EXPECT_EQ(Run(same).code(), Code::kPreconditionFailed);
  ASSERT_TRUE(Run(Do(kDelete, "a")).status.has_value());
  EXPECT_EQ(Run(same).code(), Code::kPreconditionFailed);
}

TEST_F(OperationEvaluatorTest, ADocumentIsNeeded) {
  EXPECT_EQ(Run(Do(kCreate, "a")).code(), Code::kInvalidArgument);
}

TEST_F(OperationEvaluatorTest, ExpiredItemsCountAsAbsent) {
  schema_->default_ttl_s = 10;
  Put(R"({"n":1})");
  harness_.Advance(std::chrono::seconds(10));
  EXPECT_EQ(Run(Do(kReplace, "a", R"({"n":2})")).code(), Code::kNotFound);
  EXPECT_EQ(Run(Do(kDelete, "a")).code(), Code::kNotFound);
  EXPECT_EQ(Run(Do(kRead, "a")).code(), Code::kNotFound);
  EXPECT_TRUE(Run(Do(kCreate, "a", R"({"n":3})")).status.has_value());
  EXPECT_EQ(Stored(), R"({"n":3})");
  EXPECT_EQ(harness_.ledger().Sum().items, 1);
  harness_.ExpectConsistent({schema_});
}

TEST_F(OperationEvaluatorTest, ChargesFollowTheWork) {
  const auto charge = [](const ItemHarness::Outcome& outcome) {
    return outcome.result.charge.ToDouble();
  };
  const double create = charge(Run(Do(kCreate, "a", R"({"n":1})")));
  const double refused = charge(Run(Do(kCreate, "a", R"({"n":1})")));
  const double replace = charge(Run(Do(kReplace, "a", R"({"n":2})")));
  const double remove = charge(Run(Do(kDelete, "a")));
  EXPECT_GE(refused, 1.0);
  EXPECT_GT(create, refused);
  EXPECT_GT(replace, create);
  EXPECT_GT(remove, refused);

  schema_->indexing = IndexPolicy::All();
  EXPECT_GT(charge(Run(Do(kCreate, "a", R"({"n":1})"))), create);
}

}  // namespace
}  // namespace orrery::item
