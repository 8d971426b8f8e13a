#include "api/mongo/access/role.h"

#include <algorithm>
#include <array>

namespace orrery::mongo {
namespace {

constexpr std::string_view kAnyAction = "anyAction";

constexpr auto kActions = std::to_array<std::string_view>({
    "anyAction",
    "appendOplogNote",
    "applyOps",
    "addShard",
    "auditConfigure",
    "authSchemaUpgrade",
    "bypassDocumentValidation",
    "changeCustomData",
    "changeOwnCustomData",
    "changeOwnPassword",
    "changePassword",
    "changeStream",
    "checkFreeMonitoringStatus",
    "cleanupOrphaned",
    "collMod",
    "collStats",
    "compact",
    "connPoolStats",
    "connPoolSync",
    "convertToCapped",
    "cpuProfiler",
    "createCollection",
    "createIndex",
    "createRole",
    "createUser",
    "dbHash",
    "dbStats",
    "dropCollection",
    "dropConnections",
    "dropDatabase",
    "dropIndex",
    "dropRole",
    "dropUser",
    "enableProfiler",
    "enableSharding",
    "find",
    "flushRouterConfig",
    "fsync",
    "getCmdLineOpts",
    "getDefaultRWConcern",
    "getLog",
    "getParameter",
    "getShardMap",
    "getShardVersion",
    "grantRole",
    "hostInfo",
    "impersonate",
    "indexStats",
    "inprog",
    "insert",
    "internal",
    "invalidateUserCache",
    "killAnyCursor",
    "killAnySession",
    "killCursors",
    "killop",
    "listCollections",
    "listDatabases",
    "listIndexes",
    "listSessions",
    "listShards",
    "logRotate",
    "moveChunk",
    "netstat",
    "operationMetrics",
    "planCacheIndexFilter",
    "planCacheRead",
    "planCacheWrite",
    "reIndex",
    "remove",
    "removeShard",
    "renameCollectionSameDB",
    "replSetConfigure",
    "replSetGetConfig",
    "replSetGetStatus",
    "replSetHeartbeat",
    "replSetStateChange",
    "resync",
    "revokeRole",
    "rotateCertificates",
    "runTenantMigration",
    "serverStatus",
    "setAuthenticationRestriction",
    "setDefaultRWConcern",
    "setFeatureCompatibilityVersion",
    "setFreeMonitoring",
    "setParameter",
    "setUserWriteBlockMode",
    "shardingState",
    "shutdown",
    "splitChunk",
    "splitVector",
    "storageDetails",
    "top",
    "touch",
    "trafficRecord",
    "unlock",
    "update",
    "updateRole",
    "updateUser",
    "useUUID",
    "validate",
    "viewRole",
    "viewUser",
});

bool IsOfSystem(std::string_view collection) { return collection.starts_with("system."); }

bool IsOn(const Resource& resource, const Demand& demand) {
  if (resource.any) return true;
  if (resource.cluster) return false;  // commands demand nothing of the cluster by privilege
  if (!resource.database.empty() && resource.database != demand.database) return false;
  if (resource.collection.empty()) return !IsOfSystem(demand.collection);
  return resource.collection == demand.collection;
}

}  // namespace

bool Grants(std::span<const Privilege> privileges, std::span<const Demand> demands) {
  return std::ranges::all_of(demands, [&](const Demand& demand) {
    return std::ranges::any_of(privileges, [&](const Privilege& privilege) {
      return IsOn(privilege.resource, demand) &&
             std::ranges::any_of(privilege.actions, [&](const std::string& action) {
               return action == demand.action || action == kAnyAction;
             });
    });
  });
}

bool IsKnownAction(std::string_view action) {
  return std::ranges::find(kActions, action) != kActions.end();
}

void AddPrivileges(std::vector<Privilege>& list, std::span<const Privilege> added) {
  for (const Privilege& privilege : added) {
    auto found = std::ranges::find(list, privilege.resource, &Privilege::resource);
    if (found == list.end()) {
      list.push_back({.resource = privilege.resource, .actions = {}});
      found = std::prev(list.end());
    }
    for (const std::string& action : privilege.actions) {
      const auto at = std::ranges::lower_bound(found->actions, action);
      if (at == found->actions.end() || *at != action) found->actions.insert(at, action);
    }
  }
}

void RemovePrivileges(std::vector<Privilege>& list, std::span<const Privilege> removed) {
  for (const Privilege& privilege : removed) {
    const auto found = std::ranges::find(list, privilege.resource, &Privilege::resource);
    if (found == list.end()) continue;
    for (const std::string& action : privilege.actions) std::erase(found->actions, action);
  }
  std::erase_if(list, [](const Privilege& privilege) { return privilege.actions.empty(); });
}

}  // namespace orrery::mongo
