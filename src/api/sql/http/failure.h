// A Failure is how the SQL API reports an error to a client: a status, a substatus, and always a
// JSON body with a message, without which official clients fail in their own code.
//
// Substatuses are per status: 1002 means one thing under 404 and another under 410.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "net/http/http_message.h"

namespace orrery::sql {

// Those that this server sends.
enum class Substatus : int {
  kNone = 0,
  kPartitionKeyMismatch = 1001,            // 400
  kCrossPartitionQueryNotServable = 1004,  // 400
  kIncorrectContainerRid = 1024,           // 400
  kPartitionFull = 1014,                   // 403
  kReadSessionNotAvailable = 1002,         // 404
  kOwnerNotFound = 1003,                   // 404
  kNameCacheIsStale = 1000,                // 410
  kPartitionKeyRangeGone = 1002,           // 410
  kCompletingSplit = 1007,                 // 410
  kRequestRateTooLarge = 3200,             // 429
};

struct Failure {
  int status = 500;
  Substatus substatus = Substatus::kNone;
  std::string message{};
  uint32_t retry_after_ms = 0;  // of 429 alone
  std::string plan{};           // of 400/1004: how the client executes the query itself
};

// Returns an error of the core as clients of this API see it.
Failure FailureOf(const Error& error);

// The word for a status in the body: "NotFound", "TooManyRequests".
std::string_view CodeOf(int status);

// {"code":..,"message":..}, and "additionalErrorInfo" for a plan. The message ends with the
// activity id.
std::string FailureBody(const Failure& failure, std::string_view activity_id);

// That body, with x-ms-substatus and x-ms-retry-after-ms where they belong. The activity id is in a
// header of its own as well.
net::HttpResponse ToResponse(const Failure& failure, std::string_view activity_id);

}  // namespace orrery::sql
