#include "api/cassandra/protocol/response/rows_writer.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/protocol_testing.h"
#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

ResultColumns TwoColumns() {
  ColumnSpec key{"k", "t", "a", {}};
  key.type.id = TypeId::kInt;
  const ColumnSpec columns[] = {key, {"k", "t", "b", {}}};
  return {columns, kV4};
}
constexpr std::string_view kSpec =
    "00016b"
    "000174"
    "000161"
    "0009"
    "000162"
    "000d";

void WriteTwoRows(RowsWriter& rows) {
  rows.AppendCell("x");
  AppendNullBytes(rows.buffer());
  rows.EndRow();
  AppendBytes(rows.buffer(), "y");
  rows.AppendCell("");
  rows.EndRow();
}
constexpr std::string_view kRows =
    "00000002"
    "0000000178"
    "ffffffff"
    "0000000179"
    "00000000";

std::string BodyOf(const std::string& out) {
  EXPECT_EQ(AnnouncedEnvelopeBytes(out), out.size());
  return ToHex(out.substr(kEnvelopeHeaderBytes));
}

TEST(RowsWriterTest, DescribesColumnsAndCountsRows) {
  std::string out;
  RowsWriter rows(out, HeadOf(kV4), TwoColumns(), {});
  WriteTwoRows(rows);
  EXPECT_EQ(rows.rows(), 2);
  rows.Finish(std::nullopt);
  EXPECT_EQ(out.substr(0, 5), Hex("84 00 0001 08"));
  EXPECT_EQ(BodyOf(out),
            "00000002"
            "00000001"
            "00000002" +
                std::string(kSpec) + std::string(kRows));
}

TEST(RowsWriterTest, AnEmptyResultHasNoRows) {
  std::string out;
  RowsWriter rows(out, HeadOf(kV4), TwoColumns(), {});
  rows.Finish(std::nullopt);
  EXPECT_EQ(BodyOf(out),
            "00000002"
            "00000001"
            "00000002" +
                std::string(kSpec) + "00000000");
}

TEST(RowsWriterTest, ThePagingStateIsPutBeforeTheRows) {
  std::string out;
  RowsWriter rows(out, HeadOf(kV4), TwoColumns(), {});
  WriteTwoRows(rows);
  rows.Finish("ps");
  EXPECT_EQ(BodyOf(out),
            "00000002"
            "00000003"
            "00000002"
            "000000027073" +
                std::string(kSpec) + std::string(kRows));
}

TEST(RowsWriterTest, MetadataCanBeSkipped) {
  std::string out;
  RowsOptions options;
  options.skip_metadata = true;
  RowsWriter rows(out, HeadOf(kV4), TwoColumns(), options);
  WriteTwoRows(rows);
  rows.Finish("ps");
  EXPECT_EQ(BodyOf(out),
            "00000002"
            "00000006"
            "00000002"
            "000000027073" +
                std::string(kRows));
}

TEST(RowsWriterTest, ChangedMetadataIsSentInV5EvenIfSkipped) {
  RowsOptions options;
  options.skip_metadata = true;
  options.new_metadata_id = "mid";
  std::string out;
  RowsWriter v5(out, HeadOf(kV5), TwoColumns(), options);
  WriteTwoRows(v5);
  v5.Finish("ps");
  EXPECT_EQ(BodyOf(out),
            "00000002"
            "0000000b"
            "00000002"
            "000000027073"
            "00036d6964" +
                std::string(kSpec) + std::string(kRows));
  out.clear();
  RowsWriter v4(out, HeadOf(kV4), TwoColumns(), options);
  WriteTwoRows(v4);
  v4.Finish(std::nullopt);
  EXPECT_EQ(BodyOf(out),
            "00000002"
            "00000004"
            "00000002" +
                std::string(kRows));
}

TEST(RowsWriterTest, TheChargeIsSetBehindTheRows) {
  const std::string nothing_yet(8, '\0');
  const PayloadEntry payload[] = {{"RequestCharge", nothing_yet}};
  ResponseHead head = HeadOf(kV4);
  head.payload = payload;
  std::string out;
  RowsWriter rows(out, head, TwoColumns(), {});
  WriteTwoRows(rows);
  rows.SetPayloadValue("RequestCharge", "chargeee");
  rows.Finish("ps");
  EXPECT_NE(out.find("RequestCharge" + Hex("00000008") + "chargeee"), std::string::npos);
  EXPECT_TRUE(BodyOf(out).ends_with(kRows));
}

TEST(RowsWriterTest, AbandonLeavesEarlierResponses) {
  std::string out = "earlier";
  RowsWriter rows(out, HeadOf(kV4), TwoColumns(), {});
  WriteTwoRows(rows);
  rows.Abandon();
  EXPECT_EQ(out, "earlier");
}

}  // namespace
}  // namespace orrery::cassandra
