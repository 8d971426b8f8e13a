// The calls that were sent over one connection and not answered yet, by the ids that answers carry.
//
// A caller that takes a `done` out must call it; nothing is called here. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "net/rpc/rpc_call.h"

namespace orrery::net {

class RpcCallTable {
 public:
  // The id to send it by: never used before by this table.
  uint64_t Add(Micros deadline, RpcDone done);

  // Nothing when there is no such call, or none any more.
  std::optional<RpcDone> Take(uint64_t id);
  // Those whose deadline is `now` or before.
  std::vector<RpcDone> TakeOverdue(Micros now);
  std::vector<RpcDone> TakeAll();

  size_t size() const { return calls_.size(); }

 private:
  struct Pending {
    Micros deadline;
    RpcDone done;
  };
  std::unordered_map<uint64_t, Pending> calls_;
  uint64_t last_id_ = 0;
};

}  // namespace orrery::net
