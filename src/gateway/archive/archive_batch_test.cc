#include "gateway/archive/archive_batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gateway/archive/archive_digest.h"
#include "gateway/test_server.h"
#include "model/row/row_codec.h"

namespace orrery::gateway {
namespace {

std::string RowOf(std::string_view value, int64_t time, uint64_t lsn = 0, bool tombstone = false) {
  model::Row row;
  row.lsn = Lsn(lsn);
  row.cells.push_back({.column = 1, .timestamp = time, .path = {}, .value = value});
  if (tombstone) {
    row.cells.push_back({.column = 2,
                         .kind = model::CellKind::kTombstone,
                         .timestamp = time,
                         .expiry_s = 5,
                         .path = {},
                         .value = {}});
  }
  std::string encoded;
  model::EncodeRow(encoded, row);
  return encoded;
}

ArchivedDocuments Documents() {
  return {{.mortal = false, .time = Micros(7), .document = Json(R"({"id":"a","n":1.5})")},
          {.mortal = true, .time = Micros(8), .document = Json(R"({"id":"b"})")}};
}

ArchivedRows SomeRows() {
  return {{.mortal = false, .partition_key = "k", .clustering = "", .row = RowOf("s", 3)},
          {.mortal = false, .partition_key = "k", .clustering = "c", .row = RowOf("v", 4)}};
}

TEST(ArchiveBatchTest, ComesBackAsItWas) {
  for (const ArchiveBatch& batch : {ArchiveBatch(Documents()), ArchiveBatch(SomeRows())}) {
    const auto read = DecodeBatch(EncodeBatch(batch));
    ASSERT_TRUE(read.has_value()) << read.error().ToString();
    EXPECT_EQ(*read, batch);
  }
}

TEST(ArchiveBatchTest, DamageIsAnError) {
  for (const ArchiveBatch& batch : {ArchiveBatch(Documents()), ArchiveBatch(SomeRows())}) {
    const std::string good = EncodeBatch(batch);
    for (size_t size = 0; size < good.size(); ++size)
      EXPECT_FALSE(DecodeBatch(std::string_view(good).substr(0, size)).has_value()) << size;
    EXPECT_FALSE(DecodeBatch(good + "x").has_value());
  }
}

TEST(ArchiveBatchTest, ANewerVersionIsTold) {
  std::string bytes = EncodeBatch(Documents());
  bytes[0] = 2;
  EXPECT_EQ(DecodeBatch(bytes).error().code(), Code::kUnsupported);
}

TEST(ArchiveBatchTest, ATimeThatIsNoneIsRefused) {
  ArchivedDocuments documents = Documents();
  documents[0].time = Micros(-1);
  EXPECT_FALSE(DecodeBatch(EncodeBatch(documents)).has_value());
}

TEST(ArchiveBatchTest, DropFrontLeavesTheRest) {
  ArchiveBatch batch = SomeRows();
  DropFront(batch, 1);
  EXPECT_EQ(std::get<ArchivedRows>(batch), ArchivedRows{SomeRows()[1]});
}

TEST(ArchiveDigestTest, KnowsNoOrder) {
  ArchivedRows turned = SomeRows();
  std::ranges::reverse(turned);
  EXPECT_EQ(DigestOf(SomeRows()), DigestOf(turned));
  ArchiveDigest parts = DigestOf(ArchivedRows{SomeRows()[1]});
  parts += DigestOf(ArchivedRows{SomeRows()[0]});
  EXPECT_EQ(parts, DigestOf(SomeRows()));
}

TEST(ArchiveDigestTest, SeesEveryDifference) {
  const ArchiveDigest all = DigestOf(SomeRows());
  ArchivedRows other = SomeRows();
  other[0].partition_key = "l";
  EXPECT_FALSE(DigestOf(other).Agrees(all));
  other = SomeRows();
  other[1].row = RowOf("v", 5);
  EXPECT_FALSE(DigestOf(other).Agrees(all));
  other = SomeRows();
  other.push_back(other[0]);
  EXPECT_FALSE(DigestOf(other).Agrees(all));
  ArchivedDocuments documents = Documents();
  documents[0].time = Micros(9);
  EXPECT_FALSE(DigestOf(documents).Agrees(DigestOf(Documents())));
}

TEST(ArchiveDigestTest, DoesNotSeeWhatServersForget) {
  ArchivedRows other = SomeRows();
  other[1].row = RowOf("v", 4, /*lsn=*/99, /*tombstone=*/true);
  EXPECT_TRUE(DigestOf(other).Agrees(DigestOf(SomeRows())));
}

TEST(ArchiveDigestTest, OnlyCountsWhatExpires) {
  const ArchiveDigest digest = DigestOf(Documents());
  EXPECT_EQ(digest.items, 2u);
  EXPECT_EQ(digest.mortal, 1u);
  EXPECT_TRUE(digest.Agrees(DigestOf(ArchivedDocuments{Documents()[0]})));
}

TEST(ArchiveDigestTest, SumsAreText) {
  const Hash128 sum{0x0123456789abcdef, 42};
  EXPECT_EQ(ParseDigestSum(sum.ToString()), sum);
  EXPECT_FALSE(ParseDigestSum("12").has_value());
}

}  // namespace
}  // namespace orrery::gateway
