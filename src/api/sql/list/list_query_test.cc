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

TEST_F(ListQueryTest, TheWholeLanguage) {
  const auto rows = [this](std::string_view query) {
    return Run(R"({"query":")" + std::string(query) + "\"}");
  };
  EXPECT_EQ(rows("SELECT r.id, r.n + 1 AS next FROM r"),
            R"([{"id":"a","next":2},{"id":"b","next":3},{"id":"c"}])");
  EXPECT_EQ(rows("SELECT TOP 1 * FROM r"), R"([{"id":"a","n":1}])");
  EXPECT_EQ(rows("SELECT VALUE r.id FROM r ORDER BY r.id DESC OFFSET 1 LIMIT 1"), R"(["b"])");
  EXPECT_EQ(rows("SELECT VALUE COUNT(1) FROM r WHERE IS_DEFINED(r.n)"), "[2]");
  EXPECT_EQ(rows("SELECT IS_DEFINED(r.n) AS has, COUNT(1) AS c FROM r GROUP BY IS_DEFINED(r.n)"),
            R"([{"has":true,"c":2},{"has":false,"c":1}])");
  EXPECT_EQ(rows("SELECT DISTINCT VALUE IS_DEFINED(r.n) FROM r"), "[true,false]");
  EXPECT_EQ(rows("SELECT VALUE x FROM r JOIN x IN [r.id, 0] WHERE r.n = 2"), R"(["b",0])");
  EXPECT_EQ(rows("SELECT VALUE 1"), "[1]");
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
