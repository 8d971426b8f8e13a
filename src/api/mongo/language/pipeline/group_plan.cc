#include "api/mongo/language/pipeline/group_plan.h"

#include <optional>
#include <utility>

#include "api/mongo/error/error_map.h"
#include "api/mongo/language/expression/nodes.h"
#include "api/mongo/language/value/field_path.h"
#include "model/document/document_builder.h"
#include "model/value_size.h"

namespace orrery::mongo {
namespace {

using model::Value;

// The bytes that a group takes beside its values.
constexpr size_t kGroupBytes = 128;

// A path or a constant, as owners evaluate it.
std::optional<model::Expression> OwnerValueOf(const Expression& expression) {
  if (const Value* const constant = expression.constant())
    return model::Expression::Literal(*constant);
  const std::string* const path = expression.field_path();
  if (path == nullptr) return std::nullopt;
  auto value = model::Expression::Apply(
      model::Operator::kMongoValue, {model::Expression::Reference(model::Path(SplitPath(*path)))});
  if (!value.has_value()) return std::nullopt;
  return *std::move(value);
}

bool AddKeys(const Expression& id, GroupPlan& plan) {
  if (const Value* const constant = id.constant()) {
    plan.constant = constant->is_undefined() ? Value::Null() : *constant;
    return true;
  }
  if (auto key = OwnerValueOf(id)) {
    plan.grouping.keys.push_back(*std::move(key));
    return true;
  }
  const auto* const object = dynamic_cast<const ObjectExpression*>(&id);
  if (object == nullptr || object->fields().empty()) return false;
  for (const auto& [name, value] : object->fields()) {
    auto key = OwnerValueOf(*value);
    if (!key.has_value()) return false;
    plan.key_names.push_back(name);
    plan.grouping.keys.push_back(*std::move(key));
  }
  return true;
}

}  // namespace

GroupPlanPtr PlanGroup(const Expression& id,
                       const std::vector<std::pair<std::string, AccumulatorSpecPtr>>& outputs,
                       const QueryContext& context) {
  if (context.collator != nullptr) return nullptr;
  auto plan = std::make_shared<GroupPlan>();
  if (!AddKeys(id, *plan)) return nullptr;
  for (const auto& [name, spec] : outputs) {
    const auto op = spec->owner_operator();
    const Expression* const argument = spec->argument();
    if (!op.has_value() || argument == nullptr) return nullptr;
    auto value = OwnerValueOf(*argument);
    if (!value.has_value()) return nullptr;
    plan->grouping.aggregates.push_back({.op = *op, .argument = *std::move(value)});
    plan->outputs.push_back(name);
  }
  const size_t parts = plan->grouping.keys.size() + plan->grouping.aggregates.size();
  return parts > model::kGroupingPartsMax ? nullptr : plan;
}

Value GroupPlan::IdOf(model::Values keys) const {
  if (grouping.keys.empty()) return constant;
  if (key_names.empty())
    return keys.front().is_undefined() ? Value::Null() : std::move(keys.front());
  model::Fields fields;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].is_undefined()) {
      fields.push_back({key_names[i], std::move(keys[i])});
    } else if (keys.size() == 1) {
      fields.push_back({key_names[i], Value::Null()});
    }
  }
  return Value::Object(std::move(fields));
}

namespace {

// A partial group with the _id that its keys become.
struct IdentifiedPartial {
  Value id;
  model::Values partials;
};

Answer<IdentifiedPartial> ReadIdentified(model::DocumentView partial, const GroupPlan& plan) {
  auto read = model::ReadPartialGroup(partial.ToObject(), plan.grouping.keys.size());
  if (!read.has_value()) return Refuse(read.error());
  const model::Values& partials = read->partials.AsValues();
  if (partials.size() != plan.grouping.aggregates.size()) {
    return Refuse(
        Error(Code::kInternal, "the owner of a partition gave a group that is malformed"));
  }
  return IdentifiedPartial{.id = plan.IdOf(std::move(read->keys)), .partials = partials};
}

}  // namespace

GroupMerge::Group GroupMerge::NewGroup(Value id) const {
  Group made;
  made.id = std::move(id);
  for (const model::Aggregate& aggregate : plan_->grouping.aggregates)
    made.accumulators.push_back(model::StartAggregate(aggregate.op));
  return made;
}

Answer<size_t> GroupMerge::MergeInto(Group& group, const model::Values& partials) const {
  size_t grown = 0;
  for (size_t i = 0; i < partials.size(); ++i) {
    const size_t before = group.accumulators[i]->kept_bytes();
    if (const Status merged = group.accumulators[i]->Merge(partials[i]); !merged.has_value())
      return Refuse(merged.error());
    const size_t after = group.accumulators[i]->kept_bytes();
    if (after > before) grown += after - before;
  }
  return grown;
}

Outcome GroupMerge::Add(model::DocumentView partial) {
  MONGO_ASSIGN(IdentifiedPartial read, ReadIdentified(partial, *plan_));
  if (files_.has_value()) return files_->Add(read.id, partial);
  const auto [found, is_new] = by_id_.try_emplace(read.id, groups_.size());
  if (is_new) {
    bytes_ += kGroupBytes + 2 * model::ApproximateBytes(read.id);
    groups_.emplace_back(NewGroup(std::move(read.id)));
  }
  MONGO_ASSIGN(const size_t grown, MergeInto(*groups_[found->second], read.partials));
  bytes_ += grown;
  if (bytes_ <= context_->stage_memory_bytes_max) return {};
  if (context_->spill == nullptr) return RefuseStageMemory("$group");
  files_.emplace(*context_);
  return {};
}

Outcome GroupMerge::Finish() { return files_.has_value() ? files_->Finish() : Outcome(); }

Row GroupMerge::RowOf(const Group& group) const {
  model::DocumentBuilder row;
  row.Append("_id", group.id);
  for (size_t i = 0; i < group.accumulators.size(); ++i)
    row.Append(plan_->outputs[i], group.accumulators[i]->Final());
  return Row{std::move(row).Finish()};
}

Answer<std::optional<Row>> GroupMerge::NextOfFiles() {
  MONGO_ASSIGN(const Value* const id, files_->NextGroup());
  if (id == nullptr) {
    files_.reset();
    return std::nullopt;
  }
  std::optional<Group> group;
  if (const auto found = by_id_.find(*id); found != by_id_.end()) {
    group = std::exchange(groups_[found->second], std::nullopt);
  } else {
    group = NewGroup(*id);
  }
  while (true) {
    MONGO_ASSIGN(const std::optional<model::Document> partial, files_->NextContent());
    if (!partial.has_value()) return RowOf(*group);
    MONGO_ASSIGN(const IdentifiedPartial read, ReadIdentified(*partial, *plan_));
    MONGO_TRY(MergeInto(*group, read.partials));
  }
}

Answer<std::optional<Row>> GroupMerge::Next() {
  if (files_.has_value()) {
    MONGO_ASSIGN(std::optional<Row> row, NextOfFiles());
    if (row.has_value()) return row;
  }
  while (next_ < groups_.size()) {
    const std::optional<Group> group = std::exchange(groups_[next_++], std::nullopt);
    if (group.has_value()) return RowOf(*group);
  }
  return std::nullopt;
}

}  // namespace orrery::mongo
