// A GroupPlan is a $group as data that the owners of partitions can work on (docs/decisions,
// 0029): they answer partial groups (model/aggregate/partial_groups.h), which a GroupMerge makes
// rows of.
//
// Keys are paths and constants, or an object of these; accumulators are $sum, $count, $avg, $min
// and $max of a path or a constant. All others are grouped by the stage itself.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/row.h"
#include "model/aggregate/grouping.h"
#include "model/aggregate/partial_groups.h"

namespace orrery::mongo {

struct GroupPlan {
  model::Grouping grouping;
  // How the keys become the _id. No key: it is `constant`. Else it is the first key, unless they
  // have names: then it is an object of those that are not missing, or null for a single one.
  model::Value constant = {};
  std::vector<std::string> key_names = {};
  std::vector<std::string> outputs = {};  // the names of the aggregates

  // The _id of a group with these keys.
  model::Value IdOf(model::Values keys) const;
};
using GroupPlanPtr = std::shared_ptr<const GroupPlan>;

// Null if owners cannot make these groups.
GroupPlanPtr PlanGroup(const Expression& id,
                       const std::vector<std::pair<std::string, AccumulatorSpecPtr>>& outputs,
                       const QueryContext& context);

// Merges partial groups whose _id is equal. Used by one thread at a time.
class GroupMerge {
 public:
  // The context's collator must be null: owners know none.
  GroupMerge(GroupPlanPtr plan, const QueryContext& context)
      : plan_(std::move(plan)), memory_("$group", context) {}

  Outcome Add(model::DocumentView partial);
  // All groups, in the order of their first documents.
  std::vector<Row> Rows() const;

 private:
  struct Less {
    bool operator()(const model::Value& a, const model::Value& b) const {
      return CompareValues(a, b, nullptr) < 0;
    }
  };
  struct Group {
    model::Value id;
    std::vector<std::unique_ptr<model::Accumulator>> accumulators;
  };

  const GroupPlanPtr plan_;
  StageMemory memory_;
  std::map<model::Value, size_t, Less> by_id_;
  std::vector<Group> groups_;
};

}  // namespace orrery::mongo
