#include "api/sql/list/list_query.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

class ListQueryTest : public testing::Test {
 protected:
  // The rows as JSON, or the error's message.
  std::string Run(std::string_view body) {
    const auto document = model::ParseJson(body);
    if (!document.has_value()) return document.error().message();
    const auto query = QueryTextFrom(*document);
    if (!query.has_value()) return query.error().message();
    std::vector<model::Value> resources;
    for (const char* resource : {R"({"id":"a","n":1})", R"({"id":"b","n":2})", R"({"id":"c"})"})
      resources.push_back(*model::ValueFromJson(resource));
    auto rows = queries_.Run(*query, std::move(resources));
    if (!rows.has_value()) return rows.error().message();
    return model::ToJson(model::Value::Array(*std::move(rows)));
  }

  ManualClock clock_;
  const ListQueries queries_{clock_};
};

TEST_F(ListQueryTest, All) {
  EXPECT_EQ(Run(R"({"query":"SELECT * FROM root"})"),
            R"([{"id":"a","n":1},{"id":"b","n":2},{"id":"c"}])");
}

TEST_F(ListQueryTest, Some) {
  EXPECT_EQ(Run(R"({"query":"SELECT * FROM root r WHERE r.n > 1"})"), R"([{"id":"b","n":2}])");
  EXPECT_EQ(Run(R"({"query":"select * from root where root.id = \"a\""})"),
            R"([{"id":"a","n":1}])");
  EXPECT_EQ(Run(R"({"query":"SELECT VALUE r.id FROM r WHERE r.id = @id",
                    "parameters":[{"name":"@id","value":"c"}]})"),
            R"(["c"])");
  EXPECT_EQ(Run(R"({"query":"SELECT VALUE r.n FROM r"})"), "[1,2]");
}

TEST_F(ListQueryTest, MoreThanThat) {
  for (const char* query :
       {"SELECT r.id FROM r", "SELECT TOP 1 * FROM r", "SELECT * FROM r ORDER BY r.id",
        "SELECT * FROM r JOIN x IN r.xs", "SELECT DISTINCT VALUE r.id FROM r"}) {
    const std::string said = Run(std::string(R"({"query":")") + query + "\"}");
    EXPECT_NE(said.find("has the form"), std::string::npos) << said;
  }
}

TEST_F(ListQueryTest, WhatIsNoQuery) {
  EXPECT_NE(Run("{}").find("'query'"), std::string::npos);
  EXPECT_NE(Run(R"({"query":"SELECT"})").find("Syntax error"), std::string::npos);
  EXPECT_NE(Run(R"({"query":"SELECT * FROM r WHERE x.id = 1"})").find("x"), std::string::npos);
  EXPECT_NE(Run(R"({"query":"SELECT * FROM r","parameters":[1]})").find("parameters"),
            std::string::npos);
}

TEST_F(ListQueryTest, Conditions) {
  const model::Value document = *model::ValueFromJson(R"({"n":1,"name":"abc"})");
  EXPECT_EQ(queries_.Holds("from c where c.n = 1 and STARTSWITH(c.name, 'a')", document), true);
  EXPECT_EQ(queries_.Holds("from c where c.n = 2", document), false);
  EXPECT_EQ(queries_.Holds("from c where c.missing > 2", document), false);
  EXPECT_FALSE(queries_.Holds("where", document).has_value());
}

}  // namespace
}  // namespace orrery::sql
