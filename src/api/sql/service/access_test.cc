// Access control: keys, dates, users, permissions, resource tokens.
#include <gtest/gtest.h>

#include "api/sql/service/service_testing.h"

namespace orrery::sql {
namespace {

class AccessTest : public SqlServiceTest {
 protected:
  AccessTest() {
    MakeContainer();
    Send("POST", kDocs, Key(R"(["a"])"), R"({"id":"1","pk":"a"})");
    EXPECT_EQ(Send("POST", "/dbs/db/users", {}, R"({"id":"u"})").status(), 201);
  }

  std::string TokenOf(const TestAnswer& permission) {
    const model::Value body = permission.body();
    const model::Value* token = body.Find("_token");
    EXPECT_NE(token, nullptr) << permission.response.body;
    return token == nullptr ? std::string() : token->AsString();
  }
  std::string Permit(const std::string& body) {
    return TokenOf(Send("POST", "/dbs/db/users/u/permissions", {}, body));
  }
  int With(const std::string& token, std::string_view method, std::string_view path,
           const Headers& headers = {}, std::string body = {}) {
    net::HttpRequest request = Request(method, path, headers, std::move(body));
    request.headers.Add("authorization", net::PercentEncode(token));
    return SendAs(std::move(request)).status();
  }
};

TEST_F(AccessTest, WithoutOrWithWrongSignatures) {
  EXPECT_EQ(SendAs(Request("GET", "/dbs", {}, "")).status(), 401);
  EXPECT_EQ(SendAs(Request("GET", "/dbs", {{"authorization", "nonsense"}}, "")).status(), 401);
  net::HttpRequest request = Request("GET", "/dbs", {}, "");
  const std::string date = net::FormatHttpDate(server_.clock.Now());
  request.headers.Add("x-ms-date", date);
  request.headers.Add("authorization", Authorization("DELETE", request, date));
  EXPECT_EQ(SendAs(std::move(request)).status(), 401);
}

TEST_F(AccessTest, SignaturesOfYesterday) {
  net::HttpRequest request = Request("GET", "/dbs", {}, "");
  const std::string date = net::FormatHttpDate(server_.clock.Now() - std::chrono::minutes(16));
  request.headers.Add("x-ms-date", date);
  request.headers.Add("authorization", Authorization("GET", request, date));
  EXPECT_EQ(SendAs(std::move(request)).status(), 403);
}

TEST_F(AccessTest, RoutesAndMethodsThatAreNone) {
  EXPECT_EQ(Send("GET", "/dbs/db/nothing").status(), 404);
  EXPECT_EQ(Send("PUT", "/offers/offers/abcd/").status(), 400);
  EXPECT_EQ(Send("GET", "//dbs/db").status(), 200);
  EXPECT_EQ(Send("PUT", "/dbs").status(), 405);
  EXPECT_EQ(Send("PATCH", "/dbs/db").status(), 405);
  EXPECT_EQ(Send("DELETE", "/dbs/db/clientencryptionkeys/k").status(), 405);
  EXPECT_EQ(Send("GET", "/dbs", {{"x-ms-max-item-count", "many"}}).status(), 400);
}

TEST_F(AccessTest, UsersAndPermissions) {
  EXPECT_EQ(Send("POST", "/dbs/db/users", {}, R"({"id":"u"})").status(), 409);
  EXPECT_EQ(Send("POST", "/dbs/db/users", {{"x-ms-documentdb-is-upsert", "true"}}, R"({"id":"u"})")
                .status(),
            200);
  EXPECT_EQ(Send("GET", "/dbs/db/users")["_count"], "1");
  const TestAnswer user = Send("GET", "/dbs/db/users/u");
  const model::Value body = user.body();
  EXPECT_EQ(Send("GET", "/" + body.Find("_self")->AsString())["id"], R"("u")");
  const std::string permission =
      R"({"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"})";
  EXPECT_EQ(Send("POST", "/dbs/db/users/u/permissions", {}, permission).status(), 201);
  EXPECT_EQ(Send("POST", "/dbs/db/users/u/permissions", {}, permission).status(), 409);
  EXPECT_EQ(Send("POST", "/dbs/db/users/u/permissions", {}, R"({"id":"q"})").status(), 400);
  EXPECT_EQ(Send("GET", "/dbs/db/users/u/permissions")["_count"], "1");
  EXPECT_EQ(
      Send("PUT", "/dbs/db/users/u/permissions/p", {},
           R"({"id":"p","permissionMode":"All","resource":"dbs/db/colls/c"})")["permissionMode"],
      R"("All")");
  EXPECT_EQ(Send("DELETE", "/dbs/db/users/u/permissions/p").status(), 204);
  EXPECT_EQ(Send("GET", "/dbs/db/users/u/permissions/p").status(), 404);
  EXPECT_EQ(Send("DELETE", "/dbs/db/users/u").status(), 204);
  EXPECT_EQ(Send("GET", "/dbs/db")["id"], R"("db")");
}

TEST_F(AccessTest, UsersOutliveARestart) {
  service_.reset();
  server_.Restart();
  StartService();
  EXPECT_EQ(Send("GET", "/dbs/db/users/u").status(), 200);
}

TEST_F(AccessTest, ATokenToRead) {
  const std::string token =
      Permit(R"({"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"})");
  EXPECT_EQ(With(token, "GET", "/"), 200);
  EXPECT_EQ(With(token, "GET", "/dbs/db/colls/c"), 200);
  EXPECT_EQ(With(token, "GET", "/dbs/db/colls/c/docs/1", Key(R"(["a"])")), 200);
  EXPECT_EQ(With(token, "GET", kDocs), 200);
  EXPECT_EQ(With(token, "DELETE", "/dbs/db/colls/c/docs/1", Key(R"(["a"])")), 403);
  EXPECT_EQ(With(token, "POST", kDocs, Key(R"(["a"])"), R"({"id":"2","pk":"a"})"), 403);
  EXPECT_EQ(With(token, "GET", "/dbs"), 403);
  EXPECT_EQ(With(token, "GET", "/dbs/db/users/u"), 403);
}

TEST_F(AccessTest, ATokenForAll) {
  const std::string token =
      Permit(R"({"id":"p","permissionMode":"All","resource":"dbs/db/colls/c"})");
  EXPECT_EQ(With(token, "POST", kDocs, Key(R"(["a"])"), R"({"id":"2","pk":"a"})"), 201);
  EXPECT_EQ(With(token, "DELETE", "/dbs/db/colls/c"), 403);
}

TEST_F(AccessTest, ATokenForOneDocumentOrKey) {
  // A name is a document's under every key.
  const std::string any_key =
      Permit(R"({"id":"n","permissionMode":"Read","resource":"dbs/db/colls/c/docs/1"})");
  EXPECT_EQ(With(any_key, "GET", "/dbs/db/colls/c/docs/1", Key(R"(["a"])")), 403);
  const std::string document = Permit(
      R"({"id":"d","permissionMode":"Read","resource":"dbs/db/colls/c/docs/1","resourcePartitionKey":["a"]})");
  EXPECT_EQ(With(document, "GET", "/dbs/db/colls/c/docs/1", Key(R"(["a"])")), 200);
  EXPECT_EQ(With(document, "GET", "/dbs/db/colls/c/docs/1", Key(R"(["b"])")), 403);
  EXPECT_EQ(With(document, "GET", "/dbs/db/colls/c/docs/2", Key(R"(["a"])")), 403);
  EXPECT_EQ(With(document, "GET", kDocs), 403);
  const std::string key = Permit(
      R"({"id":"k","permissionMode":"All","resource":"dbs/db/colls/c","resourcePartitionKey":["a"]})");
  EXPECT_EQ(With(key, "GET", "/dbs/db/colls/c/docs/1", Key(R"(["a"])")), 200);
  EXPECT_EQ(With(key, "GET", "/dbs/db/colls/c/docs/1", Key(R"(["b"])")), 403);
  EXPECT_EQ(With(key, "GET", kDocs), 403);
  // Nor what runs for all keys, even if the request names the one.
  const std::string script = R"({"id":"s","body":"function s() {}"})";
  for (const char* scripts : {"sprocs", "triggers", "udfs"})
    EXPECT_EQ(With(key, "POST", std::string("/dbs/db/colls/c/") + scripts, Key(R"(["a"])"), script),
              403);
  ASSERT_EQ(Send("POST", "/dbs/db/colls/c/sprocs", {}, script).status(), 201);
  const std::string procedure = "/dbs/db/colls/c/sprocs/s";
  EXPECT_EQ(With(key, "PUT", procedure, Key(R"(["a"])"), script), 403);
  EXPECT_EQ(With(key, "DELETE", procedure, Key(R"(["a"])")), 403);
  EXPECT_EQ(With(key, "POST", procedure, Key(R"(["a"])"), "[]"), 200);
  EXPECT_EQ(With(key, "POST", procedure, Key(R"(["b"])"), "[]"), 403);
  // Nor by a range beside the key.
  Send("POST", kDocs, Key(R"(["b"])"), R"({"id":"other","pk":"b"})");
  const TestAnswer ranges = Send("GET", "/dbs/db/colls/c/pkranges");
  const model::Value body = ranges.body();
  const std::string id = body.Find("PartitionKeyRanges")->AsValues()[0].Find("id")->AsString();
  net::HttpRequest request =
      Request("GET", kDocs, Key(R"(["a"])", {{"x-ms-documentdb-partitionkeyrangeid", id}}), "");
  request.headers.Add("authorization", net::PercentEncode(key));
  EXPECT_EQ(SendAs(std::move(request))["_count"], "1");
}

TEST_F(AccessTest, TokensEndWithTheirPermission) {
  const std::string p = R"({"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"})";
  const std::string q = R"({"id":"q","permissionMode":"All","resource":"dbs/db/colls/c"})";
  const std::string first = Permit(p);
  const std::string second = Permit(q);
  server_.clock.Advance(std::chrono::seconds(1));
  EXPECT_EQ(Send("PUT", "/dbs/db/users/u/permissions/q", {},
                 R"({"id":"q","permissionMode":"Read","resource":"dbs/db/colls/c"})")
                .status(),
            200);
  EXPECT_EQ(With(first, "GET", kDocs), 200);
  EXPECT_EQ(With(second, "GET", kDocs), 403);
  EXPECT_EQ(Send("DELETE", "/dbs/db/users/u/permissions/p").status(), 204);
  EXPECT_EQ(With(first, "GET", kDocs), 403);
  // Nor by one of the same name that is made later.
  server_.clock.Advance(std::chrono::seconds(1));
  const std::string again = Permit(p);
  EXPECT_EQ(With(first, "GET", kDocs), 403);
  EXPECT_EQ(With(again, "GET", kDocs), 200);
  EXPECT_EQ(Send("DELETE", "/dbs/db/users/u").status(), 204);
  EXPECT_EQ(With(again, "GET", kDocs), 403);
}

TEST_F(AccessTest, TokensEndAndCannotBeForged) {
  const std::string token =
      Permit(R"({"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"})");
  std::string forged = token;
  forged[forged.size() - 10] ^= 1;
  EXPECT_EQ(With(forged, "GET", "/dbs/db/colls/c"), 401);
  EXPECT_EQ(With("type=resource&ver=1&sig=none", "GET", "/dbs/db/colls/c"), 401);
  server_.clock.Advance(std::chrono::minutes(59));
  EXPECT_EQ(With(token, "GET", "/dbs/db/colls/c"), 200);
  server_.clock.Advance(std::chrono::minutes(1));
  EXPECT_EQ(With(token, "GET", "/dbs/db/colls/c"), 403);
  const std::string fresh = TokenOf(Send("GET", "/dbs/db/users/u/permissions/p"));
  EXPECT_EQ(With(fresh, "GET", "/dbs/db/colls/c"), 200);
}

}  // namespace
}  // namespace orrery::sql
