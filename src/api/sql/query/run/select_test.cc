// SELECT, FROM, JOIN and WHERE, over documents in memory.
#include "api/sql/query/query_testing.h"

namespace orrery::sql {
namespace {

class SelectTest : public QueryTest {
 protected:
  SelectTest() {
    SetDocuments(R"([
      {"id": "a", "n": 1, "city": "Rome", "tags": ["x", "y"],
       "kids": [{"name": "Ann", "toys": [1, 2]}, {"name": "Bob"}], "at": {"x": 1, "y": {"z": 2}}},
      {"id": "b", "n": 2.5, "city": "Oslo", "tags": [], "on": true},
      {"id": "c", "n": null, "city": "Rome", "tags": ["y", "z", "x"], "on": false},
      {"id": "d", "city": "Bonn", "tags": "x", "kids": [{"name": "Cid", "toys": [3]}]}])");
  }
};

TEST_F(SelectTest, What) {
  Expect({
      {"SELECT c.id FROM c", R"({"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"})"},
      {"SELECT VALUE c.id FROM c", R"("a","b","c","d")"},
      {"SELECT c.id, c.n FROM c",
       R"({"id":"a","n":1},{"id":"b","n":2.5},{"id":"c","n":null},{"id":"d"})"},
      {"SELECT VALUE c.n FROM c", "1,2.5,null"},
      {"SELECT c.nothing FROM c", "{},{},{},{}"},
      {"SELECT VALUE c.nothing FROM c", ""},
      {"SELECT c.at.x, c.at.y.z FROM c WHERE c.id = 'a'", R"({"x":1,"z":2})"},
      {"SELECT c.at['x'] AS p, c['at'].y AS q FROM c WHERE c.id = 'a'", R"({"p":1,"q":{"z":2}})"},
      {"SELECT 1, c.id, 2 FROM c WHERE c.id = 'a'", R"({"$1":1,"id":"a","$2":2})"},
      {"SELECT c.n + 1 FROM c WHERE c.id = 'a'", R"({"$1":2})"},
      {"SELECT c.tags[0] FROM c WHERE c.id = 'a'", R"({"$1":"x"})"},
      {"SELECT c.tags[0] AS first FROM c WHERE c.id = 'a'", R"({"first":"x"})"},
      {"SELECT {\"k\": c.id} AS o FROM c WHERE c.id = 'a'", R"({"o":{"k":"a"}})"},
      {"SELECT VALUE {k: c.id, n: c.nothing} FROM c WHERE c.id = 'd'", R"({"k":"d"})"},
      {"SELECT VALUE [c.id, c.nothing, c.n] FROM c WHERE c.n = null", R"(["c",null])"},
      {"SELECT * FROM c WHERE c.id = 'b'",
       R"({"id":"b","n":2.5,"city":"Oslo","tags":[],"on":true})"},
      {"SELECT c FROM c WHERE c.id = 'b'",
       R"({"c":{"id":"b","n":2.5,"city":"Oslo","tags":[],"on":true}})"},
      {"SELECT VALUE c FROM c WHERE c.id = 'b'",
       R"({"id":"b","n":2.5,"city":"Oslo","tags":[],"on":true})"},
      {"SELECT VALUE 1", "1"},
      {"SELECT 1", R"({"$1":1})"},
      {"SELECT VALUE {a: 1 + 1}", R"({"a":2})"},
      {"SELECT 'x' AS a, 'y' AS b", R"({"a":"x","b":"y"})"},
      {"SELECT VALUE udf.twice(c.n) FROM c WHERE c.id = 'b'", "5"},
      {"SELECT VALUE c.n ?? 'none' FROM c", R"(1,2.5,null,"none")"},
      {"SELECT VALUE c.on ? 'yes' : 'no' FROM c WHERE IS_DEFINED(c.on)", R"("yes","no")"},
  });
}

TEST_F(SelectTest, TopAndOffset) {
  SetParameter("@two", "2");
  SetParameter("@one", "1");
  Expect({
      {"SELECT TOP 2 VALUE c.id FROM c", R"("a","b")"},
      {"SELECT TOP 0 VALUE c.id FROM c", ""},
      {"SELECT TOP 9 VALUE c.id FROM c", R"("a","b","c","d")"},
      {"SELECT TOP @two VALUE c.id FROM c", R"("a","b")"},
      {"SELECT VALUE c.id FROM c OFFSET 1 LIMIT 2", R"("b","c")"},
      {"SELECT VALUE c.id FROM c OFFSET 0 LIMIT 1", R"("a")"},
      {"SELECT VALUE c.id FROM c OFFSET 3 LIMIT 5", R"("d")"},
      {"SELECT VALUE c.id FROM c OFFSET 4 LIMIT 5", ""},
      {"SELECT VALUE c.id FROM c OFFSET 2 LIMIT 0", ""},
      {"SELECT VALUE c.id FROM c OFFSET @one LIMIT @two", R"("b","c")"},
      {"SELECT TOP 2 VALUE t FROM c JOIN t IN c.tags", R"("x","y")"},
      {"SELECT VALUE t FROM c JOIN t IN c.tags OFFSET 1 LIMIT 3", R"("y","y","z")"},
      {"SELECT TOP 2 VALUE c.nothing ?? c.id FROM c WHERE c.city = 'Rome'", R"("a","c")"},
  });
}

TEST_F(SelectTest, From) {
  Expect({
      {"SELECT VALUE root.id FROM root", R"("a","b","c","d")"},
      {"SELECT VALUE r.id FROM root r", R"("a","b","c","d")"},
      {"SELECT VALUE r.id FROM Families AS r", R"("a","b","c","d")"},
      {"SELECT * FROM c.at", R"({"x":1,"y":{"z":2}})"},
      {"SELECT * FROM c.at.y", R"({"z":2})"},
      {"SELECT at.x FROM c.at", R"({"x":1})"},
      {"SELECT a.x FROM c.at a", R"({"x":1})"},
      {"SELECT VALUE a FROM c['at']['x'] AS a", "1"},
      {"SELECT VALUE k FROM c.kids[1] k", R"({"name":"Bob"})"},
      {"SELECT VALUE n FROM c.n", "1,2.5,null"},
      {"SELECT * FROM c.kids",
       R"([{"name":"Ann","toys":[1,2]},{"name":"Bob"}],[{"name":"Cid","toys":[3]}])"},
      {"SELECT VALUE t FROM t IN c.tags", R"("x","y","y","z","x")"},
      {"SELECT * FROM t IN c.tags", R"("x","y","y","z","x")"},
      {"SELECT k.name FROM k IN c.kids", R"({"name":"Ann"},{"name":"Bob"},{"name":"Cid"})"},
      {"SELECT VALUE t FROM t IN c.kids[0].toys", "1,2,3"},
      {"SELECT VALUE s.id FROM (SELECT c.id FROM c) s", R"("a","b","c","d")"},
      {"SELECT VALUE s FROM (SELECT VALUE c.n FROM c) AS s", "1,2.5,null"},
      {"SELECT VALUE s FROM s IN (SELECT VALUE c.tags FROM c)", R"("x","y","y","z","x")"},
      {"SELECT VALUE s.id FROM (SELECT TOP 2 c.id FROM c) s", R"("a","b")"},
      {"SELECT VALUE x FROM x IN [1, 2, 3]", "1,2,3"},
      {"SELECT VALUE x FROM x IN (SELECT VALUE [4, 5])", "4,5"},
  });
}

TEST_F(SelectTest, Join) {
  SetParameter("@list", "[7, 8]");
  Expect({
      {"SELECT c.id, t FROM c JOIN t IN c.tags",
       R"({"id":"a","t":"x"},{"id":"a","t":"y"},{"id":"c","t":"y"},{"id":"c","t":"z"},
          {"id":"c","t":"x"})"},
      {"SELECT VALUE c.id FROM c JOIN t IN c.tags", R"("a","a","c","c","c")"},
      {"SELECT VALUE c.id FROM c JOIN c.at", R"("a")"},
      {"SELECT VALUE [k.name, t] FROM c JOIN k IN c.kids JOIN t IN k.toys",
       R"(["Ann",1],["Ann",2],["Cid",3])"},
      {"SELECT VALUE [t, u] FROM c JOIN t IN c.tags JOIN u IN c.tags WHERE c.id = 'a'",
       R"(["x","x"],["x","y"],["y","x"],["y","y"])"},
      {"SELECT VALUE t FROM c JOIN t IN c.tags WHERE t != 'x'", R"("y","y","z")"},
      {"SELECT VALUE [c.id, m] FROM c JOIN m IN [1, 2] WHERE c.id IN ('b', 'd')",
       R"(["b",1],["b",2],["d",1],["d",2])"},
      {"SELECT VALUE [c.id, m] FROM c JOIN m IN @list WHERE c.id = 'b'", R"(["b",7],["b",8])"},
      {"SELECT VALUE [c.id, t] FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE t > 'x') AS t",
       R"(["a","y"],["c","y"],["c","z"])"},
      {"SELECT VALUE [c.id, t] FROM c JOIN t IN (SELECT VALUE c.tags) WHERE t = 'z'",
       R"(["c","z"])"},
      {"SELECT VALUE c.id FROM c JOIN (SELECT VALUE COUNT(1) FROM t IN c.tags) AS n WHERE n >= 2",
       R"("a","c")"},
      {"SELECT VALUE u.f FROM c JOIN u IN (SELECT VALUE [{t: 'x', f: 1}, {t: 'z', f: 2}]) "
       "JOIN t IN c.tags WHERE u.t = t AND c.id = 'c'",
       "1,2"},
  });
}

TEST_F(SelectTest, Where) {
  SetParameter("@id", "\"b\"");
  Expect({
      {"SELECT VALUE c.id FROM c WHERE c.city = 'Rome'", R"("a","c")"},
      {"SELECT VALUE c.id FROM c WHERE c.city != 'Rome'", R"("b","d")"},
      {"SELECT VALUE c.id FROM c WHERE c.n > 1", R"("b")"},
      {"SELECT VALUE c.id FROM c WHERE c.n = null", R"("c")"},
      {"SELECT VALUE c.id FROM c WHERE IS_NULL(c.n)", R"("c")"},
      {"SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.n)", R"("d")"},
      {"SELECT VALUE c.id FROM c WHERE c.n = undefined", ""},
      {"SELECT VALUE c.id FROM c WHERE c.on", R"("b")"},
      {"SELECT VALUE c.id FROM c WHERE NOT c.on", R"("c")"},
      {"SELECT VALUE c.id FROM c WHERE c.on OR c.n = 1", R"("a","b")"},
      {"SELECT VALUE c.id FROM c WHERE c.id = @id", R"("b")"},
      {"SELECT VALUE c.id FROM c WHERE c.id IN ('a', 'd', 'q')", R"("a","d")"},
      {"SELECT VALUE c.id FROM c WHERE c.id NOT IN ('a', 'd')", R"("b","c")"},
      {"SELECT VALUE c.id FROM c WHERE c.n BETWEEN 1 AND 2", R"("a")"},
      {"SELECT VALUE c.id FROM c WHERE c.city LIKE '_o%'", R"("a","c","d")"},
      {"SELECT VALUE c.id FROM c WHERE STARTSWITH(c.city, 'o', true)", R"("b")"},
      {"SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(c.tags, 'z')", R"("c")"},
      {"SELECT VALUE c.id FROM c WHERE c.tags = []", R"("b")"},
      {"SELECT VALUE c.id FROM c WHERE c.tags[1] = 'z'", R"("c")"},
      {"SELECT VALUE c.id FROM c WHERE true", R"("a","b","c","d")"},
      {"SELECT VALUE c.id FROM c WHERE false", ""},
      {"SELECT VALUE c.id FROM c WHERE 'a'", ""},
      {"SELECT VALUE c.id FROM c WHERE c.at.y.z = 2", R"("a")"},
      {"SELECT VALUE c.id FROM c WHERE c.at.nothing.z = 2", ""},
      {"SELECT r._rid, [{\"item\": r.n}] AS orderByItems, r.id AS payload FROM Root AS r "
       "WHERE (true) ORDER BY r.n",
       R"({"orderByItems":[{"item":null}],"payload":"c"},
          {"orderByItems":[{"item":1}],"payload":"a"},
          {"orderByItems":[{"item":2.5}],"payload":"b"})"},
  });
}

TEST_F(SelectTest, Subqueries) {
  Expect({
      {"SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 'z')",
       R"("c")"},
      {"SELECT VALUE c.id FROM c WHERE NOT EXISTS(SELECT VALUE t FROM t IN c.tags)", R"("b","d")"},
      {"SELECT VALUE EXISTS(SELECT VALUE undefined)", "false"},
      {"SELECT VALUE EXISTS(SELECT VALUE null)", "true"},
      {"SELECT c.id, EXISTS(SELECT VALUE k FROM k IN c.kids) AS k FROM c",
       R"({"id":"a","k":true},{"id":"b","k":false},{"id":"c","k":false},{"id":"d","k":true})"},
      {"SELECT ARRAY(SELECT VALUE k.name FROM k IN c.kids) AS names FROM c WHERE c.id = 'a'",
       R"({"names":["Ann","Bob"]})"},
      {"SELECT VALUE ARRAY(SELECT t AS tag FROM t IN c.tags) FROM c WHERE c.id = 'a'",
       R"([{"tag":"x"},{"tag":"y"}])"},
      {"SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags ORDER BY t) FROM c WHERE c.id = 'c'",
       R"(["x","y","z"])"},
      {"SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags ORDER BY t DESC OFFSET 1 LIMIT 1) "
       "FROM c WHERE c.id = 'c'",
       R"(["y"])"},
      {"SELECT VALUE (SELECT VALUE COUNT(1) FROM t IN c.tags) FROM c", "2,0,3,0"},
      {"SELECT VALUE c.id FROM c WHERE (SELECT VALUE COUNT(1) FROM t IN c.tags) > 2", R"("c")"},
      {"SELECT VALUE (SELECT c.id, c.n) FROM c WHERE c.n = 1", R"({"id":"a","n":1})"},
      {"SELECT VALUE (SELECT VALUE t FROM t IN c.tags WHERE t = 'z') FROM c", R"("z")"},
      {"SELECT VALUE FIRST(SELECT VALUE t FROM t IN c.tags) FROM c", R"("x","y")"},
      {"SELECT VALUE LAST(SELECT VALUE t FROM t IN c.tags) FROM c", R"("y","x")"},
      {"SELECT VALUE ALL(SELECT VALUE t > 'w' FROM t IN c.tags) FROM c WHERE c.id = 'c'", "true"},
      {"SELECT VALUE ALL(SELECT VALUE t > 'x' FROM t IN c.tags) FROM c WHERE c.id = 'c'", "false"},
      {"SELECT VALUE ARRAY(SELECT VALUE ARRAY(SELECT VALUE y FROM y IN k.toys) FROM k IN c.kids) "
       "FROM c WHERE c.id = 'a'",
       R"([[1,2],[]])"},
      {"SELECT VALUE root.id FROM root JOIN (SELECT VALUE EXISTS(SELECT VALUE x0 FROM root JOIN x0 "
       "IN root[\"kids\"] WHERE (x0[\"name\"] = \"Bob\"))) AS v0 WHERE v0",
       R"("a")"},
      {"SELECT VALUE m FROM c JOIN (SELECT VALUE c.n * 2) AS m", "2,5"},
      {"SELECT VALUE (SELECT VALUE (SELECT VALUE 1))", "1"},
      {"SELECT VALUE (SELECT VALUE SUM(t) FROM t IN [1, 2, 3])", "6"},
  });
}

TEST_F(SelectTest, Errors) {
  ExpectError("SELECT x.id FROM c", "SC2001 Identifier 'x' could not be resolved.");
  ExpectError("SELECT c.id FROM c JOIN t IN d.tags",
              "SC2001 Identifier 'd' could not be resolved.");
  ExpectError("SELECT c.id FROM root r", "SC2001 Identifier 'c' could not be resolved.");
  ExpectError("SELECT VALUE (SELECT VALUE COUNT(1) FROM c)",
              "SC2001 Identifier 'c' could not be resolved.");
  ExpectError("SELECT *", "SC2040 'SELECT *' is not valid if FROM clause is omitted.");
  ExpectError("SELECT * FROM c JOIN t IN c.tags",
              "SC2040 'SELECT *' is only valid with a single input set.");
  ExpectError("SELECT c.id, c.at.id FROM c",
              "SC2950 The property 'id' is specified more than once.");
  ExpectError("SELECT c.id AS x, c.n AS x FROM c",
              "SC2950 The property 'x' is specified more than once.");
  ExpectError("SELECT TOP @no c.id FROM c",
              "SC2902 The query has no value for its parameter '@no'.");
  SetParameter("@bad", "-1");
  ExpectError("SELECT TOP @bad c.id FROM c", "SC2951 The TOP clause needs a non-negative integer.");
  SetParameter("@text", R"("2")");
  ExpectError("SELECT TOP @text c.id FROM c",
              "SC2060 The count value provided for a TOP clause must be an integer.");
  ExpectError("SELECT VALUE (SELECT VALUE t FROM t IN c.tags) FROM c",
              "invalid_argument: The cardinality of a scalar subquery result set cannot be greater "
              "than one.");
  ExpectError("SELECT VALUE udf.nothing() FROM c", "not_found: no such function");
  ExpectError(
      "SELECT VALUE 1 FROM c JOIN a IN c.t JOIN a IN c.t JOIN a IN c.t JOIN a IN c.t JOIN "
      "a IN c.t JOIN a IN c.t JOIN a IN c.t JOIN a IN c.t JOIN a IN c.t JOIN a IN c.t JOIN "
      "a IN c.t",
      "SC2952 The query exceeds the maximum number of joins. The maximum is 10.");
  limits_.rows_per_document_max = 3;
  ExpectError("SELECT VALUE 1 FROM c JOIN t IN c.tags JOIN u IN c.tags",
              "too_large: the joins of the query make too many rows of one document");
}

}  // namespace
}  // namespace orrery::sql
