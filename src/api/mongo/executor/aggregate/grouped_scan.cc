#include "api/mongo/executor/aggregate/grouped_scan.h"

#include <utility>

#include "api/mongo/language/match/owner_filter.h"
#include "gateway/view/partition_ranges.h"
#include "query/source/gateway_source.h"
#include "query/source/index_union.h"
#include "query/source/scan_plan.h"

namespace orrery::mongo {
namespace {

// It is planned anew when a partition split under it; more often in a row is no accident.
constexpr int kGroupPlansMax = 8;

}  // namespace

std::unique_ptr<GroupedScan> GroupedScan::Make(gateway::Gateway& gateway, ScanRequest scan,
                                               GroupPlanPtr plan, QueryContextPtr context,
                                               std::shared_ptr<RunState> state) {
  if (scan.collection->form != DocumentForm::kMongo) return nullptr;
  OwnerFilter filter = OwnerFilterOf(scan.filter.get());
  if (!filter.is_whole) return nullptr;
  scan.sort = nullptr;
  query::AccessPath path = ChoosePath(scan);
  // The documents of a union are listed first; what they are is not known to owners.
  if (!path.index_union.empty()) return nullptr;
  std::unique_ptr<GroupedScan> made(new GroupedScan(gateway, std::move(scan), std::move(plan),
                                                    std::move(context), std::move(state)));
  made->where_ = std::move(filter.expression);
  made->grouping_ = std::make_shared<const model::Grouping>(made->plan_->grouping);
  made->path_ = std::move(path);
  return made;
}

Answer<Status> GroupedScan::Fill() {
  const gateway::ContainerRef& container = scan_.collection->container;
  query::ScanScope scope;
  scope.streams = grouping_->is_one_group() ? query::ScanScope::Streams::kOne
                                            : query::ScanScope::Streams::kOneOfEachPartition;
  auto streams =
      query::PlanScans(path_, scope, *container->schema,
                       gateway::PartitionRanges(gateway_, *container), /*resume=*/std::nullopt);
  if (!streams.has_value()) return Refuse(streams.error());
  const BsonShaper shaper(scan_.collection->form);
  query::GatewaySource source(
      {.gateway = gateway_,
       .container = container,
       .path = path_,
       .shaper = shaper,
       .rows_wanted = SIZE_MAX,
       .where = where_,
       .grouping = grouping_,
       .context = state_->request == nullptr ? RequestContext() : *state_->request},
      *std::move(streams));
  auto groups = std::make_unique<GroupMerge>(plan_, context_);
  Status status;
  while (true) {
    MONGO_TRY(state_->Check());
    const Result<bool> next = source.Next();
    if (!next.has_value()) status = Fail(next.error());
    if (!next.has_value() || !*next) break;
    MONGO_TRY(groups->Add(source.item().document));
  }
  const query::SourceMetrics& metrics = source.metrics();
  state_->charge += metrics.charge;
  state_->documents_examined += metrics.documents;
  if (path_.index.has_value()) state_->keys_examined += metrics.examined;
  if (!status.has_value()) MONGO_TRY(state_->Check());
  MONGO_TRY(groups->Finish());
  if (status.has_value()) groups_ = std::move(groups);
  return status;
}

Answer<std::optional<Row>> GroupedScan::Next() {
  for (int plans = 0; groups_ == nullptr; ++plans) {
    MONGO_ASSIGN(const Status filled, Fill());
    if (!filled.has_value() && (filled.error().code() != Code::kMoved || plans == kGroupPlansMax))
      return Refuse(filled.error());
  }
  return groups_->Next();
}

}  // namespace orrery::mongo
