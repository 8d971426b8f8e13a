// An Action is what a request wants done, from its method, its path and its headers: POST on a feed
// alone means five different things.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/sql/http/error_response.h"
#include "api/sql/request/request_headers.h"
#include "api/sql/resource/resource_path.h"

namespace orrery::sql {

enum class Action : uint8_t {
  kRead,
  kReadFeed,
  kCreate,  // and upsert, by a header
  kReplace,
  kPatch,
  kDelete,
  kQuery,
  kQueryPlan,
  kBatch,
  kExecute,           // a stored procedure, or an operation on a partition key
  kResolveAddresses,  // where Direct mode finds a resource
};

// 405 for a method that such a path never takes.
SqlResult<Action> ActionOf(std::string_view method, const ResourcePath& path,
                           const RequestHeaders& headers);

// Returns whether it changes nothing.
bool OnlyReads(Action action);

}  // namespace orrery::sql
