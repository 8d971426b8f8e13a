// Every query that the parser takes is answered: by rows, or by what is wrong with it.
#include "api/sql/parser/accepted_queries.h"

#include "api/sql/query/plan/query_plan.h"
#include "api/sql/query/query_testing.h"

namespace orrery::sql {
namespace {

using AcceptedQueriesTest = QueryTest;

TEST_F(AcceptedQueriesTest, AreAnswered) {
  SetDocuments(R"([{"id": "1", "a": 1, "x": 5, "city": "Rome", "tags": [{"sizes": [1]}]},
                   {"id": "2", "items": [1, 2], "name": "it's"}])");
  for (const std::string_view name : {"@n", "@skip", "@take", "@i"}) SetParameter(name, "1");
  for (const std::string_view name :
       {"@id", "@p", "@p1", "@name", "@_2", "@list", "@point", "@three", "@low", "@high",
        "@pattern", "@part", "@v", "@__p_0", "@__p_1", "@__p_2"})
    SetParameter(name, name.starts_with("@__p") ? "2" : "\"a\"");
  item::ContainerSchema schema;
  schema.partition_key_paths = {*model::Path::Parse("/id")};
  schema.row_key_path = *model::Path::Parse("/id");
  schema.indexing = item::IndexPolicy::All();
  size_t with_rows = 0;
  for (const std::string_view text : kAcceptedQueries) {
    SCOPED_TRACE(text);
    const std::string answer = Run(text, 10);
    ASSERT_FALSE(answer.empty());
    if (!answer.starts_with("[")) continue;
    ++with_rows;
    EXPECT_TRUE(model::ValueFromJson(answer).has_value()) << answer;
    EXPECT_EQ(Run(text, 1), answer);
    const auto tree = ParseQuery(text);
    const auto query = BindQuery(*tree, ContextOf(text));
    const auto plan = MakeQueryPlan(*query, ContextOf(text), schema,
                                    {.count_distinct = true, .hybrid_search = true});
    if (plan.has_value()) {
      EXPECT_TRUE(model::ParseJson(*plan).has_value()) << *plan;
    } else {
      EXPECT_EQ(plan.error().code(), Code::kUnsupported);
    }
  }
  EXPECT_GT(with_rows, std::size(kAcceptedQueries) * 3 / 4);
}

}  // namespace
}  // namespace orrery::sql
