#include "api/cassandra/planner/term/literal_nodes.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/term/value_nodes.h"
#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Execution;
using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::SetOf;
using testing::Text;
using testing::TupleOf;
using testing::Udt;
using testing::VectorOf;

ExpressionPtr Number(int32_t value) {
  return std::make_unique<ConstantExpression>(Int(), TermValue::Of(EncodeInteger(value)));
}
ExpressionPtr Null() { return std::make_unique<ConstantExpression>(Int(), TermValue::Null()); }
ExpressionPtr Marker() { return std::make_unique<MarkerExpression>(Int(), 0, "v"); }

template <typename... Parts>
ExpressionList List(Parts... parts) {
  ExpressionList list;
  (list.push_back(std::move(parts)), ...);
  return list;
}

// As CQL, or the error.
std::string Evaluated(const Expression& expression, TermValue marker = TermValue::Null()) {
  Execution execution({std::move(marker)});
  const auto value = expression.Evaluate(execution.evaluation());
  if (!value.has_value()) return value.error().message;
  return ToCqlLiteral(*expression.type(), value->bytes).value_or("damaged");
}

TEST(ElementsExpression, ListsKeepTheirOrderAndSetsHaveTheirOwn) {
  EXPECT_EQ(Evaluated(ElementsExpression(ListOf(Int()), List(Number(2), Number(1), Number(2)))),
            "[2, 1, 2]");
  EXPECT_EQ(Evaluated(ElementsExpression(SetOf(Int()), List(Number(2), Number(-1), Number(2)))),
            "{-1, 2}");
  EXPECT_EQ(Evaluated(ElementsExpression(VectorOf(Int(), 2), List(Number(1), Number(2)))),
            "[1, 2]");
  EXPECT_EQ(Evaluated(ElementsExpression(ListOf(Int()), {})), "[]");
}

TEST(ElementsExpression, RefusesNullAndUnset) {
  const ElementsExpression list(ListOf(Int()), List(Marker()));
  EXPECT_EQ(Evaluated(list), "null is not supported inside collections");
  EXPECT_EQ(Evaluated(list, TermValue::Unset()), "unset value is not supported inside collections");
  EXPECT_EQ(Evaluated(ElementsExpression(VectorOf(Int(), 1), List(Null()))),
            "null is not supported inside vectors");
}

TEST(EntriesExpression, TheLastOfEqualKeysCounts) {
  const EntriesExpression map(MapOf(Int(), Int()), List(Number(2), Number(1), Number(2)),
                              List(Number(20), Number(10), Number(21)));
  EXPECT_EQ(Evaluated(map), "{1: 10, 2: 21}");
  EXPECT_EQ(Evaluated(EntriesExpression(MapOf(Int(), Int()), List(Number(1)), List(Null()))),
            "null is not supported inside collections");
}

TEST(ComponentsExpression, WhatIsNotGivenIsNull) {
  const TypePtr pair = TupleOf({Int(), Int()});
  EXPECT_EQ(Evaluated(ComponentsExpression(pair, List(Number(1), ExpressionPtr()))), "(1, null)");
  EXPECT_EQ(Evaluated(ComponentsExpression(pair, List(Null(), Number(2)))), "(null, 2)");
}

TEST(ComponentsExpression, RefusesUnsetByItsPlace) {
  EXPECT_EQ(Evaluated(ComponentsExpression(TupleOf({Int(), Int()}), List(Number(1), Marker())),
                      TermValue::Unset()),
            "Invalid unset value for tuple field number 1");
  EXPECT_EQ(Evaluated(ComponentsExpression(Udt("point", {"x"}, {Int()}), List(Marker())),
                      TermValue::Unset()),
            "Invalid unset value for field 'x' of user defined type point");
}

TEST(LiteralNodes, AreConstantWhenAllPartsAre) {
  EXPECT_TRUE(ElementsExpression(ListOf(Int()), List(Number(1))).is_constant());
  EXPECT_FALSE(ElementsExpression(ListOf(Int()), List(Number(1), Marker())).is_constant());
  EXPECT_FALSE(
      EntriesExpression(MapOf(Int(), Int()), List(Number(1)), List(Marker())).is_constant());
  EXPECT_TRUE(ComponentsExpression(TupleOf({Int(), Int()}), List(Number(1), ExpressionPtr()))
                  .is_constant());
}

}  // namespace
}  // namespace orrery::cassandra
