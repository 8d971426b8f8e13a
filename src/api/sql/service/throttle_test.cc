// What a client hears that asks for more than it has paid for.
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

}  // namespace
}  // namespace orrery::sql
