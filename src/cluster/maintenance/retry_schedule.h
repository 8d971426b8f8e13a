// A RetrySchedule says when to try again to reopen a partition: at once, then after pauses that
// double up to kPauseMax. Where there only was no disk space the pause stays short: the attempt is
// cheap, and space may come at any moment.
//
// A partition that fails again soon after it was reopened goes on with its last pause, so that a
// disk that comes and goes does not make the server reopen without end. Pure; not thread-safe.
#pragma once

#include <chrono>
#include <map>

#include "base/clock.h"
#include "base/ids.h"

namespace orrery::cluster {

class RetrySchedule {
 public:
  static constexpr Micros kPauseFirst{std::chrono::seconds(1)};
  static constexpr Micros kPauseMax{std::chrono::seconds(60)};
  // Without a try for so long, a partition counts as sound.
  static constexpr Micros kForgottenAfter{std::chrono::minutes(10)};

  bool Due(PartitionId id, Micros now) const;
  // A try begins.
  void Tried(PartitionId id, Micros now);
  // There was no room for what was tried.
  void StillFull(PartitionId id);
  // It went well: the partition is now called `fresh`.
  void Became(PartitionId id, PartitionId fresh);
  // Drops what is forgotten; call now and then.
  void Forget(Micros now);

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Micros pause{0};
    Micros tried_at{0};
  };
  std::map<PartitionId, Entry> entries_;
};

}  // namespace orrery::cluster
