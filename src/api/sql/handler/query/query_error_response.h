// Converts an error of a query to the form that clients of this API expect: the message is JSON
// itself, with the position in the text.
//
//   {"errors":[{"severity":"Error","location":{"start":7,"end":15},"code":"SC1001","message":".."}]}
#pragma once

#include "api/sql/http/error_response.h"
#include "api/sql/query/query_request.h"

namespace orrery::sql {

// 400 for the text; errors of the core as they are.
ErrorResponse ErrorResponseOf(const QueryFailure& failure);

}  // namespace orrery::sql
