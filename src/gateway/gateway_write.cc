// The write path of the Gateway: from a request to a transaction, and from its outcome to the
// answer. gateway/write has what lies between.
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

#include "gateway/gateway.h"
#include "gateway/position/session_token.h"
#include "gateway/remote/remote_door.h"
#include "item/price_list.h"

namespace orrery::gateway {
namespace {

using item::OperationKind;

bool WritesDocument(OperationKind kind) {
  return kind == OperationKind::kCreate || kind == OperationKind::kUpsert ||
         kind == OperationKind::kReplace;
}

// Whether a change of `target` could change what is at `key`.
bool Touches(const model::Path& target, const model::Path& key) {
  return target.Contains(key) || key.Contains(target);
}

bool TouchesKeys(const item::ContainerSchema& schema, const model::Path& target) {
  return Touches(target, schema.row_key_path) ||
         std::ranges::any_of(schema.partition_key_paths,
                             [&](const model::Path& path) { return Touches(target, path); });
}

Status CheckPatch(const item::ContainerSchema& schema,
                  const std::vector<model::PatchOperation>& patch) {
  for (const model::PatchOperation& operation : patch) {
    const bool moves = operation.type == model::PatchType::kMove;
    if (!TouchesKeys(schema, operation.path) && !(moves && TouchesKeys(schema, operation.from)))
      continue;
    return Fail(
        Code::kInvalidArgument,
        fmt::format(
            "a patch of '{}' would change the item's key: delete the item and create it under the "
            "new key",
            operation.path.ToString()));
  }
  return {};
}

// What the governor is asked for before the work is known; the difference is settled afterwards.
RequestUnits Estimate(const std::vector<item::Operation>& operations) {
  RequestUnits estimate;
  for (const item::Operation& operation : operations) {
    if (operation.kind == OperationKind::kCheck) continue;
    if (operation.document.has_value()) {
      estimate += item::PriceOfWrite(
          {.bytes_before = std::nullopt, .bytes_after = operation.document->bson().size()});
    } else {
      estimate += item::PriceOfPointRead(0);
    }
  }
  return estimate;
}

Error InOperation(Error error, size_t index, size_t count) {
  return count == 1 ? std::move(error)
                    : std::move(error).Annotate(fmt::format("operation {}", index));
}

struct SizeLimits {
  uint64_t operations_max;
  uint64_t bytes_max;  // of all documents
};

SizeLimits LimitsOf(WriteSize size, const partition::Limits& limits) {
  switch (size) {
    case WriteSize::kBatch:
      return {limits.batch_operations_max, std::max(limits.batch_bytes_max, limits.item_bytes_max)};
    case WriteSize::kScript:
      return {limits.script_operations_max,
              std::max(limits.script_bytes_max, limits.item_bytes_max)};
  }
  return {};
}

bool IsMoved(const Error& error) { return error.code() == Code::kMoved; }

WriteResponse Refused(Error why) {
  WriteResponse response;
  response.status = Fail(std::move(why));
  return response;
}

WriteResponse ResponseTo(item::Transaction& transaction, Status status, PartitionId partition) {
  item::TransactionResult& result = transaction.result();
  WriteResponse response;
  response.charge = result.charge;
  if (status.has_value()) {
    AppendSessionPosition(response.session, {partition, result.lsn});
    response.results = std::move(result.results);
  }
  response.failed_operation = result.failed_operation;
  response.status = std::move(status);
  return response;
}

// Turns the operations of one request into those of a transaction, key by key.
class TransactionMaker {
 public:
  TransactionMaker(const item::ContainerSchema& schema, const partition::Limits& limits,
                   uint64_t bytes_max)
      : schema_(schema), limits_(limits), bytes_max_(bytes_max) {}

  Status SetKey(const KeyValues& values) {
    ORRERY_ASSIGN(key_, RoutePartitionKey(schema_, values, limits_));
    return {};
  }

  Result<item::Operation> Make(WriteOperation& from) {
    item::Operation to;
    to.kind = from.kind;
    if (WritesDocument(from.kind)) {
      ORRERY_ASSIGN(to.row_key, TakeKeysOfDocument(from));
    } else {
      if (!from.row_key.has_value())
        return Fail(Code::kInvalidArgument, "the operation names no row key");
      ORRERY_ASSIGN(to.row_key, EncodeRowKey(schema_, *from.row_key, limits_));
    }
    if (from.kind == OperationKind::kPatch) ORRERY_TRY(CheckPatch(schema_, from.patch));
    to.document = std::move(from.document);
    to.patch = std::move(from.patch);
    to.condition = std::move(from.condition);
    to.if_match = from.if_match;
    to.if_absent = from.if_absent;
    to.written_at = from.written_at;
    return to;
  }

  Result<RoutedKey> TakeKey() && {
    if (!key_.has_value()) {
      return Fail(Code::kInvalidArgument,
                  "the request names no partition key and has no document to take it from");
    }
    return *std::move(key_);
  }

