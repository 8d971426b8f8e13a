#include "api/sql/query/run/row_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace orrery::sql {
namespace {

using model::Value;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(RowJson, OrdinaryRowsAreAsTheyAre) {
  EXPECT_EQ(RowJson(Value::Object({{"a", Value::Array({Value::Double(1.5), Value::Int32(2)})},
                                   {"b", Value::Null()}})),
            R"({"a":[1.5,2],"b":null})");
}

TEST(RowJson, WhatJsonHasNoNumberForIsText) {
  EXPECT_EQ(RowJson(Value::Double(std::numeric_limits<double>::quiet_NaN())), R"("NaN")");
  EXPECT_EQ(RowJson(Value::Object({{"up", Value::Double(kInfinity)},
                                   {"down", Value::Array({Value::Double(-kInfinity)})},
                                   {"one", Value::Double(1)}})),
            R"({"up":"Infinity","down":["-Infinity"],"one":1})");
}

}  // namespace
}  // namespace orrery::sql
