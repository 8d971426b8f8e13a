#include "gateway/gateway.h"

#include <utility>

#include "base/has_code.h"
#include "base/visit_tally.h"
#include "gateway/position/session_check.h"
#include "gateway/position/session_token.h"
#include "gateway/read_sampler.h"
#include "gateway/remote/remote_gateway.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "gateway/snapshot/transaction_coordinator.h"
#include "item/layout/entry_codec.h"
#include "item/price_list.h"

namespace orrery::gateway {
namespace {

Gateway::Parts PartsWithin(Gateway::Parts parts, RemoteGateway* remote) {
  parts.remote = remote;
  return parts;
}

}  // namespace

Gateway::Gateway(const Parts& parts)
    : parts_(parts),
      metering_(parts.clock, parts.metrics, parts.limits.meters),
      router_(parts.catalog, parts.node, metering_, parts.metrics, parts.reservations),
      dispatcher_(router_),
      writes_(parts.metrics.GetCounter("orrery_requests_total", "Requests by kind.",
                                       {{"kind", "write"}})),
      reads_(parts.metrics.GetCounter("orrery_requests_total", "Requests by kind.",
                                      {{"kind", "read"}})),
      pages_(parts.metrics.GetCounter("orrery_requests_total", "Requests by kind.",
                                      {{"kind", "page"}})) {}

Gateway::Gateway(const Gateway& base, SnapshotTransaction& within)
    : parts_(PartsWithin(base.parts_, within.remote())),
      metering_(base.metering_),
      router_(base.router_, metering_),
      dispatcher_(router_),
      within_(&within),
      writes_(base.writes_),
      reads_(base.reads_),
      pages_(base.pages_) {}

Result<std::shared_ptr<SnapshotTransaction>> Gateway::BeginTransaction() const {
  return parts_.transactions.Begin(*this);
}

Result<storage::ReadView> Gateway::ViewOf(cluster::HostedPartition& partition,
                                          const ContainerEntry& container,
                                          storage::ReadMode mode) const {
  if (within_ != nullptr) return within_->ViewOf(partition, container);
  ORRERY_TRY(parts_.transactions.barrier().Pass(partition.id(), mode));
  return storage::ReadView(partition.engine());
}

Result<RoutedKey> Gateway::RoutePartitionKey(const ContainerEntry& container,
                                             const KeyValues& values) const {
  return gateway::RoutePartitionKey(*container.schema, values, parts_.limits);
}

Result<std::string> Gateway::EncodeRowKey(const ContainerEntry& container,
                                          const model::Value& value) const {
  return gateway::EncodeRowKey(*container.schema, value, parts_.limits);
}

Result<item::ItemKey> Gateway::MakeKey(const ContainerEntry& container,
                                       const KeyValues& partition_key,
                                       const model::Value& row_key) const {
  ORRERY_ASSIGN(RoutedKey routed, RoutePartitionKey(container, partition_key));
  ORRERY_ASSIGN(std::string encoded_row_key, EncodeRowKey(container, row_key));
  return item::ItemKey{routed.hash, std::move(routed.encoded), std::move(encoded_row_key)};
}

ReadResponse Gateway::Read(const ContainerRef& container, const KeyValues& partition_key,
                           const model::Value& row_key, storage::ReadMode mode,
                           std::string_view session) {
  const Result<item::ItemKey> key = MakeKey(*container, partition_key, row_key);
  if (!key.has_value()) {
    ReadResponse response;
    response.status = Fail(key.error());
    return response;
  }
  return Read(container, *key, mode, session);
}

ReadResponse Gateway::Read(const ContainerRef& container, const item::ItemKey& key,
                           storage::ReadMode mode, std::string_view session) {
  ReadResponse response;
  response.status = ReadInto(response, *container, key, mode, session);
  if (HasCode(response.status, Code::kMoved) && within_ != nullptr && parts_.remote == nullptr) {
    response.status = within_->Elsewhere();
  } else if (HasCode(response.status, Code::kMoved) && parts_.remote != nullptr) {
    if (mode == storage::ReadMode::kCachedOnly) {
      response.status = Fail(Code::kWouldBlock, "another node has the partition");
    } else {
      response = parts_.remote->Read(container, key, session);
    }
  }
  return response;
}

ReadResponse Gateway::ReadHere(const ContainerEntry& container, const item::ItemKey& key,
                               storage::ReadMode mode, std::string_view session) {
  ReadResponse response;
  response.status = ReadInto(response, container, key, mode, session);
  return response;
}

Result<std::optional<std::string>> Gateway::HolderOf(const ContainerRef& container,
                                                     const RoutedKey& key,
                                                     const std::string& claim) {
  auto holder = HolderOfHere(*container, key.hash, claim);
  if (HasCode(holder, Code::kMoved) && within_ != nullptr && parts_.remote == nullptr)
    return within_->Elsewhere();
  if (HasCode(holder, Code::kMoved) && parts_.remote != nullptr)
    return parts_.remote->HolderOf(container, key.hash, claim);
  return holder;
}

Result<std::optional<std::string>> Gateway::HolderOfHere(const ContainerEntry& container,
                                                         Hash128 hash,
                                                         const std::string& claim) const {
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  cluster::HostedPartition* partition = topology->Route(container.id, hash);
  if (partition == nullptr) return Fail(router_.NotHere(*topology, container, hash));
  storage::PinnedValue stored;
  if (within_ == nullptr) {
    ORRERY_TRY(parts_.transactions.prepared().Pass(
        container.id, partition::HashRange::Inclusive(hash, hash), storage::ReadMode::kMayBlock));
  }
  ORRERY_ASSIGN(const storage::ReadView view,
                ViewOf(*partition, container, storage::ReadMode::kMayBlock));
  ORRERY_ASSIGN(const bool found, view.Get(claim, stored));
  ORRERY_TRY(partition->CheckLease());
  if (!found) return std::nullopt;
  ORRERY_ASSIGN(const item::UniqueEntry holder, item::DecodeUniqueEntry(stored.view()));
  if (holder.expiry.has_value() && *holder.expiry <= parts_.clock.Now()) return std::nullopt;
  return std::string(holder.row_key);
}

Status Gateway::ReadInto(ReadResponse& response, const ContainerEntry& container,
                         const item::ItemKey& key, storage::ReadMode mode,
                         std::string_view session) {
  std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  const auto position = partition::HashRange::Inclusive(key.hash, key.hash);
  const auto ranges = topology->map->Overlapping(container.id, position);
  const auto hosted =
      ranges.empty() ? topology->hosted.end() : topology->hosted.find(ranges.front().partition);
  if (hosted == topology->hosted.end()) {
    return Fail(router_.NotHere(*topology, container, key.hash));
  }
  cluster::HostedPartition& partition = *hosted->second;
  ORRERY_TRY(CheckSession(*topology, partition, session));

  if (within_ == nullptr)
    ORRERY_TRY(parts_.transactions.prepared().Pass(container.id, position, mode));
  ORRERY_ASSIGN(const storage::ReadView view, ViewOf(partition, container, mode));
  const RequestUnits reserved = item::PriceOfPointRead(0);
  ORRERY_TRY(metering_.Reserve(partition, container, reserved));
  // Taken before the read: what is read is at least as new.
  const Lsn seen = partition.sequencer().last_committed();
  const Micros now = within_ != nullptr ? within_->start() : parts_.clock.Now();
  auto item = item::SliceReader(view, *container.schema, ranges.front().range, now).Read(key, mode);
  if (!item.has_value() && item.error().code() != Code::kNotFound) {
    metering_.Settle(partition, container, reserved, {});
    return Fail(std::move(item).error());
  }
  ORRERY_TRY(partition.CheckLease());
  reads_.Add();
  AppendSessionPosition(response.session, {partition.id(), seen});
  const size_t bytes = item.has_value() ? item->document.bson().size() : 0;
  response.charge = item::PriceOfPointRead(bytes);
  VisitTally::Note(partition.id().value());
  if (const auto& trace = ChargeTrace::Current(); trace != nullptr)
    trace->Add(item::ExplainPointRead(bytes), partition.id().value());
  metering_.Settle(partition, container, reserved, response.charge);
  thread_local ReadSampler sampler;
  if (sampler.NoteThisRead())
    partition.RecordUse(container.id, key.partition_key, response.charge * kReadsPerNote);
  if (!item.has_value()) return Fail(std::move(item).error());
  response.item = *std::move(item);
  response.keeper = std::move(topology);
  return {};
}

}  // namespace orrery::gateway
