#include "gateway/snapshot/commit_rooms.h"

namespace orrery::gateway {

void CommitRooms::Enter(Room room) {
  const auto own = static_cast<size_t>(room);
  const size_t other = 1 - own;
  MutexLock lock(mutex_);
  if (inside_[other] > 0) turn_ = own;
  ++waiting_[own];
  while (inside_[other] > 0 || (waiting_[other] > 0 && turn_ == other)) changed_.Wait(mutex_);
  --waiting_[own];
  ++inside_[own];
  // Those who wait for the same see the turn that let this one in.
  changed_.NotifyAll();
}

void CommitRooms::Leave(Room room) {
  const auto own = static_cast<size_t>(room);
  MutexLock lock(mutex_);
  if (--inside_[own] > 0) return;
  if (waiting_[1 - own] > 0) turn_ = 1 - own;
  changed_.NotifyAll();
}

}  // namespace orrery::gateway
