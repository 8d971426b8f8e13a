// A RoleStore holds the roles: the newest set, and the one way to change it.
//
// The roles are a function of the catalog, as the schema is: whichever node changed them, all have
// the new ones when that change is acknowledged. Reads take a snapshot; only the first after a
// change of the roles takes a lock. A change is made of the newest set and committed durably, again
// when another node was faster.
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

  // As they are now, or newer. What cannot be read leaves those before it, and is logged.
  std::shared_ptr<const RoleSet> Current() const EXCLUDES(read_mutex_);

  // The set as it shall be; nullopt: as it is. Runs with no other change under way and must not
  // make one.
  using Edit = std::function<CqlResult<std::optional<RoleSet>>(const RoleSet& now)>;
  // May block. Refused: by the edit, more than kRolesMax or kGrantsOfRoleMax, more than the catalog
  // keeps.
  CqlStatus Change(const Edit& edit) EXCLUDES(change_mutex_);

 private:
  // The number of attempts of a change while others are faster.
  static constexpr int kAttemptsMax = 32;

  // The roles, and the entry of the catalog that they were read from (null: there was none).
  struct Picture {
    gateway::DatabaseRef source;
    RoleSet roles;
  };

  RoleStore(gateway::Catalog& catalog, Picture picture);
  std::shared_ptr<const Picture> Look() const EXCLUDES(read_mutex_);
  // kPreconditionFailed, kAlreadyExists: another node was faster.
  Status Write(const gateway::DatabaseRef& made_of, const RoleSet& roles) REQUIRES(change_mutex_);

  gateway::Catalog& catalog_;
  Mutex change_mutex_;        // held over a whole change, also while it is committed
  mutable Mutex read_mutex_;  // held while stored roles are decoded
  mutable Published<Picture> picture_;
  mutable uint64_t last_incarnation_ GUARDED_BY(read_mutex_) = 0;
};

}  // namespace orrery::cassandra
