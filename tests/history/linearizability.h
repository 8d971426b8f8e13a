// Is there an order of the operations on one key, each at a moment between its invocation and its
// completion, in which a single register would have answered as it was seen to?
//
// The search of Wing and Gong with Lowe's memory of what was tried: the set of operations that have
// taken effect, and what the key holds then. Operations of unknown outcome may take effect at any
// moment after their invocation, or not at all; they are used only where nothing else helps, and
// one situation is not examined again with more of them used up.
//
// The problem is NP-complete in general and quick on real histories, whose operations overlap
// little. Hence limits, and a third verdict.
#pragma once

#include <cstdint>
#include <span>

#include "history/operation.h"
#include "history/register_model.h"

namespace orrery::history {

struct SearchLimits {
  uint64_t tried_max = 1'000'000;  // remembered, of some 100 bytes each
  uint64_t steps_max = 100'000'000;
};

enum class Verdict : uint8_t { kLinearizable, kViolated, kTooConcurrent };

struct SearchResult {
  Verdict verdict = Verdict::kLinearizable;
  // When kViolated, an index into the operations: all that completed before it can be explained
  // together, but not with this one as well.
  size_t culprit = 0;
};

// `operations` of one key, in any order; those that failed, and reads without answer, are not
// examined. `initial` is what the key held before, known to `model`.
SearchResult SearchOrder(std::span<const Operation* const> operations, RegisterModel& model,
                         ContentId initial, const SearchLimits& limits);

}  // namespace orrery::history
