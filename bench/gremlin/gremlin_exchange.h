// A GremlinExchange is the requests of one workload and the judgement of their answers, which come
// each in one frame.
//
// Includes Asio: for the .cc files of the load generator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gremlin/gremlin_options.h"
#include "gremlin/traversal_maker.h"
#include "load/framed/framed_connection.h"
#include "load/key_chooser.h"

namespace orrery::bench {

class GremlinExchange final : public FramedExchange {
 public:
  // The keys are numbers of vertices or of batches. `traversals` must outlive this.
  // REQUIRES: kind is not kNone.
  GremlinExchange(GremlinWorkloadKind kind, KeyChooser keys, const TraversalMaker& traversals);

  OperationKind Next(uint32_t id, std::string& out) override;
  std::optional<FramedAnswer> Take(std::string_view input) const override;

 private:
  const GremlinWorkloadKind kind_;
  KeyChooser keys_;
  const TraversalMaker& traversals_;
};

// Asks the server to speak WebSocket.
Status ShakeGremlinHands(Transport& transport);

}  // namespace orrery::bench
