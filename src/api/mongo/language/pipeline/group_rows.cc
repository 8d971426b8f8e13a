#include "api/mongo/language/pipeline/group_rows.h"

#include <fmt/format.h>

#include "model/document/document_builder.h"
#include "model/value_size.h"

namespace orrery::mongo {
namespace {

// The bytes that a group takes beside its values and accumulators.
constexpr size_t kNewGroupBytes = 128;

}  // namespace

GroupState::GroupState(const std::vector<NamedAccumulator>& outputs, const model::Value& key) {
  states_.reserve(outputs.size());
  for (const NamedAccumulator& output : outputs) states_.push_back(output.spec->MakeFor(key));
}

Outcome GroupState::Add(const std::vector<NamedAccumulator>& outputs, Evaluation& evaluation) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    MONGO_ASSIGN(model::Value value, outputs[i].spec->Evaluate(evaluation));
    MONGO_TRY(states_[i]->Add(std::move(value)));
  }
  return {};
}

Outcome GroupState::AddEvaluated(model::DocumentView values) {
  auto value = values.begin();
  for (size_t i = 0; i < states_.size(); ++i) {
    const bool is_there = value != values.end() && (*value).name() == fmt::format_int(i).str();
    MONGO_TRY(states_[i]->Add(is_there ? (*value).ToValue() : model::Value()));
    if (is_there) ++value;
  }
  return {};
}

Answer<Row> GroupState::Result(const model::Value& id,
                               const std::vector<NamedAccumulator>& outputs) const {
  model::DocumentBuilder out;
  out.Append("_id", id);
  for (size_t i = 0; i < outputs.size(); ++i) {
    MONGO_ASSIGN(const model::Value value, states_[i]->Result());
    out.Append(outputs[i].name, value);
  }
  return Row{std::move(out).Finish()};
}

size_t GroupState::bytes() const {
  size_t sum = 0;
  for (const auto& state : states_) sum += state->bytes();
  return sum;
}

GroupRows::GroupRows(std::unique_ptr<RowSource> input, const Expression& id,
                     const std::vector<NamedAccumulator>& outputs, QueryContextPtr context)
    : input_(std::move(input)),
      id_(id),
      outputs_(outputs),
      context_(std::move(context)),
      index_(Less{context_->collator.get()}) {}

Outcome GroupRows::AddInMemory(model::Value id, Evaluation& evaluation) {
  const auto [found, is_new] = index_.try_emplace(id, groups_.size());
  if (is_new) {
    bytes_ += kNewGroupBytes + 2 * model::ApproximateBytes(id);
    GroupState state(outputs_, id);
    groups_.emplace_back(Group{.id = std::move(id), .state = std::move(state)});
  }
  GroupState& group = groups_[found->second]->state;
  const size_t before = group.bytes();
  MONGO_TRY(group.Add(outputs_, evaluation));
  if (group.bytes() > before) bytes_ += group.bytes() - before;
  return {};
}

Outcome GroupRows::AddToFiles(const model::Value& id, Evaluation& evaluation) {
  model::DocumentBuilder values;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    MONGO_ASSIGN(const model::Value value, outputs_[i].spec->Evaluate(evaluation));
    if (!value.is_undefined()) values.Append(fmt::format_int(i).str(), value);
  }
  return files_->Add(id, std::move(values).Finish());
}

Outcome GroupRows::Fill() {
  is_filled_ = true;
  while (true) {
    MONGO_ASSIGN(const std::optional<Row> row, input_->Next());
    if (!row.has_value()) break;
    Evaluation evaluation{
        .root = row->document, .context = *context_, .meta = row->meta.get(), .current = {}};
    MONGO_ASSIGN(model::Value id, id_.Evaluate(evaluation));
    if (id.is_undefined()) id = model::Value::Null();
    if (files_.has_value()) {
      MONGO_TRY(AddToFiles(id, evaluation));
      continue;
    }
    MONGO_TRY(AddInMemory(std::move(id), evaluation));
    if (bytes_ <= context_->stage_memory_bytes_max) continue;
    if (context_->spill == nullptr) return RefuseStageMemory("$group");
    files_.emplace(*context_);
  }
  return files_.has_value() ? files_->Finish() : Outcome();
}

Answer<std::optional<Row>> GroupRows::NextOfFiles() {
  MONGO_ASSIGN(const model::Value* const id, files_->NextGroup());
  if (id == nullptr) {
    files_.reset();
    return std::nullopt;
  }
  const auto found = index_.find(*id);
  std::optional<Group> group;
  if (found != index_.end()) {
    group = std::move(groups_[found->second]);
    groups_[found->second].reset();
  } else {
    group.emplace(Group{.id = *id, .state = GroupState(outputs_, *id)});
  }
  while (true) {
    MONGO_ASSIGN(const std::optional<model::Document> values, files_->NextContent());
    if (!values.has_value()) break;
    MONGO_TRY(group->state.AddEvaluated(*values));
    if (group->state.bytes() > kStageMemoryBytesMax) {
      return Refuse(ErrorCode::kExceededMemoryLimit,
                    fmt::format("one group of $group used too much memory and cannot spill to "
                                "disk. Memory limit: {} bytes",
                                kStageMemoryBytesMax));
    }
  }
  MONGO_ASSIGN(Row row, group->state.Result(group->id, outputs_));
  return row;
}

Answer<std::optional<Row>> GroupRows::Next() {
  if (!is_filled_) MONGO_TRY(Fill());
  if (files_.has_value()) {
    MONGO_ASSIGN(std::optional<Row> row, NextOfFiles());
    if (row.has_value()) return row;
  }
  for (; next_ < groups_.size(); ++next_) {
    if (!groups_[next_].has_value()) continue;
    const std::optional<Group> group = std::exchange(groups_[next_], std::nullopt);
    MONGO_ASSIGN(Row row, group->state.Result(group->id, outputs_));
    ++next_;
    return row;
  }
  return std::nullopt;
}

}  // namespace orrery::mongo
