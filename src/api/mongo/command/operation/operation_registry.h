// An OperationRegistry knows the commands that are under way on this node, for currentOp and
// killOp.
//
// Only commands that may take a while are noted: those that run on the I/O pool. A command that is
// killed stops where it next looks (RunState::Check).
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/mongo/command/command_context.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace orrery::mongo {

struct Operation {
  int32_t id = 0;
  Micros begin{0};  // by the monotonic clock
  std::shared_ptr<CommandContext> context;
};

class OperationRegistry {
 public:
  // Notes a command, for the thread that runs it; returns its number, which is never 0.
  int32_t Add(std::shared_ptr<CommandContext> context, Micros now) EXCLUDES(mutex_);
  void Remove(int32_t id) EXCLUDES(mutex_);

  std::vector<Operation> List() const EXCLUDES(mutex_);
  // Kills those for which `pick` is true; it is called with the lock held.
  void KillIf(const std::function<bool(const Operation&)>& pick) const EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  int32_t last_ GUARDED_BY(mutex_) = 0;
  std::map<int32_t, Operation> running_ GUARDED_BY(mutex_);
};

// Removes an operation from its registry when it goes.
class OperationEntry {
 public:
  OperationEntry(OperationRegistry& registry, std::shared_ptr<CommandContext> context, Micros now)
      : registry_(registry), id_(registry.Add(std::move(context), now)) {}
  ~OperationEntry() { registry_.Remove(id_); }
  OperationEntry(const OperationEntry&) = delete;
  OperationEntry& operator=(const OperationEntry&) = delete;

 private:
  OperationRegistry& registry_;
  const int32_t id_;
};

}  // namespace orrery::mongo
