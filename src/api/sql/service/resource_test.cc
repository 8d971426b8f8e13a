// The account, databases, containers, offers and ranges through the whole API.
#include <gtest/gtest.h>

#include "api/sql/service/service_testing.h"

namespace orrery::sql {
namespace {

class ResourceTest : public SqlServiceTest {
 protected:
  ResourceTest() : SqlServiceTest(gateway::SmallPartitions()) {}

  static std::string Text(const model::Value& object, std::string_view name) {
    const model::Value* value = object.Find(name);
    return value == nullptr ? std::string() : value->AsString();
  }
};

TEST_F(ResourceTest, TheAccountSaysWhereToGoOn) {
  const TestAnswer account = Send("GET", "/");
  EXPECT_EQ(account.status(), 200);
  EXPECT_EQ(account["writableLocations"],
            R"([{"name":"South Central US","databaseAccountEndpoint":"http://localhost:8081/"}])");
  EXPECT_EQ(account["userConsistencyPolicy"], R"({"defaultConsistencyLevel":"Session"})");
}

TEST_F(ResourceTest, Databases) {
  const TestAnswer created = Send("POST", "/dbs", {}, R"({"id":"db"})");
  EXPECT_EQ(created.status(), 201);
  EXPECT_EQ(created["_ts"], "1700000000");
  EXPECT_EQ(Send("POST", "/dbs", {}, R"({"id":"db"})").status(), 409);
  EXPECT_EQ(Send("POST", "/dbs", {}, R"({"name":"db"})").status(), 400);
  EXPECT_EQ(Send("POST", "/dbs", {}, R"({"id":"a/b"})").status(), 400);
  EXPECT_EQ(Send("GET", "/" + Text(created.body(), "_self"))["id"], R"("db")");
  EXPECT_EQ(Send("GET", "/dbs")["_count"], "1");
  const TestAnswer queried = Send("POST", "/dbs", {{"x-ms-documentdb-isquery", "true"}},
                                  R"({"query":"SELECT VALUE r.id FROM root r WHERE r.id = @x",
               "parameters":[{"name":"@x","value":"db"}]})");
  EXPECT_EQ(queried["Databases"], R"(["db"])");
  EXPECT_EQ(Send("DELETE", "/dbs/db").status(), 204);
  EXPECT_EQ(Send("GET", "/dbs/db").status(), 404);
}

TEST_F(ResourceTest, AContainerWithTwoEvenRanges) {
  MakeContainer({{"x-ms-offer-throughput", "2000"}});
  const TestAnswer ranges = Send("GET", "/dbs/db/colls/c/pkranges");
  const model::Value body = ranges.body();
  const model::Values& list = body.Find("PartitionKeyRanges")->AsValues();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(Text(list[0], "minInclusive"), "");
  EXPECT_EQ(Text(list[0], "maxExclusive"), "2" + std::string(31, '0'));
  EXPECT_EQ(Text(list[1], "minInclusive"), Text(list[0], "maxExclusive"));
  EXPECT_EQ(Text(list[1], "maxExclusive"), "FF");
  const Headers again{{"A-IM", "Incremental feed"}, {"If-None-Match", ranges.header("etag")}};
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/pkranges", again).status(), 304);
}

TEST_F(ResourceTest, RangesThatCameSince) {
  MakeContainer({{"x-ms-offer-throughput", "1000"}});
  for (int i = 0; i < 20; ++i) {
    Send("POST", "/dbs/db/colls/c/docs", {}, fmt::format(R"({{"id":"{}","pk":"k{}"}})", i, i));
  }
  const TestAnswer before = Send("GET", "/dbs/db/colls/c/pkranges");
  const model::Value old = before.body();
  const std::string parent = Text(old.Find("PartitionKeyRanges")->AsValues()[0], "id");
  ASSERT_TRUE(server_.node->Split(PartitionId(std::stoull(parent)), std::nullopt).has_value());
  const TestAnswer after =
      Send("GET", "/dbs/db/colls/c/pkranges",
           {{"A-IM", "Incremental feed"}, {"If-None-Match", before.header("etag")}});
  ASSERT_EQ(after.status(), 200);
  const model::Value body = after.body();
  const model::Values& children = body.Find("PartitionKeyRanges")->AsValues();
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(model::ToJson(*children[0].Find("parents")), "[\"" + parent + "\"]");
  const TestAnswer gone =
      Send("GET", "/dbs/db/colls/c/docs", {{"x-ms-documentdb-partitionkeyrangeid", parent}});
  EXPECT_EQ(gone.status(), 410);
  EXPECT_EQ(gone.header("x-ms-substatus"), "1002");
  size_t found = 0;
  for (const model::Value& child : children) {
    const TestAnswer page = Send("GET", "/dbs/db/colls/c/docs",
                                 {{"x-ms-documentdb-partitionkeyrangeid", Text(child, "id")}});
    const model::Value documents = page.body();
    found += documents.Find("Documents")->AsValues().size();
  }
  EXPECT_EQ(found, 20u);
}

TEST_F(ResourceTest, PartsByEffectiveKeys) {
  MakeContainer({{"x-ms-offer-throughput", "2000"}});
  for (int i = 0; i < 20; ++i) {
    Send("POST", "/dbs/db/colls/c/docs", {}, fmt::format(R"({{"id":"{}","pk":"k{}"}})", i, i));
  }
  const auto count = [&](Headers headers) {
    const TestAnswer page = Send("GET", "/dbs/db/colls/c/docs", headers);
    EXPECT_EQ(page.status(), 200) << page.response.body;
    const std::string text = page["_count"];
    return text.empty() ? 0 : std::stoi(text);
  };
  const int low = count({{"x-ms-start-epk", ""}, {"x-ms-end-epk", "18"}});
  const int high = count({{"x-ms-start-epk", "18"}, {"x-ms-end-epk", "FF"}});
  EXPECT_GT(low, 0);
  EXPECT_EQ(low + high, 20);
  EXPECT_EQ(count({{"A-IM", "Incremental Feed"}, {"x-ms-end-epk", "18"}}), low);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs", {{"x-ms-start-epk", "zz"}}).status(), 400);
}

TEST_F(ResourceTest, TheOwnerOfAContainerIsItsDatabase) {
  MakeContainer();
  const TestAnswer read = Send("GET", "/dbs/db/colls/c");
  EXPECT_EQ(read.header("x-ms-alt-content-path"), "dbs/db");
  EXPECT_EQ('"' + read.header("x-ms-content-path") + '"', Send("GET", "/dbs/db")["_rid"]);
}

TEST_F(ResourceTest, ContainersAndWhatMayChange) {
  MakeContainer({}, R"(,"defaultTtl":60,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/mail"]}]},
      "computedProperties":[{"name":"low","query":"SELECT VALUE LOWER(c.x) FROM c"}])");
  const TestAnswer read = Send("GET", "/dbs/db/colls/c");
  EXPECT_EQ(read["defaultTtl"], "60");
  EXPECT_EQ(read["partitionKey"], R"({"paths":["/pk"],"kind":"Hash","version":2})");
  EXPECT_EQ(read["uniqueKeyPolicy"], R"({"uniqueKeys":[{"paths":["/mail"]}]})");
  EXPECT_NE(read["computedProperties"], "");
  const TestAnswer replaced =
      Send("PUT", "/dbs/db/colls/c", {},
           R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2},"defaultTtl":-1,
               "indexingPolicy":{"indexingMode":"consistent","includedPaths":[{"path":"/*"}],
               "excludedPaths":[{"path":"/x/*"}]}})");
  EXPECT_EQ(replaced.status(), 200) << replaced.response.body;
  EXPECT_EQ(replaced["defaultTtl"], "-1");
  EXPECT_EQ(replaced["computedProperties"], "");
  EXPECT_NE(replaced["_etag"], read["_etag"]);
  EXPECT_EQ(Send("PUT", "/dbs/db/colls/c", {},
                 R"({"id":"c","partitionKey":{"paths":["/other"],"version":2}})")
                .status(),
            400);
  server_.catalog->WaitForIndexes();
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c")
                .header("x-ms-documentdb-collection-index-transformation-progress"),
            "100");
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/conflicts")["_count"], "0");
  EXPECT_EQ(Send("DELETE", "/dbs/db/colls/c").status(), 204);
  EXPECT_EQ(Send("GET", "/dbs/db/colls")["_count"], "0");
}

