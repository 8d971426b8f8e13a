#include "gateway/snapshot/transaction_writes.h"

#include <utility>

#include "base/bytes.h"

namespace orrery::gateway {
namespace {

constexpr uint8_t kWritesDocumentBit = 1;
constexpr uint8_t kHasVersionBit = 2;
constexpr uint8_t kIsAbsentBit = 4;
// The bytes of an operation beside its document.
constexpr size_t kWriteBytes = 96;

std::unexpected<Error> Damaged() { return Fail(Code::kCorruption, "a commit record is damaged"); }

}  // namespace

void TransactionWrites::Add(ContainerId container, Hash128 hash, std::string_view partition_key,
                            item::Operation operation) {
  bytes_ += kWriteBytes + operation.row_key.size() +
            (operation.document.has_value() ? operation.document->bson().size() : 0);
  // Nearly always the one that was written last.
  for (auto logical = logical_.rbegin(); logical != logical_.rend(); ++logical) {
    if (logical->container != container || logical->hash != hash ||
        logical->partition_key != partition_key)
      continue;
    logical->operations.push_back(std::move(operation));
    return;
  }
  bytes_ += kWriteBytes + partition_key.size();
  logical_.push_back({container, hash, std::string(partition_key), {}});
  logical_.back().operations.push_back(std::move(operation));
}

size_t TransactionWrites::OperationsOf(ContainerId container, Hash128 hash) const {
  size_t count = 0;
  for (const LogicalWrites& logical : logical_)
    if (logical.container == container && logical.hash == hash) count += logical.operations.size();
  return count;
}

std::string TransactionWrites::Encode() const {
  std::string out;
  out.reserve(bytes_);
  size_t count = 0;
  for (const LogicalWrites& logical : logical_) count += logical.operations.size();
  AppendVarint(out, count);
  for (const LogicalWrites& logical : logical_) {
    for (const item::Operation& operation : logical.operations) {
      AppendVarint(out, logical.container.value());
      logical.hash.AppendTo(out);
      AppendLengthPrefixed(out, logical.partition_key);
      AppendLengthPrefixed(out, operation.row_key);
      uint8_t kind = 0;
      if (operation.document.has_value()) kind |= kWritesDocumentBit;
      if (operation.if_match.has_value()) kind |= kHasVersionBit;
      if (operation.if_absent) kind |= kIsAbsentBit;
      out.push_back(static_cast<char>(kind));
      if (operation.if_match.has_value()) AppendVarint(out, operation.if_match->value());
      if (operation.document.has_value()) AppendLengthPrefixed(out, operation.document->bson());
    }
  }
  return out;
}

Result<TransactionWrites> TransactionWrites::Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  uint64_t count = 0;
  if (!reader.ReadVarint(count)) return Damaged();
  TransactionWrites writes;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t container = 0;
    std::string_view hash;
    std::string_view partition_key;
    std::string_view row_key;
    std::string_view kind_byte;
    if (!reader.ReadVarint(container) || container > UINT32_MAX ||
        !reader.ReadBytes(Hash128::kBytes, hash) || !reader.ReadLengthPrefixed(partition_key) ||
        !reader.ReadLengthPrefixed(row_key) || !reader.ReadBytes(1, kind_byte))
      return Damaged();
    const auto kind = static_cast<uint8_t>(kind_byte.front());
    item::Operation operation;
    operation.kind = (kind & kWritesDocumentBit) != 0 ? item::OperationKind::kUpsert
                                                      : item::OperationKind::kDelete;
    operation.row_key = row_key;
    operation.if_absent = (kind & kIsAbsentBit) != 0;
    if ((kind & kHasVersionBit) != 0) {
      uint64_t lsn = 0;
      if (!reader.ReadVarint(lsn)) return Damaged();
      operation.if_match = Lsn(lsn);
    }
    if ((kind & kWritesDocumentBit) != 0) {
      std::string_view document;
      if (!reader.ReadLengthPrefixed(document)) return Damaged();
      auto read = model::Document::FromBson(std::string(document));
      if (!read.has_value()) return Damaged();
      operation.document = *std::move(read);
    }
    writes.Add(ContainerId(static_cast<uint32_t>(container)), Hash128::Load(hash.data()),
               partition_key, std::move(operation));
  }
  if (!reader.empty()) return Damaged();
  return writes;
}

}  // namespace orrery::gateway
