#include "api/sql/resource/resource_id.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

TEST(ResourceId, AsClientsSeeThem) {
  EXPECT_EQ(FormatRid(ResourceId::Database(0x80000800)), "gAAIAA==");
  EXPECT_EQ(FormatRid(ResourceId::Container(0x80000800, 1)), "gAAIAIAAAAE=");
  EXPECT_EQ(FormatRid(ResourceId::Child(RidKind::kDocument, 0x80000800, 1, 1)),
            "gAAIAIAAAAEBAAAAAAAAAA==");
  EXPECT_EQ(FormatRid(ResourceId::Child(RidKind::kStoredProcedure, 0x80000800, 1, 1)),
            "gAAIAIAAAAEBAAAAAAAAgA==");
  EXPECT_EQ(FormatRid(ResourceId::Offer(0x010203)), "AwIB");
  EXPECT_EQ(FormatRid(ResourceId::EncryptionKey(0x80000800, 1)), "gAAIAAAAAAABAAAAAgAAAA==");
}

TEST(ResourceId, EveryKindComesBack) {
  const ResourceId ids[] = {
      ResourceId::Offer(0),
      ResourceId::Offer(0xffffff),
      ResourceId::Database(1),
      ResourceId::Database(UINT32_MAX),
      ResourceId::Container(7, 0),
      ResourceId::Container(7, 0x7fffffff),
      ResourceId::User(7, 0x7fffffff),
      ResourceId::Permission(7, 9, UINT64_MAX),
      ResourceId::EncryptionKey(7, 1),
      ResourceId::EncryptionKey(7, UINT32_MAX),
      ResourceId::Child(RidKind::kDocument, 7, 9, (uint64_t{1} << 60) - 1),
      ResourceId::Child(RidKind::kConflict, 7, 9, 0),
      ResourceId::Child(RidKind::kPartitionKeyRange, 7, 9, 3),
      ResourceId::Child(RidKind::kUserFunction, 7, 9, 4),
      ResourceId::Child(RidKind::kTrigger, 7, 9, 5),
      ResourceId::Child(RidKind::kStoredProcedure, 7, 9, 6),
  };
  for (const ResourceId& id : ids) {
    const std::string text = FormatRid(id);
    EXPECT_EQ(text.find('/'), std::string::npos);
    EXPECT_EQ(ParseRid(text), id) << text;
  }
}

TEST(ResourceId, OtherTextsAreNone) {
  for (const std::string_view text :
       {"", "db", "testDb", "AAAAAA==" /* database 0 */, "gAAIAA", "gAAIAB==" /* unused bits */,
        "gAAIAIAAAAE=gAAIAA==", "gAAI/A==", "gAAIAIAAAAEBAAAAAAAAkA==" /* kind 9 */,
        "gAAIAIAAAAEBAAA=", "gAAIAAAAAAABAAAAAwAAAA==", "gAAIAIAAAAEBAAAAAAAAAAEAAAA="}) {
    EXPECT_EQ(ParseRid(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace orrery::sql
