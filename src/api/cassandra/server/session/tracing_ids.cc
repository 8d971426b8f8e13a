#include "api/cassandra/server/session/tracing_ids.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {

Uuid TracingIds::Next() {
  const int64_t now_us = clock_.Now().count();
  int64_t last_us = last_us_.load(std::memory_order_relaxed);
  int64_t next_us = 0;
  do {
    next_us = std::max(now_us, last_us + 1);
  } while (!last_us_.compare_exchange_weak(last_us, next_us, std::memory_order_relaxed));
  const std::string bytes = MakeTimeUuid(Micros(next_us), node_);
  Uuid id;
  std::memcpy(id.data(), bytes.data(), id.size());
  return id;
}

}  // namespace orrery::cassandra
