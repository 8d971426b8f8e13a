// The users of a database and their permissions, as they are kept with it and as clients see them.
//
//   kept := "users": [ {"id", "number", "time", "permissions": [ {"id", "number", "time", "mode",
//                                                                  "resource", "key"?} ]} ]
//
// Numbers become rids and are not used again while the list is not empty. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr size_t kUsersMax = 10'000;
inline constexpr size_t kPermissionsMax = 10'000;  // of one user

struct Permission {
  std::string id;
  uint64_t number = 0;
  int64_t time_s = 0;
  std::string mode = "Read";        // Read or All, in the letters that the client wrote
  std::string resource;             // a link by names or rids
  std::optional<model::Value> key;  // an array: only this partition key

  bool may_write() const;  // as well as read

  friend bool operator==(const Permission&, const Permission&) = default;
};
// {"id","permissionMode","resource","resourcePartitionKey"?}. kInvalidArgument says what is wrong.
Result<Permission> PermissionFrom(model::DocumentView body);

struct User {
  std::string id;
  uint32_t number = 0;
  int64_t time_s = 0;
  std::vector<Permission> permissions;

  friend bool operator==(const User&, const User&) = default;
};

class UserList {
 public:
  static UserList Of(const std::optional<model::Document>& extra);
  // `extra` with this list in it.
  model::Document PutInto(const std::optional<model::Document>& extra) const;

  const std::vector<User>& users() const { return users_; }
  // By id or by rid; null when there is none.
  User* Find(DatabaseId database, std::string_view id);
  static Permission* Find(DatabaseId database, User& user, std::string_view id);

  // Null when there is none.
  const Permission* FindNumbered(uint32_t user, uint64_t permission) const;

  // kAlreadyExists when the id is taken; kResourceExhausted beyond the limits.
  Result<User> Add(std::string id, int64_t time_s);
  static Status Add(User& user, Permission permission);
  void Remove(const User& user);

 private:
  std::vector<User> users_;
};

model::Value SeenUser(DatabaseId database, const User& user);
// `token` is what its bearer shows.
model::Value SeenPermission(DatabaseId database, const User& user, const Permission& permission,
                            std::string_view token);

}  // namespace orrery::sql
