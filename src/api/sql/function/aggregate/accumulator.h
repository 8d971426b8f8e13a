// The aggregates of the SQL query language: one value of many rows, in two steps.
//
// Those that keep a value of bounded size are computed where documents are, too; their partials and
// rules are in model/aggregate/sql_accumulators.h. The partial of MAKELIST and MAKESET is an array.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "model/aggregate/grouping.h"
#include "model/value.h"
#include "query/operator/aggregate_function.h"

namespace orrery::sql {

enum class Aggregate : uint8_t {
  kCount,
  kCountIf,
  kSum,
  kAverage,
  kMin,
  kMax,
  kMakeList,
  kMakeSet,
};

// In any case of letters; nothing when there is none of that name. All take one argument.
std::optional<Aggregate> FindAggregate(std::string_view name);

// "Count", "Average": as query plans call it.
std::string_view PlanNameOf(Aggregate aggregate);

using query::Accumulator;

// The aggregate as the owners of partitions know it. Nullopt if they do not.
std::optional<model::AggregateOperator> OwnerOperatorOf(Aggregate aggregate);

// The aggregate as operators know it. Lives as long as the program.
const query::AggregateFunction& AggregateFunctionOf(Aggregate aggregate);
std::unique_ptr<Accumulator> StartAggregate(Aggregate aggregate);

}  // namespace orrery::sql
