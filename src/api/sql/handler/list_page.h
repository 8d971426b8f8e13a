// Pages of lists that come from the catalog: databases, containers, offers, users.
//
// In the order of their ids, and a continuation is the last id that was told: what is created or
// deleted between two pages neither hides nor repeats another.
#pragma once

#include <string_view>
#include <vector>

#include "api/sql/handler/reply.h"
#include "api/sql/http/error_response.h"
#include "api/sql/request/request_headers.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr size_t kListPageMax = 1'000;

// REQUIRES: each of `resources` is an object with an id. 400 for an invalid continuation.
SqlResult<Reply> ListPage(std::string_view owner_rid, std::string_view name,
                          std::vector<model::Value> resources, const RequestHeaders& headers);

}  // namespace orrery::sql
