#include "api/sql/query/condition/grouping_finder.h"

#include <gtest/gtest.h>

#include <string>

#include "api/sql/query/query_testing.h"

namespace orrery::sql {
namespace {

class GroupingFinderTest : public QueryTest {
 protected:
  // "keys/aggregates", or for DISTINCT the paths; "-" if there is no grouping.
  std::string Find(const std::string& text) {
    const Parsed<ast::Query> tree = ParseQuery(text);
    EXPECT_TRUE(tree.has_value()) << text;
    if (!tree.has_value()) return "";
    const Parsed<BoundQuery> bound = BindQuery(*tree, ContextOf(text));
    EXPECT_TRUE(bound.has_value()) << text;
    if (!bound.has_value()) return "";
    const auto found = GroupingOf(*tree, *bound,
                                  {.text = text,
                                   .parameters = parameters_,
                                   .functions = registry_,
                                   .order = model::Order::kSql,
                                   .computed = computed_});
    if (!found.has_value()) return "-";
    if (!found->distinct_paths.has_value())
      return std::to_string(found->grouping->keys.size()) + "/" +
             std::to_string(found->grouping->aggregates.size());
    EXPECT_EQ(found->grouping->keys.size(), found->distinct_paths->size());
    std::string paths;
    for (const model::Path& path : *found->distinct_paths) paths += path.ToString();
    return paths;
  }
};

TEST_F(GroupingFinderTest, FindsWhatOwnersCanDo) {
  const std::pair<std::string, std::string> cases[] = {
      {"SELECT VALUE COUNT(1) FROM c", "0/1"},
      {"SELECT VALUE COUNT(c) FROM c", "0/1"},
      {"SELECT MIN(c.a), MAX(c.a), AVG(c.a), SUM(c.b.c), COUNTIF(c.a > 1) FROM c", "0/5"},
      {"SELECT VALUE SUM(c.a) / COUNT(1) + 1 FROM c WHERE udf.twice(c.a) = 2", "0/2"},
      {"SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a", "1/1"},
      {"SELECT LOWER(c.a) AS x FROM c GROUP BY LOWER(c.a), c.b", "2/0"},
      {"SELECT DISTINCT c.a, c.b.c FROM c", "/a/b/c"},
      {"SELECT DISTINCT VALUE c.a FROM c ORDER BY c.b", "/a/b"},
      {"SELECT DISTINCT VALUE c.b.c + c.b.d FROM c WHERE c.z = 1", "/b/c/b/d"},
      {"SELECT DISTINCT VALUE [c.b.c, c.b] FROM c", "/b"},
      {"SELECT DISTINCT VALUE CONCAT(c.a, 'x') FROM c", "/a"},
      {"SELECT DISTINCT VALUE c.a[0] FROM c", "/a"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Find(text), expected) << text;
}

TEST_F(GroupingFinderTest, LeavesTheRestToTheOperators) {
  for (const std::string text : {
           "SELECT * FROM c",
           "SELECT VALUE c.a FROM c",
           "SELECT VALUE MAKELIST(c.a) FROM c",
           "SELECT VALUE MAKESET(c.a) FROM c",
           "SELECT VALUE SUM(c.a + 1) FROM c",
           "SELECT VALUE SUM(c.a[0]) FROM c",
           "SELECT VALUE SUM(udf.twice(c.a)) FROM c",
           "SELECT VALUE MAX(c._ts) FROM c",
           "SELECT VALUE MAX(c) FROM c",
           "SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags",
           "SELECT VALUE COUNT(1) FROM t IN c.tags",
           "SELECT VALUE COUNT(1) FROM (SELECT VALUE c.a FROM c)",
           "SELECT COUNT(1) AS n FROM c GROUP BY c.a + 1",
           "SELECT VALUE COUNT(1)",
           "SELECT DISTINCT * FROM c",
           "SELECT DISTINCT VALUE c FROM c",
           "SELECT DISTINCT VALUE 1 FROM c",
           "SELECT DISTINCT VALUE c._ts FROM c",
           "SELECT DISTINCT VALUE RAND() + c.a FROM c",
           "SELECT DISTINCT VALUE udf.twice(c.a) FROM c",
           "SELECT DISTINCT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags) FROM c",
       })
    EXPECT_EQ(Find(text), "-") << text;
}

TEST_F(GroupingFinderTest, IsBounded) {
  std::string many = "SELECT COUNT(1) AS a";
  for (int i = 0; i < 200; ++i) many += ", SUM(c.a) AS a" + std::to_string(i);
  EXPECT_EQ(Find(many + " FROM c"), "-");
}

}  // namespace
}  // namespace orrery::sql
