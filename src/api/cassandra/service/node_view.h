// A NodeView is what system tables see of the running node. Made before the parts that it looks at,
// because they need the schema and the schema has the system tables; told of them as they come.
//
// Thread-safe once everything is set.
#pragma once

#include <functional>
#include <vector>

#include "api/cassandra/executor/statement/statement_executor.h"
#include "api/cassandra/system/node_monitor.h"
#include "api/cassandra/system/prepared_lister.h"
#include "api/cassandra/system/role_reader.h"
#include "api/cassandra/system/size_estimates.h"
#include "api/cassandra/system/view_builds.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

class NodeView final : public NodeMonitor,
                       public PreparedLister,
                       public RoleReader,
                       public SizeEstimates,
                       public ViewBuildLister {
 public:
  // Must outlive it.
  explicit NodeView(gateway::RowGateway& rows) : rows_(rows) {}

  // Before the first statement runs; all must outlive it.
  void SetRoles(const RoleReader& roles) { roles_ = &roles; }
  void SetViewBuilds(const ViewBuildLister& builds) { builds_ = &builds; }
  void SetStatements(const StatementExecutor& statements) { statements_ = &statements; }
  void SetLoginPool(const ThreadPool& pool) { login_pool_ = &pool; }
  void SetBlockCache(std::function<CacheFacts()> cache) { block_cache_ = std::move(cache); }

  std::vector<ThreadPoolFacts> ThreadPools() const override;
  std::vector<CacheFacts> Caches() const override;
  std::optional<StatementCounts> Statements() const override;
  std::vector<PreparedFacts> PreparedStatements() const override;
  CqlResult<std::vector<RoleFacts>> Roles() const override;
  CqlResult<std::vector<PermissionFacts>> Permissions() const override;
  std::vector<ViewBuild> ViewBuildsInProgress() const override;
  Result<std::vector<RangeEstimate>> Estimate(
      const gateway::ContainerRef& container) const override;

 private:
  gateway::RowGateway& rows_;
  const RoleReader* roles_ = nullptr;
  const ViewBuildLister* builds_ = nullptr;
  const StatementExecutor* statements_ = nullptr;
  const ThreadPool* login_pool_ = nullptr;
  std::function<CacheFacts()> block_cache_;
};

}  // namespace orrery::cassandra
