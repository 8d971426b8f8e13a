// The options of `orrery-bench gremlin`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "load/address.h"

namespace orrery::bench {

// The traversals of traversal_maker.h. kVertices and kEdges load the graph.
enum class GremlinWorkloadKind : uint8_t {
  kVertex,
  kProperty,
  kAddVertex,
  kOneHop,
  kTwoHops,
  kThreeHops,
  kHub,
  kIncoming,
  kRange,
  kCount,
  kVertices,
  kEdges,
  kHubEdges,
  kNone,
};

struct GremlinOptions {
  Address address{"127.0.0.1", 8'182, false};
  std::string graph = "g";  // what the traversal source is an alias of
  uint64_t connections = 16;
  uint64_t in_flight = 1;  // on each connection
  uint64_t threads = 1;
  double rate = 0;  // operations a second; 0: as many as are answered
  double seconds = 10;
  double warmup = 2;
  uint64_t vertices = 20'000;
  uint64_t value_bytes = 100;
  GremlinWorkloadKind workload = GremlinWorkloadKind::kVertex;
  bool setup = false;
  uint64_t load_connections = 8;
  uint64_t server_pid = 0;  // 0: not sampled
  bool json = false;
};

Result<GremlinOptions> ParseGremlinOptions(std::span<const std::string_view> words);
std::string GremlinUsage();
std::string_view GremlinWorkloadName(GremlinWorkloadKind kind);

}  // namespace orrery::bench
