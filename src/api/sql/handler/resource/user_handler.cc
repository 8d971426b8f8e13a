#include "api/sql/handler/resource/user_handler.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "api/sql/container/database_form.h"
#include "api/sql/handler/finder.h"
#include "api/sql/handler/list_page.h"
#include "api/sql/user/resource_token.h"
#include "api/sql/user/user_list.h"
#include "base/mutex.h"

namespace orrery::sql {
namespace {

using enum ResourceType;

constexpr size_t kUserStep = 1;
constexpr size_t kPermissionStep = 2;

class Users {
 public:
  explicit Users(const HandlerParts& parts) : parts_(parts) {}

  // And upsert, by a header.
  SqlResult<Reply> CreateUser(const Call& call) {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(std::string id, DatabaseIdFrom(body));
    return Change(call,
                  [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
                    if (const User* known = list.Find(database.id, id);
                        call.headers.upsert && known != nullptr)
                      return ResourceReply(200, SeenUser(database.id, *known));
                    SQL_ASSIGN(const User user, list.Add(id, NowSeconds()));
                    return ResourceReply(201, SeenUser(database.id, user));
                  });
  }

  SqlResult<Reply> ReadUser(const Call& call) {
    return Look(call,
                [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
                  SQL_ASSIGN(const User* user, UserOf(call, database, list));
                  return ResourceReply(200, SeenUser(database.id, *user));
                });
  }

  SqlResult<Reply> ReplaceUser(const Call& call) {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(std::string id, DatabaseIdFrom(body));
    SQL_TRY(gateway::ValidateName("user", id));
    return Change(
        call, [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
          SQL_ASSIGN(User * user, UserOf(call, database, list));
          SQL_TRY(CheckIfMatch(call, SeenUser(database.id, *user)));
          if (const User* other = list.Find(database.id, id); other != nullptr && other != user)
            return Refuse(409, fmt::format("there is a user '{}' already", id));
          user->id = id;
          user->time_s = NowSeconds();
          return ResourceReply(200, SeenUser(database.id, *user));
        });
  }

  SqlResult<Reply> DeleteUser(const Call& call) {
    return Change(call,
                  [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
                    SQL_ASSIGN(const User* user, UserOf(call, database, list));
                    SQL_TRY(CheckIfMatch(call, SeenUser(database.id, *user)));
                    list.Remove(*user);
                    return Reply{.status = 204};
                  });
  }

  SqlResult<Reply> ListUsers(const Call& call) {
    return Look(call,
                [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
                  return ListPage(DatabaseRid(database.id), "Users", SeenUsers(database, list),
                                  call.headers);
                });
  }

  SqlResult<Reply> QueryUsers(const Call& call) {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const QueryText query, QueryTextFrom(body));
    return Look(call,
                [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
                  SQL_ASSIGN(const auto rows, parts_.queries.Run(query, SeenUsers(database, list)));
                  return FeedReply(DatabaseRid(database.id), "Users", rows);
                });
  }

  SqlResult<Reply> CreatePermission(const Call& call) {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(Permission permission, PermissionFrom(body));
    permission.time_s = NowSeconds();
    return Change(call,
                  [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
                    SQL_ASSIGN(User * user, UserOf(call, database, list));
                    Permission* known = UserList::Find(database.id, *user, permission.id);
                    if (call.headers.upsert && known != nullptr) {
                      permission.number = known->number;
                      *known = permission;
                      return Seen(200, call, database, *user, *known);
                    }
                    SQL_TRY(UserList::Add(*user, permission));
                    return Seen(201, call, database, *user, user->permissions.back());
                  });
  }

  SqlResult<Reply> ReadPermission(const Call& call) {
    return Look(call,
                [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
                  SQL_ASSIGN(User * user, UserOf(call, database, list));
                  SQL_ASSIGN(const Permission* permission, PermissionOf(call, database, *user));
                  return Seen(200, call, database, *user, *permission);
                });
  }

  SqlResult<Reply> ReplacePermission(const Call& call) {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(Permission next, PermissionFrom(body));
    next.time_s = NowSeconds();
    return Change(
        call, [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
          SQL_ASSIGN(User * user, UserOf(call, database, list));
          SQL_ASSIGN(Permission * permission, PermissionOf(call, database, *user));
          SQL_TRY(CheckIfMatch(call, SeenPermission(database.id, *user, *permission, {})));
          next.number = permission->number;
          *permission = next;
          return Seen(200, call, database, *user, *permission);
        });
  }

  SqlResult<Reply> DeletePermission(const Call& call) {
    return Change(
        call, [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
          SQL_ASSIGN(User * user, UserOf(call, database, list));
          SQL_ASSIGN(const Permission* permission, PermissionOf(call, database, *user));
          SQL_TRY(CheckIfMatch(call, SeenPermission(database.id, *user, *permission, {})));
          std::erase_if(user->permissions, [number = permission->number](const Permission& other) {
            return other.number == number;
          });
          return Reply{.status = 204};
        });
  }

  SqlResult<Reply> ListPermissions(const Call& call) {
    return Look(call,
                [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
                  SQL_ASSIGN(const User* user, UserOf(call, database, list));
                  return ListPage(DatabaseRid(database.id), "Permissions",
                                  SeenPermissions(call, database, *user), call.headers);
                });
  }

