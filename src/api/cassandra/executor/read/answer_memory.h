// Counts the results of reads until they are sent: see RowsOutcome::memory. When the budget is
// spent, clients read too little of what they ask for, and further large results are refused.
#pragma once

#include <cstddef>

#include "api/cassandra/protocol/error_code.h"
#include "base/byte_budget.h"

namespace orrery::cassandra {

// Smaller results are not worth counting.
inline constexpr size_t kUncountedAnswerBytes = 16 << 10;

// False when there is no room for a result of so many bytes.
[[nodiscard]] inline bool HoldAnswer(ByteShare& memory, size_t bytes) {
  return bytes <= kUncountedAnswerBytes || memory.TryHold(bytes);
}

inline CqlError TooManyAnswers() {
  return {ErrorCode::kOverloaded,
          "The server has too many bytes of answers that clients have not read; retry later",
          {},
          0};
}

}  // namespace orrery::cassandra
