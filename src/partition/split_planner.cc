#include "partition/split_planner.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace orrery::partition {
namespace {

uint64_t BytesOf(const PartitionFacts& partition) {
  uint64_t bytes = 0;
  for (const SliceFacts& slice : partition.slices) bytes += slice.bytes;
  return bytes;
}

// Part of the hash space, summed over containers.
double ShareOf(const PartitionFacts& partition) {
  double share = 0;
  for (const SliceFacts& facts : partition.slices) {
    const auto used = facts.slice.range.Intersect(facts.used);
    if (used.has_value()) share += used->RingFraction() / facts.used.RingFraction();
  }
  return share;
}

// A single key is no reason not to make room for others: more throughput is for those to come.
bool CanCut(const SliceFacts& facts, SplitReason reason) {
  return !facts.fixed && (!facts.single_key || reason == SplitReason::kThroughput) &&
         EvenCut(facts.slice.range, facts.used).has_value();
}

// One slice that outweighs the rest two to one is cut; otherwise whole slices are dealt out.
bool ShouldCutLargest(const SliceFacts& largest, uint64_t total_bytes, SplitReason reason) {
  return CanCut(largest, reason) && largest.bytes > (total_bytes - largest.bytes) * 2;
}

std::string WhyWhole(const PartitionFacts& partition) {
  if (partition.slices.empty()) return "it hosts nothing";
  if (partition.slices.front().fixed) return "it hosts one fixed container, which never splits";
  return "all of it is one logical partition; a finer partition key would let it grow";
}

struct OwnerState {
  ThroughputSettings throughput;
  std::vector<const PartitionFacts*> partitions;

  int64_t Missing(const Limits& limits) const {
    return int64_t{PartitionCountFor(throughput, limits)} - static_cast<int64_t>(partitions.size());
  }
};

std::map<ThroughputOwnerId, OwnerState> ByOwner(std::span<const PartitionFacts> partitions,
                                                std::span<const OwnerFacts> owners) {
  std::map<ThroughputOwnerId, OwnerState> states;
  for (const OwnerFacts& owner : owners) states[owner.id].throughput = owner.throughput;
  for (const PartitionFacts& partition : partitions) {
    const auto state = states.find(partition.owner);
    if (state != states.end()) state->second.partitions.push_back(&partition);
  }
  return states;
}

struct Neighbours {
  const PartitionFacts* first;
  const PartitionFacts* second;
  double share;
};

// Pairs of one-slice partitions whose slices follow each other in one container.
std::vector<Neighbours> FindNeighbours(std::vector<const PartitionFacts*> partitions) {
  std::erase_if(partitions, [](const PartitionFacts* p) { return p->slices.size() != 1; });
  std::ranges::sort(partitions, {}, [](const PartitionFacts* p) { return p->slices[0].slice; });
  std::vector<Neighbours> pairs;
  for (size_t i = 1; i < partitions.size(); ++i) {
    const Slice& a = partitions[i - 1]->slices[0].slice;
    const Slice& b = partitions[i]->slices[0].slice;
    if (a.container != b.container || !a.range.Precedes(b.range)) continue;
    pairs.push_back(
        {partitions[i - 1], partitions[i], ShareOf(*partitions[i - 1]) + ShareOf(*partitions[i])});
  }
  std::ranges::sort(pairs, [](const Neighbours& a, const Neighbours& b) {
    return a.share != b.share ? a.share < b.share : a.first->id < b.first->id;
  });
  return pairs;
}

}  // namespace

std::string_view SplitReasonName(SplitReason reason) {
  switch (reason) {
    case SplitReason::kStorage:
      return "storage";
    case SplitReason::kThroughput:
      return "throughput";
    case SplitReason::kCommand:
      return "command";
  }
  return "unknown";
}

Result<SplitAction> PlanSplit(const PartitionFacts& partition, SplitReason reason) {
  const auto fail = [&](std::string_view why) {
    return Fail(Code::kPreconditionFailed,
                fmt::format("partition {} cannot be split: {}", partition.id.value(), why));
  };
  if (partition.busy) return fail("it is being split, merged or moved");
  std::vector<SliceFacts> slices = partition.slices;
  std::ranges::sort(slices, [](const SliceFacts& a, const SliceFacts& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.slice < b.slice;
  });

  if (slices.empty()) return fail(WhyWhole(partition));

  SplitAction action{.partition = partition.id, .reason = reason};
  uint64_t first_bytes = 0;
  uint64_t second_bytes = 0;
  std::vector<SliceFacts> rest;
  const bool cut_largest =
      slices.size() == 1 || ShouldCutLargest(slices.front(), BytesOf(partition), reason);
  for (const SliceFacts& facts : slices) {
    const bool wanted = partition.cut_every_slice || (cut_largest && &facts == &slices.front());
    if (!wanted || !CanCut(facts, reason)) {
      rest.push_back(facts);
      continue;
    }
    action.cut.push_back(facts.slice);
    first_bytes += facts.bytes / 2;
    second_bytes += facts.bytes / 2;
  }
  if (action.cut.empty() && rest.size() == 1) return fail(WhyWhole(partition));
  // Largest first, each to the lighter side: never far from half.
  for (const SliceFacts& facts : rest) {
    const bool to_first = first_bytes != second_bytes ? first_bytes < second_bytes
                                                      : action.first.size() <= action.second.size();
    (to_first ? action.first : action.second).push_back(facts.slice);
    (to_first ? first_bytes : second_bytes) += facts.bytes;
  }
  return action;
}

