// Aggregates, GROUP BY, DISTINCT and ORDER BY, over documents in memory.
#include "api/sql/query/query_testing.h"

namespace orrery::sql {
namespace {

class GroupOrderTest : public QueryTest {
 protected:
  GroupOrderTest() {
    SetDocuments(R"([
      {"id": 1, "team": "red", "n": 10, "who": {"age": 3}, "tags": ["x"]},
      {"id": 2, "team": "blue", "n": 4, "tags": ["y", "x"]},
      {"id": 3, "team": "red", "n": 7, "flag": true},
      {"id": 4, "n": "seven", "flag": false},
      {"id": 5, "team": null, "n": null, "flag": true},
      {"id": 6, "team": "blue", "tags": []}])");
  }
};

TEST_F(GroupOrderTest, Aggregates) {
  Expect({
      {"SELECT VALUE COUNT(1) FROM c", "6"},
      {"SELECT COUNT(1) FROM c", R"({"$1":6})"},
      {"SELECT COUNT(1) AS n FROM c WHERE false", R"({"n":0})"},
      {"SELECT VALUE COUNT(1) FROM c WHERE c.team = 'green'", "0"},
      {"SELECT VALUE COUNT(c.team) FROM c", "5"},
      {"SELECT VALUE COUNT(c.nothing) FROM c", "0"},
      {"SELECT VALUE SUM(c.n) FROM c WHERE IS_NUMBER(c.n)", "21"},
      {"SELECT VALUE SUM(c.n) FROM c", ""},
      {"SELECT SUM(c.n) AS s FROM c", "{}"},
      {"SELECT VALUE SUM(c.n) FROM c WHERE false", "0"},
      {"SELECT VALUE AVG(c.n) FROM c WHERE IS_NUMBER(c.n)", "7"},
      {"SELECT VALUE AVG(c.n) FROM c WHERE false", ""},
      {"SELECT VALUE MIN(c.n) FROM c", "null"},
      {"SELECT VALUE MAX(c.n) FROM c", "\"seven\""},
      {"SELECT VALUE MIN(c.n) FROM c WHERE false", ""},
      {"SELECT MIN(c.id) AS a, MAX(c.id) AS z, COUNT(1) AS n FROM c", R"({"a":1,"z":6,"n":6})"},
      {"SELECT VALUE MAX(c.who) FROM c", ""},
      {"SELECT VALUE COUNTIF(c.flag) FROM c", "2"},
      {"SELECT VALUE MAKELIST(c.flag) FROM c", "[true,false,true]"},
      {"SELECT VALUE MAKESET(c.team) FROM c", R"(["red","blue",null])"},
      {"SELECT VALUE SUM(c.id) / COUNT(1) FROM c", "3.5"},
      {"SELECT VALUE {n: COUNT(1), top: MAX(c.id) + 1} FROM c", R"({"n":6,"top":7})"},
      {"SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags", "3"},
      {"SELECT VALUE SUM(c.id * 2) FROM c", "42"},
      {"SELECT VALUE SUM(c.id * 1e308) FROM c", "\"Infinity\""},
      {"SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.team FROM c)", "3"},
      {"SELECT COUNT(1) AS n FROM (SELECT DISTINCT c.team FROM c)", R"({"n":4})"},
      {"SELECT VALUE SUM(ARRAY_LENGTH(c.tags)) FROM c", "3"},
      {"SELECT VALUE COUNT((SELECT VALUE t FROM t IN c.tags WHERE t = 'y')) FROM c", "1"},
      {"SELECT VALUE [{\"item\": {\"sum\": SUM(c.id), \"count\": COUNT(c.id)}}] FROM c",
       R"([{"item":{"sum":21,"count":6}}])"},
      {"SELECT VALUE COUNT(1)", "1"},
  });
}

TEST_F(GroupOrderTest, Groups) {
  Expect({
      {"SELECT c.team, COUNT(1) AS n FROM c GROUP BY c.team",
       R"({"team":"red","n":2},{"team":"blue","n":2},{"n":1},{"team":null,"n":1})"},
      {"SELECT VALUE COUNT(1) FROM c GROUP BY c.team", "2,2,1,1"},
      {"SELECT VALUE c.team FROM c GROUP BY c.team", R"("red","blue",null)"},
      {"SELECT c.team AS t FROM c GROUP BY c.team", R"({"t":"red"},{"t":"blue"},{},{"t":null})"},
      {"SELECT COUNT(1) AS n, c.team FROM c WHERE c.id < 4 GROUP BY c.team",
       R"({"n":2,"team":"red"},{"n":1,"team":"blue"})"},
      {"SELECT UPPER(c.team) AS t, SUM(c.id) AS s FROM c WHERE IS_STRING(c.team) "
       "GROUP BY UPPER(c.team)",
       R"({"t":"RED","s":4},{"t":"BLUE","s":8})"},
      {"SELECT c.team, c.flag, COUNT(1) AS n FROM c WHERE c.id > 2 GROUP BY c.team, c.flag",
       R"({"team":"red","flag":true,"n":1},{"flag":false,"n":1},{"team":null,"flag":true,"n":1},
          {"team":"blue","n":1})"},
      {"SELECT c.who.age, COUNT(1) AS n FROM c WHERE c.id < 3 GROUP BY c.who",
       R"({"age":3,"n":1},{"n":1})"},
      {"SELECT t, COUNT(1) AS n FROM c JOIN t IN c.tags GROUP BY t",
       R"({"t":"x","n":2},{"t":"y","n":1})"},
      {"SELECT [{\"item\": c.team}] AS groupByItems, {\"n\": {\"item\": COUNT(1)}} AS payload "
       "FROM c WHERE c.team = 'red' GROUP BY c.team",
       R"({"groupByItems":[{"item":"red"}],"payload":{"n":{"item":2}}})"},
      {"SELECT c.team, MAX(c.id) AS m FROM c WHERE IS_STRING(c.team) GROUP BY c.team "
       "OFFSET 1 LIMIT 1",
       R"({"team":"blue","m":6})"},
      {"SELECT c.team, COUNT(1) AS n FROM c WHERE IS_STRING(c.team) GROUP BY c.team "
       "ORDER BY c.team",
       R"({"team":"blue","n":2},{"team":"red","n":2})"},
      {"SELECT c.team FROM c WHERE c.team = 'green' GROUP BY c.team", ""},
      {"SELECT VALUE (SELECT MAX(t) AS m FROM t IN c.tags) FROM c WHERE c.id = 2", R"({"m":"y"})"},
  });
  ExpectError("SELECT c.id, COUNT(1) FROM c",
              "SC2102 Property reference 'c.id' is invalid in the select list because it is not "
              "contained in an aggregate function.");
  ExpectError("SELECT c.id, COUNT(1) FROM c GROUP BY c.team",
              "SC2102 Property reference 'c.id' is invalid in the select list because it is not "
              "contained in either an aggregate function or the GROUP BY clause.");
  ExpectError("SELECT * FROM c GROUP BY c.team", "SC2041 'SELECT *' is not allowed with GROUP BY.");
  ExpectError("SELECT c.id FROM c WHERE COUNT(1) > 1",
              "SC2901 The aggregate 'COUNT' cannot stand here.");
  limits_.groups_max = 3;
  ExpectError("SELECT c.team FROM c GROUP BY c.team", "too_large: the query makes too many groups");
}

TEST_F(GroupOrderTest, DistinctValues) {
  Expect({
      {"SELECT DISTINCT VALUE c.team FROM c", R"("red","blue",null)"},
      {"SELECT DISTINCT c.team FROM c", R"({"team":"red"},{"team":"blue"},{},{"team":null})"},
      {"SELECT DISTINCT VALUE t FROM c JOIN t IN c.tags", R"("x","y")"},
      {"SELECT DISTINCT TOP 2 VALUE c.team FROM c", R"("red","blue")"},
      {"SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team", R"(null,"blue","red")"},
      {"SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team DESC OFFSET 1 LIMIT 1", R"("blue")"},
      {"SELECT DISTINCT VALUE {a: [c.team]} FROM c WHERE IS_STRING(c.team)",
       R"({"a":["red"]},{"a":["blue"]})"},
      {"SELECT DISTINCT VALUE x FROM x IN [1, 1.0, '1', true, true, [1], [1]]",
       R"(1,"1",true,[1])"},
  });
  limits_.distinct_max = 2;
  ExpectError("SELECT DISTINCT VALUE c.id FROM c",
              "too_large: the query has too many distinct values");
}

TEST_F(GroupOrderTest, Ordered) {
  Expect({
      {"SELECT VALUE c.id FROM c ORDER BY c.id DESC", "6,5,4,3,2,1"},
      {"SELECT VALUE c.id FROM c ORDER BY c.id ASC", "1,2,3,4,5,6"},
      {"SELECT VALUE c.id FROM c ORDER BY c.n", "5,2,3,1,4"},
      {"SELECT VALUE c.id FROM c ORDER BY c.n DESC", "4,1,3,2,5"},
      {"SELECT VALUE c.id FROM c ORDER BY c.flag", "4,3,5"},
      {"SELECT VALUE c.id FROM c ORDER BY c.who", ""},
      {"SELECT VALUE c.id FROM c ORDER BY c.nothing", ""},
      {"SELECT VALUE c.id FROM c ORDER BY c.team, c.id DESC", "4,5,6,2,3,1"},
      {"SELECT VALUE c.id FROM c ORDER BY c.team DESC, c.n ASC", "3,1,6,2,5,4"},
      {"SELECT TOP 2 VALUE c.id FROM c ORDER BY c.n", "5,2"},
      {"SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 1 LIMIT 3", "2,3,1"},
      {"SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 4 LIMIT 3", "4"},
      {"SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 9 LIMIT 3", ""},
      {"SELECT VALUE [c.id, t] FROM c JOIN t IN c.tags ORDER BY t, c.id DESC",
       R"([2,"x"],[1,"x"],[2,"y"])"},
      {"SELECT VALUE c.id FROM c JOIN t IN c.tags ORDER BY c.id", "1,2,2"},
      {"SELECT VALUE c.id FROM c ORDER BY LOWER(c.team)", "2,6,1,3"},
      {"SELECT VALUE c.id FROM c WHERE c.id > 3 ORDER BY -c.id", "6,5,4"},
      {"SELECT VALUE x FROM x IN [3, 'b', null, true, 1, 'a', false] ORDER BY x",
       R"(null,false,true,1,3,"a","b")"},
      {"SELECT VALUE s FROM (SELECT VALUE c.id FROM c ORDER BY c.id DESC) s", "6,5,4,3,2,1"},
      {"SELECT VALUE s.v FROM (SELECT TOP 3 c.id AS v FROM c ORDER BY c.id DESC) s ORDER BY s.v",
       "4,5,6"},
  });
}

TEST_F(GroupOrderTest, VectorsByLikeness) {
  SetDocuments(R"([{"id": 1, "v": [1, 0]}, {"id": 2, "v": [0, 1]}, {"id": 3, "v": [1, 1]}])");
  Expect({
      {"SELECT VALUE c.id FROM c ORDER BY VectorDistance(c.v, [1, 0])", "1,3,2"},
      {"SELECT TOP 1 VALUE c.id FROM c ORDER BY VectorDistance(c.v, [0, 1])", "2"},
      {"SELECT VALUE c.id FROM c ORDER BY VectorDistance(c.v, [1, 0], true, "
       "{'distanceFunction': 'euclidean'})",
       "1,3,2"},
  });
}

TEST_F(GroupOrderTest, SortsNoMoreThanItMay) {
  limits_.sorted_rows_max = 4;
  ExpectError("SELECT VALUE c.id FROM c ORDER BY c.id OFFSET 4 LIMIT 1",
              "too_large: the query skips too many sorted rows; index the path that it is ordered "
              "by");
  Expect({{"SELECT VALUE c.id FROM c ORDER BY c.id DESC OFFSET 1 LIMIT 2", "5,4"}});
  limits_.kept_bytes_max = 10;
  ExpectError("SELECT VALUE c.id FROM c ORDER BY c.id OFFSET 0 LIMIT 3",
              "too_large: the query needs too much memory for its groups, distinct values or "
              "sorted rows");
}

}  // namespace
}  // namespace orrery::sql
