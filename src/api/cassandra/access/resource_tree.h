// Interprets the path of a resource: its place in the tree, its names in texts, and which
// permissions make sense on it. resource_lookup.h says whether it exists.
//
//   data -- data/ks -- data/ks/* -- data/ks/t        keyspaces, all tables of one, a table
//   functions -- functions/ks -- functions/ks/f[int^text]
//   roles -- roles/r                                 the rest is the name, slashes included
//   mbean -- mbean/name                              likewise
//
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/access/permission_set.h"
#include "api/cassandra/executor/access_policy.h"

namespace orrery::cassandra {

enum class ResourceFamily : uint8_t { kData, kFunctions, kRoles, kMbeans };

// A path taken apart. Views into the resource, which must outlive it.
struct ResourceParts {
  ResourceFamily family = ResourceFamily::kData;
  // Empty when the resource is above them.
  std::string_view keyspace;  // of data and functions
  std::string_view name;      // table, "*", "f[int^text]", role or mbean
};

// Nothing when no resource has such a path.
std::optional<ResourceParts> TakeApart(const Resource& resource);

Resource AllTablesOf(std::string_view keyspace);  // data/ks/*
Resource AllMbeans();
Resource Mbean(std::string_view name);

// Nothing above the roots.
std::optional<Resource> ParentOf(const Resource& resource);
// Returns whether it is `above` itself or somewhere below.
bool IsWithin(const Resource& resource, const Resource& above);

// "<table ks.t>", "<function ks.f(int, text)>", "<all roles>".
std::string ResourceText(const Resource& resource);
// "DataResource", as an error text names the family.
std::string_view FamilyName(ResourceFamily family);

// Returns the permissions that can be granted on it.
PermissionSet ApplicablePermissions(const Resource& resource);

}  // namespace orrery::cassandra
