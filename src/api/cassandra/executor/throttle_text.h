// The text for clients when the provisioned rate is used up: Cosmos DB's own, which retry policies
// of its clients parse. They look for "TooManyRequests (429)" and for a piece between commas that
// is exactly " RetryAfterMs=<digits>".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::cassandra {

// `activity_id` is a uuid in text: it finds the request in logs.
std::string ThrottleText(std::string_view activity_id, uint32_t retry_after_ms);

}  // namespace orrery::cassandra
