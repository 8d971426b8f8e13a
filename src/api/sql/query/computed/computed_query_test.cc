// Computed properties in every clause of queries.
#include <gtest/gtest.h>

#include "api/sql/query/query_testing.h"
#include "api/sql/query/source/seen_properties.h"

namespace orrery::sql {
namespace {

class ComputedQueryTest : public QueryTest {
 protected:
  ComputedQueryTest() {
    SetDocuments(R"([{"id":"1","name":"Bob","price":3,"tags":["b","a"]},
                     {"id":"2","name":"ALICE","price":1,"tags":["c"]},
                     {"id":"3","price":2},
                     {"id":"4","name":"bob","price":5,"tags":[]}])");
    computed_ = ComputedProperties(ParseText(
        R"([{"name":"lower","query":"SELECT VALUE LOWER(c.name) FROM c"},
            {"name":"twice","query":"SELECT VALUE r.price * 2 FROM root r"},
            {"name":"price","query":"SELECT VALUE -c.price FROM c"},
            {"name":"parts","query":"SELECT VALUE {first: c.tags[0], all: c.tags} FROM c"},
            {"name":"rid","query":"SELECT VALUE c._rid FROM c"},
            {"name":"fails","query":"SELECT VALUE REGEXMATCH(c.name, c.name || '[') FROM c"}])"));
  }
};

TEST_F(ComputedQueryTest, InEveryClause) {
  Expect({
      {"SELECT VALUE c.lower FROM c", R"("bob","alice","bob")"},
      {"SELECT c.id, c.lower FROM c WHERE c.id = '2'", R"({"id":"2","lower":"alice"})"},
      {"SELECT VALUE x['twice'] FROM x WHERE x.lower = 'bob'", "6,10"},
      {"SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.lower)", R"("3")"},
      {"SELECT VALUE c.id FROM c ORDER BY c.twice", R"("2","3","1","4")"},
      {"SELECT VALUE c.id FROM c ORDER BY c.twice DESC OFFSET 1 LIMIT 2", R"("1","3")"},
      {"SELECT c.lower, COUNT(1) AS n FROM c GROUP BY c.lower",
       R"({"lower":"bob","n":2},{"lower":"alice","n":1},{"n":1})"},
      {"SELECT VALUE SUM(c.twice) FROM c", "22"},
      {"SELECT DISTINCT VALUE c.lower FROM c", R"("bob","alice")"},
      {"SELECT VALUE c.parts.first FROM c", R"("b","c")"},
  });
}

TEST_F(ComputedQueryTest, InSourcesAndSubqueries) {
  Expect({
      {"SELECT VALUE t FROM c JOIN t IN c.parts.all", R"("b","a","c")"},
      {"SELECT VALUE t FROM t IN c.parts.all", R"("b","a","c")"},
      {"SELECT VALUE s.v FROM (SELECT c.lower AS v FROM c) s", R"("bob","alice","bob")"},
      {"SELECT VALUE (SELECT VALUE c.twice) FROM c WHERE c.id = '1'", "6"},
      {"SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE 1 FROM t IN c.tags WHERE t < c.lower)",
       R"("1")"},
  });
}

TEST_F(ComputedQueryTest, OnlyOfDocumentsThemselves) {
  Expect({
      {"SELECT VALUE s.lower FROM (SELECT VALUE c FROM c) s", ""},
      {"SELECT VALUE t.lower FROM c JOIN t IN c.tags", ""},
      {"SELECT VALUE c.parts.lower FROM c", ""},
      {"SELECT * FROM c WHERE c.id = '2'", R"({"id":"2","name":"ALICE","price":1,"tags":["c"]})"},
      {"SELECT VALUE c FROM c WHERE c.twice = 4", R"({"id":"3","price":2})"},
  });
}

TEST_F(ComputedQueryTest, TheyHideStoredOnes) {
  Expect({
      {"SELECT VALUE c.price FROM c", "-3,-1,-2,-5"},
      {"SELECT VALUE c.id FROM c WHERE c.price < -2", R"("1","4")"},
      {"SELECT VALUE c.twice FROM c WHERE c.price = -1", "2"},  // of the stored one
  });
}

TEST_F(ComputedQueryTest, OnlyWhatIsNamedIsComputed) {
  Expect({{"SELECT VALUE c.id FROM c WHERE c.id = '1'", R"("1")"}});
  EXPECT_EQ(Run("SELECT VALUE c.fails FROM c WHERE c.id = '3'", 10), "[]");
  EXPECT_FALSE(Run("SELECT VALUE c.fails FROM c WHERE c.id = '1'", 10).starts_with("["));
}

TEST_F(ComputedQueryTest, WhatADefinitionSeesIsMade) {
  const auto seen = [&](std::string_view text) {
    return SeenPartOf(*ParseQuery(text), computed_).properties;
  };
  EXPECT_EQ(seen("SELECT VALUE COUNT(1) FROM c"), SeenProperties::kNothing);
  EXPECT_EQ(seen("SELECT VALUE COUNT(c) FROM c"), SeenProperties::kAll);
  EXPECT_EQ(seen("SELECT VALUE 1 FROM c WHERE c.x = 1"), SeenProperties::kStored);
  EXPECT_EQ(seen("SELECT VALUE 1 FROM c JOIN t IN c.tags"), SeenProperties::kStored);
  EXPECT_EQ(seen("SELECT VALUE c.lower FROM c"), SeenProperties::kStored);
  EXPECT_EQ(seen("SELECT VALUE c.lower FROM c WHERE c.rid = 'x'"), SeenProperties::kAll);
}

}  // namespace
}  // namespace orrery::sql
