#include "api/sql/offer/offer.h"

#include <gtest/gtest.h>

#include "gateway/test_server.h"

namespace orrery::sql {
namespace {

using partition::ThroughputSettings;

TEST(Offers, OfWhatHasThroughput) {
  gateway::TestServer server;
  ASSERT_TRUE(
      server.catalog->CreateDatabase("shared", ThroughputSettings::Manual(400)).has_value());
  server.MakeContainer("own", ThroughputSettings::Autoscale(4'000));
  server.MakeContainer("none");
  const auto snapshot = server.catalog->snapshot();
  const std::vector<Offer> offers = ListOffers(*snapshot);
  ASSERT_EQ(offers.size(), 2u);
  EXPECT_EQ(offers[0].database, "shared");
  EXPECT_EQ(offers[0].container, std::nullopt);
  EXPECT_EQ(offers[1].container, "own");
  EXPECT_NE(offers[0].rid, offers[1].rid);
  const auto found = FindOffer(*snapshot, offers[1].rid);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->resource, offers[1].resource);
  EXPECT_FALSE(FindOffer(*snapshot, "????").has_value());

  const model::Value seen = SeenOffer(*found, 1'000, /*is_pending=*/false);
  EXPECT_EQ(seen.Find("resource")->AsString(), found->resource);
  EXPECT_EQ(
      seen.Find("content")->Find("offerAutopilotSettings")->Find("maxThroughput")->AsInteger(),
      4'000);
}

TEST(Offers, PendingUntilThePartitionsAreThere) {
  const partition::Limits limits;
  Offer offer;
  offer.throughput = ThroughputSettings::Manual(20'000);
  offer.throughput_owner = cluster::ThroughputOwner::Of(ContainerId(1));
  EXPECT_TRUE(IsPending(offer, 1, limits));
  EXPECT_FALSE(IsPending(offer, 2, limits));
  offer.throughput = ThroughputSettings::Manual(400);
  EXPECT_FALSE(IsPending(offer, 2, limits));
  offer.throughput_owner = cluster::ThroughputOwner::SharedPool();
  EXPECT_FALSE(IsPending(offer, 0, limits));
}

class ChangedThroughputTest : public testing::Test {
 protected:
  Result<ThroughputSettings> Change(ThroughputSettings from, std::string_view body,
                                    const RequestHeaders& headers = {}) {
    Offer offer;
    offer.throughput = from;
    return ChangedThroughput(offer, gateway::Json(body), headers, 400);
  }
};

TEST_F(ChangedThroughputTest, WithinItsKind) {
  EXPECT_EQ(Change(ThroughputSettings::Manual(400), R"({"content":{"offerThroughput":500}})"),
            ThroughputSettings::Manual(500));
  EXPECT_EQ(Change(ThroughputSettings::Autoscale(4'000),
                   R"({"content":{"offerAutopilotSettings":{"maxThroughput":5000}}})"),
            ThroughputSettings::Autoscale(5'000));
}

TEST_F(ChangedThroughputTest, ToTheOtherKindByHeaderOnly) {
  EXPECT_FALSE(Change(ThroughputSettings::Manual(400),
                      R"({"content":{"offerAutopilotSettings":{"maxThroughput":5000}}})")
                   .has_value());
  EXPECT_FALSE(
      Change(ThroughputSettings::Autoscale(4'000), R"({"content":{"offerThroughput":500}})")
          .has_value());
  RequestHeaders headers;
  headers.migrate_to_autoscale = true;
  EXPECT_EQ(Change(ThroughputSettings::Manual(1'100), "{}", headers),
            ThroughputSettings::Autoscale(2'000));
  EXPECT_EQ(Change(ThroughputSettings::Manual(400), "{}", headers),
            ThroughputSettings::Autoscale(1'000));
  headers = {};
  headers.migrate_to_manual = true;
  EXPECT_EQ(Change(ThroughputSettings::Autoscale(4'000), "{}", headers),
            ThroughputSettings::Manual(4'000));
}

TEST_F(ChangedThroughputTest, WhatSaysNothing) {
  for (const char* body : {"{}", R"({"content":1})", R"({"content":{"offerThroughput":"x"}})"})
    EXPECT_FALSE(Change(ThroughputSettings::Manual(400), body).has_value()) << body;
}

}  // namespace
}  // namespace orrery::sql
