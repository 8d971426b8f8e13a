#include "api/mongo/command/operation/operation_registry.h"

#include <utility>

namespace orrery::mongo {

int32_t OperationRegistry::Add(std::shared_ptr<CommandContext> context, Micros now) {
  context->owner = context->client->owner();
  MutexLock lock(mutex_);
  do {
    last_ = last_ == INT32_MAX ? 1 : last_ + 1;
  } while (running_.contains(last_));
  running_.emplace(last_, Operation{.id = last_, .begin = now, .context = std::move(context)});
  return last_;
}

void OperationRegistry::Remove(int32_t id) {
  Operation gone;  // its context may go with it, outside of the lock
  MutexLock lock(mutex_);
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  gone = std::move(found->second);
  running_.erase(found);
}

std::vector<Operation> OperationRegistry::List() const {
  std::vector<Operation> list;
  MutexLock lock(mutex_);
  for (const auto& [id, operation] : running_) list.push_back(operation);
  return list;
}

void OperationRegistry::KillIf(const std::function<bool(const Operation&)>& pick) const {
  MutexLock lock(mutex_);
  for (const auto& [id, operation] : running_) {
    if (pick(operation)) operation.context->killed.store(true, std::memory_order_relaxed);
  }
}

}  // namespace orrery::mongo
