#include "gateway/write/transaction_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/expression/patch.h"

namespace orrery::gateway {
namespace {

using item::OperationKind;

// Returns whether a change of `target` could change the value at `key`.
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

// Names the operation that failed, when there are several.
Error InOperation(Error error, size_t index, size_t count) {
  return count == 1 ? std::move(error)
                    : std::move(error).Annotate(fmt::format("operation {}", index));
}

uint64_t OperationsMax(WriteSize size, const partition::Limits& limits) {
  return size == WriteSize::kBatch ? limits.batch_operations_max : limits.script_operations_max;
}

uint64_t BytesMax(WriteSize size, const partition::Limits& limits) {
  return std::max(size == WriteSize::kBatch ? limits.batch_bytes_max : limits.script_bytes_max,
                  limits.item_bytes_max);
}

}  // namespace

TransactionMaker::TransactionMaker(const item::ContainerSchema& schema,
                                   const partition::Limits& limits, WriteSize size)
    : schema_(schema),
      limits_(limits),
      operations_max_(OperationsMax(size, limits)),
      bytes_max_(BytesMax(size, limits)) {}

Status TransactionMaker::SetKey(const KeyValues& values) {
  ORRERY_ASSIGN(key_, RoutePartitionKey(schema_, values, limits_));
  return {};
}

Result<std::vector<item::Operation>> TransactionMaker::MakeAll(
    std::vector<WriteOperation>& operations) {
  const size_t count = operations.size();
  if (count > operations_max_) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the batch has {} operations, the most is {}: send it in parts", count,
                            operations_max_));
  }
  std::vector<item::Operation> made;
  made.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    auto operation = Make(operations[i]);
    if (!operation.has_value()) return Fail(InOperation(std::move(operation).error(), i, count));
    made.push_back(*std::move(operation));
  }
  return made;
}

Result<item::Operation> TransactionMaker::Make(WriteOperation& from) {
  item::Operation to;
  to.kind = from.kind;
  if (item::WritesDocument(from.kind)) {
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
  to.note = from.note;
  return to;
}

Result<RoutedKey> TransactionMaker::TakeKey() && {
  if (!key_.has_value()) {
    return Fail(Code::kInvalidArgument,
                "the request names no partition key and has no document to take it from");
  }
  return *std::move(key_);
}

Result<std::string> TransactionMaker::TakeKeysOfDocument(const WriteOperation& from) {
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

}  // namespace orrery::gateway
