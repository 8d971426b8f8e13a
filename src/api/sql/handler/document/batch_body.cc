#include "api/sql/handler/document/batch_body.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "api/sql/document/etag.h"
#include "api/sql/hybrid_row/record_io.h"
#include "api/sql/request/partition_key_text.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using item::OperationKind;
using model::Kind;
using model::Value;

struct OperationName {
  std::string_view name;
  OperationKind kind;
};
constexpr std::array<OperationName, 6> kNames = {{{"Create", OperationKind::kCreate},
                                                  {"Upsert", OperationKind::kUpsert},
                                                  {"Replace", OperationKind::kReplace},
                                                  {"Patch", OperationKind::kPatch},
                                                  {"Delete", OperationKind::kDelete},
                                                  {"Read", OperationKind::kRead}}};

std::string TextOf(const Value& operation, std::string_view name) {
  const Value* value = operation.Find(name);
  return value != nullptr && value->kind() == Kind::kString ? value->AsString() : std::string();
}

SqlResult<OperationKind> KindOf(const Value& operation) {
  const std::string name = TextOf(operation, "operationType");
  for (const OperationName& known : kNames)
    if (known.name == name) return known.kind;
  return Refuse(400, fmt::format("an operation of a batch has the operationType '{}'; there are "
                                 "Create, Upsert, Replace, Patch, Delete and Read",
                                 name));
}

// The operation's own, which clients write as text or as an array.
SqlResult<std::optional<gateway::KeyValues>> KeyOf(const Value& operation) {
  const Value* key = operation.Find("partitionKey");
  if (key == nullptr || key->is_null()) return std::nullopt;
  if (key->kind() == Kind::kString) {
    SQL_ASSIGN(gateway::KeyValues values, ParsePartitionKey(key->AsString()));
    return values;
  }
  SQL_ASSIGN(gateway::KeyValues values, PartitionKeyFrom(*key));
  return values;
}

bool HasDocument(OperationKind kind) {
  return kind == OperationKind::kCreate || kind == OperationKind::kUpsert ||
         kind == OperationKind::kReplace;
}

Result<std::vector<Value>> OperationsFromJson(std::string_view body) {
  ORRERY_ASSIGN(Value operations, model::ValueFromJson(body));
  if (operations.kind() != Kind::kArray)
    return Fail(Code::kInvalidArgument, "the body of a batch must be an array of operations");
  return std::move(operations.MutableValues());
}

}  // namespace

BatchForm FormOf(std::string_view body) {
  return hybrid::IsRecordStream(body) ? BatchForm::kRows : BatchForm::kJson;
}

SqlResult<std::vector<Value>> BatchOperations(std::string_view body) {
  SQL_ASSIGN(std::vector<Value> operations, FormOf(body) == BatchForm::kRows
                                                ? hybrid::ReadOperations(body)
                                                : OperationsFromJson(body));
  if (operations.empty()) return Refuse(400, "Batch request has no operations.");
  if (operations.size() > kBatchOperationsMax) {
    return Refuse(
        400, fmt::format("Batch request has more operations than what is supported. It has {1}; "
                         "the most is {0}",
                         kBatchOperationsMax, operations.size()));
  }
  return operations;
}

SqlResult<BatchOperation> ReadOperation(const std::optional<gateway::KeyValues>& named,
                                        const Value& operation) {
  if (operation.kind() != Kind::kObject)
    return Refuse(400, "each operation of a batch must be an object");
  BatchOperation read;
  SQL_ASSIGN(read.kind, KindOf(operation));
  SQL_ASSIGN(read.key, KeyOf(operation));
  if (named.has_value() && read.key.value_or(*named) != *named) {
    return Refuse(400,
                  "One or more operations within the batch request have a different partition key "
                  "value than the request.",
                  Substatus::kPartitionKeyMismatch);
  }
  if (named.has_value()) read.key = named;
  read.conditions = {TextOf(operation, "ifMatch"), TextOf(operation, "ifNoneMatch")};
  read.id = TextOf(operation, "id");
  read.body = operation.Find("resourceBody");
  if (HasDocument(read.kind) && (read.body == nullptr || read.body->kind() != Kind::kObject))
    return Refuse(400, "an operation that writes a document needs a resourceBody");
  if (read.kind == OperationKind::kPatch && read.body == nullptr)
    return Refuse(400, "a patch needs a resourceBody");
  return read;
}

