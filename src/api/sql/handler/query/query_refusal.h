// What is wrong with a query, as clients of this API hear it: the message is JSON itself, with the
// place in the text.
//
//   {"errors":[{"severity":"Error","location":{"start":7,"end":15},"code":"SC1001","message":".."}]}
#pragma once

#include "api/sql/http/refusal.h"
#include "api/sql/query/query_request.h"

namespace orrery::sql {

// 400 for the text; errors of the core as they are.
Refusal RefusalOf(const QueryFailure& failure);

}  // namespace orrery::sql
