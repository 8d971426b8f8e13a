#include "gateway/row/row_gateway.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "gateway/read_sampler.h"
#include "gateway/remote/remote_gateway.h"
#include "gateway/row/row_keys.h"
#include "item/price_list.h"
#include "item/row/row_transaction.h"
#include "partition/key/cassandra_key.h"

namespace orrery::gateway {
namespace {

// Estimates the charge before the work is known, for the governor; the difference is settled
// afterwards.
RequestUnits Estimate(const RowWriteRequest& request) {
  RequestUnits estimate;
  for (const item::RowChange& change : request.changes.rows) {
    estimate += item::PriceOfWrite({.bytes_after = change.row.size()});
  }
  if (estimate == RequestUnits()) estimate = item::PriceOfPointRead(0);
  return estimate;
}

item::DerivedWriteLimits LimitsOfDerivedWrites(const partition::Limits& limits) {
  return {.partition_key_bytes_max = std::min<uint64_t>(limits.partition_key_bytes_max, UINT16_MAX),
          .row_bytes_max = limits.item_bytes_max};
}

RowWriteResponse Refused(RowWriteRequest request, Error why) {
  RowWriteResponse response;
  if (why.code() == Code::kThrottled) {
    response.refused = std::move(request);
  } else {
    response.program = std::move(request.program);
  }
  response.status = Fail(std::move(why));
  return response;
}

Error Late(const Error& why) {
  return Error(Code::kUnavailable,
               fmt::format("the write is stored, but not all that follows from it is yet; it will "
                           "be by itself: {}",
                           why.ToString()));
}

}  // namespace

RowGateway::RowGateway(Gateway::Parts parts)
    : parts_(parts),
      metering_(parts.clock, parts.metrics, parts.limits.meters),
      router_(parts.catalog, parts.node, metering_, parts.metrics, parts.reservations),
      dispatcher_(router_),
      outbox_({.catalog = parts.catalog,
               .node = parts.node,
               .router = router_,
               .clock = parts.clock,
               .metrics = parts.metrics,
               .remote = parts.remote}),
      writes_(parts.metrics.GetCounter("orrery_requests_total", "Requests by kind.",
                                       {{"kind", "row_write"}})),
      reads_(parts.metrics.GetCounter("orrery_requests_total", "Requests by kind.",
                                      {{"kind", "row_read"}})),
      pages_(parts.metrics.GetCounter("orrery_requests_total", "Requests by kind.",
                                      {{"kind", "row_page"}})) {}

Result<RoutedWrite> RowGateway::Admit(const RowWriteRequest& request,
                                      item::RowTransactionRequest& transaction) const {
  ORRERY_TRY(item::CheckRowSizes(request.changes, parts_.limits.item_bytes_max));
  ORRERY_ASSIGN(RoutedKey key, RouteSerializedKey(request.partition_key, parts_.limits));
  ORRERY_ASSIGN(WriteAdmission admission, router_.Enter(request.container));
  transaction.schema = admission.container().schema;
  transaction.hash = key.hash;
  transaction.partition_key = std::move(key.encoded);
  transaction.derived_write_limits = LimitsOfDerivedWrites(parts_.limits);
  return router_.Admit(std::move(admission), key.hash, Estimate(request));
}

Status RowGateway::CheckDerivedWrites(std::span<const item::DerivedWrite> derived_writes) const {
  return item::DerivedWriteCheck(LimitsOfDerivedWrites(parts_.limits)).Add(derived_writes);
}

ContainerRef RowGateway::Reincarnation(const ContainerEntry& container) const {
  ContainerRef newest = parts_.catalog.snapshot()->Newest(container);
  return newest != nullptr && newest->id != container.id ? newest : nullptr;
}

void RowGateway::Write(RowWriteRequest request, WriteDone done) {
  writes_.Add();
  item::RowTransactionRequest transaction;
  Result<RoutedWrite> routed = Admit(request, transaction);
  if (!routed.has_value()) {
    if (routed.error().code() == Code::kMoved) return Forward(std::move(request), std::move(done));
    return done(Refused(std::move(request), std::move(routed).error()));
  }
  transaction.changes = std::move(request.changes);
  transaction.program = std::move(request.program);
  dispatcher_.Send(
      *std::move(routed), std::move(transaction),
      [this, done = std::move(done)](Dispatcher::Completion completion) mutable {
        if (!completion.status.has_value() && completion.status.error().code() == Code::kMoved)
          return Forward(*completion.transaction, std::move(done));
        Finish(std::move(completion), std::move(done));
      });
}

void RowGateway::WriteHere(RowWriteRequest request, WriteDone done) {
  item::RowTransactionRequest transaction;
  Result<RoutedWrite> routed = Admit(request, transaction);
  if (!routed.has_value()) return done(Refused(std::move(request), std::move(routed).error()));
  transaction.changes = std::move(request.changes);
  transaction.program = std::move(request.program);
  dispatcher_.Send(*std::move(routed), std::move(transaction),
                   [this, done = std::move(done)](Dispatcher::Completion completion) mutable {
                     Finish(std::move(completion), std::move(done));
                   });
}

void RowGateway::Forward(RowWriteRequest request, WriteDone done) const {
  if (parts_.remote == nullptr) {
    return done(Refused(std::move(request),
                        Error(Code::kUnavailable, "another node has the partition; retry")));
  }
  // The key was good when the write was to be admitted here.
  const Hash128 hash = partition::CassandraPosition(request.partition_key);
  parts_.remote->WriteRows(hash, std::move(request), std::move(done));
}

void RowGateway::Forward(item::RowTransaction& transaction, WriteDone done) const {
  const item::RowTransactionRequest& sent = transaction.request();
  const auto snapshot = parts_.catalog.snapshot();
  const ContainerRef* container = snapshot->by_id.Find(sent.schema->id);
  Result<std::string> key = SerializedKey(sent.partition_key);
  RowWriteRequest request{.container = container == nullptr ? nullptr : *container,
                          .partition_key = key.has_value() ? *std::move(key) : std::string(),
                          .changes = sent.changes,
                          .program = transaction.TakeProgram()};
  if (request.container == nullptr) {
    return done(
        Refused(std::move(request), Error(Code::kNotFound, "the container was dropped meanwhile")));
  }
  Forward(std::move(request), std::move(done));
}

void RowGateway::Finish(Dispatcher::Completion completion, WriteDone done) {
  item::RowTransaction& transaction = *completion.transaction;
  RowWriteResponse response;
  response.status = std::move(completion.status);
  response.charge = transaction.charge();
  response.program = transaction.TakeProgram();
  if (!response.status.has_value()) return done(std::move(response));
  std::vector<item::DerivedWrite> derived_writes = transaction.TakeDerivedWrites();
  if (derived_writes.empty()) return done(std::move(response));
  outbox_.Deliver({transaction.request().schema->id, transaction.request().hash, transaction.lsn()},
                  std::move(derived_writes),
                  [response = std::move(response), done = std::move(done)](
                      const Status& delivered, RequestUnits charge) mutable {
                    response.charge += charge;
                    if (!delivered.has_value()) response.status = Fail(Late(delivered.error()));
                    done(std::move(response));
                  });
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
                                         std::string_view clustering, bool want_static_row,
                                         storage::ReadMode mode) {
  ORRERY_ASSIGN(const RoutedKey key, RouteSerializedKey(partition_key, parts_.limits));
  auto response = ReadKey(*container, key, clustering, want_static_row, mode);
  if (response.has_value()) return response;
  const Code code = response.error().code();
  if (code == Code::kMoved && parts_.remote != nullptr) {
    if (mode == storage::ReadMode::kCachedOnly)
      return Fail(Code::kWouldBlock, "another node has the partition");
    return parts_.remote->ReadRow(container, key.hash, partition_key, clustering, want_static_row);
  }
  if (code == Code::kUnavailable || code == Code::kNotFound) {
    if (const ContainerRef newer = Reincarnation(*container); newer != nullptr)
      return Read(newer, partition_key, clustering, want_static_row, mode);
  }
  return response;
}

Result<RowReadResponse> RowGateway::ReadHere(const ContainerEntry& container,
                                             std::string_view partition_key,
                                             std::string_view clustering, bool want_static_row,
                                             storage::ReadMode mode) {
  ORRERY_ASSIGN(const RoutedKey key, RouteSerializedKey(partition_key, parts_.limits));
  return ReadKey(container, key, clustering, want_static_row, mode);
}

Result<RowReadResponse> RowGateway::ReadKey(const ContainerEntry& container, const RoutedKey& key,
                                            std::string_view clustering, bool want_static_row,
                                            storage::ReadMode mode) {
  std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  const auto position = partition::HashRange::Inclusive(key.hash, key.hash);
  const auto ranges = topology->map->Overlapping(container.id, position);
  const auto hosted =
      ranges.empty() ? topology->hosted.end() : topology->hosted.find(ranges.front().partition);
  if (hosted == topology->hosted.end())
    return Fail(router_.NotHere(*topology, container, key.hash));
  cluster::HostedPartition& partition = *hosted->second;

  const RequestUnits reserved = item::PriceOfPointRead(0);
  ORRERY_TRY(metering_.Reserve(partition, container, reserved));
  auto row = item::RowReader(partition.engine(), *container.schema, ranges.front().range,
                             parts_.clock.Now())
                 .Read({key.hash, key.encoded, clustering}, want_static_row, mode);
  if (!row.has_value()) {
    metering_.Settle(partition, container, reserved, {});
    return Fail(std::move(row).error());
  }
  ORRERY_TRY(partition.CheckLease());
  reads_.Add();
  RowReadResponse response;
  const size_t bytes = row->row().size() + row->static_row().size();
  response.charge = item::PriceOfPointRead(bytes);
  if (const auto& trace = ChargeTrace::Current(); trace != nullptr)
    trace->Add(item::ExplainPointRead(bytes), partition.id().value());
  metering_.Settle(partition, container, reserved, response.charge);
  thread_local ReadSampler sampler;
  if (sampler.NoteThisRead())
    partition.RecordUse(container.id, key.encoded, response.charge * kReadsPerNote);
  response.row = *std::move(row);
  response.keeper = std::move(topology);
  return response;
}

}  // namespace orrery::gateway
