// The options of `orrery-bench mongo`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "load/address.h"

namespace orrery::bench {

// kMany inserts 100 documents with one command; kIndexed finds 10 documents by an indexed field;
// kGroup aggregates half of the collection.
enum class MongoWorkloadKind : uint8_t { kFind, kInsert, kUpdate, kMany, kIndexed, kGroup, kNone };

struct MongoOptions {
  Address address{"127.0.0.1", 27'017, false};
  std::string database = "orrery_bench";
  std::string collection = "documents";
  uint64_t connections = 64;
  uint64_t in_flight = 1;  // on each connection
  uint64_t threads = 1;
  double rate = 0;  // operations a second; 0: as many as are answered
  double seconds = 10;
  double warmup = 2;
  uint64_t documents = 50'000;
  uint64_t value_bytes = 1'024;
  MongoWorkloadKind workload = MongoWorkloadKind::kFind;
  bool journal = true;  // writes wait for the disk
  bool setup = false;
  uint64_t server_pid = 0;  // 0: not sampled
  bool json = false;
};

Result<MongoOptions> ParseMongoOptions(std::span<const std::string_view> words);
std::string MongoUsage();
std::string_view MongoWorkloadName(MongoWorkloadKind kind);

}  // namespace orrery::bench
