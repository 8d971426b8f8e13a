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

// Rows are of partition 1 unless a test says otherwise.
class BatchConditions : public ::testing::Test {
 protected:
  // Returns the error of CheckConditions for the statements in one batch; empty when they go
  // together.
  std::string Refused(const std::vector<std::string>& texts) {
    std::vector<WrittenStatement> statements;
    for (const std::string& text : texts) {
      testing::BoundWrite write = testing::BindWrite(table_, text);
      EXPECT_EQ(write.error, "") << text;
      statements.push_back({std::move(write.plan), std::move(write.bound), std::nullopt});
    }
    const auto checked = CheckConditions(statements);
    return checked.has_value() ? "" : checked.error().message;
  }
  // Of the two in both orders.
  void ExpectRefused(const std::string& a, const std::string& b, const std::string& in_order,
                     const std::string& reversed) {
    EXPECT_EQ(Refused({a, b}), in_order) << a << "; " << b;
    EXPECT_EQ(Refused({b, a}), reversed) << b << "; " << a;
  }

  static constexpr const char* kNotExists =
      "INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1) IF NOT EXISTS";
  static constexpr const char* kExists = "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 1 IF EXISTS";
  static constexpr const char* kColumn = "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 1 IF v = 2";
  static constexpr const char* kStatic = "UPDATE ks.t SET s = 1 WHERE k = 1 IF s = 2";

 private:
  const TablePtr table_ = TableBuilder()
                              .Key("k", Int())
                              .Clustering("c", Int())
                              .Static("s", Int())
                              .Regular("v", Int())
                              .Build();
};

TEST_F(BatchConditions, AreOfOnePartition) {
  const std::string elsewhere = "UPDATE ks.t SET v = 1 WHERE k = 2 AND c = 1";
  const std::string text = "Batch with conditions cannot span multiple partitions";
  ExpectRefused(kColumn, elsewhere, text, text);
  ExpectRefused(kColumn, elsewhere + " IF v = 2", text, text);
  EXPECT_EQ(Refused({kColumn, "DELETE FROM ks.t WHERE k = 1 AND c = 2"}), "");
  EXPECT_EQ(Refused({kColumn, "DELETE FROM ks.t WHERE k = 1"}), "");
}

TEST_F(BatchConditions, NoStatementNamesSeveralPartitions) {
  const std::string text = "IN on the partition key is not supported with conditional updates";
  ExpectRefused(kColumn, "UPDATE ks.t SET v = 1 WHERE k IN (1, 2) AND c = 1", text, text);
  EXPECT_EQ(Refused({kColumn, "UPDATE ks.t SET v = 1 WHERE k IN (1, 1) AND c = 1"}), "");
}

TEST_F(BatchConditions, OfOneKindRepeatOnARow) {
  for (const char* text : {kNotExists, kExists, kColumn, kStatic})
    EXPECT_EQ(Refused({text, text}), "") << text;
  EXPECT_EQ(Refused({kColumn, "DELETE FROM ks.t WHERE k = 1 AND c = 1 IF v > 7"}), "");
}

TEST_F(BatchConditions, OfTwoKindsDoNotMixOnARow) {
  ExpectRefused(kNotExists, kExists,
                "Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row",
                "Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row");
  ExpectRefused(kNotExists, kColumn, "Cannot mix IF conditions and IF NOT EXISTS for the same row",
                "Cannot mix IF conditions and IF NOT EXISTS for the same row");
  // Cassandra's text, whichever of the two was there first.
  ExpectRefused(kExists, kColumn, "Cannot mix IF conditions and IF NOT EXISTS for the same row",
                "Cannot mix IF conditions and IF EXISTS for the same row");
}

TEST_F(BatchConditions, OfTwoKindsStandOnTwoRows) {
  EXPECT_EQ(Refused({kNotExists, "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 2 IF EXISTS",
                     "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 3 IF v = 2"}),
            "");
}

TEST_F(BatchConditions, StaticColumnsAreARowOfTheirOwn) {
  EXPECT_EQ(Refused({kNotExists, kStatic}), "");
  EXPECT_EQ(Refused({kExists, "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 1 IF s = 2"}), "");
  const std::string whole = "UPDATE ks.t SET s = 1 WHERE k = 1 IF EXISTS";
  ExpectRefused(kStatic, whole, "Cannot mix IF conditions and IF EXISTS for the same row",
                "Cannot mix IF conditions and IF NOT EXISTS for the same row");
}

TEST_F(BatchConditions, StatementsWithoutOneMayTouchTheSameRow) {
  EXPECT_EQ(Refused({kExists, "UPDATE ks.t SET v = 3 WHERE k = 1 AND c = 1",
                     "UPDATE ks.t SET s = 3 WHERE k = 1"}),
            "");
}

}  // namespace
}  // namespace orrery::cassandra
