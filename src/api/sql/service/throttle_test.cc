// Tests of the answers to clients that exceed their request units.
#include <gtest/gtest.h>

#include "api/sql/service/service_testing.h"

namespace orrery::sql {
namespace {

class ThrottleTest : public SqlServiceTest {};

TEST_F(ThrottleTest, WhenToTryAgain) {
  MakeContainer({{"x-ms-offer-throughput", "400"}});
  TestAnswer answer;
  for (int i = 0; i < 500 && answer.status() != 429; ++i) {
    answer = Send("POST", "/dbs/db/colls/c/docs", Key(R"(["a"])"),
                  fmt::format(R"({{"id":"{}","pk":"a"}})", i));
  }
  ASSERT_EQ(answer.status(), 429);
  EXPECT_EQ(answer.header("x-ms-substatus"), "3200");
  const int wait = std::stoi(answer.header("x-ms-retry-after-ms"));
  ASSERT_GT(wait, 0);
  // A whole batch is to be sent again, so it is the request that is told.
  const TestAnswer batch =
      Send("POST", "/dbs/db/colls/c/docs",
           Key(R"(["a"])",
               {{"x-ms-cosmos-is-batch-request", "true"}, {"x-ms-cosmos-batch-atomic", "true"}}),
           R"([{"operationType":"Upsert","resourceBody":{"id":"x","pk":"a"}}])");
  EXPECT_EQ(batch.status(), 429);
  server_.clock.Advance(std::chrono::milliseconds(wait) + std::chrono::seconds(1));
  EXPECT_EQ(
      Send("POST", "/dbs/db/colls/c/docs", Key(R"(["a"])"), R"({"id":"later","pk":"a"})").status(),
      201);
}

class DefaultThroughputTest : public SqlServiceTest {
 protected:
  DefaultThroughputTest() {
    StartService({.default_throughput = partition::ThroughputSettings::Manual(400)});
  }

  std::string OfferOf(std::string_view container) {
    const TestAnswer found = Send("GET", fmt::format("/dbs/db/colls/{}", container));
    const model::Value offers = Send("GET", "/offers").body();
    for (const model::Value& offer : offers.Find("Offers")->AsValues()) {
      if (model::ToJson(*offer.Find("offerResourceId")) == found["_rid"])
        return offer.Find("id")->AsString();
    }
    return "";
  }
};

TEST_F(DefaultThroughputTest, AContainerWithoutAnyGetsIt) {
  MakeContainer();
  const std::string offer = OfferOf("c");
  const TestAnswer read = Send("GET", "/offers/" + offer);
  EXPECT_TRUE(read["content"].contains(R"("offerThroughput":400)")) << read.response.body;
  EXPECT_EQ(read.header("x-ms-cosmos-min-throughput"), "400");

  const auto writes_until_refused = [&] {
    int i = 0;
    while (i < 2'000 && Send("POST", "/dbs/db/colls/c/docs",
                             Key(R"(["a"])", {{"x-ms-documentdb-is-upsert", "true"}}),
                             fmt::format(R"({{"id":"{}","pk":"a"}})", i))
                                .status() != 429) {
      ++i;
    }
    return i;
  };
  const int few = writes_until_refused();
  EXPECT_GT(few, 20);
  EXPECT_LT(few, 100);
  const std::string more = R"({"content":{"offerThroughput":4000}})";
  EXPECT_EQ(Send("PUT", "/offers/" + offer, {}, more).status(), 200);
  server_.clock.Advance(std::chrono::seconds(2));
  EXPECT_GT(writes_until_refused(), 3 * few);
}

TEST_F(DefaultThroughputTest, ContainersThatShareAPartitionHaveTheirOwnBudgets) {
  MakeContainer();
  EXPECT_EQ(Send("POST", "/dbs/db/colls", {},
                 R"({"id":"other","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}})")
                .status(),
            201);
  EXPECT_EQ(server_.node->topology()->hosted.size(), 1u);
  TestAnswer answer;
  for (int i = 0; i < 500 && answer.status() != 429; ++i) {
    answer = Send("POST", "/dbs/db/colls/c/docs", Key(R"(["a"])"),
                  fmt::format(R"({{"id":"{}","pk":"a"}})", i));
  }
  EXPECT_EQ(answer.status(), 429);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs/1", Key(R"(["a"])")).status(), 429);
  EXPECT_EQ(
      Send("POST", "/dbs/db/colls/other/docs", Key(R"(["a"])"), R"({"id":"1","pk":"a"})").status(),
      201);
}

TEST_F(DefaultThroughputTest, NotWhereADatabaseSharesIts) {
  EXPECT_EQ(Send("POST", "/dbs", {{"x-ms-offer-throughput", "1000"}}, R"({"id":"db"})").status(),
            201);
  MakeContainer();
  EXPECT_EQ(OfferOf("c"), "");
}

TEST_F(DefaultThroughputTest, MoreThanAPartitionCarriesNeedsPartitionsOfItsOwn) {
  MakeContainer();
  const TestAnswer refused =
      Send("PUT", "/offers/" + OfferOf("c"), {}, R"({"content":{"offerThroughput":20000}})");
  EXPECT_EQ(refused.status(), 400);
  EXPECT_TRUE(refused["message"].contains("10000 RU/s at most")) << refused.response.body;
}

}  // namespace
}  // namespace orrery::sql
