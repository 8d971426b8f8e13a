#include "cluster/simulation/scenario.h"

#include <fmt/format.h>

#include <cmath>

#include "partition/rate/throughput.h"

namespace orrery::cluster {
namespace {

std::unexpected<Error> Invalid(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

Status ValidateTime(const Scenario& scenario) {
  if (scenario.tick <= Micros(0)) return Invalid("a tick must be longer than nothing");
  if (scenario.duration < scenario.tick) return Invalid("the duration must be at least one tick");
  if (scenario.duration / scenario.tick > kSimulatedTicksMax)
    return Invalid(fmt::format("more than {} ticks: make the tick longer or the duration shorter",
                               kSimulatedTicksMax));
  if (scenario.balance_every <= Micros(0))
    return Invalid("nodes are balanced at intervals above 0");
  return {};
}

Status ValidateNodes(const Scenario& scenario) {
  if (scenario.nodes < 1 || scenario.nodes > kSimulatedNodesMax)
    return Invalid(fmt::format("from 1 to {} nodes", kSimulatedNodesMax));
  if (scenario.events.size() > kScenarioEventsMax)
    return Invalid(fmt::format("at most {} events", kScenarioEventsMax));
  uint64_t nodes = scenario.nodes;
  for (const ScenarioEvent& event : scenario.events) {
    if (event.at < Micros(0) || event.at >= scenario.duration)
      return Invalid("an event lies after the end of the simulation");
    if (event.kind == ScenarioEvent::Kind::kSetThroughput) {
      ORRERY_TRY(partition::ValidateThroughput(partition::ThroughputSettings::Manual(event.amount),
                                               scenario.limits));
    } else if (event.amount < 1 || static_cast<uint64_t>(event.amount) > kSimulatedNodesMax) {
      return Invalid(fmt::format("from 1 to {} nodes are lost or added", kSimulatedNodesMax));
    } else if (event.kind == ScenarioEvent::Kind::kAddNodes) {
      nodes += static_cast<uint64_t>(event.amount);
    }
  }
  if (nodes > kSimulatedNodesMax)
    return Invalid(fmt::format("at most {} nodes with those added", kSimulatedNodesMax));
  return {};
}

Status ValidateLoad(const Scenario& scenario) {
  if (scenario.containers < 1 || scenario.containers > kSimulatedContainersMax)
    return Invalid(fmt::format("from 1 to {} containers", kSimulatedContainersMax));
  const auto throughput = partition::ThroughputSettings::Manual(scenario.throughput);
  ORRERY_TRY(partition::ValidateThroughput(throughput, scenario.limits));
  const uint64_t partitions =
      uint64_t{partition::PartitionCountFor(throughput, scenario.limits)} * scenario.containers;
  if (partitions > kSimulatedPartitionsMax)
    return Invalid(fmt::format("{} containers of {} RU/s are {} partitions; at most {}",
                               scenario.containers, scenario.throughput, partitions,
                               kSimulatedPartitionsMax));
  const double days = std::chrono::duration<double>(scenario.duration) / std::chrono::hours(24);
  const double bytes =
      (static_cast<double>(scenario.bytes) + static_cast<double>(scenario.bytes_per_day) * days) *
      scenario.containers;
  const auto full = static_cast<double>(scenario.limits.physical_partition_bytes_max);
  if (bytes / full > static_cast<double>(kSimulatedPartitionsMax))
    return Invalid(fmt::format("so much data is more than {} partitions", kSimulatedPartitionsMax));
  if (!std::isfinite(scenario.demand) || scenario.demand < 0)
    return Invalid("the demand must be a number of RU/s, from 0");
  if (!(scenario.daily_swing >= 0 && scenario.daily_swing <= 1))
    return Invalid("the daily swing is a number from 0 to 1");
  if (scenario.distribution == KeyDistribution::kListed) return {};
  if (scenario.keys < 1) return Invalid("at least one key");
  if (!(scenario.zipf_exponent >= 0 && scenario.zipf_exponent <= 10))
    return Invalid("the exponent of zipf is a number from 0 to 10; 1 is the usual one");
  return {};
}

}  // namespace

Status ValidateScenario(const Scenario& scenario) {
  ORRERY_TRY(ValidateTime(scenario));
  ORRERY_TRY(ValidateNodes(scenario));
  return ValidateLoad(scenario);
}

}  // namespace orrery::cluster
