// A ResourcePath is the resource that a request's path addresses: "/dbs/db/colls/coll/docs/1" is
// one document, "/dbs/db/colls" the feed of a database's containers.
//
// Steps are names or resource ids; which of the two is not to be seen here, since a name may look
// like an id. Pure functions of foreign text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::sql {

enum class ResourceType {
  kAccount,
  kDatabase,
  kContainer,
  kDocument,
  kStoredProcedure,
  kTrigger,
  kUserFunction,
  kConflict,
  kPartitionKeyRange,
  kPartitionKeyOperation,  // ".../operations/partitionkeydelete"
  kUser,
  kPermission,
  kClientEncryptionKey,
  kOffer,
};

// Returns its name in paths and signatures: "dbs", "colls", ... Empty for the account.
std::string_view SegmentOf(ResourceType type);

inline constexpr size_t kResourceStepsMax = 4;

struct ResourceStep {
  ResourceType type;
  std::string id;
  friend bool operator==(const ResourceStep&, const ResourceStep&) = default;
};

struct ResourcePath {
  ResourceType type = ResourceType::kAccount;
  bool feed = false;                // all of that type below the last step, not one
  std::vector<ResourceStep> steps;  // from the database down; of one resource the last is itself

  friend bool operator==(const ResourcePath&, const ResourcePath&) = default;
};

// From the decoded segments of a request's target (net/http/url.h). kNotFound when there is no such
// resource, kInvalidArgument for an empty id.
Result<ResourcePath> ParseResourcePath(std::span<const std::string> segments);

// "dbs/db/colls/coll": what a request is signed for. Of a feed that is its owner, of the account
// and of feeds at its top nothing.
std::string NameLink(const ResourcePath& path);
// The same when the steps are resource ids: the last one alone, in small letters.
std::string RidLink(const ResourcePath& path);
// Returns whether the steps are resource ids, each within the one before.
bool IsOfResourceIds(const ResourcePath& path);

}  // namespace orrery::sql
