#include "api/sql/user/user_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/sql/container/kept_properties.h"
#include "api/sql/document/etag.h"
#include "api/sql/resource/resource_id.h"
#include "net/http/http_message.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

constexpr std::string_view kUsers = "users";

model::Values ListOf(const Value& object, std::string_view name) {
  const Value* value = object.Find(name);
  return value != nullptr && value->kind() == Kind::kArray ? value->AsValues() : model::Values();
}

Permission KeptPermission(const Value& kept) {
  Permission permission;
  permission.id = TextField(kept, "id");
  permission.number = static_cast<uint64_t>(NumberField(kept, "number"));
  permission.time_s = NumberField(kept, "time");
  permission.mode = TextField(kept, "mode");
  permission.resource = TextField(kept, "resource");
  if (const Value* key = kept.Find("key"); key != nullptr) permission.key = *key;
  return permission;
}

Value ToKept(const Permission& permission) {
  Value kept = Value::Object({{"id", Value::String(permission.id)},
                              {"number", Value::Int64(static_cast<int64_t>(permission.number))},
                              {"time", Value::Int64(permission.time_s)},
                              {"mode", Value::String(permission.mode)},
                              {"resource", Value::String(permission.resource)}});
  if (permission.key.has_value()) SetField(kept, "key", *permission.key);
  return kept;
}

std::string UserRid(DatabaseId database, const User& user) {
  return FormatRid(ResourceId::User(database.value(), user.number));
}
std::string PermissionRid(DatabaseId database, const User& user, const Permission& permission) {
  return FormatRid(ResourceId::Permission(database.value(), user.number, permission.number));
}

}  // namespace

bool Permission::may_write() const { return net::EqualsIgnoringCase(mode, "All"); }

Result<Permission> PermissionFrom(model::DocumentView body) {
  const Value sent = body.ToObject();
  Permission permission;
  permission.id = TextField(sent, "id");
  ORRERY_TRY(gateway::ValidateName("permission", permission.id));
  permission.mode = TextField(sent, "permissionMode");
  if (!permission.may_write() && !net::EqualsIgnoringCase(permission.mode, "Read"))
    return Fail(Code::kInvalidArgument, "'permissionMode' must be Read or All");
  permission.resource = TextField(sent, "resource");
  if (permission.resource.empty()) {
    return Fail(Code::kInvalidArgument,
                "'resource' must be a link, such as dbs/db/colls/coll or dbs/db/colls/coll/docs/1");
  }
  if (const Value* key = sent.Find("resourcePartitionKey"); key != nullptr && !key->is_null()) {
    if (key->kind() != Kind::kArray)
      return Fail(Code::kInvalidArgument, "'resourcePartitionKey' must be an array of values");
    permission.key = *key;
  }
  return permission;
}

UserList UserList::Of(const std::optional<model::Document>& extra) {
  UserList list;
  const Value all_kept = KeptProperties(extra);
  for (const Value& kept : ListOf(all_kept, kUsers)) {
    User user;
    user.id = TextField(kept, "id");
    user.number = static_cast<uint32_t>(NumberField(kept, "number"));
    user.time_s = NumberField(kept, "time");
    for (const Value& permission : ListOf(kept, "permissions"))
      user.permissions.push_back(KeptPermission(permission));
    list.users_.push_back(std::move(user));
  }
  return list;
}

model::Document UserList::PutInto(const std::optional<model::Document>& extra) const {
  model::Values users;
  for (const User& user : users_) {
    model::Values permissions;
    for (const Permission& permission : user.permissions) permissions.push_back(ToKept(permission));
    users.push_back(Value::Object({{"id", Value::String(user.id)},
                                   {"number", Value::Int64(user.number)},
                                   {"time", Value::Int64(user.time_s)},
                                   {"permissions", Value::Array(std::move(permissions))}}));
  }
  Value kept = KeptProperties(extra);
  SetField(kept, kUsers, Value::Array(std::move(users)));
  return WithKeptProperties(extra, kept);
}

