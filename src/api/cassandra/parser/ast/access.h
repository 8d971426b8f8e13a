// Roles, users and permissions. CREATE, ALTER and DROP USER are told as what they mean for roles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "api/cassandra/parser/ast/property.h"
#include "api/cassandra/parser/ast/type.h"

namespace orrery::cassandra::ast {

// Not both of password and hashed_password.
struct RoleOptions {
  std::optional<std::string> password;
  std::optional<std::string> hashed_password;
  std::optional<bool> superuser;
  std::optional<bool> login;
  std::optional<Property::Map> custom;  // OPTIONS = {...}
  // ACCESS TO DATACENTERS {...}; an empty list is ACCESS TO ALL DATACENTERS.
  std::optional<std::vector<std::string>> datacenters;
};

struct CreateRole {
  Name role;
  bool if_not_exists = false;
  RoleOptions options;
};

struct AlterRole {
  Name role;
  bool if_exists = false;
  RoleOptions options;
};

struct DropRole {
  Name role;
  bool if_exists = false;
};

struct GrantRole {
  Name role;
  Name grantee;
};

struct RevokeRole {
  Name role;
  Name revokee;
};

struct ListRoles {
  std::optional<Name> of;
  bool recursive = true;
};

struct ListUsers {};

enum class Permission : uint8_t {
  kCreate,
  kAlter,
  kDrop,
  kSelect,
  kModify,
  kAuthorize,
  kDescribe,
  kExecute,
};

inline constexpr Permission kAllPermissions[] = {
    Permission::kCreate, Permission::kAlter,     Permission::kDrop,     Permission::kSelect,
    Permission::kModify, Permission::kAuthorize, Permission::kDescribe, Permission::kExecute};

std::string_view PermissionName(Permission permission);  // "SELECT"

struct AllKeyspaces {};
struct KeyspaceResource {
  Name keyspace;
};
struct TableResource {
  QualifiedName table;
};
struct AllTables {
  Name keyspace;
};
struct AllRoles {};
struct RoleResource {
  Name role;
};
struct AllFunctions {
  std::optional<Name> keyspace;
};
struct FunctionResource {
  QualifiedName function;
  std::vector<RawType> argument_types;
};
struct AllMbeans {};
struct MbeanResource {
  std::string name;
  bool is_pattern = false;  // MBEANS
};

using Resource =
    std::variant<AllKeyspaces, KeyspaceResource, TableResource, AllTables, AllRoles, RoleResource,
                 AllFunctions, FunctionResource, AllMbeans, MbeanResource>;

struct GrantPermissions {
  std::vector<Permission> permissions;
  Resource resource;
  Name grantee;
};

struct RevokePermissions {
  std::vector<Permission> permissions;
  Resource resource;
  Name revokee;
};

struct ListPermissions {
  std::vector<Permission> permissions;
  std::optional<Resource> resource;
  std::optional<Name> of;
  bool recursive = true;
};

}  // namespace orrery::cassandra::ast
