// A TraversalMaker writes the requests of the generator: texts with bindings as GraphSON 3 in
// WebSocket frames, and knows what they must be answered with.
//
//   vertex   := id 'v<number>', label person, name 'v<number>', rank: number, text
//   edge     := knows, from each vertex to kOfOneVertex others that follow from its number
//   the hub  := the vertex behind the last one, with an edge `follows` from each of the first 1,000
//
// The text of a workload never changes, so that servers can keep what they made of it; the request
// id carries the number that was asked for, so that an answer is judged without a memory.
//
// Immutable after construction; shared between threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gremlin/gremlin_options.h"

namespace orrery::bench {

class TraversalMaker {
 public:
  static constexpr uint64_t kOfOneVertex = 5;
  static constexpr uint64_t kHubEdges = 1'000;
  static constexpr uint64_t kOfOneBatch = 20;
  static constexpr uint64_t kOfOneRange = 10;

  explicit TraversalMaker(const GremlinOptions& options);

  // Appends the request about `number`: a vertex, or a batch of vertices or edges to be added.
  void Append(GremlinWorkloadKind kind, uint32_t id, uint64_t number, std::string& out) const;

  // Judges the payload of an answer: whether it is what `kind` asks of `number`.
  bool IsGood(GremlinWorkloadKind kind, uint64_t number, std::string_view answer) const;

  // The number of requests that load all vertices, or all edges.
  uint64_t vertex_batches() const { return vertices_ / kOfOneBatch; }
  uint64_t edge_batches() const { return vertices_ * kOfOneVertex / kOfOneBatch; }
  static constexpr uint64_t kHubBatches = kHubEdges / kOfOneBatch;
  uint64_t vertices() const { return vertices_; }

  // The vertex that the `which`-th edge of a vertex leads to.
  uint64_t Target(uint64_t number, uint64_t which) const;
  // The number of different vertices that `hops` edges lead to.
  uint64_t Reached(uint64_t number, int hops) const;

 private:
  const uint64_t vertices_;
  const std::string value_;
  const std::string aliases_;
  const std::string vertex_texts_;  // of a batch
  const std::string edge_texts_;
  const std::string hub_texts_;
};

// The parts of a request id (a UUID) that the generator chose.
struct RequestNumber {
  uint32_t id = 0;
  uint64_t number = 0;  // its lower 48 bits
};
std::string RequestIdText(uint32_t id, uint64_t number);
std::optional<RequestNumber> ReadRequestId(std::string_view text);

}  // namespace orrery::bench
