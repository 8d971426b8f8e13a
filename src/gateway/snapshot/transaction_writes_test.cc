#include "gateway/snapshot/transaction_writes.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "gateway/snapshot/commit_run.h"

namespace orrery::gateway {
namespace {

constexpr Hash128 kPlace{0x0123456789abcdef, 0xfedcba9876543210};

TransactionWrites Example() {
  TransactionWrites writes;
  item::Operation set;
  set.kind = item::OperationKind::kUpsert;
  set.row_key = "rk";
  set.document = model::Document();
  set.if_absent = true;
  writes.Add(ContainerId(7), kPlace, "pk", std::move(set));
  item::Operation removal;
  removal.kind = item::OperationKind::kDelete;
  removal.row_key = "r2";
  removal.if_match = Lsn(9);
  writes.Add(ContainerId(7), kPlace, "pk", std::move(removal));
  return writes;
}

TEST(TransactionWritesTest, WorkedExample) {
  const CommitPlace place{ContainerId(7), kPlace, 16};
  EXPECT_EQ(ToHex(place.Key()),
            "43"
            "00000007"
            "0123456789abcdeffedcba9876543210"
            "0000000000000010");
  EXPECT_EQ(ToHex(Example().Encode()),
            "02"
            "07"
            "0123456789abcdeffedcba9876543210"
            "02706b"
            "02726b"
            "05"
            "050500000000"
            "07"
            "0123456789abcdeffedcba9876543210"
            "02706b"
            "027232"
            "02"
            "09");
}

TEST(TransactionWritesTest, DecodesWhatItEncodes) {
  const std::string bytes = Example().Encode();
  const auto decoded = TransactionWrites::Decode(bytes);
  ASSERT_TRUE(decoded.has_value());
  ASSERT_EQ(decoded->logical().size(), 1U);
  EXPECT_EQ(decoded->OperationsOf(ContainerId(7), kPlace), 2U);
  EXPECT_EQ(decoded->Encode(), bytes);
}

TEST(TransactionWritesTest, DamagedBytesAreRefused) {
  const std::string bytes = Example().Encode();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(TransactionWrites::Decode(std::string_view(bytes).substr(0, size)).has_value());
  EXPECT_FALSE(TransactionWrites::Decode(bytes + "x").has_value());
}

}  // namespace
}  // namespace orrery::gateway
