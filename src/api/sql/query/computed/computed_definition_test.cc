#include "api/sql/query/computed/computed_definition.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

// Returns the error of a property "x" of that definition; empty when it is valid.
std::string ErrorOf(std::string_view query, std::string_view name = "x") {
  const model::Value json = model::Value::Array(
      {model::Value::Object({{"name", model::Value::String(std::string(name))},
                             {"query", model::Value::String(std::string(query))}})});
  const Status checked = CheckComputedProperties(json, FunctionRegistry());
  return checked.has_value() ? "" : checked.error().message();
}
std::string ErrorOfList(std::string_view json) {
  const Status checked = CheckComputedProperties(*model::ValueFromJson(json), FunctionRegistry());
  return checked.has_value() ? "" : checked.error().message();
}
bool Mentions(std::string_view message, std::string_view part) {
  return message.find(part) != std::string_view::npos;
}

TEST(ComputedDefinition, WhatMayStand) {
  for (const char* query :
       {"SELECT VALUE LOWER(c.name) FROM c", "SELECT VALUE r.a + r.b FROM root r",
        "SELECT VALUE r FROM root AS r", "SELECT VALUE IS_DEFINED(c.x) ? c.x : {a: [1]} FROM c",
        "SELECT VALUE SUBSTRING(c.code, 0, 3) || c['b'][0] FROM c", "SELECT VALUE 1 FROM c"}) {
    EXPECT_EQ(ErrorOf(query), "") << query;
  }
}

TEST(ComputedDefinition, WhatMayNot) {
  const struct {
    const char* query;
    const char* part;  // of the message
  } cases[] = {
      {"SELECT VALUE", "at 12..12: Syntax error"},
      {"SELECT c.a FROM c", "SELECT VALUE"},
      {"SELECT * FROM c", "SELECT VALUE"},
      {"SELECT VALUE 1", "FROM"},
      {"SELECT VALUE c FROM c.items", "FROM"},
      {"SELECT VALUE i FROM i IN c", "FROM"},
      {"SELECT VALUE s FROM (SELECT VALUE c FROM c) s", "FROM"},
      {"SELECT VALUE c.a FROM c JOIN i IN c.items", "JOIN"},
      {"SELECT VALUE c.a FROM c WHERE c.a = 1", "WHERE"},
      {"SELECT VALUE c.a FROM c GROUP BY c.a", "GROUP BY"},
      {"SELECT VALUE c.a FROM c ORDER BY c.a", "ORDER BY"},
      {"SELECT VALUE c.a FROM c OFFSET 0 LIMIT 1", "OFFSET LIMIT"},
      {"SELECT TOP 1 VALUE c.a FROM c", "TOP"},
      {"SELECT DISTINCT VALUE c.a FROM c", "DISTINCT"},
      {"SELECT VALUE COUNT(1) FROM c", "COUNT"},
      {"SELECT VALUE udf.f(c.a) FROM c", "at 13..23: A computed property cannot call user"},
      {"SELECT VALUE (SELECT VALUE 1) FROM c", "subqueries"},
      {"SELECT VALUE EXISTS(SELECT VALUE 1) FROM c", "subqueries"},
      {"SELECT VALUE [RAND()] FROM c", "RAND"},
      {"SELECT VALUE c.a > GetCurrentTimestamp() FROM c", "GETCURRENTTIMESTAMP"},
      {"SELECT VALUE ST_DISTANCE(c.a, c.b) FROM c", "ST_DISTANCE"},
      {"SELECT VALUE c.a = @p FROM c", "@p"},
      {"SELECT VALUE d.a FROM c", "at 13..14: "},
      {"SELECT VALUE NOSUCH(c.a) FROM c", "NOSUCH"},
  };
  for (const auto& c : cases) {
    const std::string message = ErrorOf(c.query);
    EXPECT_TRUE(Mentions(message, "computedProperties[0]: the query is wrong")) << c.query;
    EXPECT_TRUE(Mentions(message, c.part)) << c.query << ": " << message;
  }
}

TEST(ComputedDefinition, Names) {
  constexpr const char* kQuery = "SELECT VALUE c.a FROM c";
  EXPECT_EQ(ErrorOf(kQuery, "a"), "");  // computed of the stored one
  for (const char* name : {"", "id", "_ts", "_rid", "_self", "_etag", "_attachments"})
    EXPECT_NE(ErrorOf(kQuery, name), "") << name;
  EXPECT_TRUE(Mentions(ErrorOfList(R"([{"name":"x","query":"SELECT VALUE 1 FROM c"},
                                       {"name":"x","query":"SELECT VALUE 2 FROM c"}])"),
                       "computedProperties[1]: the name 'x'"));
  EXPECT_TRUE(Mentions(ErrorOfList(R"([{"name":"x","query":"SELECT VALUE 1 FROM c"},
                                       {"name":"y","query":"SELECT VALUE ABS(c.x) FROM c"}])"),
                       "computedProperties[1]: it cannot use 'x'"));
}

TEST(ComputedDefinition, TheList) {
  EXPECT_EQ(ErrorOfList("null"), "");
  EXPECT_EQ(ErrorOfList("[]"), "");
  EXPECT_NE(ErrorOfList("{}"), "");
  EXPECT_NE(ErrorOfList("[1]"), "");
  EXPECT_NE(ErrorOfList(R"([{"name":"x"}])"), "");
  const auto of = [](size_t count) {
    std::string json = "[";
    for (size_t i = 0; i < count; ++i) {
      json += (i == 0 ? "" : ",") + std::string(R"({"name":"x)") + std::to_string(i) +
              R"(","query":"SELECT VALUE 1 FROM c"})";
    }
    return json + "]";
  };
  EXPECT_EQ(ErrorOfList(of(kComputedPropertiesMax)), "");
  EXPECT_NE(ErrorOfList(of(kComputedPropertiesMax + 1)), "");
}

}  // namespace
}  // namespace orrery::sql
