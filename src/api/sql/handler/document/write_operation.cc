#include "api/sql/handler/document/write_operation.h"

#include <chrono>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/document/etag.h"
#include "model/expression/patch.h"

namespace orrery::sql {
namespace {

using item::OperationKind;
using model::Kind;

void Apply(const Conditions& conditions, gateway::WriteOperation& operation) {
  // No item has position 0, so an etag that is none of ours matches nothing.
  if (!conditions.if_match.empty() && conditions.if_match != "*")
    operation.if_match = ParseEtag(conditions.if_match).value_or(Lsn(0));
  operation.if_absent = conditions.if_none_match == "*";
  // An upsert's etag is for the document that is there, if one is.
  if (operation.kind == OperationKind::kUpsert && operation.if_match.has_value())
    operation.if_absent = true;
}

bool TouchesSystemProperty(const model::Path& path) {
  return !path.steps().empty() && IsSystemProperty(path.steps().front());
}

bool SetsTtl(const model::PatchOperation& operation) {
  const bool sets = operation.type == model::PatchType::kAdd ||
                    operation.type == model::PatchType::kSet ||
                    operation.type == model::PatchType::kReplace;
  return sets && operation.path.steps().size() == 1 && operation.path.steps().front() == "ttl";
}

model::PatchOperation SetTime(Micros now) {
  model::PatchOperation set;
  set.type = model::PatchType::kSet;
  set.path = model::Path({std::string(kTimeProperty)});
  set.value = model::Value::Int64(std::chrono::duration_cast<std::chrono::seconds>(now).count());
  return set;
}

}  // namespace

SqlResult<PreparedWrite> PrepareDocument(const gateway::Gateway& gateway,
                                         const gateway::ContainerEntry& container,
                                         const std::optional<gateway::KeyValues>& named,
                                         OperationKind kind, std::string_view id,
                                         const Conditions& conditions, model::DocumentView document,
                                         Micros now) {
  SQL_ASSIGN(DocumentTarget target, TargetOf(gateway, container, named, document));
  const bool renames = !id.empty() && target.id != id;
  if (renames && kind != OperationKind::kReplace)
    return Refuse(400, "the id in the document is not the one of the request");
  PreparedWrite write{.target = std::move(target)};
  write.operation.kind = renames ? OperationKind::kCreate : kind;
  write.operation.document = ToStored(document, now);
  if (!renames) {
    Apply(conditions, write.operation);
    return write;
  }
  write.removal = gateway::WriteOperation();
  write.removal->kind = OperationKind::kDelete;
  write.removal->row_key = model::Value::String(std::string(id));
  Apply(conditions, *write.removal);
  return write;
}

SqlResult<PreparedWrite> PreparePatch(DocumentTarget target, const Conditions& conditions,
                                      const model::Value& body, Micros now) {
  PreparedWrite write = PrepareWithoutBody(std::move(target), OperationKind::kPatch, conditions);
  const model::Value* operations = &body;
  if (body.kind() == Kind::kObject) {
    operations = body.Find("operations");
    if (operations == nullptr) return Refuse(400, "a patch needs 'operations'");
    if (const model::Value* condition = body.Find("condition");
        condition != nullptr && !condition->is_null()) {
      if (condition->kind() != Kind::kString)
        return Refuse(400, "'condition' must be a string such as \"from c where c.n = 1\"");
      write.condition = condition->AsString();
    }
  }
  SQL_ASSIGN(write.operation.patch, model::PatchFromJson(*operations));
  for (const model::PatchOperation& operation : write.operation.patch) {
    if (TouchesSystemProperty(operation.path) || TouchesSystemProperty(operation.from))
      return Refuse(400, "a patch cannot change properties that the server keeps");
    if (SetsTtl(operation)) SQL_TRY(CheckTtl(operation.value));
  }
  write.operation.patch.push_back(SetTime(now));
  return write;
}

PreparedWrite PrepareWithoutBody(DocumentTarget target, OperationKind kind,
                                 const Conditions& conditions) {
  PreparedWrite write{.target = std::move(target)};
  write.operation.kind = kind;
  write.operation.row_key = model::Value::String(write.target.id);
  Apply(conditions, write.operation);
  return write;
}

void AddTo(gateway::WriteRequest& request, PreparedWrite write) {
  if (write.removal.has_value()) request.operations.push_back(*std::move(write.removal));
  request.operations.push_back(std::move(write.operation));
}

gateway::WriteRequest RequestOf(gateway::ContainerRef container, PreparedWrite write) {
  gateway::WriteRequest request;
  request.container = std::move(container);
  request.partition_key = std::move(write.target.partition_key);
  AddTo(request, std::move(write));
  return request;
}

int StatusOf(OperationKind done) {
  switch (done) {
    case OperationKind::kCreate:
      return 201;
    case OperationKind::kDelete:
      return 204;
    case OperationKind::kUpsert:
    case OperationKind::kReplace:
    case OperationKind::kPatch:
    case OperationKind::kRead:
    case OperationKind::kCheck:
      break;
  }
  return 200;
}

void AppendResult(std::string& out, const ContainerNames& names, const item::ItemKey& key,
                  const item::OperationResult& result) {
  if (!result.document.has_value()) return;
  AppendSeenJson(out, *result.document, names,
                 {.key = key, .lsn = result.lsn, .time = result.time});
}

}  // namespace orrery::sql
