#include "api/sql/parser/parser.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include "api/sql/parser/accepted_queries.h"

namespace orrery::sql {
namespace {

TEST(Parser, AcceptsQueriesOfEveryKind) {
  static_assert(std::size(kAcceptedQueries) >= 150);
  for (const std::string_view text : kAcceptedQueries) {
    const auto query = ParseQuery(text);
    EXPECT_TRUE(query.has_value()) << text << "\n" << query.error().message;
  }
}

// Every accepted query, cut anywhere, gives a tree or an error whose place is in the text.
TEST(Parser, SurvivesEveryPrefix) {
  for (const std::string_view text : kAcceptedQueries) {
    for (size_t length = 0; length < text.size(); ++length) {
      const auto query = ParseQuery(text.substr(0, length));
      if (query) continue;
      EXPECT_LE(query.error().start, query.error().end);
      EXPECT_LE(query.error().end, length);
    }
  }
}

TEST(Parser, RefusesWhatIsNoQuery) {
  for (const std::string_view text : {
           "",
           "-- nothing",
           "c",
           "FROM c",
           "SELECT",
           "SELECT FROM c",
           "SELECT c.id, FROM c",
           "SELECT , c.id FROM c",
           "SELECT *, c.id FROM c",
           "SELECT c.* FROM c",
           "SELECT VALUE * FROM c",
           "SELECT VALUE c.a, c.b FROM c",
           "SELECT VALUE c.a AS x FROM c",
           "SELECT VALUE FROM c",
           "SELECT DISTINCT FROM c",
           "SELECT DISTINCT TOP 1 DISTINCT * FROM c",
           "SELECT TOP * FROM c",
           "SELECT TOP -1 * FROM c",
           "SELECT TOP 0x1 * FROM c",
           "SELECT TOP '1' * FROM c",
           "SELECT TOP c.n * FROM c",
           "SELECT c.id AS FROM c",
           "SELECT c.id AS 'x' FROM c",
           "SELECT c.id 'x' FROM c",
           "SELECT c.id order FROM c",
           "SELECT from FROM c",
           "SELECT * FROM",
           "SELECT * FROM 1",
           "SELECT * FROM 'c'",
           "SELECT * FROM @c",
           "SELECT * FROM [1]",
           "SELECT * FROM f(1)",
           "SELECT * FROM select",
           "SELECT * FROM c AS",
           "SELECT * FROM c AS order",
           "SELECT * FROM c d e",
           "SELECT * FROM c, d",
           "SELECT * FROM x IN",
           "SELECT * FROM x IN c.items AS y",
           "SELECT * FROM (c)",
           "SELECT * FROM (SELECT 1",
           "SELECT * FROM c JOIN",
           "SELECT * FROM JOIN x IN c.xs",
           "SELECT * JOIN x IN c.xs",
           "SELECT * FROM c WHERE",
           "SELECT * FROM c WHERE c.a =",
           "SELECT * FROM c WHERE = 1",
           "SELECT * FROM c WHERE c.a = 1 AND",
           "SELECT * FROM c WHERE c.a = 1 c.b = 2",
           "SELECT * FROM c WHERE AND c.a",
           "SELECT * FROM c WHERE c.a NOT = 1",
           "SELECT * FROM c WHERE c.a IS NULL",
           "SELECT * FROM c WHERE c.a IN ()",
           "SELECT * FROM c WHERE c.a IN 1",
           "SELECT * FROM c WHERE c.a IN (1",
           "SELECT * FROM c WHERE c.a IN (1,)",
           "SELECT * FROM c WHERE c.a IN @list",
           "SELECT * FROM c WHERE c.a BETWEEN 1",
           "SELECT * FROM c WHERE c.a BETWEEN 1 OR 2",
           "SELECT * FROM c WHERE c.a BETWEEN (1 AND 2)",
           "SELECT * FROM c WHERE c.a LIKE",
           "SELECT * FROM c WHERE c.a LIKE 'x' ESCAPE",
           "SELECT * FROM c WHERE c.a LIKE 'x' ESCAPE @e",
           "SELECT * FROM c WHERE c.a WHERE c.b",
           "SELECT * WHERE c.a FROM c",
           "SELECT * FROM c GROUP c.a",
           "SELECT * FROM c GROUP BY",
           "SELECT * FROM c GROUP BY c.a,",
           "SELECT * FROM c ORDER c.a",
           "SELECT * FROM c ORDER BY",
           "SELECT * FROM c ORDER BY c.a UP",
           "SELECT * FROM c ORDER BY c.a ASC DESC",
           "SELECT * FROM c ORDER BY RANK c.a",
           "SELECT * FROM c ORDER BY RANK f(c.a) + 1",
           "SELECT * FROM c ORDER BY c.a WHERE c.b",
           "SELECT * FROM c OFFSET 1",
           "SELECT * FROM c LIMIT 1",
           "SELECT * FROM c LIMIT 1 OFFSET 1",
           "SELECT * FROM c OFFSET -1 LIMIT 1",
           "SELECT * FROM c OFFSET 1.0 LIMIT 1",
           "SELECT * FROM c OFFSET 1 LIMIT c.n",
           "SELECT * FROM c HAVING c.a",
           "SELECT * FROM c UNION SELECT * FROM c",
           "SELECT * FROM c; SELECT * FROM c",
           "SELECT 1 2",
           "SELECT (1",
           "SELECT 1)",
           "SELECT ()",
           "SELECT (1, 2)",
           "SELECT [1",
           "SELECT [1,]",
           "SELECT [,]",
           "SELECT {a}",
           "SELECT {a: 1,}",
           "SELECT {a: }",
           "SELECT {1: 2}",
           "SELECT {@a: 2}",
           "SELECT {a = 1}",
           "SELECT c.",
           "SELECT c. , c.b FROM c",
           "SELECT c.1 FROM c",
           "SELECT c.'a' FROM c",
           "SELECT c..a FROM c",
           "SELECT c[] FROM c",
           "SELECT c[0 FROM c",
           "SELECT c[0:1] FROM c",
           "SELECT f( FROM c",
           "SELECT f(1,) FROM c",
           "SELECT f(*) FROM c",
           "SELECT udf.f.g(1) FROM c",
           "SELECT c.f(1) FROM c",
           "SELECT select(1)",
           "SELECT EXISTS(1)",
           "SELECT EXISTS SELECT 1",
           "SELECT ARRAY(SELECT)",
           "SELECT (SELECT 1",
           "SELECT a ? b",
           "SELECT a ? b :",
           "SELECT a ? : b",
           "SELECT a ??",
           "SELECT * a",
           "SELECT a ! b",
           "SELECT a && b",
           "SELECT a ** b",
           "SELECT 1 +",
           "SELECT NOT",
           "SELECT -",
           "SELECT {documentdb-}x",
           "SELECT `a`",
           "SELECT $a",
           "SELECT a\\b",
           "SELECT 'a' 'b'",
           "INSERT INTO c VALUES (1)",
           "DELETE FROM c",
       }) {
    EXPECT_FALSE(ParseQuery(text).has_value()) << text;
  }
}

TEST(Parser, AnExpressionMustBeAllOfTheText) {
  EXPECT_TRUE(ParseExpression("c.a + 1 -- one").has_value());
  EXPECT_FALSE(ParseExpression("c.a + 1 AS x").has_value());
  EXPECT_FALSE(ParseExpression("").has_value());
}

}  // namespace
}  // namespace orrery::sql
