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

}  // namespace

std::vector<PartitionFigures> FiguresOf(const Topology& topology, Micros now) {
  std::vector<PartitionFigures> figures;
  figures.reserve(topology.hosted.size());
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
  if (!whole || !reader.empty())
    return Fail(Code::kInvalidArgument, "figures of partitions that cannot be read");
  return figures;
}

}  // namespace orrery::cluster