User* UserList::Find(DatabaseId database, std::string_view id) {
  const auto found = std::ranges::find_if(
      users_, [&](const User& user) { return user.id == id || UserRid(database, user) == id; });
  return found == users_.end() ? nullptr : &*found;
}

Permission* UserList::Find(DatabaseId database, User& user, std::string_view id) {
  const auto found = std::ranges::find_if(user.permissions, [&](const Permission& permission) {
    return permission.id == id || PermissionRid(database, user, permission) == id;
  });
  return found == user.permissions.end() ? nullptr : &*found;
}

const Permission* UserList::FindNumbered(uint32_t user, uint64_t permission) const {
  const auto owner = std::ranges::find(users_, user, &User::number);
  if (owner == users_.end()) return nullptr;
  const auto found = std::ranges::find(owner->permissions, permission, &Permission::number);
  return found == owner->permissions.end() ? nullptr : &*found;
}

Result<User> UserList::Add(std::string id, int64_t time_s) {
  ORRERY_TRY(gateway::ValidateName("user", id));
  if (std::ranges::find(users_, id, &User::id) != users_.end())
    return Fail(Code::kAlreadyExists, fmt::format("there is a user '{}' already", id));
  if (users_.size() >= kUsersMax)
    return Fail(Code::kResourceExhausted,
                fmt::format("a database has {} users at most", kUsersMax));
  User user;
  user.id = std::move(id);
  user.time_s = time_s;
  for (const User& other : users_) user.number = std::max(user.number, other.number);
  ++user.number;
  users_.push_back(user);
  return user;
}

Status UserList::Add(User& user, Permission permission) {
  if (std::ranges::find(user.permissions, permission.id, &Permission::id) !=
      user.permissions.end()) {
    return Fail(Code::kAlreadyExists,
                fmt::format("user '{}' has a permission '{}' already", user.id, permission.id));
  }
  if (user.permissions.size() >= kPermissionsMax) {
    return Fail(Code::kResourceExhausted,
                fmt::format("a user has {} permissions at most", kPermissionsMax));
  }
  permission.number = 0;
  for (const Permission& other : user.permissions)
    permission.number = std::max(permission.number, other.number);
  ++permission.number;
  user.permissions.push_back(std::move(permission));
  return {};
}

void UserList::Remove(const User& user) {
  std::erase_if(users_,
                [number = user.number](const User& other) { return other.number == number; });
}

Value SeenUser(DatabaseId database, const User& user) {
  const std::string rid = UserRid(database, user);
  const std::string owner = FormatRid(ResourceId::Database(database.value()));
  return Value::Object(
      {{"id", Value::String(user.id)},
       {"_rid", Value::String(rid)},
       {"_self", Value::String(fmt::format("dbs/{}/users/{}/", owner, rid))},
       {"_etag", Value::String(FormatEtag(Lsn(static_cast<uint64_t>(user.time_s))))},
       {"_permissions", Value::String("permissions/")},
       {"_ts", Value::Int64(user.time_s)}});
}

Value SeenPermission(DatabaseId database, const User& user, const Permission& permission,
                     std::string_view token) {
  const std::string rid = PermissionRid(database, user, permission);
  const std::string owner = FormatRid(ResourceId::Database(database.value()));
  Value seen = Value::Object(
      {{"id", Value::String(permission.id)},
       {"permissionMode", Value::String(permission.mode)},
       {"resource", Value::String(permission.resource)},
       {"_rid", Value::String(rid)},
       {"_self", Value::String(fmt::format("dbs/{}/users/{}/permissions/{}/", owner,
                                           UserRid(database, user), rid))},
       {"_etag", Value::String(FormatEtag(Lsn(static_cast<uint64_t>(permission.time_s))))},
       {"_ts", Value::Int64(permission.time_s)},
       {"_token", Value::String(std::string(token))}});
  if (permission.key.has_value()) SetField(seen, "resourcePartitionKey", *permission.key);
  return seen;
}

}  // namespace orrery::sql
