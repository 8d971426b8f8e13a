// The split planner decides which physical partitions to split or merge, and along which slices.
//
// Facts in, plan out: no clock, no I/O, no state. It plans one round, in which each partition is
// touched once; the caller carries it out and asks again with new facts until nothing is left to
// do. Where exactly a slice is cut is a second question, ChooseCut, because it needs samples of the
// keys.
//
// Splits are planned by need. Merges only when somebody asks for them: a partition that was split
// by command would otherwise be joined again at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "partition/limits.h"
#include "partition/map/partition_map.h"
#include "partition/rate/throughput.h"

namespace orrery::partition {

struct SliceFacts {
  Slice slice;
  HashRange used;  // where the container's keys can fall at all (UsedSpan)
  uint64_t bytes = 0;
  bool fixed = false;       // of a fixed container: never cut
  bool single_key = false;  // all of it is one logical partition: nothing to cut
};

struct PartitionFacts {
  PartitionId id;
  ThroughputOwnerId owner{};  // whose partitions' number it counts towards; 0 = the shared pool
  std::vector<SliceFacts> slices{};
  // A database's partition is cut through every slice, so that both children carry a part of each
  // container's load; elsewhere whole slices are dealt out where that serves.
  bool cut_every_slice = false;
  bool busy = false;  // being split, merged or moved: left alone
};

struct OwnerFacts {
  ThroughputOwnerId id;
  ThroughputSettings throughput;
};

enum class SplitReason : uint8_t { kStorage, kThroughput, kCommand };
// "storage", "throughput", "command".
std::string_view SplitReasonName(SplitReason reason);

// Into two: whole slices go to the first or the second child, and each of `cut` is divided between
// both. Neither child is empty.
struct SplitAction {
  PartitionId partition;
  SplitReason reason = SplitReason::kCommand;
  std::vector<Slice> first{};
  std::vector<Slice> second{};
  std::vector<Slice> cut{};
};

// A partition over its limit that no split can help.
struct StuckPartition {
  PartitionId partition;
  std::string why;
};

struct SplitPlan {
  std::vector<SplitAction> splits;
  std::vector<StuckPartition> stuck;
};

struct MergeAction {
  PartitionId first;
  PartitionId second;  // holds the range that follows the first's
};

// Plans how to split one partition. kPreconditionFailed, with the reason, when it cannot be split.
Result<SplitAction> PlanSplit(const PartitionFacts& partition, SplitReason reason);

// By storage: each partition at the physical limit. By throughput: as many more as an owner needs
// to reach ceil(T / t), those with the largest part of the hash space first, so that it stays as
// even as halving allows.
SplitPlan PlanSplits(std::span<const PartitionFacts> partitions, std::span<const OwnerFacts> owners,
                     const Limits& limits);

// Neighbours of one owner that are small and slow enough to be one, while enough partitions remain
// for its throughput; those with the smallest part of the hash space first.
std::vector<MergeAction> PlanMerges(std::span<const PartitionFacts> partitions,
                                    std::span<const OwnerFacts> owners, const Limits& limits);

struct KeySample {
  Hash128 hash;
  uint64_t bytes_through = 0;  // of all keys up to and including this one
};

// The position in `range` that halves its bytes best, with at least one sampled key on each side.
// nullopt when all samples within are one key, or none. REQUIRES: samples sorted by hash, with
// bytes_through not falling.
std::optional<Hash128> ChooseCut(const HashRange& range, std::span<const KeySample> samples);

// The position that halves the part of the ring that `slice`'s keys can fall on, whatever is
// stored: for splits by throughput. nullopt when that is a single position.
std::optional<Hash128> EvenCut(const HashRange& range, const HashRange& used);

}  // namespace orrery::partition
