// Writes the multipart answer of a batch. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/table/executor/reply.h"
#include "api/table/protocol/error_response.h"
#include "base/clock.h"

namespace orrery::table {

struct BatchFacts {
  std::string_view request_id;  // also part of the boundaries
  Micros now;
};

// `are_changes`: in one changeset; else alone, and at most one.
Reply BatchReply(const std::vector<Reply>& parts, bool are_changes, const BatchFacts& facts);
// One part says that the operation with that number failed: then nothing was changed.
Reply FailedBatchReply(const ErrorResponse& error, size_t operation, bool are_changes,
                       const BatchFacts& facts);

}  // namespace orrery::table
