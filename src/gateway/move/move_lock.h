// A lock in the system store keeps a container that is on the move as it is: changes of its
// settings, its name and its end are refused until the move is over, but for the move's own.
//
// Internal to gateway/.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"
#include "base/status.h"
#include "cluster/system/system_store.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::gateway {

std::string MoveLockKey(ContainerId id);

// Returns kPreconditionFailed while the container is the source or the target of a move, unless a
// MoveScope is on this thread.
Status CheckNotMoving(const cluster::SystemStore& system, const ContainerEntry& container);

// The calls of this thread are the move's own while it lives.
class MoveScope {
 public:
  // A container that `forgets` is gone when it is replaced, also if readers of its feed could still
  // want it: it keeps versions for the move only.
  explicit MoveScope(bool forgets = false);
  ~MoveScope();
  MoveScope(const MoveScope&) = delete;
  MoveScope& operator=(const MoveScope&) = delete;

  static bool IsHere();
  static bool Forgets();

 private:
  const bool forgot_before_;
};

}  // namespace orrery::gateway
