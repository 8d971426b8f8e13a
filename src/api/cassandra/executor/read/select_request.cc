#include "api/cassandra/executor/read/select_request.h"

#include <chrono>

namespace orrery::cassandra {

uint32_t NowSeconds(const SelectRequest& request, Micros now) {
  const auto& given = request.parameters.context.now_in_seconds;
  if (given.has_value()) return static_cast<uint32_t>(*given);
  return static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

CqlError TooManyReads() {
  return {ErrorCode::kOverloaded, "Too many reads are waiting for the disk; retry later", {}, 0};
}

}  // namespace orrery::cassandra
