// Finds the part of the ring that a request names: by the id that the pkranges feed told, by
// effective partition keys, or by both.
#pragma once

#include <optional>

#include "api/sql/http/error_response.h"
#include "api/sql/request/request_headers.h"
#include "gateway/gateway.h"

namespace orrery::sql {

// nullopt when it names none. 410/1002 when there is no range of that id any more, or it does not
// have the keys that are asked for: the client then reads the ranges again.
SqlResult<std::optional<partition::HashRange>> RangeOfRequest(
    const gateway::Gateway& gateway, const gateway::ContainerEntry& container,
    const RequestHeaders& headers);

}  // namespace orrery::sql
