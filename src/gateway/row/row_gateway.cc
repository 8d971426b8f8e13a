#include "gateway/row/row_gateway.h"

#include <fmt/format.h>

#include <future>

#include "gateway/position/continuation.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/row/row_keys.h"
#include "gateway/row/row_scan_run.h"
#include "item/price_list.h"
#include "item/row/row_transaction.h"

namespace orrery::gateway {
namespace {

// Each retry meets a later topology; so many in a row would take as many splits within one write.
constexpr int kMovedRetriesMax = 16;
// Reads are many and cheap: one in so many is noted for the hottest keys, with their weight.
constexpr uint32_t kReadsPerNote = 16;

bool NoteThisRead() {
  thread_local uint32_t reads = 0;
  return reads++ % kReadsPerNote == 0;
}

// What the governor is asked for before the work is known; the difference is settled afterwards.
RequestUnits Estimate(const RowWriteRequest& request) {
  RequestUnits estimate;
  for (const item::RowChange& change : request.changes.rows) {
    estimate += item::PriceOfWrite({.bytes_after = change.row.size()});
  }
  if (estimate == RequestUnits()) estimate = item::PriceOfPointRead(0);
  return estimate;
}

Status CheckSize(const RowWriteRequest& request, const partition::Limits& limits) {
  for (const item::RowChange& change : request.changes.rows) {
    if (change.row.size() <= limits.item_bytes_max) continue;
    return Fail(Code::kTooLarge, fmt::format("the row has {} bytes, the most is {}",
                                             change.row.size(), limits.item_bytes_max));
  }
  return {};
}

}  // namespace

// Lives in the transaction's callback, so that it goes where the transaction goes.
struct RowGateway::Pending {
  WriteDone done;
  ContainerRef container;  // its gate was entered
  std::shared_ptr<const cluster::Topology> topology;
  cluster::HostedPartition* partition = nullptr;  // of that topology
  RequestUnits reserved;                          // of that partition's budget
  int moves = 0;
};

RowGateway::RowGateway(Gateway::Parts parts)
    : parts_(parts),
      metering_(parts.clock, parts.metrics),
      writes_(parts.metrics.GetCounter("orrery_requests_total", "Requests by kind.",
                                       {{"kind", "row_write"}})),
      reads_(parts.metrics.GetCounter("orrery_requests_total", "Requests by kind.",
                                      {{"kind", "row_read"}})),
      pages_(parts.metrics.GetCounter("orrery_requests_total", "Requests by kind.",
                                      {{"kind", "row_page"}})),
      moved_(parts.metrics.GetCounter("orrery_moved_total",
                                      "Writes that were routed again after a split or merge.")) {}

ContainerRef RowGateway::Reincarnation(const ContainerEntry& container) const {
  ContainerRef newest = parts_.catalog.snapshot()->Newest(container);
  return newest != nullptr && newest->id != container.id ? newest : nullptr;
}

Error RowGateway::Unroutable(const ContainerEntry& container) const {
  const std::string& name = container.settings.name;
  if (parts_.catalog.snapshot()->Newest(container) == nullptr) {
    return Error(Code::kNotFound, fmt::format("container '{}' was dropped", name));
  }
  return Error(
      Code::kUnavailable,
      fmt::format("container '{}' is not open: it is being truncated, or the server is stopping",
                  name));
}

Status RowGateway::CheckIndex(const ContainerEntry& container, item::IndexId index) const {
  // By the newest settings: of an index that was removed since, entries are being dropped.
  const ContainerRef newest = parts_.catalog.snapshot()->Newest(container);
  if (newest == nullptr) return Fail(Unroutable(container));
  for (const item::RowIndex& known : newest->settings.rows->indexes) {
    if (item::NamedIndexId(known.id) == index && newest->HasBuiltRowIndex(known.id)) return {};
  }
  return Fail(Code::kPreconditionFailed,
              fmt::format("an index of container '{}' is not built yet or was removed",
                          container.settings.name));
}

void RowGateway::Write(RowWriteRequest request, WriteDone done) {
  const auto refuse = [&](Error error) {
    RowWriteResponse response;
    response.status = Fail(std::move(error));
    response.program = std::move(request.program);
    done(std::move(response));
  };
  writes_.Add();
  while (!request.container->gate->Enter()) {
    // Its settings have changed, or it was truncated; the newer entry is published already.
    ContainerRef newer = parts_.catalog.snapshot()->Newest(*request.container);
    if (newer == nullptr) return refuse(Unroutable(*request.container));
    request.container = std::move(newer);
  }
  Pending pending;
  pending.container = request.container;
  const auto leave_and_refuse = [&](Error error) {
    pending.container->gate->Leave();
    refuse(std::move(error));
  };
  if (Status sized = CheckSize(request, parts_.limits); !sized.has_value()) {
    return leave_and_refuse(std::move(sized).error());
  }
  auto key = RouteSerializedKey(request.partition_key, parts_.limits);
  if (!key.has_value()) return leave_and_refuse(std::move(key).error());
  pending.topology = parts_.node.topology();
  pending.partition = pending.topology->Route(pending.container->id, key->hash);
  if (pending.partition == nullptr) return leave_and_refuse(Unroutable(*pending.container));
  pending.reserved = Estimate(request);
  if (Status admitted = metering_.Reserve(*pending.partition, pending.reserved);
      !admitted.has_value()) {
    return leave_and_refuse(std::move(admitted).error());
  }

  pending.done = std::move(done);
  cluster::HostedPartition& partition = *pending.partition;
  // Held here, too: the sequencer may answer at once, which lets go of the pending write.
  const std::shared_ptr<const cluster::Topology> topology = pending.topology;
  auto transaction = std::make_unique<item::RowTransaction>(
      item::RowTransactionRequest{.schema = request.container->schema,
                                  .hash = key->hash,
                                  .partition_key = std::move(key->encoded),
                                  .changes = std::move(request.changes),
                                  .program = std::move(request.program)},
      [this, held = std::move(pending)](std::unique_ptr<item::RowTransaction> self,
                                        Status status) mutable {
        Finish(held, std::move(self), std::move(status));
      });
  transaction->SetLedger(partition.ledger());
  partition.sequencer().Submit(std::move(transaction));
}

void RowGateway::Submit(std::unique_ptr<item::RowTransaction> transaction, Pending& pending) {
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  cluster::HostedPartition* const partition =
      topology->Route(pending.container->id, transaction->request().hash);
  if (partition == nullptr) {
    return Finish(pending, std::move(transaction), Fail(Unroutable(*pending.container)));
  }
  pending.topology = topology;
  pending.partition = partition;
  transaction->SetLedger(partition->ledger());
  // From here on `pending` may be used, and ended, by another thread.
  partition->sequencer().Submit(std::move(transaction));
}

void RowGateway::Finish(Pending& pending, std::unique_ptr<item::RowTransaction> transaction,
                        Status status) {
  const bool moved = !status.has_value() && status.error().code() == Code::kMoved;
  if (moved && pending.moves < kMovedRetriesMax) {
    ++pending.moves;
    moved_.Add();
    // The reservation went with the old partition's budget; the new one is charged at the end.
    metering_.Settle(*pending.partition, pending.reserved, {});
    pending.reserved = {};
    // Kept until the old sequencer's call is over.
    const std::shared_ptr<const cluster::Topology> former = pending.topology;
    return Submit(std::move(transaction), pending);
  }
  if (moved) {
    status = Fail(
        Code::kUnavailable,
        "the partition split again and again while the write waited: nothing was changed; retry");
  }
  RowWriteResponse response;
  response.status = std::move(status);
  response.charge = transaction->charge();
  response.program = transaction->TakeProgram();
  metering_.Settle(*pending.partition, pending.reserved, response.charge);
  pending.partition->RecordUse(pending.container->id, transaction->request().partition_key,
                               response.charge);
  pending.container->gate->Leave();
  WriteDone done = std::move(pending.done);
  done(std::move(response));
}

RowWriteResponse RowGateway::WriteAndWait(RowWriteRequest request) {
  std::promise<RowWriteResponse> promise;
  std::future<RowWriteResponse> response = promise.get_future();
  Write(std::move(request),
        [&promise](RowWriteResponse result) { promise.set_value(std::move(result)); });
  return response.get();
}

Result<RowReadResponse> RowGateway::Read(const ContainerRef& container,
                                         std::string_view partition_key,
                                         std::string_view clustering, bool want_head,
                                         storage::ReadMode mode) {
  ORRERY_ASSIGN(const RoutedKey key, RouteSerializedKey(partition_key, parts_.limits));
  std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  const auto position = partition::HashRange::Inclusive(key.hash, key.hash);
  const auto ranges = topology->map->Overlapping(container->id, position);
  const auto hosted =
      ranges.empty() ? topology->hosted.end() : topology->hosted.find(ranges.front().partition);
  if (hosted == topology->hosted.end()) {
    if (const ContainerRef newer = Reincarnation(*container); newer != nullptr)
      return Read(newer, partition_key, clustering, want_head, mode);
    return Fail(Unroutable(*container));
  }
  cluster::HostedPartition& partition = *hosted->second;

  const RequestUnits reserved = item::PriceOfPointRead(0);
  ORRERY_TRY(metering_.Reserve(partition, reserved));
  auto row = item::RowReader(partition.engine(), *container->schema, ranges.front().range,
                             parts_.clock.Now())
                 .Read({key.hash, key.encoded, clustering}, want_head, mode);
  if (!row.has_value()) {
    metering_.Settle(partition, reserved, {});
    return Fail(std::move(row).error());
  }
  reads_.Add();
  RowReadResponse response;
  response.charge = item::PriceOfPointRead(row->row().size() + row->head().size());
  metering_.Settle(partition, reserved, response.charge);
  if (NoteThisRead())
    partition.RecordUse(container->id, key.encoded, response.charge * kReadsPerNote);
  response.row = *std::move(row);
  response.keeper = std::move(topology);
  return response;
}

Result<RowScanResponse> RowGateway::Scan(const ContainerRef& container, const RowScanSpec& spec,
                                         std::string_view continuation, storage::ReadMode mode) {
  pages_.Add();
  if (spec.index.has_value()) ORRERY_TRY(CheckIndex(*container, spec.index->id));
  item::RowScanRequest request;
  request.lower = spec.lower;
  request.upper = spec.upper;
  request.descending = spec.descending;
  request.rows_per_partition_max = spec.rows_per_partition_max;
  request.index = spec.index;
  Continuation where;
  where.kind = ContinuationKind::kRows;
  where.container = container->id;
  where.shape = ShapeOf(spec);
  where.parts = {{spec.range, std::nullopt}};
  if (spec.partition_key.has_value()) {
    ORRERY_ASSIGN(RoutedKey key, RouteSerializedKey(*spec.partition_key, parts_.limits));
    where.parts.front().range = partition::HashRange::Inclusive(key.hash, key.hash);
    request.hash = key.hash;
    request.partition_key = std::move(key.encoded);
  }
  if (!continuation.empty()) {
    ORRERY_ASSIGN(where,
                  DecodeContinuation(continuation, where.kind, where.container, where.shape));
  }
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  auto laid_out = LayOut(*topology, container->id, where.parts);
  if (!laid_out.has_value()) {
    if (const ContainerRef newer = Reincarnation(*container); newer != nullptr)
      return Scan(newer, spec, continuation, mode);
    return Fail(Unroutable(*container));
  }
  RowScanRun run({*container, *topology, request, metering_, parts_.clock.Now(), mode},
                 *std::move(laid_out), spec.limits);
  ORRERY_ASSIGN(RowScanResponse response, run.Run());
  where.parts = run.Left();
  if (!where.parts.empty()) response.continuation = EncodeContinuation(where);
  return response;
}

}  // namespace orrery::gateway
