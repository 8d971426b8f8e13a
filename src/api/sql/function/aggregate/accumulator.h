// The aggregates of the SQL query language: one value of many rows, in two steps.
//
// Each partition adds its rows to an Accumulator and hands on the Partial; whoever answers the
// query merges the partials of all partitions, in any order, into one and asks for the Final.
// Partials are JSON values, so that they can travel in answers:
//
//   COUNT, COUNTIF  number
//   SUM             number; undefined once a value was none
//   AVG             {"sum": number, "count": number}; without "sum" once a value was none
//   MIN, MAX        {"min" or "max": value, "count": number}; without the value once one had no
//                   order
//   MAKELIST        array
//   MAKESET         array
//
// Undefined values do not count. SUM and AVG of anything but numbers are undefined, as are MIN and
// MAX of arrays and objects; primitive values of different types are ordered null, booleans,
// numbers, strings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "model/value.h"

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

// The state of one group of rows. Used by one thread at a time.
class Accumulator {
 public:
  virtual ~Accumulator() = default;

  // One row's value. kTooLarge when a list or set passes a bound of limits.h.
  virtual Status Add(const model::Value& value) = 0;
  // Another's Partial. kInvalidArgument when it is none; kTooLarge as Add.
  virtual Status Merge(const model::Value& partial) = 0;

  virtual model::Value Partial() const = 0;
  virtual model::Value Final() const = 0;
};

std::unique_ptr<Accumulator> StartAggregate(Aggregate aggregate);

}  // namespace orrery::sql
