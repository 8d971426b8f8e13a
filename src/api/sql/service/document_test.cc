// Documents through the whole API.
#include <gtest/gtest.h>

#include "api/sql/service/service_testing.h"

namespace orrery::sql {
namespace {

class DocumentTest : public SqlServiceTest {
 protected:
  DocumentTest() { MakeContainer(); }

  TestAnswer Create(std::string body, std::string_view key, Headers headers = {}) {
    return Send("POST", kDocs, Key(key, std::move(headers)), std::move(body));
  }
  TestAnswer Read(std::string_view id, std::string_view key, Headers headers = {}) {
    return Send("GET", std::string(kDocs) + "/" + std::string(id), Key(key, std::move(headers)));
  }
};

// Clients write the '?' of an id as it is, and sign the whole of it.
TEST_F(DocumentTest, IdsWithAQuestionMark) {
  ASSERT_EQ(Create(R"({"id":"a?b c","pk":"a"})", R"(["a"])").status(), 201);
  net::HttpRequest request =
      Request("GET", std::string(kDocs) + "/a%3Fb%20c", Key(R"(["a"])"), /*body=*/"");
  const std::string date = net::FormatHttpDate(server_.clock.Now());
  request.headers.Add("x-ms-date", date);
  request.headers.Add("authorization", Authorization("GET", request, date));
  request.target = std::string(kDocs) + "/a?b%20c";
  request.segments.back() = "a";
  EXPECT_EQ(SendAs(std::move(request)).status(), 200);
}

TEST_F(DocumentTest, CreatedAndRead) {
  const TestAnswer created = Create(R"({"id":"1","pk":"a","n":1.5})", R"(["a"])");
  EXPECT_EQ(created.status(), 201);
  EXPECT_NE(created.header("x-ms-session-token").find(":-1#"), std::string::npos);
  const TestAnswer read = Read("1", R"(["a"])");
  EXPECT_EQ(read.status(), 200);
  EXPECT_EQ(read["n"], "1.5");
  EXPECT_EQ(read["_ts"], "1700000000");
  EXPECT_EQ(read["_etag"], created["_etag"]);
  EXPECT_EQ(read["_rid"], created["_rid"]);
  EXPECT_EQ(read.header("x-ms-request-charge"), "1.00");
  EXPECT_EQ(read.header("x-ms-alt-content-path"), "dbs/db/colls/c");
  EXPECT_FALSE(read.header("x-ms-content-path").empty());
  EXPECT_FALSE(read.header("x-ms-activity-id").empty());
}

TEST_F(DocumentTest, ThereOnceOnly) {
  Create(R"({"id":"1","pk":"a"})", R"(["a"])");
  EXPECT_EQ(Create(R"({"id":"1","pk":"a"})", R"(["a"])").status(), 409);
  EXPECT_EQ(Create(R"({"id":"1","pk":"b"})", R"(["b"])").status(), 201);
  EXPECT_EQ(Create(R"({"id":"1","pk":"a"})", R"(["a"])", {{"x-ms-documentdb-is-upsert", "True"}})
                .status(),
            200);
  EXPECT_EQ(Create(R"({"id":"2","pk":"a"})", R"(["a"])", {{"x-ms-documentdb-is-upsert", "True"}})
                .status(),
            201);
}

TEST_F(DocumentTest, WhatIsWrongIsSaid) {
  EXPECT_EQ(Create("{", R"(["a"])").status(), 400);
  EXPECT_EQ(Create(R"({"pk":"a"})", R"(["a"])").status(), 400);
  EXPECT_EQ(Create(R"({"id":7,"pk":"a"})", R"(["a"])").status(), 400);
  EXPECT_EQ(Create(R"({"id":"a/b","pk":"a"})", R"(["a"])").status(), 400);
  EXPECT_EQ(Create(R"({"id":"1","pk":"a","ttl":0})", R"(["a"])").status(), 400);
  EXPECT_EQ(Create(R"({"id":"1","pk":"a"})", "a").status(), 400);
  const TestAnswer mismatch = Create(R"({"id":"1","pk":"a"})", R"(["b"])");
  EXPECT_EQ(mismatch.status(), 400);
  EXPECT_EQ(mismatch.header("x-ms-substatus"), "1001");
  EXPECT_EQ(Create(R"({"id":"1","pk":"a","x":")" + std::string(2 << 20, 'x') + "\"}", R"(["a"])")
                .status(),
            413);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs/1").status(), 400);
  EXPECT_EQ(Read("1", R"(["a"])").status(), 404);
  const TestAnswer no_owner = Send("GET", "/dbs/db/colls/x/docs/1", Key(R"(["a"])"));
  EXPECT_EQ(no_owner.status(), 404);
  EXPECT_EQ(no_owner.header("x-ms-substatus"), "1003");
  EXPECT_NE(no_owner["message"], "");
}

TEST_F(DocumentTest, EtagsGuard) {
  const TestAnswer created = Create(R"({"id":"1","pk":"a"})", R"(["a"])");
  const std::string etag = created.header("etag");
  EXPECT_EQ(Read("1", R"(["a"])", {{"If-None-Match", etag}}).status(), 304);
  const std::string path = std::string(kDocs) + "/1";
  EXPECT_EQ(Send("PUT", path, Key(R"(["a"])", {{"If-Match", etag}}), R"({"id":"1","pk":"a","n":1})")
                .status(),
            200);
  EXPECT_EQ(Send("PUT", path, Key(R"(["a"])", {{"If-Match", etag}}), R"({"id":"1","pk":"a","n":2})")
                .status(),
            412);
  EXPECT_EQ(Send("DELETE", path, Key(R"(["a"])", {{"If-Match", "\"nonsense\""}})).status(), 412);
  EXPECT_EQ(Send("DELETE", path, Key(R"(["a"])")).status(), 204);
  EXPECT_EQ(Send("DELETE", path, Key(R"(["a"])")).status(), 404);
}

TEST_F(DocumentTest, Patched) {
  Create(R"({"id":"1","pk":"a","n":1,"tags":["x"]})", R"(["a"])");
  const std::string path = std::string(kDocs) + "/1";
  server_.clock.Advance(std::chrono::seconds(5));
  const TestAnswer patched = Send("PATCH", path, Key(R"(["a"])"),
                                  R"([{"op":"incr","path":"/n","value":2},
                                      {"op":"add","path":"/tags/-","value":"y"},
                                      {"op":"set","path":"/s","value":{"t":1}},
                                      {"op":"replace","path":"/s/t","value":2},
                                      {"op":"move","from":"/s/t","path":"/m"},
                                      {"op":"remove","path":"/s"}])");
  EXPECT_EQ(patched.status(), 200) << patched.response.body;
  EXPECT_EQ(patched["n"], "3");
  EXPECT_EQ(patched["tags"], R"(["x","y"])");
  EXPECT_EQ(patched["m"], "2");
  EXPECT_EQ(patched["s"], "");
  EXPECT_EQ(patched["_ts"], "1700000005");
  EXPECT_EQ(
      Send("PATCH", path, Key(R"(["a"])"), R"([{"op":"set","path":"/_ts","value":1}])").status(),
      400);
  EXPECT_EQ(
      Send("PATCH", path, Key(R"(["a"])"), R"([{"op":"set","path":"/id","value":"2"}])").status(),
      400);
}