TEST_F(ResourceTest, InvalidContainers) {
  Send("POST", "/dbs", {}, R"({"id":"db"})");
  for (
      const char* body :
      {R"({"id":"c","partitionKey":{"paths":[]}})", R"({"id":"c","partitionKey":{"paths":["a"]}})",
       R"({"id":"c","partitionKey":{"paths":["/a","/b"]}})",
       R"({"id":"c","partitionKey":{"paths":["/a"],"version":3}})", R"({"id":"c","defaultTtl":0})",
       R"({"id":"c","indexingPolicy":{"indexingMode":"x"}})",
       R"({"id":"c","indexingPolicy":{"includedPaths":[{"path":"/a/?"}]}})",
       R"({"id":"c","indexingPolicy":{"compositeIndexes":[[{"path":"/a"}]]}})",
       R"({"id":"c","indexingPolicy":{"compositeIndexes":[[{"path":"/a","order":"up"},{"path":"/b"}]]}})",
       R"({"id":"c","indexingPolicy":{"compositeIndexes":[[{"path":"/a"},{"path":"/b/*"}]]}})",
       R"({"id":"c","computedProperties":[{"name":"_ts","query":"SELECT VALUE 1 FROM c"}]})",
       R"({"id":"c","computedProperties":[{"name":"x","query":"SELECT c.a FROM c"}]})",
       R"({"id":"c","computedProperties":[{"name":"x","query":"SELECT VALUE RAND() FROM c"}]})",
       "[]", ""}) {
    const TestAnswer answer = Send("POST", "/dbs/db/colls", {}, body);
    EXPECT_EQ(answer.status(), 400) << body;
    EXPECT_NE(answer["message"], "") << body;
  }
  EXPECT_EQ(Send("POST", "/dbs/db/colls", {{"x-ms-offer-throughput", "1"}},
                 R"({"id":"c","partitionKey":{"paths":["/a"]}})")
                .status(),
            400);
}

TEST_F(ResourceTest, AWrongComputedPropertyIsPointedOut) {
  MakeContainer();
  const TestAnswer answer =
      Send("PUT", "/dbs/db/colls/c", {},
           R"({"id":"c","computedProperties":[{"name":"a","query":"SELECT VALUE c.a FROM c"},
               {"name":"x","query":"SELECT VALUE c.b = = 1 FROM c"}]})");
  EXPECT_EQ(answer.status(), 400);
  EXPECT_NE(answer["message"].find("computedProperties[1]: the query is wrong at 19..20"),
            std::string::npos)
      << answer["message"];
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c")["computedProperties"], "");
}

TEST_F(ResourceTest, OffersFollowTheThroughput) {
  MakeContainer({{"x-ms-offer-throughput", "1000"}});
  const TestAnswer container = Send("GET", "/dbs/db/colls/c");
  const TestAnswer queried = Send("POST", "/offers", {{"x-ms-documentdb-isquery", "True"}},
                                  R"({"query":"SELECT * from root where root.resource = \")" +
                                      Text(container.body(), "_self") + R"(\""})");
  const model::Value body = queried.body();
  ASSERT_EQ(body.Find("Offers")->AsValues().size(), 1u) << queried.response.body;
  const model::Value offer = body.Find("Offers")->AsValues()[0];
  const std::string path = "/offers/" + Text(offer, "id");
  const TestAnswer read = Send("GET", path);
  EXPECT_EQ(read.status(), 200);
  EXPECT_NE(read.header("x-ms-cosmos-min-throughput"), "");
  const TestAnswer raised = Send("PUT", path, {}, R"({"content":{"offerThroughput":2000}})");
  EXPECT_EQ(raised.status(), 200) << raised.response.body;
  EXPECT_EQ(Send("PUT", path, {}, R"({"content":{"offerThroughput":1}})").status(), 400);
  EXPECT_EQ(
      Send("PUT", path, {}, R"({"content":{"offerAutopilotSettings":{"maxThroughput":4000}}})")
          .status(),
      400);
  const TestAnswer autoscale =
      Send("PUT", path, {{"x-ms-cosmos-migrate-offer-to-autopilot", "true"}}, "{}");
  EXPECT_EQ(autoscale.status(), 200) << autoscale.response.body;
  EXPECT_NE(autoscale["content"].find(R"("maxThroughput":2000)"), std::string::npos);
  EXPECT_EQ(Send("GET", "/offers/AAAA").status(), 404);
}

}  // namespace
}  // namespace orrery::sql
