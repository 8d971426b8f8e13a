#include "api/sql/handler/document/batch_body.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "api/sql/document/etag.h"
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

Answered<OperationKind> KindOf(const Value& operation) {
  const std::string name = TextOf(operation, "operationType");
  for (const OperationName& known : kNames)
    if (known.name == name) return known.kind;
  return Refuse(400, fmt::format("an operation of a batch has the operationType '{}'; there are "
                                 "Create, Upsert, Replace, Patch, Delete and Read",
                                 name));
}

// The operation's own, which clients write as text or as an array.
Answered<std::optional<gateway::KeyValues>> KeyOf(const Value& operation) {
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

}  // namespace

Answered<std::vector<Value>> BatchOperations(std::string_view body) {
  SQL_ASSIGN(Value operations, model::ValueFromJson(body));
  if (operations.kind() != Kind::kArray)
    return Refuse(400, "the body of a batch must be an array of operations");
  if (operations.AsValues().empty()) return Refuse(400, "Batch request has no operations.");
  if (operations.AsValues().size() > kBatchOperationsMax) {
    return Refuse(
        400, fmt::format("Batch request has more operations than what is supported. It has {1}; "
                         "the most is {0}",
                         kBatchOperationsMax, operations.AsValues().size()));
  }
  return std::move(operations.MutableValues());
}

Answered<BatchOperation> ReadOperation(const std::optional<gateway::KeyValues>& named,
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

Answered<PreparedWrite> PrepareOperation(const HandlerParts& parts,
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

std::string& BatchAnswer::Next() {
  if (body_.size() > 1) body_ += ',';
  return body_;
}

void BatchAnswer::Add(const ContainerNames& names, const item::ItemKey& key,
                      const item::OperationResult& result, bool minimal) {
  std::string& out = Next();
  out += fmt::format(R"({{"statusCode":{},"requestCharge":{})", StatusOf(result.done),
                     result.charge.ToString());
  if (result.done != OperationKind::kDelete) {
    out += R"(,"eTag":)";
    model::AppendJsonString(out, FormatEtag(result.lsn));
    if (result.document.has_value() && (!minimal || result.done == OperationKind::kRead)) {
      out += R"(,"resourceBody":)";
      AppendResult(out, names, key, result);
    }
  }
  out += '}';
}

void BatchAnswer::Add(const Failure& failure, RequestUnits charge) {
  std::string& out = Next();
  out += fmt::format(R"({{"statusCode":{},"requestCharge":{})", failure.status, charge.ToString());
  if (failure.substatus != Substatus::kNone)
    out += fmt::format(R"(,"subStatusCode":{})", static_cast<int>(failure.substatus));
  if (failure.status == 429)
    out += fmt::format(R"(,"retryAfterMilliseconds":{})", failure.retry_after_ms);
  if (!failure.message.empty()) {
    out += R"(,"message":)";
    model::AppendJsonString(out, failure.message);
  }
  out += '}';
}

std::string BatchAnswer::Finish() && { return std::move(body_) + "]"; }

}  // namespace orrery::sql
