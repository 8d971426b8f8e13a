#include "api/cassandra/executor/throttle_text.h"

#include <fmt/core.h>

namespace orrery::cassandra {

std::string ThrottleText(std::string_view activity_id, uint32_t retry_after_ms) {
  return fmt::format(
      "Request rate is large: ActivityID={}, RetryAfterMs={}, Additional details='Response status "
      "code does not indicate success: TooManyRequests (429); Substatus: 3200; ActivityId: {}; "
      "Reason: ({{\n  \"Errors\": [\n    \"Request rate is large. More Request Units may be needed, "
      "so no changes were made. Please retry this request later. Learn more: "
      "http://aka.ms/cosmosdb-error-429\"\n  ]\n}});",
      activity_id, retry_after_ms, activity_id);
}

}  // namespace orrery::cassandra
