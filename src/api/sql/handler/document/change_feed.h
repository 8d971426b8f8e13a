// Pages of the change feed, as clients read them: latest versions as documents, all versions as
// {"current","previous","metadata"}. The etag says where to go on; 304 that nothing is new.
//
// All block.
#pragma once

#include "api/sql/handler/reply.h"
#include "api/sql/http/error_response.h"
#include "api/sql/request/request_headers.h"
#include "gateway/gateway.h"

namespace orrery::sql {

// Of the partition key, the range or the whole container that the headers name. They say where to
// begin, too: at an etag, at a time, now ("*"), or at the beginning.
SqlResult<Reply> ReadChanges(gateway::Gateway& gateway, const gateway::ContainerRef& container,
                             const RequestHeaders& headers, const item::PageLimits& limits);

}  // namespace orrery::sql
