#include "api/cassandra/service/node_view.h"

#include "gateway/row/row_token.h"

namespace orrery::cassandra {

std::vector<PreparedFacts> NodeView::PreparedStatements() const {
  std::vector<PreparedFacts> facts;
  if (prepared_ == nullptr) return facts;
  for (const auto& entry : prepared_->List())
    facts.push_back({entry->id, entry->keyspace, entry->text});
  return facts;
}

CqlResult<std::vector<RoleFacts>> NodeView::Roles() const {
  return roles_ == nullptr ? std::vector<RoleFacts>() : roles_->Roles();
}

CqlResult<std::vector<PermissionFacts>> NodeView::Permissions() const {
  return roles_ == nullptr ? std::vector<PermissionFacts>() : roles_->Permissions();
}

std::vector<ViewBuild> NodeView::ViewBuildsInProgress() const {
  return builds_ == nullptr ? std::vector<ViewBuild>() : builds_->ViewBuildsInProgress();
}

Result<std::vector<RangeEstimate>> NodeView::Estimate(
    const gateway::ContainerRef& container) const {
  ORRERY_ASSIGN(const auto ranges, rows_.EstimateSizes(container));
  std::vector<RangeEstimate> estimates;
  for (const gateway::RowRangeEstimate& each : ranges) {
    estimates.push_back({gateway::TokenOf(each.range.begin()), gateway::TokenOf(each.range.last()),
                         each.bytes, each.partitions});
  }
  return estimates;
}

}  // namespace orrery::cassandra
