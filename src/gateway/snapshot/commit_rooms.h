// CommitRooms keep two kinds of short work apart that may each be done by many at once: taking the
// snapshots of a transaction, and writing the groups of one that several partitions have. So no
// snapshot has a part of a commit.
//
// A thread that comes while the others are inside closes the door behind them: none waits for
// longer than those take that are inside.
//
// Thread-safe. Calls block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/mutex.h"

namespace orrery::gateway {

class CommitRooms {
 public:
  enum class Room : uint8_t { kSnapshots, kCommits };

  // Is inside while it lives.
  class Stay {
   public:
    Stay(CommitRooms& rooms, Room room) : rooms_(rooms), room_(room) { rooms_.Enter(room_); }
    ~Stay() { rooms_.Leave(room_); }
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    CommitRooms& rooms_;
    const Room room_;
  };

 private:
  void Enter(Room room) EXCLUDES(mutex_);
  void Leave(Room room) EXCLUDES(mutex_);

  Mutex mutex_;
  CondVar changed_;
  std::array<size_t, 2> inside_ GUARDED_BY(mutex_) = {};
  std::array<size_t, 2> waiting_ GUARDED_BY(mutex_) = {};
  size_t turn_ GUARDED_BY(mutex_) = 0;  // whose it is when both wait
};

}  // namespace orrery::gateway
