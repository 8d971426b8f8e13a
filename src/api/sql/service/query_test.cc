// Queries over documents, through the service.
#include <gtest/gtest.h>

#include "api/sql/service/service_testing.h"

namespace orrery::sql {
namespace {

class QueryServiceTest : public SqlServiceTest {
 protected:
  QueryServiceTest() {
    MakeContainer();
    for (int i = 0; i < 10; ++i) {
      const std::string key = i % 2 == 0 ? "even" : "odd";
      const std::string document = R"({"id":")" + std::to_string(i) + R"(","pk":")" + key +
                                   R"(","n":)" + std::to_string(i) + "}";
      EXPECT_EQ(Send("POST", kDocs, Key(R"([")" + key + R"("])"), document).status(), 201);
    }
  }

  TestAnswer Query(std::string_view text, Headers headers = {},
                   std::string_view parameters = "[]") {
    headers.emplace_back("x-ms-documentdb-isquery", "True");
    headers.emplace_back("content-type", "application/query+json");
    std::string body = R"({"query":)";
    model::AppendJsonString(body, text);
    body += R"(,"parameters":)" + std::string(parameters) + "}";
    return Send("POST", kDocs, headers, body);
  }
};

TEST_F(QueryServiceTest, OverAllPartitionsAndOverOne) {
  EXPECT_EQ(Query("SELECT VALUE COUNT(1) FROM c")["Documents"], "[10]");
  EXPECT_EQ(Query("SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 2")["Documents"],
            "[8,7]");
  EXPECT_EQ(Query("SELECT VALUE SUM(c.n) FROM c", Key(R"(["odd"])"))["Documents"], "[25]");
  EXPECT_EQ(Query("SELECT VALUE c.id FROM c WHERE c.n = @n", {},
                  R"([{"name":"@n","value":3}])")["Documents"],
            R"(["3"])");
}

