#include "gateway/snapshot/branch_table.h"

#include <utility>

namespace orrery::gateway {

std::shared_ptr<Branch> BranchTable::Find(const TransactionId& id) const {
  MutexLock lock(mutex_);
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : found->second.branch;
}

std::shared_ptr<Branch> BranchTable::Enter(const TransactionId& id, Micros now) {
  MutexLock lock(mutex_);
  if (const auto found = entries_.find(id); found != entries_.end()) return found->second.branch;
  if (entries_.size() >= kBranchesMax) return nullptr;
  return entries_.emplace(id, Entry{std::make_shared<Branch>(), now}).first->second.branch;
}

std::shared_ptr<Branch> BranchTable::Take(const TransactionId& id) {
  MutexLock lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return nullptr;
  std::shared_ptr<Branch> branch = std::move(found->second.branch);
  entries_.erase(found);
  return branch;
}

std::map<NodeId, std::vector<TransactionId>> BranchTable::CameBefore(Micros time) const {
  MutexLock lock(mutex_);
  std::map<NodeId, std::vector<TransactionId>> by_node;
  for (const auto& [id, entry] : entries_)
    if (entry.came < time) by_node[id.node].push_back(id);
  return by_node;
}

}  // namespace orrery::gateway
