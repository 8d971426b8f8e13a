// A GroupedScan gives the rows of a $group over a collection whose owners make the groups: of all
// documents only partial groups leave their partitions.
//
// When a partition splits under it, it begins anew. Used by one thread at a time. The gateway must
// outlive it.
#pragma once

#include <memory>
#include <vector>

#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/executor/run_state.h"
#include "api/mongo/language/pipeline/group_plan.h"
#include "api/mongo/language/row.h"
#include "gateway/gateway.h"
#include "query/access/access_path.h"

namespace orrery::mongo {

class GroupedScan final : public RowSource {
 public:
  // Null if documents have to be seen one by one: the filter or the form of the documents is none
  // that owners know. `scan.sort` is not looked at.
  static std::unique_ptr<GroupedScan> Make(gateway::Gateway& gateway, ScanRequest scan,
                                           GroupPlanPtr plan, QueryContextPtr context,
                                           std::shared_ptr<RunState> state);

  Answer<std::optional<Row>> Next() override;

 private:
  GroupedScan(gateway::Gateway& gateway, ScanRequest scan, GroupPlanPtr plan,
              QueryContextPtr context, std::shared_ptr<RunState> state)
      : gateway_(gateway),
        scan_(std::move(scan)),
        plan_(std::move(plan)),
        context_(std::move(context)),
        state_(std::move(state)) {}

  // Reads everything. kMoved when a partition split meanwhile.
  Answer<Status> Fill();

  gateway::Gateway& gateway_;
  const ScanRequest scan_;
  const GroupPlanPtr plan_;
  const QueryContextPtr context_;
  const std::shared_ptr<RunState> state_;
  std::shared_ptr<const model::Expression> where_;  // null: every document
  std::shared_ptr<const model::Grouping> grouping_;
  query::AccessPath path_;
  std::unique_ptr<GroupMerge> groups_;  // null: to be filled
};

}  // namespace orrery::mongo
