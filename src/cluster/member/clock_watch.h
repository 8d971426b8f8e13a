// How far the clocks of a cluster's nodes are apart. Leases and fencing do not depend on it, but
// writes carry their node's time, and of two writes of one cell the later time wins: through nodes
// whose clocks differ, a later write may be taken for the earlier one.
//
// A clock is measured by asking for its time: it was read at some moment of the call, so what is
// known is a range as wide as the call took.
//
// Look() from one thread; the rest from any. `peers` and `clock` must outlive it.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/peers.h"

namespace orrery::cluster {

class ClockWatch {
 public:
  // Of more than that is warned.
  static constexpr std::chrono::seconds kToleratedMax{1};
  static constexpr std::chrono::milliseconds kPatience{1'000};

  ClockWatch(Peers& peers, const Clock& clock) : peers_(peers), clock_(clock) {}

  // Asks each of `nodes`, and warns of the clocks that are wrong, once for each time that one goes
  // wrong. Those that do not answer stay as they were.
  void Look(std::span<const NodeId> nodes) EXCLUDES(mutex_);

  // By how much the node's clock is ahead of this one's; none when it was never measured.
  std::optional<Micros> Ahead(NodeId node) const EXCLUDES(mutex_);
  // Certainly apart by more than kToleratedMax, when they were last measured.
  std::set<NodeId> Wrong() const EXCLUDES(mutex_);

 private:
  void Judge(NodeId node, Micros ahead, Micros uncertain) EXCLUDES(mutex_);

  Peers& peers_;
  const Clock& clock_;

  mutable Mutex mutex_;
  std::map<NodeId, Micros> ahead_ GUARDED_BY(mutex_);
  std::set<NodeId> wrong_ GUARDED_BY(mutex_);
};

// The answer to kTellTime: time_us:varint, of the Unix epoch. The request is empty.
std::string EncodeTime(Micros time);
Result<Micros> DecodeTime(std::string_view bytes);  // kInvalidArgument

}  // namespace orrery::cluster
