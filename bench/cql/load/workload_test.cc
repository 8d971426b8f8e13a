#include "cql/load/workload.h"

#include <gtest/gtest.h>

namespace orrery::bench {
namespace {

using cassandra::ExecuteRequest;
using cassandra::RowsResult;

class WorkloadTest : public testing::Test {
 protected:
  Workload Make(WorkloadKind kind) {
    return {kind, KeyChooser::Sequence(7, 1), statements_, rows_};
  }

  const Statements statements_{{"read id", "read metadata"}, {"insert id", ""}};
  const RowMaker rows_{100};
  ExecuteRequest request_;
};

TEST_F(WorkloadTest, ReadsBindTheKey) {
  Workload workload = Make(WorkloadKind::kRead);
  EXPECT_EQ(workload.Next(request_), OperationKind::kRead);
  EXPECT_EQ(request_.id, "read id");
  EXPECT_EQ(request_.result_metadata_id, "read metadata");
  ASSERT_EQ(request_.parameters.values.size(), 1u);
  EXPECT_EQ(request_.parameters.values[0].bytes, "key-000000000007");
  EXPECT_TRUE(request_.parameters.skip_metadata);
}

TEST_F(WorkloadTest, InsertsBindKeyAndValue) {
  Workload workload = Make(WorkloadKind::kInsert);
  workload.Next(request_);
  EXPECT_EQ(workload.Next(request_), OperationKind::kInsert);
  ASSERT_EQ(request_.parameters.values.size(), 2u);
  EXPECT_EQ(request_.parameters.values[0].bytes, "key-000000000008");
  EXPECT_EQ(request_.parameters.values[1].bytes, rows_.Value(8));
}

TEST_F(WorkloadTest, MixedTakesTurns) {
  Workload workload = Make(WorkloadKind::kMixed);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(workload.Next(request_), OperationKind::kRead);
    EXPECT_EQ(workload.Next(request_), OperationKind::kInsert);
  }
}

TEST_F(WorkloadTest, OnlyOneRowOfTheRightSizeIsAGoodRead) {
  const Workload workload = Make(WorkloadKind::kRead);
  const auto good = [&](size_t row_count, std::vector<std::optional<std::string_view>> cells) {
    RowsResult rows;
    rows.row_count = row_count;
    rows.column_count = 1;
    rows.cells = std::move(cells);
    return workload.IsGood(OperationKind::kRead, rows);
  };
  EXPECT_TRUE(good(1, {rows_.Value(1)}));
  EXPECT_FALSE(good(0, {}));
  EXPECT_FALSE(good(1, {std::nullopt}));
  EXPECT_FALSE(good(1, {"short"}));
  EXPECT_FALSE(good(2, {rows_.Value(1), rows_.Value(2)}));
  EXPECT_FALSE(workload.IsGood(OperationKind::kRead, cassandra::VoidResult{}));
}

TEST_F(WorkloadTest, AnInsertIsAnsweredWithNothing) {
  const Workload workload = Make(WorkloadKind::kInsert);
  EXPECT_TRUE(workload.IsGood(OperationKind::kInsert, cassandra::VoidResult{}));
  EXPECT_FALSE(workload.IsGood(OperationKind::kInsert, cassandra::ErrorResponse{}));
}

}  // namespace
}  // namespace orrery::bench
