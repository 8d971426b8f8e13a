// Batches and the change feed through the whole API.
#include <gtest/gtest.h>

#include "api/sql/service/service_testing.h"

namespace orrery::sql {
namespace {

class BatchTest : public SqlServiceTest {
 protected:
  BatchTest() { MakeContainer({}, R"(,"changeFeedPolicy":{"retentionDuration":10})"); }

  TestAnswer Batch(bool atomic, std::string body, Headers headers = {}) {
    headers.emplace_back("x-ms-cosmos-is-batch-request", "true");
    headers.emplace_back("x-ms-cosmos-batch-atomic", atomic ? "true" : "false");
    return Send("POST", kDocs, headers, std::move(body));
  }
  // "201 424 409"
  static std::string Statuses(const TestAnswer& answer) {
    std::string statuses;
    const model::Value body = answer.body();
    if (body.kind() != model::Kind::kArray) return answer.response.body;
    for (const model::Value& result : body.AsValues())
      statuses += (statuses.empty() ? "" : " ") + model::ToJson(*result.Find("statusCode"));
    return statuses;
  }
  TestAnswer Feed(const std::string& etag, Headers headers = {{"A-IM", "Incremental Feed"}}) {
    if (!etag.empty()) headers.emplace_back("If-None-Match", etag);
    return Send("GET", kDocs, headers);
  }
};

TEST_F(BatchTest, AllOrNone) {
  const TestAnswer done = Batch(true,
                                R"([{"operationType":"Create","resourceBody":{"id":"1","pk":"a"}},
         {"operationType":"Upsert","resourceBody":{"id":"2","pk":"a"}},
         {"operationType":"Read","id":"1"},
         {"operationType":"Patch","id":"2","resourceBody":{"operations":[{"op":"set","path":"/n","value":1}]}},
         {"operationType":"Replace","id":"1","resourceBody":{"id":"1","pk":"a","n":2}},
         {"operationType":"Delete","id":"2"}])",
                                Key(R"(["a"])"));
  EXPECT_EQ(done.status(), 200);
  EXPECT_EQ(Statuses(done), "201 201 200 200 200 204");

  const TestAnswer failed = Batch(true,
                                  R"([{"operationType":"Create","resourceBody":{"id":"3","pk":"a"}},
         {"operationType":"Create","resourceBody":{"id":"1","pk":"a"}},
         {"operationType":"Delete","id":"1"}])",
                                  Key(R"(["a"])"));
  EXPECT_EQ(failed.status(), 207);
  EXPECT_EQ(Statuses(failed), "424 409 424");
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs/3", Key(R"(["a"])")).status(), 404);
}

TEST_F(BatchTest, ConditionsInBatches) {
  Batch(true, R"([{"operationType":"Create","resourceBody":{"id":"1","pk":"a","n":1}}])",
        Key(R"(["a"])"));
  const std::string patch =
      R"([{"operationType":"Patch","id":"1","resourceBody":{"condition":"from c where c.n = 1",
           "operations":[{"op":"incr","path":"/n","value":1}]}}])";
  EXPECT_EQ(Statuses(Batch(true, patch, Key(R"(["a"])"))), "200");
  EXPECT_EQ(Statuses(Batch(true, patch, Key(R"(["a"])"))), "412");
}

TEST_F(BatchTest, EachForItself) {
  const std::string body =
      R"([{"operationType":"Create","partitionKey":"[\"a\"]","resourceBody":{"id":"1","pk":"a"}},
          {"operationType":"Create","partitionKey":"[\"b\"]","resourceBody":{"id":"1","pk":"b"}},
          {"operationType":"Create","partitionKey":"[\"b\"]","resourceBody":{"id":"1","pk":"b"}},
          {"operationType":"Read","partitionKey":"[\"a\"]","id":"1"},
          {"operationType":"Create","partitionKey":"[\"b\"]","resourceBody":{"id":"x","pk":"a"}},
          {"operationType":"Delete","partitionKey":"[\"c\"]","id":"1"}])";
  const TestAnswer done = Batch(false, body, {{"x-ms-cosmos-batch-continue-on-error", "true"}});
  EXPECT_EQ(done.status(), 207);
  EXPECT_EQ(Statuses(done), "201 201 409 200 400 404");
  const TestAnswer gone = Batch(false, body, {{"x-ms-documentdb-partitionkeyrangeid", "99999"}});
  EXPECT_EQ(gone.status(), 410);
}

TEST_F(BatchTest, WhatIsNoBatch) {
  for (const char* body :
       {"", "{}", "[]", "[1]", R"([{"operationType":"Fly"}])", R"([{"operationType":"Create"}])"}) {
    EXPECT_EQ(Batch(true, body, Key(R"(["a"])")).status(), 400) << body;
  }
}

TEST_F(BatchTest, ChangesInOrder) {
  Batch(true, R"([{"operationType":"Create","resourceBody":{"id":"1","pk":"a"}},
                  {"operationType":"Create","resourceBody":{"id":"2","pk":"a"}}])",
        Key(R"(["a"])"));
  const TestAnswer first = Feed("");
  EXPECT_EQ(first.status(), 200);
  EXPECT_EQ(first["_count"], "2");
  const std::string etag = first.header("etag");
  const TestAnswer nothing = Feed(etag);
  EXPECT_EQ(nothing.status(), 304);
  EXPECT_EQ(nothing.header("etag"), etag);
  Send("PUT", "/dbs/db/colls/c/docs/1", Key(R"(["a"])"), R"({"id":"1","pk":"a","n":1})");
  EXPECT_EQ(Feed(etag)["_count"], "1");
  EXPECT_EQ(Feed("*").status(), 304);
  EXPECT_EQ(Feed("", Key(R"(["b"])", {{"A-IM", "Incremental Feed"}})).status(), 304);
  EXPECT_EQ(Feed("", Key(R"(["a"])", {{"A-IM", "Incremental Feed"}}))["_count"], "2");
  EXPECT_EQ(Feed("\"nonsense\"").status(), 400);
}

TEST_F(BatchTest, AllVersionsAndDeletes) {
  const Headers full{{"A-IM", "Full-Fidelity Feed"}};
  EXPECT_EQ(Feed("", full).status(), 400);
  const std::string now = Feed("*", full).header("etag");
  Send("POST", kDocs, Key(R"(["a"])"), R"({"id":"1","pk":"a"})");
  Send("DELETE", "/dbs/db/colls/c/docs/1", Key(R"(["a"])"));
  const TestAnswer changes = Feed(now, full);
  ASSERT_EQ(changes.status(), 200) << changes.response.body;
  const model::Value body = changes.body();
  const model::Values& list = body.Find("Documents")->AsValues();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].Find("metadata")->Find("operationType")->AsString(), "create");
  EXPECT_NE(list[0].Find("current"), nullptr);
  EXPECT_EQ(list[1].Find("metadata")->Find("operationType")->AsString(), "delete");
}

}  // namespace
}  // namespace orrery::sql
