#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/byte_size.h"
#include "cli/simulation/simulation_report.h"
#include "cli/text_table.h"
#include "gateway/view/partition_advice.h"

namespace orrery::cli {
namespace {

using cluster::ContainerOutcome;
using cluster::Outcome;
using cluster::Sample;
using cluster::Scenario;

// Fewer keys than this for each partition cannot be spread evenly.
constexpr uint64_t kKeysPerPartitionMin = 10;
constexpr double kUnevenKeys = 1.3;   // the hottest partition over the mean
constexpr double kUnevenNodes = 1.5;  // the most loaded node over the mean
constexpr double kSmallShare = 0.001;

double SumOfDemand(const ContainerOutcome& container) {
  double sum = 0;
  for (const auto& partition : container.partitions) sum += partition.demand;
  return sum;
}

double HottestDemand(const ContainerOutcome& container) {
  double hottest = 0;
  for (const auto& partition : container.partitions) hottest = std::max(hottest, partition.demand);
  return hottest;
}

std::vector<gateway::KeyFacts> FactsOf(const std::vector<cluster::KeyOutcome>& keys) {
  std::vector<gateway::KeyFacts> facts;
  for (const cluster::KeyOutcome& key : keys) {
    facts.push_back({.key = '"' + Printable(key.key) + '"',
                     .bytes = static_cast<uint64_t>(key.bytes),
                     .request_units_per_second = key.demand,
                     .partition_rate = key.partition_rate});
  }
  return facts;
}

// Returns what `orrery partitions` would advise for the container.
std::vector<std::string> AdviceOnKeys(const Scenario& scenario, const ContainerOutcome& container) {
  gateway::ContainerFacts facts{
      .key_paths = {"the partition key"},
      .bytes = static_cast<uint64_t>(container.bytes),
      .logical_partition_bytes_max = scenario.limits.logical_partition_bytes_max,
      .largest = FactsOf(container.largest),
      .hottest = FactsOf(container.hottest),
      .partitions = {}};
  for (const auto& partition : container.partitions) {
    facts.partitions.push_back({.used = std::min(partition.demand, partition.rate),
                                .rate = partition.rate,
                                .throttled = partition.demand > partition.rate ? 1U : 0U});
  }
  return gateway::AdviceFor(facts);
}

void AdviseOnStuck(const Scenario& scenario, const Outcome& outcome,
                   std::vector<std::string>& advice) {
  if (outcome.stuck.empty()) return;
  advice.push_back(
      fmt::format("{} of {} partitions outgrew {} and cannot be split, the first of them {}: {}.",
                  outcome.stuck.size(), outcome.samples.back().partitions,
                  FormatByteSize(scenario.limits.physical_partition_bytes_max),
                  outcome.stuck[0].partition.value(),
                  outcome.stuck[0].why.substr(outcome.stuck[0].why.find(": ") + 2)));
}

void AdviseOnThroughput(const Scenario& scenario, const ContainerOutcome& container,
                        std::vector<std::string>& advice) {
  const double wanted = SumOfDemand(container);
  if (wanted <= container.throughput) return;
  const auto step = static_cast<double>(scenario.limits.manual_rate_step);
  advice.push_back(fmt::format(
      "A container is asked for {} RU/s at its peak and has {}. Provision at least {} RU/s, or use "
      "autoscale if the peak is short.",
      GroupDigits(wanted), GroupDigits(container.throughput),
      GroupDigits(std::ceil(wanted / step) * step)));
}

void AdviseOnCoarseKeys(const ContainerOutcome& container, std::vector<std::string>& advice) {
  const uint64_t partitions = container.partitions.size();
  if (partitions < 2 || container.keys >= partitions * kKeysPerPartitionMin) return;
  const double mean = SumOfDemand(container) / static_cast<double>(partitions);
  if (mean <= 0 || HottestDemand(container) < kUnevenKeys * mean) return;
  advice.push_back(fmt::format(
      "The partition key is too coarse: {} values over {} partitions put {:.1f} times the mean on "
      "one of them. Choose a property with more values, or join two.",
      container.keys, partitions, HottestDemand(container) / mean));
}

void AdviseOnNodes(const Outcome& outcome, std::vector<std::string>& advice) {
  const Sample& last = outcome.samples.back();
  if (last.nodes > last.partitions) {
    advice.push_back(fmt::format(
        "{} nodes for {} partitions: at least {} nodes own nothing. Fewer nodes would do, or more "
        "throughput, which makes more partitions.",
        GroupDigits(static_cast<double>(last.nodes)),
        GroupDigits(static_cast<double>(last.partitions)),
        GroupDigits(static_cast<double>(last.nodes - last.partitions))));
  } else if (last.spread.most > kUnevenNodes * last.spread.mean) {
    advice.push_back(fmt::format(
        "The most loaded node serves {:.1f} times the mean: a partition is the smallest thing that "
        "can move, and some are heavier than a node's fair part. More throughput splits them.",
        last.spread.most / last.spread.mean));
  }
}

}  // namespace

std::vector<std::string> SimulationAdvice(const Scenario& scenario, const Outcome& outcome) {
  const ContainerOutcome& container = outcome.hottest_container;
  std::vector<std::string> advice;
  AdviseOnStuck(scenario, outcome, advice);
  AdviseOnThroughput(scenario, container, advice);
  for (std::string& sentence : AdviceOnKeys(scenario, container))
    advice.push_back(std::move(sentence));
  AdviseOnCoarseKeys(container, advice);
  AdviseOnNodes(outcome, advice);
  if (!advice.empty()) return advice;
  const auto worst = std::ranges::max_element(
      outcome.samples, {}, [](const Sample& sample) { return sample.ThrottledShare(); });
  if (worst->ThrottledShare() < kSmallShare) return {"All is well: keys, load and nodes are even."};
  return {
      "Some requests are throttled although the containers have enough RU/s in sum: the load is a "
      "little uneven over partitions. More throughput, or more values of the partition key, "
      "helps."};
}

}  // namespace orrery::cli
