#include "net/rpc/rpc_call_table.h"

#include <utility>

namespace orrery::net {

uint64_t RpcCallTable::Add(Micros deadline, RpcDone done) {
  calls_.emplace(++last_id_, Pending{deadline, std::move(done)});
  return last_id_;
}

std::optional<RpcDone> RpcCallTable::Take(uint64_t id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return std::nullopt;
  RpcDone done = std::move(found->second.done);
  calls_.erase(found);
  return done;
}

std::vector<RpcDone> RpcCallTable::TakeOverdue(Micros now) {
  std::vector<RpcDone> overdue;
  for (auto call = calls_.begin(); call != calls_.end();) {
    if (call->second.deadline > now) {
      ++call;
      continue;
    }
    overdue.push_back(std::move(call->second.done));
    call = calls_.erase(call);
  }
  return overdue;
}

std::vector<RpcDone> RpcCallTable::TakeAll() {
  std::vector<RpcDone> all;
  for (auto& [id, call] : calls_) all.push_back(std::move(call.done));
  calls_.clear();
  return all;
}

}  // namespace orrery::net
