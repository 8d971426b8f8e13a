#include "cluster/simulation/simulated_partitions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/scramble.h"
#include "partition/rate/throughput.h"

namespace orrery::cluster {
namespace {

// Keys by name over all containers, and at least and at most for each.
constexpr size_t kNamedKeysMax = 2'000'000;
constexpr size_t kNamedPerContainerMin = 256;
constexpr size_t kNamedPerContainerMax = 100'000;
constexpr size_t kKeysDescribed = 2;

KeyPopulation PopulationOf(const Scenario& scenario, size_t container) {
  const size_t named = std::clamp<size_t>(kNamedKeysMax / scenario.containers,
                                          kNamedPerContainerMin, kNamedPerContainerMax);
  const uint64_t salt = Scramble(scenario.seed + container * 0x9e3779b97f4a7c15);
  switch (scenario.distribution) {
    case KeyDistribution::kEven:
      return KeyPopulation::Even(scenario.keys, salt, named);
    case KeyDistribution::kZipf:
      return KeyPopulation::Zipf(scenario.keys, scenario.zipf_exponent, salt, named);
    case KeyDistribution::kListed:
      break;
  }
  return KeyPopulation::Listed(scenario.listed);
}

ContainerId IdOfContainer(size_t container) {
  return ContainerId(static_cast<uint32_t>(container + 1));
}

uint64_t Whole(double bytes) { return static_cast<uint64_t>(std::max(0.0, bytes)); }

}  // namespace

SimulatedPartitions::SimulatedPartitions(const Scenario& scenario)
    : scenario_(scenario), counts_(scenario.containers, 0), rates_(scenario.containers, 0) {
  slots_.push_back(0);  // there is no partition 0
  const bool listed = scenario.distribution == KeyDistribution::kListed;
  const auto throughput = partition::ThroughputSettings::Manual(scenario.throughput);
  const auto ranges = partition::DivideEvenly(
      KeyPopulation::UsedSpan(), partition::PartitionCountFor(throughput, scenario.limits));
  for (size_t container = 0; container < scenario.containers; ++container) {
    if (!listed || container == 0) populations_.push_back(PopulationOf(scenario, container));
    owners_.push_back({ThroughputOwnerId(container + 1), throughput});
    for (const partition::HashRange& range : ranges) AddPartition(container, range);
  }
  UpdateRates();
}

void SimulatedPartitions::AddPartition(size_t container, const partition::HashRange& range) {
  const size_t slot = facts_.size();
  facts_.emplace_back();
  owned_.emplace_back();
  shares_.emplace_back();
  stuck_bytes_.push_back(0);
  ++counts_[container];
  Fill(slot, container, range);
}

void SimulatedPartitions::Fill(size_t slot, size_t container, const partition::HashRange& range) {
  const KeyPopulation& keys = populations_[std::min(container, populations_.size() - 1)];
  const PartitionId id(slots_.size());
  slots_.push_back(slot);
  facts_[slot] = {.id = id,
                  .owner = ThroughputOwnerId(container + 1),
                  .slices = {{.slice = {IdOfContainer(container), range},
                              .used = KeyPopulation::UsedSpan(),
                              .single_key = keys.IsSoleKey(range)}}};
  owned_[slot].id = id;
  shares_[slot] = keys.ShareOf(range);
  stuck_bytes_[slot] = 0;
}

void SimulatedPartitions::SetThroughput(int64_t request_units_per_second) {
  for (partition::OwnerFacts& owner : owners_)
    owner.throughput = partition::ThroughputSettings::Manual(request_units_per_second);
  UpdateRates();
}

void SimulatedPartitions::UpdateRates() {
  for (size_t i = 0; i < counts_.size(); ++i) {
    rates_[i] =
        partition::RatePerPartition(owners_[i].throughput, static_cast<uint32_t>(counts_[i]))
            .ToDouble();
  }
}

void SimulatedPartitions::Feel(const Weather& weather) {
  for (size_t slot = 0; slot < facts_.size(); ++slot) {
    const uint64_t bytes = Whole(shares_[slot].bytes * weather.bytes);
    facts_[slot].slices[0].bytes = bytes;
    // As maintenance does: what could not be split is tried again after it grew by a tenth.
    facts_[slot].busy = bytes < stuck_bytes_[slot] + stuck_bytes_[slot] / 10;
    owned_[slot].bytes = bytes;
    owned_[slot].rate = std::min(DemandOf(slot, weather), RateOf(slot));
  }
}

Result<SplitCounts> SimulatedPartitions::Split(const Weather& weather) {
  changed_.clear();
  const partition::SplitPlan plan = partition::PlanSplits(facts_, owners_, scenario_.limits);
  if (size() + plan.splits.size() > kSimulatedPartitionsMax) {
    return Fail(Code::kResourceExhausted,
                fmt::format("there would be more than {} partitions: simulate fewer containers, "
                            "less data or a larger limit of a physical partition",
                            kSimulatedPartitionsMax));
  }
  for (const partition::StuckPartition& stuck : plan.stuck) {
    const size_t slot = SlotOf(stuck.partition);
    if (stuck_bytes_[slot] == 0) stuck_.push_back({stuck.partition, stuck.why});
    stuck_bytes_[slot] = owned_[slot].bytes;
  }
  SplitCounts counts;
  for (const partition::SplitAction& action : plan.splits) {
    ++(action.reason == partition::SplitReason::kStorage ? counts.by_storage
                                                         : counts.by_throughput);
    CarryOut(action, weather);
  }
  if (counts.Sum() > 0) {
    UpdateRates();
    Feel(weather);
  }
  return counts;
}

// The cut as cluster/split.cc chooses it.
void SimulatedPartitions::CarryOut(const partition::SplitAction& action, const Weather& weather) {
  const size_t slot = SlotOf(action.partition);
  const size_t container = ContainerOf(slot);
  const partition::HashRange range = facts_[slot].slices[0].slice.range;
  const KeyPopulation& keys = populations_[std::min(container, populations_.size() - 1)];
  std::optional<Hash128> cut;
  if (action.reason == partition::SplitReason::kStorage)
    cut = partition::ChooseCut(range, keys.SampleBytes(range, weather.bytes));
  if (!cut.has_value()) cut = partition::EvenCut(range, KeyPopulation::UsedSpan());
  const auto [below, above] = range.CutAt(*cut);
  const auto owner = owned_[slot].owner;
  Fill(slot, container, below);
  AddPartition(container, above);
  owned_.back().owner = owner;
  changed_.push_back(slot);
  changed_.push_back(size() - 1);
}

std::vector<float> SimulatedPartitions::HeatOfFirst(size_t rows, const Weather& weather) const {
  std::vector<float> heat(rows, 0);
  const partition::HashRange used = KeyPopulation::UsedSpan();
  const double whole = used.RingFraction();
  for (size_t slot = 0; slot < size(); ++slot) {
    if (ContainerOf(slot) != 0) continue;
    const partition::HashRange& range = facts_[slot].slices[0].slice.range;
    const auto place = [&](Hash128 to) {
      const double part = partition::HashRange::Inclusive(Hash128::Min(), to).RingFraction();
      return std::min(rows - 1, static_cast<size_t>(part / whole * static_cast<double>(rows)));
    };
    const auto value = static_cast<float>(DemandOf(slot, weather) / RateOf(slot));
    const size_t last = place(range.last());
    for (size_t row = place(range.begin()); row <= last; ++row)
      heat[row] = std::max(heat[row], value);
  }
  return heat;
}

KeyOutcome SimulatedPartitions::Describe(size_t container, const NamedKey& key,
                                         const Weather& weather) const {
  return {key.name, key.share.bytes * weather.bytes, key.share.load * weather.demand,
          rates_[container]};
}

ContainerOutcome SimulatedPartitions::Describe(const Weather& weather) const {
  size_t hottest = 0;
  const auto heat = [&](size_t slot) { return DemandOf(slot, weather) / RateOf(slot); };
  for (size_t slot = 1; slot < size(); ++slot) {
    if (heat(slot) > heat(hottest)) hottest = slot;
  }
  const size_t container = ContainerOf(hottest);
  const KeyPopulation& keys = populations_[std::min(container, populations_.size() - 1)];
  const bool listed = scenario_.distribution == KeyDistribution::kListed;
  ContainerOutcome outcome{
      .bytes = weather.bytes,
      .throughput = static_cast<double>(owners_[container].throughput.request_units_per_second),
      .keys = listed ? scenario_.listed.size() : scenario_.keys};
  for (const NamedKey& key : keys.Hottest(kKeysDescribed))
    outcome.hottest.push_back(Describe(container, key, weather));
  for (const NamedKey& key : keys.Largest(kKeysDescribed))
    outcome.largest.push_back(Describe(container, key, weather));
  for (size_t slot = 0; slot < size(); ++slot) {
    if (ContainerOf(slot) != container) continue;
    outcome.partitions.push_back(
        {IdOf(slot), shares_[slot].bytes * weather.bytes, DemandOf(slot, weather), RateOf(slot)});
  }
  return outcome;
}

std::vector<StuckOutcome> SimulatedPartitions::Stuck() const {
  std::vector<StuckOutcome> stuck;
  for (const StuckOutcome& each : stuck_) {
    if (IdOf(SlotOf(each.partition)) == each.partition) stuck.push_back(each);
  }
  return stuck;
}

}  // namespace orrery::cluster
