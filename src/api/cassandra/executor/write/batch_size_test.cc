#include "api/cassandra/executor/write/batch_size.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::BindWrite;
using testing::BoundWrite;
using testing::Int;
using testing::TableBuilder;

class BatchSize : public ::testing::Test {
 protected:
  void Insert(int key, size_t bytes) {
    writes_.push_back(BindWrite(table_, fmt::format("INSERT INTO ks.t (k, v) VALUES ({}, '{}')",
                                                    key, std::string(bytes, 'x'))));
  }
  CqlResult<std::vector<std::string>> Check(WriteKind kind) const {
    std::vector<WrittenStatement> statements;
    for (const BoundWrite& write : writes_) statements.push_back({write.plan, write.bound, {}});
    return CheckBatchSize(kind, statements);
  }

  const TablePtr table_ =
      TableBuilder().Key("k", Int()).Regular("v", Type::Native(TypeKind::kText)).Build();
  std::vector<BoundWrite> writes_;
};

TEST_F(BatchSize, WarnsAndRefuses) {
  Insert(1, 1'000);
  Insert(2, 1'000);
  EXPECT_TRUE(Check(WriteKind::kLoggedBatch).value().empty());
  Insert(3, 4'000);
  const auto warnings = Check(WriteKind::kLoggedBatch).value();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "Batch for [ks.t] is of size 6198, exceeding specified threshold of 5120 by 1078.");
  Insert(4, kBatchBytesMax);
  EXPECT_EQ(Check(WriteKind::kUnloggedBatch).error().message, "Batch too large");
}

TEST_F(BatchSize, OnePartitionTakesAnything) {
  Insert(1, kBatchBytesMax);
  Insert(1, kBatchBytesMax);
  EXPECT_TRUE(Check(WriteKind::kLoggedBatch).value().empty());
}

TEST_F(BatchSize, UnloggedBatchesShouldNotSpreadFar) {
  for (int key = 0; key < 10; ++key) Insert(key, 1);
  EXPECT_TRUE(Check(WriteKind::kUnloggedBatch).value().empty());
  Insert(10, 1);
  EXPECT_TRUE(Check(WriteKind::kLoggedBatch).value().empty());
  const auto warnings = Check(WriteKind::kUnloggedBatch).value();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with(
      "Unlogged batch covering 11 partitions detected against table [ks.t]"));
}

}  // namespace
}  // namespace orrery::cassandra
