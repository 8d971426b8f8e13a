#include "gateway/remote/codec/item_write_codec.h"

#include <utility>

#include "gateway/remote/codec/expression_codec.h"
#include "gateway/remote/envelope.h"
#include "gateway/remote/message.h"
#include "model/key/key_codec.h"

namespace orrery::gateway {
namespace {

enum Has : uint64_t {
  kDocument = 1,
  kCondition = 2,
  kIfMatch = 4,
  kWrittenAt = 8,
  kNote = 16,
  kAll = 31
};

void AppendOperation(MessageWriter& out, const item::Operation& operation) {
  out.Number(static_cast<uint64_t>(operation.kind));
  out.Bytes(operation.row_key);
  out.Number((operation.document.has_value() ? kDocument : 0u) |
             (operation.condition.has_value() ? kCondition : 0u) |
             (operation.if_match.has_value() ? kIfMatch : 0u) |
             (operation.written_at.has_value() ? kWrittenAt : 0u) |
             (operation.note.empty() ? 0u : kNote));
  out.Flag(operation.if_absent);
  if (operation.document.has_value()) out.Bytes(operation.document->bson());
  AppendPatch(out, operation.patch);
  if (operation.condition.has_value()) AppendExpression(out, *operation.condition);
  if (operation.if_match.has_value()) out.Number(operation.if_match->value());
  if (operation.written_at.has_value()) out.Time(*operation.written_at);
  if (!operation.note.empty()) out.Bytes(operation.note);
}

item::Operation ReadOperation(MessageReader& in) {
  item::Operation operation;
  operation.kind = in.Choice(item::OperationKind::kCheck);
  operation.row_key = ReadKey(in);
  const uint64_t has = in.Number(kAll);
  operation.if_absent = in.Flag();
  if ((has & kDocument) != 0) operation.document = ReadDocument(in);
  operation.patch = ReadPatch(in);
  if ((has & kCondition) != 0) operation.condition = ReadExpression(in);
  if ((has & kIfMatch) != 0) operation.if_match = Lsn(in.Number());
  if ((has & kWrittenAt) != 0) operation.written_at = in.Time();
  if ((has & kNote) != 0) operation.note = in.String();
  if (item::WritesDocument(operation.kind) != operation.document.has_value()) in.Refuse();
  return operation;
}

void AppendResult(MessageWriter& out, const item::OperationResult& result) {
  out.Number(static_cast<uint64_t>(result.done));
  out.Number(result.lsn.value());
  out.Time(result.time);
  out.Charge(result.charge);
  out.Flag(result.document.has_value());
  if (result.document.has_value()) out.Bytes(result.document->bson());
}

item::OperationResult ReadResult(MessageReader& in) {
  item::OperationResult result;
  result.done = in.Choice(item::OperationKind::kCheck);
  result.lsn = Lsn(in.Number());
  result.time = in.Time();
  result.charge = in.Charge();
  if (in.Flag()) result.document = ReadDocument(in);
  return result;
}

}  // namespace

std::string ReadKey(MessageReader& in) {
  std::string key = in.String();
  if (!model::DecodeKey(key).has_value()) in.Refuse();
  return key;
}

std::string EncodeItemWrite(const item::TransactionRequest& transaction, WriteSize size) {
  MessageWriter out;
  out.Number(static_cast<uint64_t>(size));
  out.Hash(transaction.hash);
  out.Bytes(transaction.partition_key);
  out.Number(transaction.operations.size());
  for (const item::Operation& operation : transaction.operations) AppendOperation(out, operation);
  return std::move(out).Take();
}

Result<ItemWrite> DecodeItemWrite(std::string_view bytes) {
  MessageReader in(bytes);
  ItemWrite write;
  write.size = in.Choice(WriteSize::kScript);
  write.transaction.hash = in.Hash();
  write.transaction.partition_key = ReadKey(in);
  const size_t count = in.Count();
  if (count == 0 || count > item::kTransactionOperationsMax) in.Refuse();
  for (size_t i = 0; i < count && in.ok(); ++i)
    write.transaction.operations.push_back(ReadOperation(in));
  ORRERY_TRY(in.End());
  return write;
}

std::string EncodeWriteResponse(const WriteResponse& response) {
  MessageWriter out;
  AppendStatus(out, response.status);
  out.Charge(response.charge);
  out.Bytes(response.session);
  out.Flag(response.failed_operation.has_value());
  if (response.failed_operation.has_value()) out.Number(*response.failed_operation);
  out.Number(response.results.size());
  for (const item::OperationResult& result : response.results) AppendResult(out, result);
  return std::move(out).Take();
}

Result<WriteResponse> DecodeWriteResponse(std::string_view bytes) {
  MessageReader in(bytes);
  WriteResponse response;
  response.status = ReadStatus(in);
  response.charge = in.Charge();
  response.session = in.String();
  if (in.Flag()) response.failed_operation = in.Number();
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) response.results.push_back(ReadResult(in));
  ORRERY_TRY(in.End());
  return response;
}

}  // namespace orrery::gateway
