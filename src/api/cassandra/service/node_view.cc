#include "api/cassandra/service/node_view.h"

#include "gateway/row/row_token.h"

namespace orrery::cassandra {

namespace {

ThreadPoolFacts FactsOf(std::string name, const ThreadPool& pool) {
  ThreadPoolFacts facts;
  facts.name = std::move(name);
  facts.threads = pool.threads();
  facts.queued = pool.queued();
  return facts;
}

}  // namespace

std::vector<ThreadPoolFacts> NodeView::ThreadPools() const {
  std::vector<ThreadPoolFacts> pools = {FactsOf("io", rows_.io_pool())};
  if (login_pool_ != nullptr) pools.push_back(FactsOf("login", *login_pool_));
  return pools;
}

std::vector<CacheFacts> NodeView::Caches() const {
  if (!block_cache_) return {};
  return {block_cache_()};
}

std::optional<StatementCounts> NodeView::Statements() const {
  if (statements_ == nullptr) return std::nullopt;
  return StatementCounts{.prepared = statements_->prepared().List().size(),
                         .prepared_evicted = statements_->prepared().evicted(),
                         .prepared_executed = statements_->prepared_executed(),
                         .plain_executed = statements_->plain_executed()};
}

std::vector<PreparedFacts> NodeView::PreparedStatements() const {
  std::vector<PreparedFacts> facts;
  if (statements_ == nullptr) return facts;
  for (const auto& entry : statements_->prepared().List())
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
