// The LoadScale says what part of a node each partition takes, in two measures that a node can run
// out of: request units and bytes. 1 is the fair part of a node of mean capacity.
//
// An open partition costs something even when it is idle and empty (memory, a log, a lease), so a
// tenth of each measure is dealt out by number. A partition that alone exceeds a fair part counts
// for 1 and no more, and the fair part is what remains for the others: moving partitions about can
// give it a node of its own, and nothing better.
//
// Immutable. Making one takes O(P log N) for P partitions on N nodes.
#pragma once

#include <algorithm>
#include <span>

#include "partition/placement/placement_facts.h"

namespace orrery::partition {

struct Load {
  double rate = 0;
  double bytes = 0;

  double Larger() const { return std::max(rate, bytes); }
  double Sum() const { return rate + bytes; }
  Load& operator+=(const Load& other) {
    rate += other.rate;
    bytes += other.bytes;
    return *this;
  }
  Load& operator-=(const Load& other) {
    rate -= other.rate;
    bytes -= other.bytes;
    return *this;
  }
  friend Load operator*(const Load& load, double factor) {
    return {load.rate * factor, load.bytes * factor};
  }
};

class LoadScale {
 public:
  // REQUIRES: node_count >= 1.
  LoadScale(std::span<const OwnedPartition> partitions, size_t node_count);

  Load Of(const OwnedPartition& partition) const;

 private:
  // One measure: amount * factor + standing, at most 1.
  struct Measure {
    double factor = 0;
    double standing = 0;

    double Of(double amount) const { return std::min(1.0, amount * factor + standing); }
  };
  template <typename Amount>
  static Measure MeasureOf(std::span<const OwnedPartition> partitions, size_t node_count,
                           Amount amount);

  Measure rate_;
  Measure bytes_;
};

}  // namespace orrery::partition
