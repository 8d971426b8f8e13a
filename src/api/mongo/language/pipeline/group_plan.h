// A GroupPlan is a $group as data that the owners of partitions can work on (docs/decisions,
// 0029): they answer partial groups (model/aggregate/partial_groups.h), which a GroupMerge makes
// rows of.
//
// Keys are paths and constants, or an object of these; accumulators are $sum, $count, $avg, $min
// and $max of a path or a constant. All others are grouped by the stage itself.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/pipeline/group_files.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/row.h"
#include "model/aggregate/grouping.h"
#include "model/aggregate/partial_groups.h"

namespace orrery::mongo {

struct GroupPlan {
  model::Grouping grouping;
  // The form of the _id. No key: it is `constant`. Else it is the first key, unless they
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

// Merges partial groups whose _id is equal, as GroupRows groups documents: beyond the memory for
// one stage in files. Used by one thread at a time.
class GroupMerge {
 public:
  // The context's collator must be null: owners know none.
  GroupMerge(GroupPlanPtr plan, QueryContextPtr context)
      : plan_(std::move(plan)), context_(std::move(context)) {}

  Outcome Add(model::DocumentView partial);
  // Ends the adding.
  Outcome Finish();
  // The row of the next group; nullopt at the end. REQUIRES: Finish was called.
  Answer<std::optional<Row>> Next();

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

  // Returns what the group has grown by.
  Answer<size_t> MergeInto(Group& group, const model::Values& partials) const;
  Group NewGroup(model::Value id) const;
  Row RowOf(const Group& group) const;
  Answer<std::optional<Row>> NextOfFiles();

  const GroupPlanPtr plan_;
  const QueryContextPtr context_;
  std::map<model::Value, size_t, Less> by_id_;
  std::vector<std::optional<Group>> groups_;  // nullopt: its row was given
  size_t bytes_ = 0;
  std::optional<GroupFiles> files_;
  size_t next_ = 0;
};

}  // namespace orrery::mongo
