// Conditions of patches, which are SQL: "from c where c.stock > 0".
//
// The document is read and the condition evaluated on it; the patch then goes with the etag that
// was read, so that it is done only to the version that met the condition. Whoever writes between
// the two makes it be tried again.
#pragma once

#include <string_view>

#include "api/sql/handler/document/document_target.h"
#include "api/sql/handler/parts.h"
#include "api/sql/http/refusal.h"
#include "base/ids.h"
#include "model/value.h"

namespace orrery::sql {

// How often a patch is tried that others keep overtaking.
inline constexpr int kConditionTriesMax = 16;

// The version of the document that meets the condition. 412 when it does not, 404 when there is
// none. Blocks.
Answered<Lsn> MeetCondition(const HandlerParts& parts, const gateway::ContainerRef& container,
                            const DocumentTarget& target, std::string_view condition);

// Whether a document, as clients see it, meets the condition: 412 when it does not.
Answered<void> CheckCondition(const HandlerParts& parts, std::string_view condition,
                              model::Value seen);

}  // namespace orrery::sql
