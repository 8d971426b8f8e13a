// The options of `orrery-bench table`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "load/address.h"

namespace orrery::bench {

// kQuery stays in one partition; kFind asks all of them for a property, kPage for the first page of
// everything in order.
enum class TableWorkloadKind : uint8_t {
  kRead,
  kInsert,
  kMerge,
  kBatch,
  kQuery,
  kFind,
  kPage,
  kNone
};

struct TableOptions {
  Address address{"127.0.0.1", 10'002, false};
  std::string account = "devstoreaccount1";  // the first part of every path
  std::string key;                           // base64; the development account's unless told
  std::string table = "OrreryBench";
  uint64_t connections = 64;
  uint64_t in_flight = 1;  // on each connection
  uint64_t threads = 1;
  double rate = 0;  // operations a second; 0: as many as are answered
  double seconds = 10;
  double warmup = 2;
  uint64_t entities = 50'000;
  uint64_t value_bytes = 400;
  TableWorkloadKind workload = TableWorkloadKind::kRead;
  bool setup = false;
  uint64_t throughput = 0;  // of a table that --setup makes; 0: none of its own
  uint64_t server_pid = 0;  // 0: not sampled
  bool json = false;
};

Result<TableOptions> ParseTableOptions(std::span<const std::string_view> words);
std::string TableUsage();
std::string_view TableWorkloadName(TableWorkloadKind kind);

}  // namespace orrery::bench
