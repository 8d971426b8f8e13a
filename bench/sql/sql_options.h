// The options of `orrery-bench sql`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "load/address.h"

namespace orrery::bench {

// kQuery stays in one logical partition; the three after it look at the whole container.
enum class SqlWorkloadKind : uint8_t { kRead, kCreate, kQuery, kFind, kTop, kScan, kNone };

struct SqlOptions {
  Address address{"127.0.0.1", 8'081, false};
  uint64_t direct_port = 0;  // the load goes to this port of Direct mode; 0: over HTTP
  std::string key;           // of the account, base64; the emulator's unless told
  std::string database = "orrery_bench_sql";
  std::string container = "documents";
  uint64_t connections = 64;
  uint64_t in_flight = 1;  // on each connection
  uint64_t threads = 1;
  double rate = 0;  // operations a second; 0: as many as are answered
  double seconds = 10;
  double warmup = 2;
  uint64_t documents = 50'000;
  uint64_t value_bytes = 1'024;
  SqlWorkloadKind workload = SqlWorkloadKind::kRead;
  bool setup = false;
  uint64_t load_batch = 100;      // documents in a request of the load; 1: no batches
  uint64_t throughput = 100'000;  // of a container that --setup makes; 0: none of its own
  uint64_t server_pid = 0;        // 0: not sampled
  bool json = false;
};

Result<SqlOptions> ParseSqlOptions(std::span<const std::string_view> words);
std::string SqlUsage();
std::string_view SqlWorkloadName(SqlWorkloadKind kind);

}  // namespace orrery::bench
