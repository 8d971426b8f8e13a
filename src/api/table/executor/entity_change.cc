#include "api/table/executor/entity_change.h"

#include <utility>

#include "api/table/entity/entity_limits.h"
#include "api/table/entity/entity_reader.h"
#include "api/table/entity/etag.h"

namespace orrery::table {
namespace {

// nullopt: any version.
Outcome<std::optional<Micros>> TimeOf(const std::string& if_match) {
  if (if_match.empty() || if_match == "*") return std::nullopt;
  const auto time = ParseEtag(if_match);
  if (!time.has_value()) {
    return Refuse(ErrorCode::kInvalidInput,
                  "The etag value '" + if_match +
                      "' specified in one of the request headers is not valid. Please make sure "
                      "only one etag value is specified and is valid.");
  }
  return std::optional(*time);
}

// The keys of an insert are the body's; other bodies may repeat those of the path.
Outcome<void> SetKeys(const EntityBody& body, const Address& address, EntityChange& change) {
  if (change.operation == Operation::kInsertEntity) {
    if (!body.partition_key.has_value() || !body.row_key.has_value())
      return Refuse(ErrorCode::kPropertiesNeedValue);
    change.partition_key = *body.partition_key;
    change.row_key = *body.row_key;
    return {};
  }
  const bool differs =
      (body.partition_key.has_value() && *body.partition_key != address.partition_key) ||
      (body.row_key.has_value() && *body.row_key != address.row_key);
  if (differs) {
    return Refuse(ErrorCode::kInvalidInput,
                  "One of the request inputs is not valid: the keys in the body are not those of "
                  "the path.");
  }
  return {};
}

}  // namespace

std::optional<Operation> EntityOperation(std::string_view method, bool has_condition) {
  if (method == "PUT")
    return has_condition ? Operation::kReplaceEntity : Operation::kInsertOrReplaceEntity;
  if (method == "PATCH" || method == "MERGE")
    return has_condition ? Operation::kMergeEntity : Operation::kInsertOrMergeEntity;
  if (method == "DELETE") return Operation::kDeleteEntity;
  if (method == "GET") return Operation::kGetEntity;
  return std::nullopt;
}

Outcome<EntityChange> ReadChange(Operation operation, const Address& address,
                                 const RequestOptions& options, std::string_view body) {
  EntityChange change{
      .operation = operation, .partition_key = address.partition_key, .row_key = address.row_key};
  if (operation == Operation::kDeleteEntity && options.if_match.empty())
    return Refuse(ErrorCode::kMissingRequiredHeader,
                  "An HTTP header that's mandatory for this request is not specified: If-Match.");
  if (operation != Operation::kInsertEntity) {
    TABLE_TRY(CheckKey(address.partition_key));
    TABLE_TRY(CheckKey(address.row_key));
    TABLE_ASSIGN(change.if_time, TimeOf(options.if_match));
  }
  if (operation == Operation::kDeleteEntity) return change;
  TABLE_ASSIGN(const EntityBody entity, ReadEntity(body));
  TABLE_TRY(SetKeys(entity, address, change));
  TABLE_ASSIGN(change.document,
               StoredEntity(change.partition_key, change.row_key, entity, options.ttl_s));
  return change;
}

gateway::WriteOperation PlainOperation(EntityChange change) {
  gateway::WriteOperation operation;
  switch (change.operation) {
    case Operation::kInsertEntity:
      operation.kind = item::OperationKind::kCreate;
      break;
    case Operation::kReplaceEntity:
      operation.kind = item::OperationKind::kReplace;
      break;
    case Operation::kDeleteEntity:
      operation.kind = item::OperationKind::kDelete;
      break;
    default:
      operation.kind = item::OperationKind::kUpsert;
      break;
  }
  operation.row_key = model::Value::String(std::move(change.row_key));
  operation.document = std::move(change.document);
  return operation;
}

}  // namespace orrery::table
