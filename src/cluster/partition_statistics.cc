#include "cluster/partition_statistics.h"

#include <algorithm>

#include "base/bytes.h"

namespace orrery::cluster {
namespace {

constexpr double kHundredths = 100;
// Beyond any machine, and small enough to be exact as a double.
constexpr uint64_t kRateHundredthsMax = uint64_t{1} << 53;

uint64_t NotNegative(int64_t number) { return static_cast<uint64_t>(std::max<int64_t>(number, 0)); }

void AppendRate(std::string& bytes, double rate) {
  AppendVarint(bytes, static_cast<uint64_t>(rate * kHundredths));
}

bool ReadRate(ByteReader& reader, double& rate) {
  uint64_t hundredths = 0;
  if (!reader.ReadVarint(hundredths) || hundredths > kRateHundredthsMax) return false;
  rate = static_cast<double>(hundredths) / kHundredths;
  return true;
}

bool ReadShares(ByteReader& reader, std::vector<PartitionStatistics::Share>& shares) {
  uint64_t count = 0;
  if (!reader.ReadVarint(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t container = 0;
    PartitionStatistics::Share share;
    if (!reader.ReadVarint(container) || container > UINT32_MAX ||
        !reader.ReadVarint(share.bytes) || !reader.ReadVarint(share.items)) {
      return false;
    }
    share.container = ContainerId(static_cast<uint32_t>(container));
    shares.push_back(share);
  }
  return true;
}

constexpr std::string_view kWithKeys = "keys";
// Of all keys in an answer: partitions that come later are told without.
constexpr size_t kKeyBytesMax = 8 << 20;

// Returns the number of bytes of the keys.
size_t AddKeys(const HostedPartition& partition, PartitionStatistics& statistics) {
  size_t bytes = 0;
  for (const item::LargeKey& key : partition.ledger().Largest(kKeysInStatistics)) {
    bytes += key.partition_key.size();
    statistics.largest.push_back({key.container, key.partition_key, key.bytes});
  }
  for (const HotKey& key : partition.Hottest(kKeysInStatistics)) {
    bytes += key.partition_key.size();
    statistics.hottest.push_back(
        {key.container, key.partition_key, 0, key.request_units_per_second});
  }
  return bytes;
}

void AppendKeys(std::string& bytes, const PartitionStatistics& statistics) {
  const auto append = [&](const PartitionStatistics::Key& key) {
    AppendVarint(bytes, key.container.value());
    AppendLengthPrefixed(bytes, key.partition_key);
  };
  AppendVarint(bytes, statistics.largest.size());
  for (const PartitionStatistics::Key& key : statistics.largest) {
    append(key);
    AppendVarint(bytes, key.bytes);
  }
  AppendVarint(bytes, statistics.hottest.size());
  for (const PartitionStatistics::Key& key : statistics.hottest) {
    append(key);
    AppendRate(bytes, key.request_units_per_second);
  }
}

template <typename ReadMeasure>
bool ReadKeys(ByteReader& reader, std::vector<PartitionStatistics::Key>& keys,
              ReadMeasure measure) {
  uint64_t count = 0;
  if (!reader.ReadVarint(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t container = 0;
    std::string_view name;
    PartitionStatistics::Key key;
    if (!reader.ReadVarint(container) || container > UINT32_MAX ||
        !reader.ReadLengthPrefixed(name) || !measure(key)) {
      return false;
    }
    key.container = ContainerId(static_cast<uint32_t>(container));
    key.partition_key = name;
    keys.push_back(std::move(key));
  }
  return true;
}

bool ReadAllKeys(ByteReader& reader, PartitionStatistics& statistics) {
  return ReadKeys(reader, statistics.largest,
                  [&](PartitionStatistics::Key& key) { return reader.ReadVarint(key.bytes); }) &&
         ReadKeys(reader, statistics.hottest, [&](PartitionStatistics::Key& key) {
           return ReadRate(reader, key.request_units_per_second);
         });
}

}  // namespace

std::string EncodeStatisticsRequest(StatisticsDetail detail) {
  return std::string(detail == StatisticsDetail::kWithKeys ? kWithKeys : std::string_view());
}

StatisticsDetail DecodeStatisticsRequest(std::string_view request) {
  return request == kWithKeys ? StatisticsDetail::kWithKeys : StatisticsDetail::kPlain;
}

std::vector<PartitionStatistics> StatisticsOf(const Topology& topology, Micros now,
                                              StatisticsDetail detail) {
  std::vector<PartitionStatistics> statistics;
  statistics.reserve(topology.hosted.size());
  size_t key_bytes = 0;
  for (const auto& [id, partition] : topology.hosted) {
    const partition::Governor& governor = partition->governor();
    const partition::GovernorUsage usage = governor.Usage(now);
    PartitionStatistics& each = statistics.emplace_back();
    each.id = id;
    each.request_units_per_second = usage.used_last_second.ToDouble();
    each.granted = governor.rate().ToDouble();
    each.throttled = usage.throttled_total;
    for (const auto& [container, totals] : partition->ledger().ByContainer()) {
      each.shares.push_back({container, NotNegative(totals.bytes), NotNegative(totals.items)});
      each.bytes += each.shares.back().bytes;
      each.items += each.shares.back().items;
    }
    if (detail == StatisticsDetail::kWithKeys && key_bytes < kKeyBytesMax)
      key_bytes += AddKeys(*partition, each);
  }
  return statistics;
}

std::string EncodeStatistics(const std::vector<PartitionStatistics>& statistics) {
  std::string bytes;
  AppendVarint(bytes, statistics.size());
  for (const PartitionStatistics& each : statistics) {
    AppendVarint(bytes, each.id.value());
    AppendVarint(bytes, each.bytes);
    AppendVarint(bytes, each.items);
    AppendRate(bytes, each.request_units_per_second);
    AppendRate(bytes, each.granted);
    AppendVarint(bytes, each.throttled);
    AppendVarint(bytes, each.shares.size());
    for (const PartitionStatistics::Share& share : each.shares) {
      AppendVarint(bytes, share.container.value());
      AppendVarint(bytes, share.bytes);
      AppendVarint(bytes, share.items);
    }
  }
  const bool any_keys = std::ranges::any_of(statistics, [](const PartitionStatistics& each) {
    return !each.largest.empty() || !each.hottest.empty();
  });
  if (!any_keys) return bytes;
  for (const PartitionStatistics& each : statistics) AppendKeys(bytes, each);
  return bytes;
}

Result<std::vector<PartitionStatistics>> DecodeStatistics(std::string_view bytes) {
  std::vector<PartitionStatistics> statistics;
  ByteReader reader(bytes);
  uint64_t count = 0;
  bool whole = reader.ReadVarint(count);
  for (uint64_t i = 0; whole && i < count; ++i) {
    uint64_t id = 0;
    PartitionStatistics each;
    whole = reader.ReadVarint(id) && reader.ReadVarint(each.bytes) &&
            reader.ReadVarint(each.items) && ReadRate(reader, each.request_units_per_second) &&
            ReadRate(reader, each.granted) && reader.ReadVarint(each.throttled) &&
            ReadShares(reader, each.shares);
    each.id = PartitionId(id);
    statistics.push_back(std::move(each));
  }
  if (whole && !reader.empty()) {
    for (PartitionStatistics& each : statistics) whole = whole && ReadAllKeys(reader, each);
  }
  if (!whole || !reader.empty())
    return Fail(Code::kInvalidArgument, "malformed statistics of partitions");
  return statistics;
}

}  // namespace orrery::cluster
