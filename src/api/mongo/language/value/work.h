// Work bounds what expressions may take: looks at whether the command is still wanted, and bounds
// what they make.
#pragma once

#include <cstddef>

#include "api/mongo/error/mongo_error.h"
#include "base/work_scope.h"
#include "model/value.h"

namespace orrery::mongo {

// Elements of arrays, and bytes of a string, that one operator may make.
inline constexpr size_t kMadeElementsMax = 10'000'000;
inline constexpr size_t kMadeBytesMax = size_t{64} << 20;

// Counts work on so many elements; kMaxTimeMsExpired or kInterrupted when the command is to end.
inline Outcome CountWork(size_t elements = 1) {
  if (!WorkScope::Step(elements)) [[likely]]
    return {};
  if (WorkScope::stop_reason() == StopReason::kDeadline)
    return Refuse(ErrorCode::kMaxTimeMsExpired, "operation exceeded time limit");
  return Refuse(ErrorCode::kInterrupted, "operation was interrupted");
}

inline size_t ElementsOf(const model::Value& value) {
  return value.kind() == model::Kind::kArray ? value.AsValues().size() : 0;
}

}  // namespace orrery::mongo