TEST_F(DocumentTest, PatchedIf) {
  Create(R"({"id":"1","pk":"a","n":1})", R"(["a"])");
  const std::string path = std::string(kDocs) + "/1";
  const auto patch = [&](std::string condition) {
    return Send("PATCH", path, Key(R"(["a"])"),
                R"({"condition":")" + condition +
                    R"(","operations":[{"op":"incr","path":"/n","value":1}]})")
        .status();
  };
  EXPECT_EQ(patch("from c where c.n = 1 and startswith(c.pk, 'a')"), 200);
  EXPECT_EQ(patch("from c where c.n = 1"), 412);
  EXPECT_EQ(patch("from c where"), 400);
  EXPECT_EQ(Read("1", R"(["a"])")["n"], "2");
}

TEST_F(DocumentTest, AnswersCanBeShort) {
  const TestAnswer created =
      Create(R"({"id":"1","pk":"a"})", R"(["a"])", {{"Prefer", "return=minimal"}});
  EXPECT_EQ(created.status(), 201);
  EXPECT_EQ(created.response.body, "");
  EXPECT_NE(created.header("etag"), "");
}

TEST_F(DocumentTest, FoundByTheirRids) {
  const TestAnswer created = Create(R"({"id":"1","pk":"a"})", R"(["a"])");
  Create(R"({"id":"2","pk":"a"})", R"(["a"])");
  const model::Value body = created.body();
  const std::string self = "/" + body.Find("_self")->AsString();
  EXPECT_EQ(Send("GET", self, Key(R"(["a"])"))["id"], R"("1")");
  EXPECT_EQ(Send("PUT", self, Key(R"(["a"])"), R"({"id":"1","pk":"a","n":1})").status(), 200);
  EXPECT_EQ(Send("DELETE", self, Key(R"(["a"])")).status(), 204);
  EXPECT_EQ(Send("GET", self, Key(R"(["a"])")).status(), 404);
}