  SqlResult<Reply> QueryPermissions(const Call& call) {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const QueryText query, QueryTextFrom(body));
    return Look(call,
                [&](const gateway::DatabaseEntry& database, UserList& list) -> SqlResult<Reply> {
                  SQL_ASSIGN(const User* user, UserOf(call, database, list));
                  SQL_ASSIGN(const auto rows,
                             parts_.queries.Run(query, SeenPermissions(call, database, *user)));
                  return FeedReply(DatabaseRid(database.id), "Permissions", rows);
                });
  }

 private:
  int64_t NowSeconds() const {
    return std::chrono::duration_cast<std::chrono::seconds>(parts_.clock.Now()).count();
  }

  template <typename Work>
  SqlResult<Reply> Look(const Call& call, Work work) const {
    SQL_ASSIGN(const auto database, Finder(parts_.gateway.catalog()).Database(call.path));
    UserList list = UserList::Of(database->extra);
    return work(*database, list);
  }

  // One change after the other: each is made to what the last one left, again when another node
  // was faster.
  template <typename Work>
  SqlResult<Reply> Change(const Call& call, Work work) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    gateway::Catalog& catalog = parts_.gateway.catalog();
    for (int attempt = 1;; ++attempt) {
      SQL_ASSIGN(const auto database, Finder(catalog).Database(call.path));
      UserList list = UserList::Of(database->extra);
      SQL_ASSIGN(Reply reply, work(*database, list));
      const auto changed =
          catalog.UpdateDatabase(database->name, list.PutInto(database->extra), database.get());
      if (changed.has_value()) return reply;
      if (changed.error().code() != Code::kPreconditionFailed || attempt == kChangeAttemptsMax)
        return Fail(changed.error());
    }
  }

  static SqlResult<User*> UserOf(const Call& call, const gateway::DatabaseEntry& database,
                                 UserList& list) {
    const std::string& id = call.path.steps.at(kUserStep).id;
    if (User* user = list.Find(database.id, id); user != nullptr) return user;
    return Refuse(404, fmt::format("Resource Not Found: there is no user '{}'", id));
  }

  static SqlResult<Permission*> PermissionOf(const Call& call,
                                             const gateway::DatabaseEntry& database, User& user) {
    const std::string& id = call.path.steps.at(kPermissionStep).id;
    if (Permission* found = UserList::Find(database.id, user, id); found != nullptr) return found;
    return Refuse(404, fmt::format("Resource Not Found: there is no permission '{}'", id));
  }

  static std::vector<model::Value> SeenUsers(const gateway::DatabaseEntry& database,
                                             const UserList& list) {
    std::vector<model::Value> seen;
    for (const User& user : list.users()) seen.push_back(SeenUser(database.id, user));
    return seen;
  }

  std::vector<model::Value> SeenPermissions(const Call& call,
                                            const gateway::DatabaseEntry& database,
                                            const User& user) const {
    std::vector<model::Value> seen;
    for (const Permission& permission : user.permissions)
      seen.push_back(
          SeenPermission(database.id, user, permission, Token(call, database, user, permission)));
    return seen;
  }

  std::string Token(const Call& call, const gateway::DatabaseEntry& database, const User& user,
                    const Permission& permission) const {
    const int64_t lifetime = call.headers.token_lifetime_s.value_or(kTokenLifetimeDefault);
    return MintToken(parts_.gateway.accounts(), {.resource = permission.resource,
                                                 .all = permission.may_write(),
                                                 .until_s = NowSeconds() + lifetime,
                                                 .key = permission.key,
                                                 .by = {.database = database.name,
                                                        .database_id = database.id,
                                                        .user = user.number,
                                                        .permission = permission.number,
                                                        .time_s = permission.time_s}});
  }

  Reply Seen(int status, const Call& call, const gateway::DatabaseEntry& database, const User& user,
             const Permission& permission) const {
    return ResourceReply(status, SeenPermission(database.id, user, permission,
                                                Token(call, database, user, permission)));
  }

  const HandlerParts parts_;
  Mutex mutex_;  // held over a whole change
};

}  // namespace

void AddUserHandlers(HandlerTable& table, const HandlerParts& parts) {
  const auto users = std::make_shared<Users>(parts);
  const auto add = [&](ResourceType type, Action action,
                       SqlResult<Reply> (Users::*method)(const Call&)) {
    table.AddBlocking(parts.gateway.io_pool(), type, action,
                      [=](const Call& call) { return ((*users).*method)(call); });
  };
  add(kUser, Action::kCreate, &Users::CreateUser);
  add(kUser, Action::kRead, &Users::ReadUser);
  add(kUser, Action::kReplace, &Users::ReplaceUser);
  add(kUser, Action::kDelete, &Users::DeleteUser);
  add(kUser, Action::kReadFeed, &Users::ListUsers);
  add(kUser, Action::kQuery, &Users::QueryUsers);
  add(kPermission, Action::kCreate, &Users::CreatePermission);
  add(kPermission, Action::kRead, &Users::ReadPermission);
  add(kPermission, Action::kReplace, &Users::ReplacePermission);
  add(kPermission, Action::kDelete, &Users::DeletePermission);
  add(kPermission, Action::kReadFeed, &Users::ListPermissions);
  add(kPermission, Action::kQuery, &Users::QueryPermissions);
}

}  // namespace orrery::sql
