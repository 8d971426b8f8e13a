#include "api/sql/resource/resource_path.h"

#include <gtest/gtest.h>

#include "net/http/url.h"

namespace orrery::sql {
namespace {

using enum ResourceType;

Result<ResourcePath> Parse(std::string_view target) {
  const auto parsed = net::ParseRequestTarget(target);
  EXPECT_TRUE(parsed.has_value()) << target;
  return ParseResourcePath(parsed->segments);
}

TEST(ResourcePath, OneResourceOrAFeed) {
  struct Case {
    std::string_view target;
    ResourceType type;
    bool feed;
    std::string_view link;
  };
  const Case cases[] = {
      {"/", kAccount, false, ""},
      {"/dbs", kDatabase, true, ""},
      {"/dbs/db", kDatabase, false, "dbs/db"},
      {"/dbs/db/", kDatabase, false, "dbs/db"},
      {"/dbs/db/colls", kContainer, true, "dbs/db"},
      {"/dbs/db/colls/c", kContainer, false, "dbs/db/colls/c"},
      {"/dbs/db/colls/c/docs", kDocument, true, "dbs/db/colls/c"},
      {"/dbs/db/colls/c/docs/1", kDocument, false, "dbs/db/colls/c/docs/1"},
      {"/dbs/db/colls/c/pkranges", kPartitionKeyRange, true, "dbs/db/colls/c"},
      {"/dbs/db/colls/c/sprocs/s", kStoredProcedure, false, "dbs/db/colls/c/sprocs/s"},
      {"/dbs/db/colls/c/triggers", kTrigger, true, "dbs/db/colls/c"},
      {"/dbs/db/colls/c/udfs/u", kUserFunction, false, "dbs/db/colls/c/udfs/u"},
      {"/dbs/db/colls/c/conflicts", kConflict, true, "dbs/db/colls/c"},
      {"/dbs/db/colls/c/operations/partitionkeydelete", kPartitionKeyOperation, true,
       "dbs/db/colls/c"},
      {"/dbs/db/users/u/permissions/p", kPermission, false, "dbs/db/users/u/permissions/p"},
      {"/dbs/db/clientencryptionkeys", kClientEncryptionKey, true, "dbs/db"},
      {"/offers", kOffer, true, ""},
      {"/offers/AwIB", kOffer, false, "offers/AwIB"},
  };
  for (const Case& expected : cases) {
    const auto path = Parse(expected.target);
    ASSERT_TRUE(path.has_value()) << expected.target;
    EXPECT_EQ(path->type, expected.type) << expected.target;
    EXPECT_EQ(path->feed, expected.feed) << expected.target;
    EXPECT_EQ(NameLink(*path), expected.link) << expected.target;
    EXPECT_LE(path->steps.size(), kResourceStepsMax);
  }
}

TEST(ResourcePath, IdsAreDecodedAndKeepTheirCase) {
  const auto path = Parse("/dbs/My%20Db/colls/%CE%A8%2F/docs/100%25");
  ASSERT_TRUE(path.has_value());
  EXPECT_EQ(NameLink(*path), "dbs/My Db/colls/Ψ//docs/100%");
  EXPECT_EQ(path->steps[1], (ResourceStep{kContainer, "Ψ/"}));
}

TEST(ResourcePath, ByResourceIdOnlyTheLastCounts) {
  EXPECT_EQ(RidLink(*Parse("/dbs/gAAIAA==/colls/gAAIAIAAAAE=")), "gaaiaiaaaae=");
  EXPECT_EQ(RidLink(*Parse("/dbs/gAAIAA==/colls/gAAIAIAAAAE=/docs")), "gaaiaiaaaae=");
  EXPECT_EQ(RidLink(*Parse("/dbs")), "");
}

TEST(ResourcePath, OthersAreNotFound) {
  for (const std::string_view target :
       {"/db", "/colls", "/dbs/a/docs", "/dbs/a/colls/b/colls", "/dbs/a/colls/b/docs/c/d",
        "/dbs/a/colls/b/operations", "/dbs/a/colls/b/operations/other",
        "/dbs/a/colls/b/operations/partitionkeydelete/x", "/Dbs", "/dbs/a/users/b/docs"}) {
    const auto path = Parse(target);
    ASSERT_FALSE(path.has_value()) << target;
    EXPECT_EQ(path.error().code(), Code::kNotFound) << target;
  }
  for (const std::string_view target : {"/dbs//colls", "/offers/a/b"}) {
    const auto path = Parse(target);
    ASSERT_FALSE(path.has_value()) << target;
    EXPECT_EQ(path.error().code(), Code::kInvalidArgument) << target;
  }
}

}  // namespace
}  // namespace orrery::sql
