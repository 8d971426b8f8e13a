// Stored procedures, triggers and user-defined functions, through the service.
#include <gtest/gtest.h>

#include "api/sql/service/service_testing.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kProcedures = "/dbs/db/colls/c/sprocs";
constexpr std::string_view kTriggers = "/dbs/db/colls/c/triggers";
constexpr std::string_view kFunctions = "/dbs/db/colls/c/udfs";

class ScriptServiceTest : public SqlServiceTest {
 protected:
  ScriptServiceTest() { MakeContainer(); }
  ~ScriptServiceTest() override { service_->Stop(); }

  static std::string Body(std::string_view id, std::string_view source,
                          std::string_view more = "") {
    std::string body = R"({"id":")" + std::string(id) + R"(","body":)";
    model::AppendJsonString(body, source);
    return body + std::string(more) + "}";
  }
  TestAnswer Execute(std::string_view id, std::string arguments = "[]", Headers more = {}) {
    return Send("POST", std::string(kProcedures) + "/" + std::string(id), Key(R"(["a"])", more),
                std::move(arguments));
  }
};

TEST_F(ScriptServiceTest, AProcedureWritesAndQueriesItsOwnWrites) {
  constexpr std::string_view kSource = R"(function (n) {
    var c = getContext().getCollection();
    for (var i = 0; i < n; ++i) c.createDocument(c.getSelfLink(), {id: 'd' + i, pk: 'a', i: i});
    c.queryDocuments(c.getSelfLink(), 'SELECT VALUE SUM(c.i) FROM c', function (err, rows) {
      if (err) throw err;
      console.log('asked');
      getContext().getResponse().setBody(rows[0]);
    });
  })";
  EXPECT_EQ(Send("POST", kProcedures, {}, Body("fill", kSource)).status(), 201);
  const TestAnswer answer =
      Execute("fill", "[4]", {{"x-ms-documentdb-script-enable-logging", "true"}});
  ASSERT_EQ(answer.status(), 200) << answer.response.body;
  EXPECT_EQ(answer.response.body, "6");
  EXPECT_EQ(answer.header("x-ms-documentdb-script-log-results"), "asked");
  EXPECT_EQ(Send("GET", std::string(kDocs) + "/d3", Key(R"(["a"])")).status(), 200);
}

TEST_F(ScriptServiceTest, AThrowTakesEverythingBack) {
  constexpr std::string_view kSource = R"(function () {
    var c = getContext().getCollection();
    c.createDocument(c.getSelfLink(), {id: 'x', pk: 'a'}, function () { throw new Error('no'); });
  })";
  EXPECT_EQ(Send("POST", kProcedures, {}, Body("fail", kSource)).status(), 201);
  const TestAnswer answer = Execute("fail");
  EXPECT_EQ(answer.status(), 400);
  EXPECT_NE(answer["message"].find("Error: no"), std::string::npos) << answer.response.body;
  EXPECT_EQ(Send("GET", std::string(kDocs) + "/x", Key(R"(["a"])")).status(), 404);
}

TEST_F(ScriptServiceTest, QueriesOfScriptsUseTheIndex) {
  constexpr std::string_view kSource = R"(function (value) {
    var c = getContext().getCollection();
    c.createDocument(c.getSelfLink(), {id: 'new' + value, pk: 'a', kind: value});
    var query = {query: 'SELECT VALUE c.id FROM c WHERE c.kind = @kind',
                 parameters: [{name: '@kind', value: value}]};
    c.queryDocuments(c.getSelfLink(), query, {pageSize: 2}, function (err, rows, options) {
      if (err) throw err;
      getContext().getResponse().setBody(rows.concat(options.continuation ? ['more'] : []));
    });
  })";
  EXPECT_EQ(Send("POST", kProcedures, {}, Body("find", kSource)).status(), 201);
  for (int i = 0; i < 300; ++i) {
    Send("POST", kDocs, Key(R"(["a"])"),
         fmt::format(R"({{"id":"d{}","pk":"a","kind":{}}})", i, i % 150));
    if (i % 50 == 0) server_.clock.Advance(std::chrono::seconds(1));
  }
  const TestAnswer rare = Execute("find", "[7]");
  EXPECT_EQ(rare.response.body, R"(["d157","d7","more"])");
  EXPECT_LT(std::stod(rare.header("x-ms-request-charge")), 30);

  constexpr std::string_view kById = R"(function (id) {
    var c = getContext().getCollection();
    c.createDocument(c.getSelfLink(), {id: 'mine', pk: 'a'});
    c.queryDocuments(c.getSelfLink(), "SELECT VALUE c.id FROM c WHERE c.id = '" + id + "'",
      function (err, rows) {
        if (err) throw err;
        getContext().getResponse().setBody(rows);
      });
  })";
  EXPECT_EQ(Send("POST", kProcedures, {}, Body("by_id", kById)).status(), 201);
  const auto find = [&](std::string arguments) {
    server_.clock.Advance(std::chrono::seconds(1));
    const TestAnswer answer = Execute("by_id", std::move(arguments));
    EXPECT_LT(std::stod(answer.header("x-ms-request-charge")), 20);
    Send("DELETE", std::string(kDocs) + "/mine", Key(R"(["a"])"));
    return answer.response.body;
  };
  EXPECT_EQ(find(R"(["d200"])"), R"(["d200"])");
  EXPECT_EQ(find(R"(["mine"])"), R"(["mine"])");
  EXPECT_EQ(find(R"(["none"])"), "[]");
}

