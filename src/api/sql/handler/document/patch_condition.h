// Conditions of patches, which are SQL: "from c where c.stock > 0", of any cost. Those that are
// cheap to evaluate are left to the partition (conditional_patch.h).
//
// The document is read and the condition evaluated on it; the patch then goes with the etag that
// was read, so that it is done only to the version that met the condition. Whoever writes between
// the two makes it be tried again.
#pragma once

#include <string_view>

#include "api/sql/handler/document/write_operation.h"
#include "api/sql/handler/parts.h"
#include "api/sql/http/error_response.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr std::string_view kConditionNotMet =
    "One of the specified pre-condition is not met: the patch's condition";

// Does what has a condition, to a version that meets it. 412 when the document does not, 404 when
// there is none. Blocks.
SqlResult<gateway::WriteResponse> WriteIfMet(const HandlerParts& parts,
                                             const gateway::ContainerRef& container,
                                             const PreparedWrite& write);

// Checks that a document, as clients see it, meets the condition: 412 when it does not.
SqlResult<void> CheckCondition(const HandlerParts& parts, std::string_view condition,
                               model::Value seen);

}  // namespace orrery::sql
