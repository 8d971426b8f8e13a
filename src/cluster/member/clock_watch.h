// Keeps the nodes of a cluster at one time, although their machines' clocks may be apart. Leases
// and fencing do not depend on it; but writes carry a time, and of two writes of one cell the later
// time wins: without it a later write through a node whose clock is behind would be lost.
//
// The cluster's time is the manager's, who keeps it at the median of all machines' clocks (of two,
// anywhere between them is as good: then it stays as it is); the others steer theirs after it. Thus
// one wrong clock among three moves nothing, and a new manager goes on with the time that was.
//
// A clock is measured by asking for its time: it was read at some moment of the call, so what is
// known is a range as wide as the call took. Nothing is steered within that range.
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
#include "cluster/member/steered_clock.h"
#include "cluster/peers.h"

namespace orrery::cluster {

class ClockWatch {
 public:
  // Of more than that is warned.
  static constexpr std::chrono::seconds kToleratedMax{1};
  static constexpr std::chrono::milliseconds kPatience{1'000};

  ClockWatch(NodeId self, Peers& peers, SteeredClock& clock)
      : self_(self), peers_(peers), clock_(clock) {}

  // Asks each of `others`, steers the clock, and warns of machines whose clocks are wrong, once for
  // each time that one goes wrong. Those that do not answer stay as they were.
  void Look(std::span<const NodeId> others, NodeId manager) EXCLUDES(mutex_);

  // By how much the clock of a node's machine is ahead of the cluster's time; none when it was
  // never measured.
  std::optional<Micros> Ahead(NodeId node) const EXCLUDES(mutex_);
  // Certainly off by more than kToleratedMax, when they were last measured.
  std::set<NodeId> Wrong() const EXCLUDES(mutex_);

 private:
  // Of another node, against this one's machine.
  struct Measured {
    Micros machine_ahead{0};
    Micros cluster_ahead{0};  // its idea of the cluster's time
    Micros uncertain{0};
  };
  std::optional<Measured> Measure(NodeId node);
  // Returns the correction that this node's clock should have.
  Micros Correction(const std::map<NodeId, Measured>& measured, NodeId manager) const;
  void Judge(NodeId node, Micros ahead, Micros uncertain) EXCLUDES(mutex_);

  const NodeId self_;
  Peers& peers_;
  SteeredClock& clock_;

  mutable Mutex mutex_;
  std::map<NodeId, Micros> ahead_ GUARDED_BY(mutex_);
  std::set<NodeId> wrong_ GUARDED_BY(mutex_);
};

// The answer to kTellTime: machine_us:varint cluster_us:varint, both of the Unix epoch. The request
// is empty.
struct TimesTold {
  Micros machine{0};
  Micros cluster{0};
  bool operator==(const TimesTold&) const = default;
};
TimesTold TellTimes(const SteeredClock& clock);
std::string EncodeTimes(const TimesTold& times);
Result<TimesTold> DecodeTimes(std::string_view bytes);  // kInvalidArgument

}  // namespace orrery::cluster
