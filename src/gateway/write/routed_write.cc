#include "gateway/write/routed_write.h"

#include <fmt/format.h>

namespace orrery::gateway {

WriteRouter::WriteRouter(const Catalog& catalog, const cluster::Node& node,
                         const Metering& metering, MetricsRegistry& metrics,
                         partition::Reservations& reservations)
    : catalog_(catalog),
      node_(node),
      metering_(metering),
      reservations_(reservations),
      moved_(metrics.GetCounter("orrery_moved_total",
                                "Writes that were routed again after a split or merge.")) {}

Result<WriteAdmission> WriteRouter::Enter(ContainerRef container) const {
  while (!container->gate->Enter()) {
    // Its settings have changed, or it was truncated; the newer entry is published already.
    ContainerRef newer = catalog_.snapshot()->Newest(*container);
    if (newer == nullptr) return Fail(Unroutable(*container));
    if (newer->gate == container->gate) {
      // Closed while it is the newest one: a move holds the writers up (move/move_pause.h).
      return Fail(Code::kWouldBlock, fmt::format("container '{}' takes no writes for a moment",
                                                 container->settings.name));
    }
    container = std::move(newer);
  }
  return WriteAdmission(std::move(container));
}

Result<RoutedWrite> WriteRouter::Admit(WriteAdmission admission, Hash128 hash,
                                       std::optional<RequestUnits> estimate) const {
  RoutedWrite routed{.admission = std::move(admission),
                     .topology = node_.topology(),
                     .partition = nullptr,
                     .reserved = {},
                     .moves = 0};
  const ContainerEntry& container = routed.admission.container();
  routed.partition = routed.topology->Route(container.id, hash);
  if (routed.partition == nullptr) return Fail(NotHere(*routed.topology, container, hash));
  if (estimate.has_value()) {
    ORRERY_TRY(metering_.Reserve(*routed.partition, container, *estimate));
    routed.reserved = *estimate;
  }
  return routed;
}

Status WriteRouter::Reroute(RoutedWrite& routed, Hash128 hash) const {
  if (routed.moves >= kMovesMax) {
    return Fail(
        Code::kUnavailable,
        "the partition split again and again while the write waited: nothing was changed; retry");
  }
  ++routed.moves;
  moved_.Add();
  // The reservation went with the old partition's budget; the new one is charged at the end.
  metering_.Settle(*routed.partition, routed.admission.container(), routed.reserved, {});
  routed.reserved = {};
  std::shared_ptr<const cluster::Topology> topology = node_.topology();
  cluster::HostedPartition* const partition =
      topology->Route(routed.admission.container().id, hash);
  if (partition == nullptr) return Fail(NotHere(*topology, routed.admission.container(), hash));
  routed.topology = std::move(topology);
  routed.partition = partition;
  return {};
}

void WriteRouter::End(RoutedWrite& routed, std::string_view partition_key,
                      RequestUnits charge) const {
  metering_.Settle(*routed.partition, routed.admission.container(), routed.reserved, charge);
  routed.partition->RecordUse(routed.admission.container().id, partition_key, charge);
  routed.admission.Leave();
}

Error WriteRouter::NotHere(const cluster::Topology& topology, const ContainerEntry& container,
                           Hash128 hash) const {
  const cluster::RemotePartition* const remote = topology.Locate(container.id, hash).remote;
  return remote == nullptr ? Unroutable(container) : remote->WhyNotHere();
}

Error WriteRouter::Unroutable(const ContainerEntry& container) const {
  const std::string& name = container.settings.name;
  const auto catalog = catalog_.snapshot();
  if (catalog->Newest(container) == nullptr) {
    // Rows are not moved: another table of the name has nothing to do with this one.
    if (!container.settings.rows.has_value() &&
        catalog->Container(container.database, name) != nullptr) {
      return Error(Code::kOverloaded,
                   fmt::format("container '{}' was replaced by another of this name meanwhile: "
                               "nothing was changed; retry",
                               name));
    }
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
