// Where the roles are: the newest set, and the one way to change it.
//
// Reads take a snapshot and no lock. A change is made of the newest set, committed durably to the
// catalog and then published; two changes never interleave, and nothing is published that was not
// committed.
//
// Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "api/cassandra/access/role_set.h"
#include "api/cassandra/protocol/cql_result.h"
#include "base/mutex.h"
#include "base/published.h"
#include "base/status.h"
#include "gateway/catalog/catalog.h"

namespace orrery::cassandra {

class RoleStore {
 public:
  // Reads what is stored; `initial` when nothing ever was, which is written with the first change.
  // kCorruption, kUnsupported: see role_codec.h. `catalog` must outlive it.
  static Result<std::unique_ptr<RoleStore>> Load(gateway::Catalog& catalog, RoleSet initial);

  std::shared_ptr<const RoleSet> Current() const { return roles_.Load(); }

  // The set as it shall be; nullopt: as it is. Runs with no other change under way and must not
  // make one.
  using Edit = std::function<CqlResult<std::optional<RoleSet>>(const RoleSet& now)>;
  // May block. Refused: by the edit, more than kRolesMax or kGrantsOfRoleMax, more than the catalog
  // keeps.
  CqlStatus Change(const Edit& edit) EXCLUDES(change_mutex_);

 private:
  RoleStore(gateway::Catalog& catalog, RoleSet roles);
  Status Write(const RoleSet& roles) REQUIRES(change_mutex_);

  gateway::Catalog& catalog_;
  Mutex change_mutex_;  // held over a whole change, also while it is committed
  Published<RoleSet> roles_;
};

}  // namespace orrery::cassandra