TEST_F(QueryServiceTest, CompositeIndexes) {
  constexpr std::string_view kQuery = "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.pk, c.n";
  const TestAnswer sorted = Query(kQuery, {{"x-ms-documentdb-populatequerymetrics", "true"}});
  EXPECT_EQ(sorted["Documents"], "[0,2,4]");
  const TestAnswer replaced = Send("PUT", "/dbs/db/colls/c", {},
                                   R"({"id":"c","indexingPolicy":{"includedPaths":[{"path":"/*"}],
               "compositeIndexes":[[{"path":"/pk","order":"descending"},
                                    {"path":"/n","order":"descending"}]]}})");
  ASSERT_EQ(replaced.status(), 200) << replaced.response.body;
  server_.catalog->WaitForIndexes();
  const TestAnswer read = Query(kQuery, {{"x-ms-documentdb-populatequerymetrics", "true"}});
  EXPECT_EQ(read["Documents"], "[0,2,4]");
  constexpr std::string_view kMetrics = "x-ms-documentdb-query-metrics";
  EXPECT_NE(sorted.header(kMetrics).find("retrievedDocumentCount=10;"), std::string::npos);
  EXPECT_NE(read.header(kMetrics).find("retrievedDocumentCount=3;"), std::string::npos)
      << read.header(kMetrics);
  EXPECT_EQ(Query("SELECT VALUE c.n FROM c WHERE c.pk = 'odd' AND c.n > 4")["Documents"],
            "[5,7,9]");
}

TEST_F(QueryServiceTest, ComputedProperties) {
  EXPECT_EQ(Query("SELECT VALUE c.half FROM c WHERE c.n = 4")["Documents"], "[]");
  const TestAnswer replaced =
      Send("PUT", "/dbs/db/colls/c", {},
           R"({"id":"c","computedProperties":[{"name":"half","query":"SELECT VALUE c.n / 2 FROM c"},
               {"name":"pk","query":"SELECT VALUE UPPER(c.pk) FROM c"}]})");
  ASSERT_EQ(replaced.status(), 200) << replaced.response.body;
  EXPECT_EQ(Query("SELECT VALUE c.half FROM c WHERE c.n = 4")["Documents"], "[2]");
  EXPECT_EQ(Query("SELECT VALUE c.n FROM c WHERE c.half > 3 ORDER BY c.half DESC")["Documents"],
            "[9,8,7]");
  // A stored property of the name is neither seen nor taken for the partition key.
  EXPECT_EQ(Query("SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'ODD'")["Documents"], "[5]");
  EXPECT_EQ(Query("SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'odd'")["Documents"], "[0]");
  const TestAnswer whole = Query("SELECT * FROM c WHERE c.n = 4");
  EXPECT_EQ(whole["Documents"].find("half"), std::string::npos);
  EXPECT_NE(whole["Documents"].find(R"("pk":"even")"), std::string::npos);
}

TEST_F(QueryServiceTest, PagesGoOnWhereTheLastOneEnded) {
  std::string seen;
  Headers headers{{"x-ms-max-item-count", "3"}};
  int pages = 0;
  for (std::string token = "start"; !token.empty() && pages < 10; ++pages) {
    const TestAnswer page = Query("SELECT VALUE c.n FROM c ORDER BY c.n", headers);
    ASSERT_EQ(page.status(), 200) << page.response.body;
    seen += page["Documents"];
    token = page.header("x-ms-continuation");
    headers = {{"x-ms-max-item-count", "3"}, {"x-ms-continuation", token}};
  }
  EXPECT_EQ(seen, "[0,1,2][3,4,5][6,7,8][9]");
}

TEST_F(QueryServiceTest, WhatIsWrongIsToldWithItsPlace) {
  const TestAnswer wrong = Query("SELECT * FORM c");
  EXPECT_EQ(wrong.status(), 400);
  EXPECT_NE(wrong["message"].find(R"(\"location\":{\"start\":9,)"), std::string::npos)
      << wrong.response.body;
  EXPECT_EQ(Query("SELECT * FROM c", {{"x-ms-continuation", "garbage"}}).status(), 400);
  EXPECT_EQ(Send("POST", kDocs, {{"x-ms-documentdb-isquery", "True"}}, "{}").status(), 400);
  EXPECT_EQ(Query("SELECT * FROM c", {{"x-ms-documentdb-partitionkeyrangeid", "77"}}).status(),
            410);
}

TEST_F(QueryServiceTest, MetricsAndCharge) {
  const TestAnswer answer =
      Query("SELECT * FROM c WHERE c.n = 3", {{"x-ms-documentdb-populatequerymetrics", "True"}});
  EXPECT_EQ(answer["_count"], "1");
  EXPECT_NE(answer.header("x-ms-documentdb-query-metrics").find("retrievedDocumentCount=1"),
            std::string::npos)
      << answer.header("x-ms-documentdb-query-metrics");
  EXPECT_GT(std::stod(answer.header("x-ms-request-charge")), 0);
}

TEST_F(QueryServiceTest, Plans) {
  const TestAnswer plan = Send(
      "POST", kDocs,
      {{"x-ms-cosmos-is-query-plan-request", "True"}, {"content-type", "application/query+json"}},
      R"({"query":"SELECT VALUE c.n FROM c ORDER BY c.n"})");
  EXPECT_EQ(plan.status(), 200);
  const model::Value body = plan.body();
  ASSERT_NE(body.Find("queryInfo"), nullptr) << plan.response.body;
  EXPECT_EQ(model::ToJson(*body.Find("queryInfo")->Find("orderBy")), R"(["Ascending"])");
}

TEST_F(QueryServiceTest, WhatTakesTooLongIsATimeOut) {
  const auto origin = std::make_shared<RequestOrigin>(server_.clock);
  context_ = RequestContext(origin, server_.clock.Monotonic());
  const TestAnswer late = Query("SELECT * FROM c");
  EXPECT_EQ(late.status(), 408);
  EXPECT_EQ(late["code"], R"("RequestTimeout")");
  context_ = RequestContext(origin, server_.clock.Monotonic() + std::chrono::hours(1));
  EXPECT_EQ(Query("SELECT * FROM c").status(), 200);
  origin->Cancel(StopReason::kClientGone);
  EXPECT_EQ(Query("SELECT * FROM c").status(), 503) << "to nobody";
}

}  // namespace
}  // namespace orrery::sql
