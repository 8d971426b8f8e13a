// GROUP BY and aggregates.
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/value_size.h"
#include "query/operator/aggregation.h"
#include "query/operator/kept_bytes.h"
#include "query/operator/row_operators.h"

namespace orrery::query {
namespace {

using model::Value;

class GroupOperator final : public RowOperator {
 public:
  GroupOperator(RowOperatorPtr input, const OperatorPlan& plan, RowFrame& frame)
      : input_(std::move(input)),
        plan_(plan),
        frame_(frame),
        kept_(frame.limits().kept_bytes_max) {}

  Result<bool> Next() override {
    if (!is_gathered_) {
      ORRERY_TRY(Gather());
      is_gathered_ = true;
    }
    if (next_ == groups_.size()) return false;
    const Group& group = groups_[next_++];
    for (size_t i = 0; i < plan_.group_by.size(); ++i)
      frame_.Set(plan_.group_by[i].slot, group.keys[i]);
    finals_ = group.aggregation.Finals();
    for (size_t i = 0; i < plan_.aggregates.size(); ++i)
      frame_.Set(plan_.aggregates[i].slot, finals_[i]);
    return true;
  }

 private:
  struct Group {
    std::vector<Value> keys;
    Aggregation aggregation;
  };

  Status Gather() {
    if (plan_.group_by.empty()) ORRERY_TRY(AddGroup({}));
    while (true) {
      ORRERY_ASSIGN(const bool found, input_->Next());
      if (!found) break;
      if (plan_.merges_groups) {
        ORRERY_TRY(MergeGroup());
      } else {
        ORRERY_ASSIGN(std::vector<Value> keys, KeysOfRow());
        ORRERY_ASSIGN(Group* const group, GroupOf(std::move(keys)));
        ORRERY_TRY(group->aggregation.AddRow(frame_.frame(), kept_));
      }
    }
    // The values that the last row pointed into are gone.
    for (const SourceStep& source : plan_.sources) frame_.Set(source.slot, kUndefined);
    return {};
  }

  Status MergeGroup() {
    ORRERY_ASSIGN(model::PartialGroup partial, GroupInSlots(plan_, frame_.frame()));
    ORRERY_ASSIGN(Group* const group, GroupOf(std::move(partial.keys)));
    return group->aggregation.MergeGroup(partial);
  }

  Result<std::vector<Value>> KeysOfRow() {
    std::vector<Value> keys;
    for (const GroupKeyStep& key : plan_.group_by) {
      Value scratch;
      ORRERY_ASSIGN(const Value* value, key.value->Evaluate(frame_.frame(), scratch));
      keys.push_back(Take(value, scratch));
    }
    return keys;
  }

  Result<Group*> GroupOf(std::vector<Value> keys) {
    if (plan_.group_by.empty()) return &groups_.front();
    std::string identity;
    for (const Value& key : keys) plan_.rules.append_identity(identity, key);
    const auto [found, is_new] = by_identity_.try_emplace(std::move(identity), groups_.size());
    if (!is_new) return &groups_[found->second];
    ORRERY_TRY(kept_.Add(found->first.size()));
    return AddGroup(std::move(keys));
  }

  Result<Group*> AddGroup(std::vector<Value> keys) {
    if (groups_.size() == frame_.limits().groups_max)
      return Fail(Code::kTooLarge, "the query makes too many groups");
    for (const Value& key : keys) ORRERY_TRY(kept_.Add(model::ApproximateBytes(key)));
    groups_.push_back({std::move(keys), Aggregation(plan_)});
    return &groups_.back();
  }

  const RowOperatorPtr input_;
  const OperatorPlan& plan_;
  RowFrame& frame_;
  KeptBytes kept_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, size_t> by_identity_;
  bool is_gathered_ = false;
  size_t next_ = 0;
  std::vector<Value> finals_;  // of the group that the slots show
};

}  // namespace

RowOperatorPtr Group(RowOperatorPtr input, const OperatorPlan& plan, RowFrame& frame) {
  return std::make_unique<GroupOperator>(std::move(input), plan, frame);
}

}  // namespace orrery::query
