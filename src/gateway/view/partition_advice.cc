#include "gateway/view/partition_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::gateway {
namespace {

constexpr double kNearLimit = 0.8;       // of a logical partition's bytes
constexpr double kSkewedShare = 0.3;     // of a container's bytes in one key
constexpr double kHotShare = 0.5;        // of a partition's rate taken by one key
constexpr double kHotPartition = 0.9;    // of its rate used ...
constexpr double kIdlePartitions = 0.3;  // ... while the others use less than this

int Percent(double share) { return static_cast<int>(std::lround(share * 100)); }

std::string BytesText(uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KB", "MB", "GB", "TB"};
  double amount = static_cast<double>(bytes);
  size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < std::size(kUnits); ++unit) amount /= 1024;
  return unit == 0 ? fmt::format("{} {}", bytes, kUnits[0])
                   : fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

void AdviseOnLimit(const ContainerFacts& facts, std::vector<std::string>& advice) {
  for (const KeyFacts& key : facts.largest) {
    const double share =
        static_cast<double>(key.bytes) /
        static_cast<double>(std::max<uint64_t>(facts.logical_partition_bytes_max, 1));
    if (facts.logical_partition_bytes_max == 0 || share < kNearLimit) continue;
    advice.push_back(
        fmt::format("Logical partition {} holds {} of the {} that one key may hold; beyond that "
                    "its writes are refused. Delete "
                    "old items, let them expire, or add a suffix to the key (such as a month) so "
                    "that new items go elsewhere.",
                    key.key, BytesText(key.bytes), BytesText(facts.logical_partition_bytes_max)));
  }
}

void AdviseOnSkew(const ContainerFacts& facts, std::vector<std::string>& advice) {
  if (facts.largest.empty() || facts.bytes < kAdviceBytesMin) return;
  const KeyFacts& key = facts.largest.front();
  const double share = static_cast<double>(key.bytes) / static_cast<double>(facts.bytes);
  if (share < kSkewedShare) return;
  advice.push_back(
      fmt::format("One logical partition, {}, holds {} % of the data. A partition key with more "
                  "distinct values, or a synthetic "
                  "one that joins two properties (such as \"abc-123-2018\"), spreads it.",
                  key.key, Percent(share)));
}

void AdviseOnHeat(const ContainerFacts& facts, std::vector<std::string>& advice) {
  for (const KeyFacts& key : facts.hottest) {
    if (key.partition_rate <= 0 || key.request_units_per_second < kHotShare * key.partition_rate)
      continue;
    advice.push_back(
        fmt::format("Logical partition {} takes {} % of its physical partition's RU/s. A split "
                    "does not help a single hot key: "
                    "spread its items over several keys, or cache what is read so often.",
                    key.key, Percent(key.request_units_per_second / key.partition_rate)));
  }
}

void AdviseOnHotPartition(const ContainerFacts& facts, std::vector<std::string>& advice) {
  if (facts.partitions.size() < 2) return;
  const auto share = [](const PartitionLoad& load) {
    return load.rate <= 0 ? 0 : load.used / load.rate;
  };
  const auto hottest = std::ranges::max_element(facts.partitions, {}, share);
  if (share(*hottest) < kHotPartition || hottest->throttled == 0) return;
  double others = 0;
  for (const PartitionLoad& load : facts.partitions) others += share(load);
  others = (others - share(*hottest)) / static_cast<double>(facts.partitions.size() - 1);
  if (others > kIdlePartitions) return;
  advice.push_back(
      fmt::format("One physical partition uses {} % of its RU/s and refuses requests while the "
                  "others use {} % on average: the "
                  "load follows few values of the partition key ({}).",
                  Percent(share(*hottest)), Percent(others), fmt::join(facts.key_paths, ", ")));
}

}  // namespace

std::vector<std::string> AdviceFor(const ContainerFacts& facts) {
  std::vector<std::string> advice;
  AdviseOnLimit(facts, advice);
  AdviseOnHeat(facts, advice);
  AdviseOnHotPartition(facts, advice);
  AdviseOnSkew(facts, advice);
  return advice;
}

}  // namespace orrery::gateway
