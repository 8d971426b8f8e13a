// The options of `orrery-bench cql`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "load/address.h"

namespace orrery::bench {

// The server to drive, and how to be let in.
// Requests that may be in flight on one connection, by the protocol.
inline constexpr uint64_t kStreamsMax = 32'768;

struct Target : Address {
  Target() { port = 9'042; }

  std::string user;  // empty: no credentials are offered
  std::string password;
  uint64_t protocol = 4;
};

enum class WorkloadKind : uint8_t { kRead, kInsert, kMixed, kNone };
enum class Distribution : uint8_t { kUniform, kZipf };

struct CqlOptions {
  Target target;
  uint64_t connections = 64;
  uint64_t in_flight = 32;  // on each connection
  uint64_t threads = 1;
  double rate = 0;  // operations a second; 0: as many as are answered
  double seconds = 10;
  double warmup = 2;
  uint64_t keys = 50'000;
  uint64_t value_bytes = 1'024;
  WorkloadKind workload = WorkloadKind::kRead;
  Distribution distribution = Distribution::kUniform;
  std::string table = "orrery_bench.rows";
  std::string table_with;  // of CREATE TABLE ... WITH
  bool setup = false;
  uint64_t idle_connections = 0;
  uint64_t server_pid = 0;  // 0: not sampled
  bool json = false;
};

Result<CqlOptions> ParseCqlOptions(std::span<const std::string_view> words);
std::string CqlUsage();
std::string_view WorkloadName(WorkloadKind kind);

}  // namespace orrery::bench
