#include "gateway/write/write_trip.h"

#include <fmt/format.h>

namespace orrery::gateway {

WriteRouter::WriteRouter(const Catalog& catalog, const cluster::Node& node,
                         const Metering& metering, MetricsRegistry& metrics)
    : catalog_(catalog),
      node_(node),
      metering_(metering),
      moved_(metrics.GetCounter("orrery_moved_total",
                                "Writes that were routed again after a split or merge.")) {}

Result<GatePass> WriteRouter::Enter(ContainerRef container) const {
  while (!container->gate->Enter()) {
    // Its settings have changed, or it was truncated; the newer entry is published already.
    ContainerRef newer = catalog_.snapshot()->Newest(*container);
    if (newer == nullptr) return Fail(Unroutable(*container));
    container = std::move(newer);
  }
  return GatePass(std::move(container));
}

Result<WriteTrip> WriteRouter::Admit(GatePass gate, Hash128 hash,
                                     std::optional<RequestUnits> estimate) const {
  WriteTrip trip{.gate = std::move(gate),
                 .topology = node_.topology(),
                 .partition = nullptr,
                 .reserved = {},
                 .moves = 0};
  const ContainerEntry& container = trip.gate.container();
  trip.partition = trip.topology->Route(container.id, hash);
  if (trip.partition == nullptr) return Fail(NotHere(*trip.topology, container, hash));
  if (estimate.has_value()) {
    ORRERY_TRY(metering_.Reserve(*trip.partition, container, *estimate));
    trip.reserved = *estimate;
  }
  return trip;
}

Status WriteRouter::Reroute(WriteTrip& trip, Hash128 hash) const {
  if (trip.moves >= kMovesMax) {
    return Fail(
        Code::kUnavailable,
        "the partition split again and again while the write waited: nothing was changed; retry");
  }
  ++trip.moves;
  moved_.Add();
  // The reservation went with the old partition's budget; the new one is charged at the end.
  metering_.Settle(*trip.partition, trip.gate.container(), trip.reserved, {});
  trip.reserved = {};
  std::shared_ptr<const cluster::Topology> topology = node_.topology();
  cluster::HostedPartition* const partition = topology->Route(trip.gate.container().id, hash);
  if (partition == nullptr) return Fail(NotHere(*topology, trip.gate.container(), hash));
  trip.topology = std::move(topology);
  trip.partition = partition;
  return {};
}

void WriteRouter::End(WriteTrip& trip, std::string_view partition_key, RequestUnits charge) const {
  metering_.Settle(*trip.partition, trip.gate.container(), trip.reserved, charge);
  trip.partition->RecordUse(trip.gate.container().id, partition_key, charge);
  trip.gate.Leave();
}

Error WriteRouter::NotHere(const cluster::Topology& topology, const ContainerEntry& container,
                           Hash128 hash) const {
  const cluster::RemotePartition* const remote = topology.Locate(container.id, hash).remote;
  return remote == nullptr ? Unroutable(container) : remote->WhyNotHere();
}

Error WriteRouter::Unroutable(const ContainerEntry& container) const {
  const std::string& name = container.settings.name;
  if (catalog_.snapshot()->Newest(container) == nullptr) {
    return Error(Code::kNotFound, fmt::format("container '{}' was dropped", name));
  }
  // The catalog shows what another node made before the topology does.
  if (!node_.topology()->remote.empty()) {
    return Error(Code::kMoved,
                 fmt::format("this node does not know yet where container '{}' is", name));
  }
  return Error(
      Code::kUnavailable,
      fmt::format("container '{}' is not open: it is being truncated, or the server is stopping",
                  name));
}

}  // namespace orrery::gateway
