#include "api/cassandra/executor/statement/batch_rules.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::TableBuilder;

class BatchRules : public ::testing::Test {
 protected:
  ModificationPlanPtr Plain(std::string_view text = "UPDATE ks.t SET v = 1 WHERE k = 1") {
    return testing::PlanWrite(plain_, text).plan;
  }
  ModificationPlanPtr Count() {
    return testing::PlanWrite(counters_, "UPDATE ks.t SET n = n + 1 WHERE k = 1").plan;
  }
  ModificationPlanPtr Conditional() { return Plain("UPDATE ks.t SET v = 1 WHERE k = 1 IF v = 2"); }
  // The same in another table.
  ModificationPlanPtr Elsewhere() {
    return testing::PlanWrite(other_, "UPDATE ks.t SET v = 1 WHERE k = 1").plan;
  }
  static std::string Refused(WriteKind kind, std::vector<ModificationPlanPtr> plans,
                             bool with_timestamp = false, bool with_ttl = false) {
    const auto checked = CheckBatch(kind, plans, with_timestamp, with_ttl);
    return checked.has_value() ? "" : checked.error().message;
  }

 private:
  static TablePtr OtherTable() {
    auto table =
        std::make_shared<Table>(*TableBuilder("other").Key("k", Int()).Regular("v", Int()).Build());
    table->id = std::string(16, 'o');
    return table;
  }

  const TablePtr plain_ = TableBuilder().Key("k", Int()).Regular("v", Int()).Build();
  const TablePtr other_ = OtherTable();
  const TablePtr counters_ = TableBuilder("counters")
                                 .Key("k", Int())
                                 .Regular("n", testing::Native(TypeKind::kCounter))
                                 .Build();
};

TEST_F(BatchRules, PlainStatementsGoTogether) {
  EXPECT_EQ(Refused(WriteKind::kLoggedBatch, {Plain(), Elsewhere()}), "");
  EXPECT_EQ(Refused(WriteKind::kUnloggedBatch, {Plain()}, /*with_timestamp=*/true), "");
  EXPECT_EQ(Refused(WriteKind::kLoggedBatch, {}), "");
}

TEST_F(BatchRules, CountersStayAmongThemselves) {
  EXPECT_EQ(Refused(WriteKind::kCounterBatch, {Count(), Count()}), "");
  EXPECT_EQ(Refused(WriteKind::kUnloggedBatch, {Count()}), "");
  EXPECT_EQ(Refused(WriteKind::kCounterBatch, {Count(), Plain()}),
            "Cannot include non-counter statement in a counter batch");
  EXPECT_EQ(Refused(WriteKind::kLoggedBatch, {Count()}),
            "Cannot include a counter statement in a logged batch");
  EXPECT_EQ(Refused(WriteKind::kUnloggedBatch, {Plain(), Count()}),
            "Counter and non-counter mutations cannot exist in the same batch");
}

TEST_F(BatchRules, ATimeForAllNeedsStatementsWithoutTheirOwn) {
  const auto timed = Plain("UPDATE ks.t USING TIMESTAMP 1 SET v = 1 WHERE k = 1");
  EXPECT_EQ(Refused(WriteKind::kLoggedBatch, {timed}), "");
  EXPECT_EQ(Refused(WriteKind::kLoggedBatch, {timed}, /*with_timestamp=*/true),
            "Timestamp must be set either on BATCH or individual statements");
  EXPECT_EQ(Refused(WriteKind::kLoggedBatch, {Conditional()}, /*with_timestamp=*/true),
            "Cannot provide custom timestamp for conditional BATCH");
  EXPECT_EQ(Refused(WriteKind::kCounterBatch, {Count()}, /*with_timestamp=*/true),
            "Cannot provide custom timestamp for counter BATCH");
  EXPECT_EQ(Refused(WriteKind::kLoggedBatch, {Plain()}, false, /*with_ttl=*/true),
            "Global TTL on the BATCH statement is not supported.");
}

TEST_F(BatchRules, ConditionsAreOfOneTable) {
  EXPECT_EQ(Refused(WriteKind::kLoggedBatch, {Conditional(), Plain()}), "");
  EXPECT_EQ(Refused(WriteKind::kLoggedBatch, {Conditional(), Elsewhere()}),
            "Batch with conditions cannot span multiple tables");
}

TEST_F(BatchRules, HaveALimit) {
  std::vector<ModificationPlanPtr> many(kBatchStatementsMax, Plain());
  EXPECT_EQ(Refused(WriteKind::kUnloggedBatch, many), "");
  many.push_back(Plain());
  EXPECT_EQ(Refused(WriteKind::kUnloggedBatch, many), "A batch has at most 65535 statements");
}

}  // namespace
}  // namespace orrery::cassandra
