// The ring as Cassandra's clients are told it: the nodes that they can reach, and the tokens of
// each.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "base/ids.h"
#include "gateway/view/cluster_view.h"

namespace orrery::gateway {

struct RingNode {
  ClusterNode node;
  std::set<int64_t> tokens;  // not empty

  friend bool operator==(const RingNode&, const RingNode&) = default;
};
using Ring = std::vector<RingNode>;  // by number

// Thread-safe.
class RingSource {
 public:
  virtual ~RingSource() = default;
  virtual NodeId self() const = 0;
  // Each process once: of one that was just started again, the newest. Cheap while nothing changes.
  virtual std::shared_ptr<const Ring> Look() = 0;
};

}  // namespace orrery::gateway
