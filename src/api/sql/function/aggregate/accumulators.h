// The accumulators behind StartAggregate, by what they keep.
#pragma once

#include <memory>
#include <string_view>

#include "api/sql/function/aggregate/accumulator.h"
#include "base/status.h"

namespace orrery::sql {

std::unique_ptr<Accumulator> StartCount();
std::unique_ptr<Accumulator> StartCountIf();
std::unique_ptr<Accumulator> StartSum();
std::unique_ptr<Accumulator> StartAverage();
std::unique_ptr<Accumulator> StartMin();
std::unique_ptr<Accumulator> StartMax();
std::unique_ptr<Accumulator> StartList();
std::unique_ptr<Accumulator> StartSet();

inline std::unexpected<Error> NoPartial() {
  return Fail(Code::kInvalidArgument, "an aggregate's partial result is malformed");
}

}  // namespace orrery::sql
