// The write path of the Gateway: keys and limits, a reservation, the partition's sequencer, and
// again when the partition has split meanwhile.
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

#include "gateway/gateway.h"
#include "gateway/position/session_token.h"
#include "item/price_list.h"

namespace orrery::gateway {
namespace {

using item::OperationKind;

// The new topology is published before a write is told that its partition moved, so each retry
// meets a later one; so many in a row would take as many splits within one write.
constexpr int kMovedRetriesMax = 16;

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

// Turns the operations of one request into those of a transaction, key by key.
class TransactionMaker {
 public:
  TransactionMaker(const item::ContainerSchema& schema, const partition::Limits& limits)
      : schema_(schema), limits_(limits) {}

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
    if (document_bytes_ > std::max(limits_.batch_bytes_max, limits_.item_bytes_max)) {
      return Fail(Code::kTooLarge, fmt::format("the batch has more than {} bytes: send it in parts",
                                               limits_.batch_bytes_max));
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
  std::optional<RoutedKey> key_;
  uint64_t document_bytes_ = 0;
};

}  // namespace

// Lives in the transaction's callback, so that it goes where the transaction goes.
struct Gateway::PendingWrite {
  WriteDone done;
  ContainerRef container;  // its gate was entered
  std::shared_ptr<const cluster::Topology> topology;
  cluster::HostedPartition* partition = nullptr;  // of that topology
  RequestUnits reserved;                          // of that partition's budget
  int moves = 0;
};

Result<item::TransactionRequest> Gateway::MakeTransaction(WriteRequest& request) const {
  const size_t count = request.operations.size();
  if (count == 0) return Fail(Code::kInvalidArgument, "the request has no operations");
  if (count > parts_.limits.batch_operations_max) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the batch has {} operations, the most is {}: send it in parts", count,
                            parts_.limits.batch_operations_max));
  }
  TransactionMaker maker(*request.container->schema, parts_.limits);
  if (request.partition_key.has_value()) ORRERY_TRY(maker.SetKey(*request.partition_key));
  item::TransactionRequest transaction;
  transaction.schema = request.container->schema;
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

void Gateway::Write(WriteRequest request, WriteDone done) {
  const auto refuse = [&done](Error error) {
    WriteResponse response;
    response.status = Fail(std::move(error));
    done(std::move(response));
  };
  writes_.Add();
  while (!request.container->gate->Enter()) {
    // Its settings have changed; the newer ones are published already.
    const auto snapshot = parts_.catalog.snapshot();
    const ContainerRef* newer = snapshot->by_id.Find(request.container->id);
    if (newer == nullptr) {
      return refuse(Unroutable(*request.container));
    }
    request.container = *newer;
  }
  PendingWrite pending;
  pending.container = request.container;
  const auto leave_and_refuse = [&](Error error) {
    pending.container->gate->Leave();
    refuse(std::move(error));
  };

  auto made = MakeTransaction(request);
  if (!made.has_value()) return leave_and_refuse(std::move(made).error());
  pending.topology = parts_.node.topology();
  pending.partition = pending.topology->Route(pending.container->id, made->hash);
  if (pending.partition == nullptr) {
    return leave_and_refuse(Unroutable(*pending.container));
  }
  pending.reserved = Estimate(made->operations);
  if (Status admitted = metering_.Reserve(*pending.partition, pending.reserved);
      !admitted.has_value()) {
    return leave_and_refuse(std::move(admitted).error());
  }

  pending.done = std::move(done);
  cluster::HostedPartition& partition = *pending.partition;
  // Held here, too: the sequencer may answer at once, which lets go of the pending write.
  const std::shared_ptr<const cluster::Topology> topology = pending.topology;
  auto transaction = std::make_unique<item::Transaction>(
      *std::move(made), [this, held = std::move(pending)](std::unique_ptr<item::Transaction> self,
                                                          Status status) mutable {
        Finish(held, std::move(self), std::move(status));
      });
  transaction->SetLedger(partition.ledger());
  partition.sequencer().Submit(std::move(transaction));
}

void Gateway::Submit(std::unique_ptr<item::Transaction> transaction, PendingWrite& pending) {
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

void Gateway::Finish(PendingWrite& pending, std::unique_ptr<item::Transaction> transaction,
                     Status status) {
  item::TransactionResult& result = transaction->result();
  if (!status.has_value() && status.error().code() == Code::kMoved &&
      pending.moves < kMovedRetriesMax) {
    ++pending.moves;
    moved_.Add();
    // The reservation went with the old partition's budget; the new one is charged at the end.
    metering_.Settle(*pending.partition, pending.reserved, {});
    pending.reserved = {};
    // Kept until the old sequencer's call is over.
    const std::shared_ptr<const cluster::Topology> former = pending.topology;
    return Submit(std::move(transaction), pending);
  }
  if (!status.has_value() && status.error().code() == Code::kMoved) {
    status = Fail(
        Code::kUnavailable,
        "the partition split again and again while the write waited: nothing was changed; retry");
  }
  metering_.Settle(*pending.partition, pending.reserved, result.charge);
  pending.partition->RecordUse(pending.container->id, transaction->request().partition_key,
                               result.charge);

  WriteResponse response;
  response.charge = result.charge;
  if (status.has_value()) {
    AppendSessionPosition(response.session, {pending.partition->id(), result.lsn});
    response.results = std::move(result.results);
  }
  response.failed_operation = result.failed_operation;
  response.status = std::move(status);
  pending.container->gate->Leave();
  WriteDone done = std::move(pending.done);
  done(std::move(response));
}

WriteResponse Gateway::WriteAndWait(WriteRequest request) {
  std::promise<WriteResponse> promise;
  std::future<WriteResponse> response = promise.get_future();
  Write(std::move(request),
        [&promise](WriteResponse result) { promise.set_value(std::move(result)); });
  return response.get();
}

}  // namespace orrery::gateway