TEST_F(DocumentTest, AllUnicodeInIds) {
  const std::string id = "ключ 鍵 %41 😀";
  EXPECT_EQ(Create(R"({"id":")" + id + R"(","pk":"a"})", R"(["a"])").status(), 201);
  EXPECT_EQ(Read(net::PercentEncode(id), R"(["a"])").status(), 200);
}

TEST_F(DocumentTest, WithoutTheKeyProperty) {
  EXPECT_EQ(Create(R"({"id":"1"})", "[{}]").status(), 201);
  EXPECT_EQ(Read("1", "[{}]").status(), 200);
  EXPECT_EQ(Read("1", "[null]").status(), 404);
}

TEST_F(DocumentTest, FeedInPages) {
  for (int i = 0; i < 5; ++i)
    Create(fmt::format(R"({{"id":"{}","pk":"k{}"}})", i, i), fmt::format(R"(["k{}"])", i));
  size_t found = 0;
  std::string continuation;
  do {
    Headers headers{{"x-ms-max-item-count", "2"}};
    if (!continuation.empty()) headers.emplace_back("x-ms-continuation", continuation);
    const TestAnswer page = Send("GET", kDocs, headers);
    ASSERT_EQ(page.status(), 200);
    const model::Value body = page.body();
    EXPECT_LE(body.Find("Documents")->AsValues().size(), 2u);
    found += body.Find("Documents")->AsValues().size();
    continuation = page.header("x-ms-continuation");
  } while (!continuation.empty());
  EXPECT_EQ(found, 5u);
}

TEST_F(DocumentTest, APartitionKeyIsDeletedWhole) {
  for (int i = 0; i < 150; ++i) Create(fmt::format(R"({{"id":"{}","pk":"a"}})", i), R"(["a"])");
  Create(R"({"id":"1","pk":"b"})", R"(["b"])");
  EXPECT_EQ(Send("POST", "/dbs/db/colls/c/operations/partitionkeydelete", Key(R"(["a"])")).status(),
            200);
  EXPECT_EQ(Send("POST", "/dbs/db/colls/c/operations/partitionkeydelete").status(), 400);
  EXPECT_EQ(Read("0", R"(["a"])").status(), 404);
  EXPECT_EQ(Read("149", R"(["a"])").status(), 404);
  EXPECT_EQ(Read("1", R"(["b"])").status(), 200);
}

}  // namespace
}  // namespace orrery::sql