 private:
  Result<std::string> TakeKeysOfDocument(const WriteOperation& from) {
    if (!from.document.has_value())
      return Fail(Code::kInvalidArgument, "the operation has no document");
    const model::DocumentView document = from.document->view();
    if (document.bson().size() > limits_.item_bytes_max) {
      return Fail(Code::kTooLarge, fmt::format("the item has {} bytes, the most is {}",
                                               document.bson().size(), limits_.item_bytes_max));
    }
    document_bytes_ += document.bson().size();
    if (document_bytes_ > bytes_max_) {
      return Fail(Code::kTooLarge,
                  fmt::format("the batch has more than {} bytes: send it in parts", bytes_max_));
    }
    ORRERY_ASSIGN(RoutedKey key,
                  RoutePartitionKey(schema_, PartitionKeyOf(schema_, document), limits_));
    if (key_.has_value() && *key_ != key) {
      return Fail(Code::kInvalidArgument,
                  "the partition key in the document is not the one of the request: all operations "
                  "of a request "
                  "belong to one logical partition");
    }
    key_ = std::move(key);
    ORRERY_ASSIGN(std::string row_key, EncodeRowKey(schema_, RowKeyOf(schema_, document), limits_));
    if (from.row_key.has_value()) {
      ORRERY_ASSIGN(const std::string given, EncodeRowKey(schema_, *from.row_key, limits_));
      if (given != row_key) {
        return Fail(Code::kInvalidArgument,
                    fmt::format("'{}' in the document is not the row key of the request",
                                schema_.row_key_path.ToString()));
      }
    }
    return row_key;
  }

  const item::ContainerSchema& schema_;
  const partition::Limits& limits_;
  const uint64_t bytes_max_;
  std::optional<RoutedKey> key_;
  uint64_t document_bytes_ = 0;
};

}  // namespace

Result<item::TransactionRequest> Gateway::MakeTransaction(WriteRequest& request,
                                                          const ContainerEntry& container) const {
  const size_t count = request.operations.size();
  if (count == 0) return Fail(Code::kInvalidArgument, "the request has no operations");
  const SizeLimits size = LimitsOf(request.size, parts_.limits);
  if (count > size.operations_max) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the batch has {} operations, the most is {}: send it in parts", count,
                            size.operations_max));
  }
  TransactionMaker maker(*container.schema, parts_.limits, size.bytes_max);
  if (request.partition_key.has_value()) ORRERY_TRY(maker.SetKey(*request.partition_key));
  item::TransactionRequest transaction;
  transaction.schema = container.schema;
  transaction.operations.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    auto operation = maker.Make(request.operations[i]);
    if (!operation.has_value()) return Fail(InOperation(std::move(operation).error(), i, count));
    transaction.operations.push_back(*std::move(operation));
  }
  ORRERY_ASSIGN(RoutedKey key, std::move(maker).TakeKey());
  transaction.hash = key.hash;
  transaction.partition_key = std::move(key.encoded);
  return transaction;
}

Result<WriteTrip> Gateway::Admit(WriteRequest& request,
                                 item::TransactionRequest& transaction) const {
  ORRERY_ASSIGN(GatePass gate, router_.Enter(request.container));
  ORRERY_ASSIGN(transaction, MakeTransaction(request, gate.container()));
  return Admit(std::move(gate), transaction, request.size);
}

Result<WriteTrip> Gateway::Admit(GatePass gate, const item::TransactionRequest& transaction,
                                 WriteSize size) const {
  std::optional<RequestUnits> estimate;
  if (size == WriteSize::kBatch) estimate = Estimate(transaction.operations);
  return router_.Admit(std::move(gate), transaction.hash, estimate);
}

void Gateway::Write(WriteRequest request, WriteDone done) {
  writes_.Add();
  item::TransactionRequest transaction;
  Result<WriteTrip> trip = Admit(request, transaction);
  if (!trip.has_value()) {
    if (IsMoved(trip.error())) return Forward(transaction, request.size, std::move(done));
    return done(Refused(std::move(trip).error()));
  }
  carrier_.Send(
      *std::move(trip), std::move(transaction),
      [this, size = request.size, done = std::move(done)](Carrier::Arrival arrival) mutable {
        if (!arrival.status.has_value() && IsMoved(arrival.status.error()))
          return Forward(arrival.transaction->request(), size, std::move(done));
        done(ResponseTo(*arrival.transaction, std::move(arrival.status), arrival.partition));
      });
}

void Gateway::WriteHere(ContainerRef container, item::TransactionRequest transaction,
                        WriteSize size, WriteDone done) {
  Result<GatePass> gate = router_.Enter(std::move(container));
  if (!gate.has_value()) return done(Refused(std::move(gate).error()));
  transaction.schema = gate->container().schema;
  Result<WriteTrip> trip = Admit(*std::move(gate), transaction, size);
  if (!trip.has_value()) return done(Refused(std::move(trip).error()));
  carrier_.Send(
      *std::move(trip), std::move(transaction),
      [done = std::move(done)](Carrier::Arrival arrival) mutable {
        done(ResponseTo(*arrival.transaction, std::move(arrival.status), arrival.partition));
      });
}

void Gateway::Forward(const item::TransactionRequest& transaction, WriteSize size,
                      WriteDone done) const {
  const auto snapshot = parts_.catalog.snapshot();
  const ContainerRef* container = snapshot->by_id.Find(transaction.schema->id);
  if (container == nullptr)
    return done(Refused(Error(Code::kNotFound, "the container was dropped meanwhile")));
  if (parts_.remote == nullptr)
    return done(Refused(Error(Code::kUnavailable, "another node has the partition; retry")));
  parts_.remote->Write(*container, transaction, size, std::move(done));
}

WriteResponse Gateway::WriteAndWait(WriteRequest request) {
  std::promise<WriteResponse> promise;
  std::future<WriteResponse> response = promise.get_future();
  Write(std::move(request),
        [&promise](WriteResponse result) { promise.set_value(std::move(result)); });
  return response.get();
}

}  // namespace orrery::gateway
