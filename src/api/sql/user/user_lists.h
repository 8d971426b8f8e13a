// The users of databases, read once from each version of a database's settings: what requests with
// resource tokens are checked against.
//
// Thread-safe.
#pragma once

#include <memory>

#include "api/sql/user/resource_token.h"
#include "api/sql/user/user_list.h"
#include "base/mutex.h"
#include "gateway/catalog/catalog_entries.h"
#include "script/lru_map.h"

namespace orrery::sql {

inline constexpr size_t kUserListsKept = 256;

class UserLists {
 public:
  // Returns whether the permission that the grant was made by still exists, and says the same.
  bool StillGrants(const gateway::CatalogSnapshot& catalog, const Grant& grant) EXCLUDES(mutex_);

 private:
  using ListRef = std::shared_ptr<const UserList>;
  struct Kept {
    gateway::DatabaseRef database;  // the version that was read
    ListRef users;
  };

  ListRef Of(const gateway::DatabaseRef& database) EXCLUDES(mutex_);

  Mutex mutex_;
  script::LruMap<DatabaseId, Kept> kept_ GUARDED_BY(mutex_){kUserListsKept};
};

}  // namespace orrery::sql
