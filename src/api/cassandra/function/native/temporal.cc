#include "api/cassandra/function/native/temporal.h"

#include <fmt/format.h>

#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {

int64_t MillisOf(TypeKind kind, std::string_view value) {
  switch (kind) {
    case TypeKind::kTimeuuid:
      return TimeUuidMillis(value);
    case TypeKind::kDate:
      return TimestampOfDate(DecodeInteger<uint32_t>(value));
    default:
      return DecodeInteger<int64_t>(value);
  }
}

Result<std::string> ValueOfMillis(TypeKind kind, int64_t unix_ms) {
  if (kind != TypeKind::kDate) return EncodeInteger(unix_ms);
  const std::optional<uint32_t> date = DateOfTimestamp(unix_ms);
  if (!date.has_value())
    return Fail(Code::kInvalidArgument,
                fmt::format("the timestamp {} is beyond the dates that there are", unix_ms));
  return EncodeInteger(*date);
}

}  // namespace orrery::cassandra