SqlResult<PreparedWrite> PrepareOperation(const HandlerParts& parts,
                                          const gateway::ContainerEntry& container,
                                          BatchOperation operation) {
  if (HasDocument(operation.kind)) {
    return PrepareDocument(parts.gateway, container, operation.key, operation.kind,
                           operation.kind == OperationKind::kReplace ? operation.id : "",
                           operation.conditions, model::ToDocument(*operation.body),
                           parts.clock.Now());
  }
  RequestHeaders headers;
  headers.partition_key = std::move(operation.key);
  SQL_ASSIGN(gateway::KeyValues values, KeyOfRequest(container, headers));
  SQL_ASSIGN(DocumentTarget target,
             TargetOf(parts.gateway, container, std::move(values), operation.id));
  if (operation.kind != OperationKind::kPatch)
    return PrepareWithoutBody(std::move(target), operation.kind, operation.conditions);
  return PreparePatch(std::move(target), operation.conditions, *operation.body, parts.clock.Now());
}

BatchAnswer::BatchAnswer(BatchForm form) : form_(form) {
  if (form_ == BatchForm::kRows) hybrid::AppendSegment(body_);
}

void BatchAnswer::Add(const ContainerNames& names, const item::ItemKey& key,
                      const item::OperationResult& result, bool minimal) {
  std::string etag;
  std::string document;
  if (result.done != OperationKind::kDelete) {
    etag = FormatEtag(result.lsn);
    if (result.document.has_value() && (!minimal || result.done == OperationKind::kRead))
      AppendResult(document, names, key, result);
  }
  Put({.status = StatusOf(result.done),
       .etag = etag,
       .body = document,
       .charge = result.charge.ToDouble()},
      /*failed=*/false);
}

void BatchAnswer::Add(const Failure& failure, RequestUnits charge) {
  hybrid::BatchResult result{.status = failure.status,
                             .substatus = static_cast<int>(failure.substatus),
                             .body = failure.message,
                             .charge = charge.ToDouble()};
  if (failure.status == 429) result.retry_after_ms = static_cast<uint32_t>(failure.retry_after_ms);
  Put(result, /*failed=*/true);
}

void BatchAnswer::Put(const hybrid::BatchResult& result, bool failed) {
  if (form_ == BatchForm::kRows) return hybrid::AppendBatchResult(body_, result);
  body_ += fmt::format(R"({}{{"statusCode":{},"requestCharge":{:.2f})", body_.empty() ? "[" : ",",
                       result.status, result.charge);
  if (result.substatus != 0) body_ += fmt::format(R"(,"subStatusCode":{})", result.substatus);
  if (!result.etag.empty()) {
    body_ += R"(,"eTag":)";
    model::AppendJsonString(body_, result.etag);
  }
  if (result.retry_after_ms.has_value())
    body_ += fmt::format(R"(,"retryAfterMilliseconds":{})", *result.retry_after_ms);
  if (!result.body.empty() && failed) {
    body_ += R"(,"message":)";
    model::AppendJsonString(body_, result.body);
  } else if (!result.body.empty()) {
    body_ += R"(,"resourceBody":)";
    body_ += result.body;
  }
  body_ += '}';
}

std::string BatchAnswer::Finish() && {
  if (form_ == BatchForm::kRows) return std::move(body_);
  return body_.empty() ? "[]" : std::move(body_) + "]";
}

}  // namespace orrery::sql
