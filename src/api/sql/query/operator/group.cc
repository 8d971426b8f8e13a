// GROUP BY and aggregates.
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/sql/evaluate/node/nodes.h"
#include "api/sql/function/identity.h"
#include "api/sql/function/value_size.h"
#include "api/sql/query/operator/aggregation.h"
#include "api/sql/query/operator/kept_bytes.h"
#include "api/sql/query/operator/row_operators.h"

namespace orrery::sql {
namespace {

using model::Value;

class GroupOperator final : public RowOperator {
 public:
  GroupOperator(RowOperatorPtr input, const BoundQuery& query, RowFrame& frame)
      : input_(std::move(input)),
        query_(query),
        frame_(frame),
        kept_(frame.limits().kept_bytes_max) {}

  Result<bool> Next() override {
    if (!is_gathered_) {
      ORRERY_TRY(Gather());
      is_gathered_ = true;
    }
    if (next_ == groups_.size()) return false;
    const Group& group = groups_[next_++];
    for (size_t i = 0; i < query_.group_by.size(); ++i)
      frame_.Set(query_.group_by[i].slot, group.keys[i]);
    finals_ = group.aggregation.Finals();
    for (size_t i = 0; i < query_.aggregates.size(); ++i)
      frame_.Set(query_.aggregates[i].slot, finals_[i]);
    return true;
  }

 private:
  struct Group {
    std::vector<Value> keys;
    Aggregation aggregation;
  };

  Status Gather() {
    if (query_.group_by.empty()) ORRERY_TRY(AddGroup({}));
    while (true) {
      ORRERY_ASSIGN(const bool found, input_->Next());
      if (!found) break;
      ORRERY_ASSIGN(Group* const group, GroupOfRow());
      ORRERY_TRY(group->aggregation.AddRow(frame_.frame(), kept_));
    }
    // What the last row pointed into is gone.
    for (const BoundSource& source : query_.sources) frame_.Set(source.slot, node::kUndefined);
    return {};
  }

  Result<Group*> GroupOfRow() {
    if (query_.group_by.empty()) return &groups_.front();
    std::vector<Value> keys;
    std::string identity;
    for (const BoundGroupKey& key : query_.group_by) {
      Value scratch;
      ORRERY_ASSIGN(const Value* value, key.value->Evaluate(frame_.frame(), scratch));
      AppendIdentity(identity, *value);
      keys.push_back(Take(value, scratch));
    }
    const auto [found, is_new] = by_identity_.try_emplace(std::move(identity), groups_.size());
    if (!is_new) return &groups_[found->second];
    ORRERY_TRY(kept_.Add(found->first.size()));
    return AddGroup(std::move(keys));
  }

  Result<Group*> AddGroup(std::vector<Value> keys) {
    if (groups_.size() == frame_.limits().groups_max)
      return Fail(Code::kTooLarge, "the query makes too many groups");
    for (const Value& key : keys) ORRERY_TRY(kept_.Add(ApproximateBytes(key)));
    groups_.push_back({std::move(keys), Aggregation(query_)});
    return &groups_.back();
  }

  const RowOperatorPtr input_;
  const BoundQuery& query_;
  RowFrame& frame_;
  KeptBytes kept_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, size_t> by_identity_;
  bool is_gathered_ = false;
  size_t next_ = 0;
  std::vector<Value> finals_;  // of the group that the slots show
};

}  // namespace

RowOperatorPtr Group(RowOperatorPtr input, const BoundQuery& query, RowFrame& frame) {
  return std::make_unique<GroupOperator>(std::move(input), query, frame);
}

}  // namespace orrery::sql
