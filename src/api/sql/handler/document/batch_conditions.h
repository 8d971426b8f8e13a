// Conditions of the patches of an atomic batch. Each is about the document as the operations before
// it leave it, some of which may be of the same batch: they are played through here, on what is
// stored, and what was read is bound to the version that it had.
#pragma once

#include <cstddef>
#include <expected>
#include <vector>

#include "api/sql/handler/document/write_operation.h"
#include "api/sql/handler/parts.h"
#include "api/sql/http/error_response.h"

namespace orrery::sql {

struct UnmetCondition {
  size_t operation;
  ErrorResponse why;
};

// The first condition that is not met, if any. Blocks.
std::expected<void, UnmetCondition> MeetConditions(const HandlerParts& parts,
                                                   const gateway::ContainerRef& container,
                                                   std::vector<PreparedWrite>& writes);

}  // namespace orrery::sql
