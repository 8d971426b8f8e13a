// What a request wants done, from its method, its path and its headers: POST on a feed alone means
// five different things.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/sql/http/refusal.h"
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
  kExecute,  // a stored procedure, or an operation on a partition key
};

// 405 for a method that such a path never takes.
Answered<Action> ActionOf(std::string_view method, const ResourcePath& path,
                          const RequestHeaders& headers);

// Whether it leaves everything as it is.
bool OnlyReads(Action action);

}  // namespace orrery::sql
