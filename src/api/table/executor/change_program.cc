#include "api/table/executor/change_program.h"

#include <utility>

#include "api/table/entity/entity_limits.h"
#include "api/table/entity/stored_entity.h"
#include "gateway/remote/message.h"

namespace orrery::table {
namespace {

using item::CurrentDocument;
using item::OperationKind;

std::string OutcomeOf(size_t index, ErrorCode code) {
  gateway::MessageWriter out;
  out.Number(index);
  out.Number(static_cast<uint64_t>(code));
  return std::move(out).Take();
}

bool HasTooManyProperties(model::DocumentView document) {
  size_t count = 0;
  for (const model::ElementView field : document)
    count += PropertyOf(field.name()).has_value() ? 1 : 0;
  return count > kPropertiesMax;
}

bool IsUpsert(Operation operation) {
  return operation == Operation::kInsertOrMergeEntity ||
         operation == Operation::kInsertOrReplaceEntity;
}

// Why the change cannot be made of what is stored; nullopt if it can.
std::optional<ErrorCode> ObstacleTo(const EntityChange& change,
                                    const std::optional<CurrentDocument>& current) {
  if (change.operation == Operation::kInsertEntity)
    return current.has_value() ? std::optional(ErrorCode::kEntityAlreadyExists) : std::nullopt;
  if (!current.has_value())
    return IsUpsert(change.operation) ? std::nullopt : std::optional(ErrorCode::kResourceNotFound);
  if (change.if_time.has_value() && *change.if_time != current->time)
    return ErrorCode::kUpdateConditionNotSatisfied;
  return std::nullopt;
}

gateway::WriteOperation OperationOf(const EntityChange& change,
                                    const std::optional<CurrentDocument>& current) {
  gateway::WriteOperation operation;
  operation.row_key = model::Value::String(change.row_key);
  if (change.operation == Operation::kDeleteEntity) {
    operation.kind = OperationKind::kDelete;
    return operation;
  }
  operation.kind = current.has_value() ? OperationKind::kReplace : OperationKind::kCreate;
  const bool merges = change.operation == Operation::kMergeEntity ||
                      change.operation == Operation::kInsertOrMergeEntity;
  operation.document = merges && current.has_value()
                           ? MergeEntities(current->document, *change.document)
                           : *change.document;
  return operation;
}

}  // namespace

ChangeProgram::ChangeProgram(std::vector<EntityChange> changes) : changes_(std::move(changes)) {
  for (const EntityChange& change : changes_)
    row_keys_.push_back(model::Value::String(change.row_key));
}

Result<gateway::DocumentProgram::Decision> ChangeProgram::Decide(
    std::span<const std::optional<CurrentDocument>> documents, Micros /*now*/) const {
  Decision decision;
  for (size_t i = 0; i < changes_.size(); ++i) {
    if (const auto obstacle = ObstacleTo(changes_[i], documents[i]))
      return Decision{.operations = {}, .outcome = OutcomeOf(i, *obstacle)};
    gateway::WriteOperation operation = OperationOf(changes_[i], documents[i]);
    if (operation.document.has_value() && HasTooManyProperties(*operation.document))
      return Decision{.operations = {}, .outcome = OutcomeOf(i, ErrorCode::kTooManyProperties)};
    decision.operations.push_back(std::move(operation));
  }
  return decision;
}

std::string ChangeProgram::Encode() const {
  gateway::MessageWriter out;
  out.Number(changes_.size());
  for (const EntityChange& change : changes_) {
    out.Number(static_cast<uint64_t>(change.operation));
    out.Bytes(change.row_key);
    out.Flag(change.if_time.has_value());
    if (change.if_time.has_value()) out.Time(*change.if_time);
    out.Flag(change.document.has_value());
    if (change.document.has_value()) out.Bytes(change.document->bson());
  }
  return std::move(out).Take();
}

void ChangeProgram::Register(gateway::ProgramRegistry& registry) {
  registry.Add(
      std::string(kKind),
      [](const gateway::ContainerRef&,
         std::string_view data) -> Result<std::shared_ptr<const gateway::DocumentProgram>> {
        gateway::MessageReader in(data);
        std::vector<EntityChange> changes;
        const size_t count = in.Count();
        for (size_t i = 0; i < count && in.ok(); ++i) {
          EntityChange change;
          change.operation = in.Choice(Operation::kDeleteEntity);
          change.row_key = in.String();
          if (in.Flag()) change.if_time = in.Time();
          if (in.Flag()) {
            ORRERY_ASSIGN(change.document, model::Document::FromBson(in.String()));
          }
          const bool needs_document = change.operation != Operation::kDeleteEntity;
          if (change.operation < Operation::kInsertEntity ||
              needs_document != change.document.has_value())
            return Fail(Code::kInvalidArgument, "a program has a malformed change");
          changes.push_back(std::move(change));
        }
        ORRERY_TRY(in.End());
        return std::make_shared<const ChangeProgram>(std::move(changes));
      });
}

std::optional<FailedChange> FailedChangeIn(std::string_view outcome) {
  if (outcome.empty()) return std::nullopt;
  gateway::MessageReader in(outcome);
  FailedChange failed;
  failed.index = in.Number();
  failed.code = in.Choice(ErrorCode::kXMethodNotUsingPost);
  return in.End().has_value() ? failed : FailedChange();
}

}  // namespace orrery::table
