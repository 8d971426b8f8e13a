#include "api/sql/user/user_lists.h"

#include <utility>

namespace orrery::sql {

UserLists::ListRef UserLists::Of(const gateway::DatabaseRef& database) {
  {
    MutexLock lock(mutex_);
    const Kept* found = kept_.Find(database->id);
    if (found != nullptr && found->database == database) return found->users;
  }
  auto users = std::make_shared<const UserList>(UserList::Of(database->extra));
  MutexLock lock(mutex_);
  if (Kept* found = kept_.Find(database->id); found != nullptr) {
    *found = {database, users};
  } else {
    kept_.Insert(database->id, {database, users}, [](const DatabaseId&) {});
  }
  return users;
}

bool UserLists::StillGrants(const gateway::CatalogSnapshot& catalog, const Grant& grant) {
  const gateway::DatabaseRef database = catalog.Database(grant.by.database);
  if (database == nullptr || database->id != grant.by.database_id) return false;
  const ListRef users = Of(database);
  const Permission* permission = users->FindNumbered(grant.by.user, grant.by.permission);
  return permission != nullptr && permission->time_s == grant.by.time_s &&
         permission->resource == grant.resource && permission->may_write() == grant.all &&
         permission->key == grant.key;
}

}  // namespace orrery::sql
