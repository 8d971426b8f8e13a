#include "api/sql/parser/grammar/queries.h"

#include <gtest/gtest.h>

#include "api/sql/parser/parser.h"
#include "api/sql/parser/tree_shape_for_test.h"

namespace orrery::sql {
namespace {

struct QueryCase {
  std::string_view text;
  std::string_view shape;
};

void ExpectShape(const QueryCase& given) {
  const auto query = ParseQuery(given.text);
  ASSERT_TRUE(query.has_value()) << given.text << "\n" << query.error().message;
  EXPECT_EQ(ShapeOf(*query), given.shape) << given.text;
}

TEST(Queries, Select) {
  for (const QueryCase& given : {
           QueryCase{"SELECT * FROM c", "(select * (source - c))"},
           QueryCase{"SELECT VALUE c FROM c", "(select (value c) (source - c))"},
           QueryCase{"SELECT a, b AS x, d y", "(select (list a (as x b) (as y d)))"},
           QueryCase{"SELECT a AS from FROM c", "(select (list (as from a)) (source - c))"},
           QueryCase{"SELECT a * b", "(select (list (* a b)))"},
           QueryCase{"SELECT DISTINCT TOP 3 a", "(select distinct top 3 (list a))"},
           QueryCase{"SELECT TOP @n DISTINCT a", "(select distinct top @n (list a))"},
           QueryCase{"SELECT TOP 2147483647 *", "(select top 2147483647 *)"},
       })
    ExpectShape(given);
}

TEST(Queries, Sources) {
  for (const QueryCase& given : {
           QueryCase{"SELECT * FROM Root r", "(select * (source r Root))"},
           QueryCase{"SELECT * FROM c.a.b AS x", "(select * (source x (.b (.a c))))"},
           QueryCase{"SELECT * FROM c['a'][0]", "(select * (source - ([] (.a c) 0)))"},
           QueryCase{"SELECT * FROM x IN c.items", "(select * (each x (.items c)))"},
           QueryCase{"SELECT * FROM c JOIN x IN c.xs JOIN y IN x.ys",
                     "(select * (source - c) (each x (.xs c)) (each y (.ys x)))"},
           QueryCase{"SELECT * FROM (SELECT 1) s", "(select * (source s (select (list 1))))"},
           QueryCase{"SELECT * FROM c JOIN (SELECT 1) AS s",
                     "(select * (source - c) (source s (select (list 1))))"},
           QueryCase{"SELECT * FROM c JOIN s IN (SELECT VALUE [1])",
                     "(select * (source - c) (each s (select (value (array 1)))))"},
       })
    ExpectShape(given);
}

TEST(Queries, OtherClauses) {
  for (const QueryCase& given : {
           QueryCase{"SELECT * WHERE a = 1", "(select * (where (= a 1)))"},
           QueryCase{"SELECT * GROUP BY a, f(b)", "(select * (group a (call f b)))"},
           QueryCase{"SELECT * ORDER BY a, b ASC, d DESC",
                     "(select * (order (- a) (asc b) (desc d)))"},
           QueryCase{"SELECT * ORDER BY RANK f(a), g(b) DESC",
                     "(select * (rank (- (call f a)) (desc (call g b))))"},
           QueryCase{"SELECT * ORDER BY rank.x", "(select * (order (- (.x rank))))"},
           QueryCase{"SELECT * OFFSET 1 LIMIT @n", "(select * (offset 1 limit @n))"},
       })
    ExpectShape(given);
}

TEST(Queries, AliasesKnowWhereTheyStand) {
  const auto query = ParseQuery("SELECT a AS bc FROM d e");
  ASSERT_TRUE(query.has_value());
  const auto& list = std::get<ast::SelectList>(query->select.what);
  EXPECT_EQ(list.items[0].alias->range, (SourceRange{.start = 12, .end = 14}));
  EXPECT_EQ(query->sources[0].alias->range, (SourceRange{.start = 22, .end = 23}));
}

}  // namespace
}  // namespace orrery::sql
