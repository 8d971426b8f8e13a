#include "api/cassandra/access/resource_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::cassandra {
namespace {

using ast::Permission;

constexpr std::pair<std::string_view, ResourceFamily> kRoots[] = {
    {"data", ResourceFamily::kData},
    {"functions", ResourceFamily::kFunctions},
    {"roles", ResourceFamily::kRoles},
    {"mbean", ResourceFamily::kMbeans}};

constexpr std::string_view kAllTables = "*";

// The text up to the first slash; what follows it stays in `text`.
std::string_view TakeSegment(std::string_view& text) {
  const size_t slash = std::min(text.find('/'), text.size());
  const std::string_view segment = text.substr(0, slash);
  text.remove_prefix(std::min(slash + 1, text.size()));
  return segment;
}

// f[int^text] as f(int, text).
std::string CallText(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '^') {
      text += ", ";
    } else {
      text += c == '[' ? '(' : c == ']' ? ')' : c;
    }
  }
  return text;
}

}  // namespace

std::optional<ResourceParts> TakeApart(const Resource& resource) {
  std::string_view rest = resource.path;
  const std::string_view root = TakeSegment(rest);
  const auto found =
      std::ranges::find(kRoots, root, &std::pair<std::string_view, ResourceFamily>::first);
  if (found == std::end(kRoots)) return std::nullopt;
  ResourceParts parts;
  parts.family = found->second;
  if (parts.family == ResourceFamily::kData || parts.family == ResourceFamily::kFunctions)
    parts.keyspace = TakeSegment(rest);
  parts.name = rest;
  return parts;
}

Resource AllTablesOf(std::string_view keyspace) { return Resource::Table(keyspace, kAllTables); }

Resource AllMbeans() { return {"mbean"}; }

Resource Mbean(std::string_view name) { return {fmt::format("mbean/{}", name)}; }

std::optional<Resource> ParentOf(const Resource& resource) {
  const auto parts = TakeApart(resource);
  if (!parts.has_value()) return std::nullopt;
  if (parts->family == ResourceFamily::kData && !parts->name.empty() && parts->name != kAllTables)
    return AllTablesOf(parts->keyspace);
  if (!parts->name.empty() && !parts->keyspace.empty()) {
    return parts->family == ResourceFamily::kData ? Resource::Keyspace(parts->keyspace)
                                                  : Resource::Functions(parts->keyspace);
  }
  if (parts->name.empty() && parts->keyspace.empty()) return std::nullopt;
  return Resource{resource.path.substr(0, resource.path.find('/'))};
}

bool IsWithin(const Resource& resource, const Resource& above) {
  for (std::optional<Resource> at = resource; at.has_value(); at = ParentOf(*at)) {
    if (*at == above) return true;
  }
  return false;
}

std::string ResourceText(const Resource& resource) {
  const auto parts = TakeApart(resource);
  if (!parts.has_value()) return fmt::format("<{}>", resource.path);
  const auto [family, keyspace, name] = *parts;
  switch (family) {
    case ResourceFamily::kData:
      if (keyspace.empty()) return "<all keyspaces>";
      if (name.empty()) return fmt::format("<keyspace {}>", keyspace);
      if (name == kAllTables) return fmt::format("<all tables in {}>", keyspace);
      return fmt::format("<table {}.{}>", keyspace, name);
    case ResourceFamily::kFunctions:
      if (keyspace.empty()) return "<all functions>";
      if (name.empty()) return fmt::format("<all functions in {}>", keyspace);
      return fmt::format("<function {}.{}>", keyspace, CallText(name));
    case ResourceFamily::kRoles:
      return name.empty() ? "<all roles>" : fmt::format("<role {}>", name);
    case ResourceFamily::kMbeans:
      break;
  }
  return name.empty() ? "<all mbeans>" : fmt::format("<mbean {}>", name);
}

std::string_view FamilyName(ResourceFamily family) {
  constexpr std::string_view kNames[] = {"DataResource", "FunctionResource", "RoleResource",
                                         "JMXResource"};
  return kNames[static_cast<size_t>(family)];
}

PermissionSet ApplicablePermissions(const Resource& resource) {
  const auto parts = TakeApart(resource);
  if (!parts.has_value()) return {};
  PermissionSet permissions{Permission::kAuthorize};
  switch (parts->family) {
    case ResourceFamily::kData:
      permissions = permissions | PermissionSet{Permission::kAlter, Permission::kDrop,
                                                Permission::kSelect, Permission::kModify};
      break;
    case ResourceFamily::kFunctions:
      permissions =
          permissions | PermissionSet{Permission::kAlter, Permission::kDrop, Permission::kExecute};
      break;
    case ResourceFamily::kRoles:
      permissions =
          permissions | PermissionSet{Permission::kAlter, Permission::kDrop, Permission::kDescribe};
      break;
    case ResourceFamily::kMbeans:
      return permissions | PermissionSet{Permission::kDescribe, Permission::kExecute,
                                         Permission::kModify, Permission::kSelect};
  }
  // Only what others are made in can be created in.
  if (parts->name.empty() || parts->name == kAllTables) permissions.Add(Permission::kCreate);
  return permissions;
}

}  // namespace orrery::cassandra
