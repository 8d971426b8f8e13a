#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/sql/function/aggregate/accumulator.h"
#include "api/sql/function/function_testing.h"
#include "api/sql/function/limits.h"

namespace orrery::sql {
namespace {

struct AggregateCase {
  std::string_view name;
  std::string_view values;
  std::string_view result;
};

// The same whether all rows are in one partition, each in its own, or some in none.
TEST(Aggregate, OfOneAndOfManyPartitions) {
  constexpr AggregateCase kCases[] = {
      {"AVG", "[98, 105]", "101.5"},
      {"AVG", "[1, undefined, 2]", "1.5"},
      {"AVG", "[1, null]", "undefined"},
      {"AVG", "[1, \"2\"]", "undefined"},
      {"AVG", "[]", "undefined"},
      {"COUNT", "[1, null, \"a\", undefined, [1], {}]", "5"},
      {"COUNT", "[]", "0"},
      {"COUNTIF", "[true, false, true, 1, \"true\", undefined]", "2"},
      {"SUM", "[0, 230, 14, 232, 141]", "617"},
      {"SUM", "[1, undefined]", "1"},
      {"SUM", "[1, true]", "undefined"},
      {"SUM", "[]", "0"},
      {"SUM", "[1e308, 1e308]", "Infinity"},
      {"MIN", "[27.6, 71.76]", "27.6"},
      {"MAX", "[27.6, 71.76]", "71.76"},
      {"MIN", "[\"a\", 1, true, undefined]", "true"},
      {"MAX", "[null, \"a\", 1, true]", "\"a\""},
      {"MIN", "[null, 1]", "null"},
      {"MIN", "[1, [1]]", "undefined"},
      {"MAX", "[1, {}]", "undefined"},
      {"MAX", "[]", "undefined"},
      {"MAKELIST", "[1, 1, undefined, null]", "[1,1,null]"},
      {"MAKELIST", "[]", "[]"},
      {"MAKESET", "[1, 1.0, {\"a\":1,\"b\":2}, {\"b\":2,\"a\":1}, undefined]",
       "[1,{\"a\":1,\"b\":2}]"},
  };
  for (const AggregateCase& c : kCases) {
    SCOPED_TRACE(std::string(c.name) + " of " + std::string(c.values));
    const auto aggregate = FindAggregate(c.name);
    ASSERT_TRUE(aggregate.has_value());
    const auto one = StartAggregate(*aggregate);
    const auto merged = StartAggregate(*aggregate);
    const Value values = ParseText(c.values);
    for (const Value& value : values.AsValues()) {
      EXPECT_TRUE(one->Add(value).has_value());
      const auto own = StartAggregate(*aggregate);
      EXPECT_TRUE(own->Add(value).has_value());
      // As it travels: JSON leaves undefined fields out.
      const Value partial = own->Partial();
      EXPECT_TRUE(
          merged->Merge(partial.is_undefined() ? partial : ParseText(Show(partial))).has_value());
    }
    const auto nothing = StartAggregate(*aggregate);
    EXPECT_TRUE(merged->Merge(nothing->Partial()).has_value());
    EXPECT_EQ(Show(one->Final()), Show(ParseText(c.result)));
    EXPECT_EQ(Show(merged->Final()), Show(ParseText(c.result)));
  }
}

TEST(Aggregate, NamesAndPlanNames) {
  EXPECT_EQ(FindAggregate("avg"), Aggregate::kAverage);
  EXPECT_EQ(FindAggregate("MakeSet"), Aggregate::kMakeSet);
  EXPECT_EQ(FindAggregate("median"), std::nullopt);
  EXPECT_EQ(PlanNameOf(Aggregate::kAverage), "Average");
  EXPECT_EQ(PlanNameOf(Aggregate::kCountIf), "CountIf");
}

TEST(Aggregate, PartialsHaveTheDocumentedShape) {
  const auto average = StartAggregate(Aggregate::kAverage);
  EXPECT_TRUE(average->Add(ParseText("3")).has_value());
  EXPECT_EQ(Show(average->Partial()), R"({"sum":3,"count":1})");
  EXPECT_TRUE(average->Add(ParseText("null")).has_value());
  EXPECT_EQ(Show(average->Partial()), R"({"count":2})");
  const auto least = StartAggregate(Aggregate::kMin);
  EXPECT_EQ(Show(least->Partial()), R"({"count":0})");
  EXPECT_TRUE(least->Add(ParseText("3")).has_value());
  EXPECT_EQ(Show(least->Partial()), R"({"min":3,"count":1})");
}

TEST(Aggregate, MalformedPartialsAreRefused) {
  constexpr std::pair<Aggregate, std::string_view> kCases[] = {
      {Aggregate::kCount, "\"5\""},       {Aggregate::kCount, "-1"},
      {Aggregate::kAverage, "5"},         {Aggregate::kAverage, "{\"sum\":1}"},
      {Aggregate::kMin, "{\"min\":1}"},   {Aggregate::kMax, "{\"max\":1,\"count\":-1}"},
      {Aggregate::kMakeList, "{}"},       {Aggregate::kMakeSet, "undefined"},
      {Aggregate::kCountIf, "undefined"},
  };
  for (const auto& [aggregate, partial] : kCases) {
    const Status merged = StartAggregate(aggregate)->Merge(ParseText(partial));
    ASSERT_FALSE(merged.has_value()) << partial;
    EXPECT_EQ(merged.error().code(), Code::kInvalidArgument);
  }
}

TEST(Aggregate, ListsAreBounded) {
  const auto list = StartAggregate(Aggregate::kMakeList);
  const Value value = Value::Null();
  for (size_t i = 0; i < kResultElementsMax; ++i) ASSERT_TRUE(list->Add(value).has_value());
  EXPECT_EQ(list->Add(value).error().code(), Code::kTooLarge);

  const auto set = StartAggregate(Aggregate::kMakeSet);
  Status added;
  for (char c = 'a'; c < 'z' && added.has_value(); ++c)
    added = set->Add(Value::String(std::string(1 << 20, c)));
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::sql