SplitPlan PlanSplits(std::span<const PartitionFacts> partitions, std::span<const OwnerFacts> owners,
                     const Limits& limits) {
  SplitPlan plan;
  std::set<PartitionId> planned;
  std::map<ThroughputOwnerId, int64_t> more;  // partitions that planned splits add
  const auto add = [&](const PartitionFacts& partition, SplitAction action) {
    planned.insert(partition.id);
    ++more[partition.owner];
    plan.splits.push_back(std::move(action));
  };

  for (const PartitionFacts& partition : partitions) {
    if (partition.busy || BytesOf(partition) < limits.physical_partition_bytes_max) continue;
    auto action = PlanSplit(partition, SplitReason::kStorage);
    if (action.has_value()) {
      add(partition, std::move(*action));
    } else {
      plan.stuck.push_back({partition.id, action.error().message()});
    }
  }

  for (const auto& [id, owner] : ByOwner(partitions, owners)) {
    int64_t missing = owner.Missing(limits) - more[id];
    if (missing <= 0) continue;
    std::vector<const PartitionFacts*> candidates = owner.partitions;
    std::ranges::sort(candidates, [](const PartitionFacts* a, const PartitionFacts* b) {
      const double a_share = ShareOf(*a);
      const double b_share = ShareOf(*b);
      return a_share != b_share ? a_share > b_share : a->id < b->id;
    });
    for (const PartitionFacts* candidate : candidates) {
      if (missing == 0) break;
      if (planned.contains(candidate->id)) continue;
      auto action = PlanSplit(*candidate, SplitReason::kThroughput);
      if (!action.has_value()) continue;
      add(*candidate, std::move(*action));
      --missing;
    }
  }
  return plan;
}

std::vector<MergeAction> PlanMerges(std::span<const PartitionFacts> partitions,
                                    std::span<const OwnerFacts> owners, const Limits& limits) {
  std::vector<MergeAction> merges;
  std::set<PartitionId> planned;
  for (const auto& [id, owner] : ByOwner(partitions, owners)) {
    if (owner.partitions.empty()) continue;
    const auto count = static_cast<uint32_t>(owner.partitions.size());
    const RequestUnits slow = RequestUnits::Whole(limits.merge_rate_max);
    if (RatePerPartition(owner.throughput, count) > slow) continue;
    int64_t spare = -owner.Missing(limits);
    for (const Neighbours& pair : FindNeighbours(owner.partitions)) {
      if (spare <= 0) break;
      const bool free = !pair.first->busy && !pair.second->busy &&
                        !planned.contains(pair.first->id) && !planned.contains(pair.second->id);
      const bool small = BytesOf(*pair.first) + BytesOf(*pair.second) <= limits.merged_bytes_max;
      if (!free || !small) continue;
      planned.insert({pair.first->id, pair.second->id});
      merges.push_back({pair.first->id, pair.second->id});
      --spare;
    }
  }
  return merges;
}

std::optional<Hash128> ChooseCut(const HashRange& range, std::span<const KeySample> samples) {
  const auto first = std::ranges::lower_bound(samples, range.begin(), {}, &KeySample::hash);
  const auto after = std::ranges::upper_bound(samples, range.last(), {}, &KeySample::hash);
  const uint64_t before = first == samples.begin() ? 0 : std::prev(first)->bytes_through;
  const uint64_t total = first == after ? 0 : std::prev(after)->bytes_through - before;

  std::optional<Hash128> best;
  uint64_t best_distance = 0;
  for (auto sample = first; sample != after; ++sample) {
    if (sample == first || std::prev(sample)->hash == sample->hash) continue;
    const uint64_t lower = std::prev(sample)->bytes_through - before;
    const uint64_t upper = total - lower;
    const uint64_t distance = lower < upper ? upper - lower : lower - upper;
    if (!best.has_value() || distance < best_distance) {
      best = sample->hash;
      best_distance = distance;
    }
  }
  return best;
}

std::optional<Hash128> EvenCut(const HashRange& range, const HashRange& used) {
  const auto part = range.Intersect(used);
  if (!part.has_value() || !part->divisible()) return std::nullopt;
  return part->Midpoint();
}

}  // namespace orrery::partition
