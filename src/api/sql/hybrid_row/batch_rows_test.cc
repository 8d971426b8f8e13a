#include "api/sql/hybrid_row/batch_rows.h"

#include <gtest/gtest.h>

#include "api/sql/hybrid_row/hybrid_row_testing.h"
#include "api/sql/hybrid_row/record_io.h"
#include "base/bytes.h"

namespace orrery::sql::hybrid {
namespace {

// docs/format/sql.md explains these bytes.
constexpr std::string_view kSegmentHex = "81f0d8ff7f010a000000";
constexpr std::string_view kOperationHex =
    "81f1d8ff7f27000000cfbb243b"
    "817054e17f471400000002000000055b2261225d0a7b226964223a2231227d140903223722030c";
constexpr std::string_view kResultHex =
    "81f1d8ff7f1c0000004b1d5c5a"
    "817154e17f079c01000000000000032239221006000000000000f83f";

TEST(BatchRows, ReadsTheDocumentedOperation) {
  const std::string body = BytesOfHex(kSegmentHex) + BytesOfHex(kOperationHex);
  EXPECT_TRUE(IsRecordStream(body));
  EXPECT_FALSE(IsRecordStream("[]"));
  const auto operations = ReadOperations(body);
  ASSERT_TRUE(operations.has_value()) << operations.error().message();
  ASSERT_EQ(operations->size(), 1U);
  const model::Value& operation = operations->front();
  EXPECT_EQ(operation.Find("operationType")->AsString(), "Upsert");
  EXPECT_EQ(operation.Find("partitionKey")->AsString(), "[\"a\"]");
  EXPECT_EQ(operation.Find("resourceBody")->Find("id")->AsString(), "1");
  EXPECT_EQ(operation.Find("ifMatch")->AsString(), "\"7\"");
  EXPECT_TRUE(operation.Find("minimalReturnPreference")->AsBool());
  EXPECT_EQ(operation.Find("id"), nullptr);
}

TEST(BatchRows, WritesTheDocumentedResult) {
  std::string stream;
  AppendSegment(stream);
  AppendBatchResult(stream, {.status = 412, .etag = "\"9\"", .charge = 1.5});
  EXPECT_EQ(ToHex(stream), std::string(kSegmentHex) + std::string(kResultHex));
}

TEST(BatchRows, TellsWhenToTryAgain) {
  std::string stream;
  AppendSegment(stream);
  AppendBatchResult(stream, {.status = 429, .substatus = 3200, .retry_after_ms = 20});
  const auto records = SplitRecords(stream, 10);
  ASSERT_TRUE(records.has_value());
  ASSERT_EQ(records->size(), 1U);
  // The fifth column, an uint32 of 20.
  EXPECT_NE(ToHex(records->front()).find("0b0514000000"), std::string::npos);
}

TEST(BatchRows, TakesSegmentsBetweenRecordsAndManyOperations) {
  const std::string body = BytesOfHex(kSegmentHex) + BytesOfHex(kOperationHex) +
                           BytesOfHex(kSegmentHex) + BytesOfHex(kOperationHex) +
                           BytesOfHex(kOperationHex);
  const auto operations = ReadOperations(body);
  ASSERT_TRUE(operations.has_value());
  EXPECT_EQ(operations->size(), 3U);
}

TEST(BatchRows, RefusesStreamsThatAreDamaged) {
  const std::string segment = BytesOfHex(kSegmentHex);
  const std::string operation = BytesOfHex(kOperationHex);
  EXPECT_FALSE(ReadOperations(operation).has_value()) << "without a segment";
  std::string flipped = segment + operation;
  flipped.back() ^= 1;
  EXPECT_FALSE(ReadOperations(flipped).has_value()) << "with a wrong checksum";
  for (size_t size = segment.size() + 1; size < segment.size() + operation.size(); ++size) {
    EXPECT_FALSE(ReadOperations((segment + operation).substr(0, size)).has_value()) << size;
  }
  std::string endless = segment;
  endless[6] = 0;  // a segment of no length
  EXPECT_FALSE(ReadOperations(endless).has_value());
}

TEST(BatchRows, RefusesTypesThatAreNoneOfADocument) {
  std::string row = BytesOfHex(kOperationHex.substr(26));
  row[6] = 15;  // a query
  std::string stream;
  AppendSegment(stream);
  AppendRecord(stream, row);
  const auto operations = ReadOperations(stream);
  ASSERT_FALSE(operations.has_value());
  EXPECT_EQ(operations.error().code(), Code::kInvalidArgument);
}

TEST(BatchRows, SplitsNoMoreThanTheMost) {
  const std::string body =
      BytesOfHex(kSegmentHex) + BytesOfHex(kOperationHex) + BytesOfHex(kOperationHex);
  EXPECT_TRUE(SplitRecords(body, 2).has_value());
  EXPECT_FALSE(SplitRecords(body, 1).has_value());
}

}  // namespace
}  // namespace orrery::sql::hybrid
