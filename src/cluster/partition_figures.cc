#include "cluster/partition_figures.h"

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

bool ReadShares(ByteReader& reader, std::vector<PartitionFigures::Share>& shares) {
  uint64_t count = 0;
  if (!reader.ReadVarint(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t container = 0;
    PartitionFigures::Share share;
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

// How many bytes they are.
size_t AddKeys(const HostedPartition& partition, PartitionFigures& figures) {
  size_t bytes = 0;
  for (const item::LargeKey& key : partition.ledger().Largest(kKeysInFigures)) {
    bytes += key.partition_key.size();
    figures.largest.push_back({key.container, key.partition_key, key.bytes});
  }
  for (const HotKey& key : partition.Hottest(kKeysInFigures)) {
    bytes += key.partition_key.size();
    figures.hottest.push_back({key.container, key.partition_key, 0, key.request_units_per_second});
  }
  return bytes;
}

void AppendKeys(std::string& bytes, const PartitionFigures& figures) {
  const auto append = [&](const PartitionFigures::Key& key) {
    AppendVarint(bytes, key.container.value());
    AppendLengthPrefixed(bytes, key.partition_key);
  };
  AppendVarint(bytes, figures.largest.size());
  for (const PartitionFigures::Key& key : figures.largest) {
    append(key);
    AppendVarint(bytes, key.bytes);
  }
  AppendVarint(bytes, figures.hottest.size());
  for (const PartitionFigures::Key& key : figures.hottest) {
    append(key);
    AppendRate(bytes, key.request_units_per_second);
  }
}

template <typename ReadMeasure>
bool ReadKeys(ByteReader& reader, std::vector<PartitionFigures::Key>& keys, ReadMeasure measure) {
  uint64_t count = 0;
  if (!reader.ReadVarint(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t container = 0;
    std::string_view name;
    PartitionFigures::Key key;
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

bool ReadAllKeys(ByteReader& reader, PartitionFigures& figures) {
  return ReadKeys(reader, figures.largest,
                  [&](PartitionFigures::Key& key) { return reader.ReadVarint(key.bytes); }) &&
         ReadKeys(reader, figures.hottest, [&](PartitionFigures::Key& key) {
           return ReadRate(reader, key.request_units_per_second);
         });
}

}  // namespace

std::string EncodeFiguresRequest(FiguresDetail detail) {
  return std::string(detail == FiguresDetail::kWithKeys ? kWithKeys : std::string_view());
}

FiguresDetail DecodeFiguresRequest(std::string_view request) {
  return request == kWithKeys ? FiguresDetail::kWithKeys : FiguresDetail::kPlain;
}

std::vector<PartitionFigures> FiguresOf(const Topology& topology, Micros now,
                                        FiguresDetail detail) {
  std::vector<PartitionFigures> figures;
  figures.reserve(topology.hosted.size());
  size_t key_bytes = 0;
  for (const auto& [id, partition] : topology.hosted) {
    const partition::Governor& governor = partition->governor();
    const partition::GovernorUsage usage = governor.Usage(now);
    PartitionFigures& each = figures.emplace_back();
    each.id = id;
    each.request_units_per_second = usage.used_last_second.ToDouble();
    each.granted = governor.rate().ToDouble();
    each.throttled = usage.throttled_total;
    for (const auto& [container, totals] : partition->ledger().ByContainer()) {
      each.shares.push_back({container, NotNegative(totals.bytes), NotNegative(totals.items)});
      each.bytes += each.shares.back().bytes;
      each.items += each.shares.back().items;
    }
    if (detail == FiguresDetail::kWithKeys && key_bytes < kKeyBytesMax)
      key_bytes += AddKeys(*partition, each);
  }
  return figures;
}

std::string EncodeFigures(const std::vector<PartitionFigures>& figures) {
  std::string bytes;
  AppendVarint(bytes, figures.size());
  for (const PartitionFigures& each : figures) {
    AppendVarint(bytes, each.id.value());
    AppendVarint(bytes, each.bytes);
    AppendVarint(bytes, each.items);
    AppendRate(bytes, each.request_units_per_second);
    AppendRate(bytes, each.granted);
    AppendVarint(bytes, each.throttled);
    AppendVarint(bytes, each.shares.size());
    for (const PartitionFigures::Share& share : each.shares) {
      AppendVarint(bytes, share.container.value());
      AppendVarint(bytes, share.bytes);
      AppendVarint(bytes, share.items);
    }
  }
  const bool any_keys = std::ranges::any_of(figures, [](const PartitionFigures& each) {
    return !each.largest.empty() || !each.hottest.empty();
  });
  if (!any_keys) return bytes;
  for (const PartitionFigures& each : figures) AppendKeys(bytes, each);
  return bytes;
}

Result<std::vector<PartitionFigures>> DecodeFigures(std::string_view bytes) {
  std::vector<PartitionFigures> figures;
  ByteReader reader(bytes);
  uint64_t count = 0;
  bool whole = reader.ReadVarint(count);
  for (uint64_t i = 0; whole && i < count; ++i) {
    uint64_t id = 0;
    PartitionFigures each;
    whole = reader.ReadVarint(id) && reader.ReadVarint(each.bytes) &&
            reader.ReadVarint(each.items) && ReadRate(reader, each.request_units_per_second) &&
            ReadRate(reader, each.granted) && reader.ReadVarint(each.throttled) &&
            ReadShares(reader, each.shares);
    each.id = PartitionId(id);
    figures.push_back(std::move(each));
  }
  if (whole && !reader.empty()) {
    for (PartitionFigures& each : figures) whole = whole && ReadAllKeys(reader, each);
  }
  if (!whole || !reader.empty())
    return Fail(Code::kInvalidArgument, "figures of partitions that cannot be read");
  return figures;
}

}  // namespace orrery::cluster
