// What system tables see of the running node. Made before the parts that it looks at, because they
// need the schema and the schema has the system tables; told of them as they come.
//
// Thread-safe once everything is set.
#pragma once

#include <vector>

#include "api/cassandra/executor/statement/prepared_statements.h"
#include "api/cassandra/system/prepared_lister.h"
#include "api/cassandra/system/role_reader.h"
#include "api/cassandra/system/size_estimates.h"
#include "api/cassandra/system/view_builds.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

class NodeView final : public PreparedLister,
                       public RoleReader,
                       public SizeEstimates,
                       public ViewBuildLister {
 public:
  // Must outlive it.
  explicit NodeView(const gateway::RowGateway& rows) : rows_(rows) {}

  // Before the first statement runs; all must outlive it.
  void SetRoles(const RoleReader& roles) { roles_ = &roles; }
  void SetViewBuilds(const ViewBuildLister& builds) { builds_ = &builds; }
  void SetPrepared(const cassandra::PreparedStatements& prepared) { prepared_ = &prepared; }

  std::vector<PreparedFacts> PreparedStatements() const override;
  CqlResult<std::vector<RoleFacts>> Roles() const override;
  CqlResult<std::vector<PermissionFacts>> Permissions() const override;
  std::vector<ViewBuild> ViewBuildsInProgress() const override;
  Result<std::vector<RangeEstimate>> Estimate(
      const gateway::ContainerRef& container) const override;

 private:
  const gateway::RowGateway& rows_;
  const RoleReader* roles_ = nullptr;
  const ViewBuildLister* builds_ = nullptr;
  const cassandra::PreparedStatements* prepared_ = nullptr;
};

}  // namespace orrery::cassandra