TEST_F(ScriptServiceTest, ResourcesOfAllKinds) {
  for (const std::string_view feed : {kProcedures, kTriggers, kFunctions}) {
    const std::string more =
        feed == kTriggers ? R"(,"triggerType":"Pre","triggerOperation":"All")" : "";
    const std::string one = std::string(feed) + "/s";
    const TestAnswer created = Send("POST", feed, {}, Body("s", "function () {}", more));
    ASSERT_EQ(created.status(), 201) << created.response.body;
    EXPECT_EQ(Send("POST", feed, {}, Body("s", "function () {}", more)).status(), 409);
    // A script that does not compile is accepted all the same.
    EXPECT_EQ(Send("POST", feed, {}, Body("bad", "function (", more)).status(), 201);
    EXPECT_EQ(Send("DELETE", std::string(feed) + "/bad").status(), 204);
    EXPECT_EQ(Send("GET", one)["id"], R"("s")");
    EXPECT_EQ(Send("GET", "/" + created.body().Find("_self")->AsString())["id"], R"("s")");
    EXPECT_EQ(Send("GET", feed)["_count"], "1");
    EXPECT_EQ(Send("POST", feed, {{"x-ms-documentdb-isquery", "True"}},
                   R"({"query":"SELECT * FROM r WHERE r.id = 's'"})")["_count"],
              "1");
    EXPECT_EQ(
        Send("PUT", one, {{"if-match", "\"other\""}}, Body("s", "function (x) {}", more)).status(),
        412);
    EXPECT_EQ(Send("PUT", one, {}, Body("s", "function (x) {}", more)).status(), 200);
    // A container's own change leaves its scripts alone.
    EXPECT_EQ(Send("PUT", "/dbs/db/colls/c", {},
                   R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},)"
                   R"("defaultTtl":1000})")
                  .status(),
              200);
    EXPECT_EQ(Send("DELETE", one).status(), 204);
    EXPECT_EQ(Send("GET", one).status(), 404);
  }
}

TEST_F(ScriptServiceTest, TriggersRunWithTheWrite) {
  EXPECT_EQ(Send("POST", kTriggers, {},
                 Body("stamp", R"(function () {
                        var request = getContext().getRequest();
                        var body = request.getBody();
                        body.stamped = true;
                        request.setBody(body);
                      })",
                      R"(,"triggerType":"Pre","triggerOperation":"Create")"))
                .status(),
            201);
  const TestAnswer created =
      Send("POST", kDocs, Key(R"(["a"])", {{"x-ms-documentdb-pre-trigger-include", "stamp"}}),
           R"({"id":"1","pk":"a"})");
  EXPECT_EQ(created.status(), 201) << created.response.body;
  EXPECT_EQ(created["stamped"], "true");
  EXPECT_EQ(Send("GET", std::string(kDocs) + "/1", Key(R"(["a"])"))["stamped"], "true");
  EXPECT_EQ(Send("POST", kDocs, Key(R"(["a"])", {{"x-ms-documentdb-pre-trigger-include", "none"}}),
                 R"({"id":"2","pk":"a"})")
                .status(),
            400);
}

TEST_F(ScriptServiceTest, FunctionsInQueries) {
  EXPECT_EQ(Send("POST", kFunctions, {}, Body("twice", "function (n) { return 2 * n; }")).status(),
            201);
  EXPECT_EQ(Send("POST", kDocs, Key(R"(["a"])"), R"({"id":"1","pk":"a","n":21})").status(), 201);
  const Headers query{{"x-ms-documentdb-isquery", "True"}};
  EXPECT_EQ(
      Send("POST", kDocs, query, R"({"query":"SELECT VALUE udf.twice(c.n) FROM c"})")["Documents"],
      "[42]");
  EXPECT_EQ(Send("POST", kDocs, query, R"({"query":"SELECT VALUE udf.none(c.n) FROM c"})").status(),
            400);
}

}  // namespace
}  // namespace orrery::sql
