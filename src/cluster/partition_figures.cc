#include "cluster/partition_figures.h"

#include <algorithm>

#include "base/bytes.h"

namespace orrery::cluster {
namespace {

constexpr double kHundredths = 100;

}  // namespace

std::vector<PartitionFigures> FiguresOf(const Topology& topology, Micros now) {
  std::vector<PartitionFigures> figures;
  figures.reserve(topology.hosted.size());
  for (const auto& [id, partition] : topology.hosted) {
    const int64_t bytes = std::max<int64_t>(0, partition->ledger().Sum().bytes);
    figures.push_back({id, static_cast<uint64_t>(bytes),
                       partition->governor().Usage(now).used_last_second.ToDouble()});
  }
  return figures;
}

std::string EncodeFigures(const std::vector<PartitionFigures>& figures) {
  std::string bytes;
  AppendVarint(bytes, figures.size());
  for (const PartitionFigures& each : figures) {
    AppendVarint(bytes, each.id.value());
    AppendVarint(bytes, each.bytes);
    AppendVarint(bytes, static_cast<uint64_t>(each.request_units_per_second * kHundredths));
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
    uint64_t rate = 0;
    PartitionFigures each;
    whole = reader.ReadVarint(id) && reader.ReadVarint(each.bytes) && reader.ReadVarint(rate);
    each.id = PartitionId(id);
    each.request_units_per_second = static_cast<double>(rate) / kHundredths;
    figures.push_back(each);
  }
  if (!whole || !reader.empty())
    return Fail(Code::kInvalidArgument, "figures of partitions that cannot be read");
  return figures;
}

}  // namespace orrery::cluster
