// Queries in JavaScript: __.filter, map, pluck, flatten, unwind, sortBy and chains of them.
#include <gtest/gtest.h>

#include "api/sql/script/script_testing.h"

namespace orrery::sql {
namespace {

class QuerySourceTest : public ScriptTest {
 protected:
  QuerySourceTest() {
    Put(R"({"id":"1","pk":"a","age":30,"name":"Ann","tags":["x",["y"]]})");
    Put(R"({"id":"2","pk":"a","age":20,"name":"Bob","tags":["z"]})");
    Put(R"({"id":"3","pk":"a","age":25,"name":"Cid"})");
    Put(R"({"id":"4","pk":"a","age":"old","tags":[]})");
  }
  std::string Query(std::string call) { return Body("function () { " + call + "; }"); }
};

TEST_F(QuerySourceTest, ResultsGoToTheResponse) {
  EXPECT_EQ(Query("__.pluck('name')"), R"(["Ann","Bob","Cid"])");
  EXPECT_EQ(Query("__.map(d => ({n: d.name}))"), R"([{"n":"Ann"},{"n":"Bob"},{"n":"Cid"},{}])");
  EXPECT_EQ(Query("__.chain().filter(d => d.age < 30).pluck('id').value()"), R"(["2","3"])");
  EXPECT_EQ(Query("__.chain().map(d => d.tags).flatten().value()"), R"(["x","y","z"])");
  EXPECT_EQ(Query("__.chain().map(d => d.tags).flatten(true).value()"), R"(["x",["y"],"z"])");
  EXPECT_EQ(Query("__.chain().sortBy(d => d.age).pluck('id').value()"), R"(["2","3","1","4"])");
  EXPECT_EQ(Query("__.chain().sortByDescending(d => d.name).pluck('id').value()"),
            R"(["3","2","1"])");
  EXPECT_EQ(Query("__.unwind(d => d.tags, (d, t) => d.id + t)"), R"(["1x","1y","2z"])");
  EXPECT_EQ(Query("__.chain().unwind(d => d.tags).value()"), R"(["x",["y"],"z"])");
}

TEST_F(QuerySourceTest, CallbacksAndOptionsInTheirPlaces) {
  EXPECT_EQ(Query("__.filter(d => d.id === '2', (err, docs) => __.response.setBody(docs.length))"),
            "1");
  EXPECT_EQ(Query("__.flatten((err, docs) => __.response.setBody(docs.length))"), "4");
  EXPECT_EQ(Query("__.unwind(d => d.tags, {pageSize: 2}, "
                  "(err, docs) => __.response.setBody(docs))"),
            R"(["x",["y"]])");
  EXPECT_EQ(Query("__.chain().value((err, docs) => __.response.setBody(docs.length))"), "4");
}

TEST_F(QuerySourceTest, PagesGoOnWhereTheyEnded) {
  const std::string all_pages = R"js(function () {
      const pages = [];
      const next = (continuation) => QUERY.value({pageSize: 2, continuation},
                                                 (err, docs, options) => {
        pages.push(docs);
        if (options.continuation) next(options.continuation);
        else __.response.setBody(pages);
      });
      next();
    })js";
  const auto pages = [&](std::string query) {
    std::string body = all_pages;
    return Body(body.replace(body.find("QUERY"), 5, query));
  };
  EXPECT_EQ(pages("__.chain().pluck('id')"), R"([["1","2"],["3","4"]])");
  EXPECT_EQ(pages("__.chain().sortBy(d => d.name).pluck('id')"), R"([["1","2"],["3"]])");
  EXPECT_EQ(pages("__.chain().map(d => d.tags).flatten()"), R"([["x","y"],["z"]])");
  EXPECT_EQ(pages("__.chain().filter(d => d.age > 20).pluck('id')"), R"([["1","3"]])");
}

TEST_F(QuerySourceTest, SeesUncommittedDocuments) {
  EXPECT_EQ(Query("__.createDocument(__.getSelfLink(), {id: '0', pk: 'a'});"
                  "__.deleteDocument(__.getAltLink() + '/docs/3');"
                  "__.chain().pluck('id').value()"),
            R"(["0","1","2","4"])");
}

TEST_F(QuerySourceTest, WrongUseIsThrown) {
  ExpectFailure(Run("function () { __.filter('x'); }"), 400, "filter takes a function");
  ExpectFailure(Run("function () { __.filter(d => d.a.b); }"), 400, "TypeError");
  ExpectFailure(Run("function () { __.filter(d => true, {continuation: 'x'}); }"), 400,
                "the continuation is none");
}

}  // namespace
}  // namespace orrery::sql
