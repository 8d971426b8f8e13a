#include "api/sql/resource/resource_path.h"

#include <algorithm>
#include <array>
#include <optional>

#include "api/sql/resource/lower_case.h"
#include "api/sql/resource/resource_id.h"

namespace orrery::sql {
namespace {

ResourceType TypeOf(RidKind kind) {
  switch (kind) {
    case RidKind::kOffer:
      return ResourceType::kOffer;
    case RidKind::kDatabase:
      return ResourceType::kDatabase;
    case RidKind::kContainer:
      return ResourceType::kContainer;
    case RidKind::kUser:
      return ResourceType::kUser;
    case RidKind::kPermission:
      return ResourceType::kPermission;
    case RidKind::kEncryptionKey:
      return ResourceType::kClientEncryptionKey;
    case RidKind::kDocument:
      return ResourceType::kDocument;
    case RidKind::kConflict:
      return ResourceType::kConflict;
    case RidKind::kPartitionKeyRange:
      return ResourceType::kPartitionKeyRange;
    case RidKind::kUserFunction:
      return ResourceType::kUserFunction;
    case RidKind::kTrigger:
      return ResourceType::kTrigger;
    case RidKind::kStoredProcedure:
      return ResourceType::kStoredProcedure;
  }
  return ResourceType::kAccount;
}

using enum ResourceType;

// A type of resources, and what it stands below.
struct Place {
  ResourceType type;
  std::string_view segment;
  ResourceType owner;
};

constexpr std::array<Place, 12> kPlaces = {{
    {kDatabase, "dbs", kAccount},
    {kOffer, "offers", kAccount},
    {kContainer, "colls", kDatabase},
    {kUser, "users", kDatabase},
    {kClientEncryptionKey, "clientencryptionkeys", kDatabase},
    {kPermission, "permissions", kUser},
    {kDocument, "docs", kContainer},
    {kStoredProcedure, "sprocs", kContainer},
    {kTrigger, "triggers", kContainer},
    {kUserFunction, "udfs", kContainer},
    {kConflict, "conflicts", kContainer},
    {kPartitionKeyRange, "pkranges", kContainer},
}};

constexpr std::string_view kOperations = "operations";
constexpr std::string_view kPartitionKeyDelete = "partitionkeydelete";

const Place* FindPlace(std::string_view segment, ResourceType owner) {
  const auto* const found = std::ranges::find_if(kPlaces, [&](const Place& place) {
    return place.segment == segment && place.owner == owner;
  });
  return found == kPlaces.end() ? nullptr : found;
}

}  // namespace

std::string_view SegmentOf(ResourceType type) {
  if (type == kPartitionKeyOperation) return "partitionKey";
  const auto* const found = std::ranges::find(kPlaces, type, &Place::type);
  return found == kPlaces.end() ? std::string_view() : found->segment;
}

Result<ResourcePath> ParseResourcePath(std::span<const std::string> segments) {
  ResourcePath path;
  for (size_t at = 0; at < segments.size(); at += 2) {
    const std::string& segment = segments[at];
    const bool last = at + 2 >= segments.size();
    if (path.type == kContainer && segment == kOperations && last && at + 1 < segments.size() &&
        segments[at + 1] == kPartitionKeyDelete) {
      path.type = kPartitionKeyOperation;
      path.feed = true;
      return path;
    }
    const Place* const place = FindPlace(segment, path.type);
    // Links of offers that clients put where an id belongs are no path at all.
    if (place == nullptr && path.type == kOffer)
      return Fail(Code::kInvalidArgument, "an offer has no resources of its own");
    if (place == nullptr) return Fail(Code::kNotFound, "there is no resource at this path");
    path.type = place->type;
    if (at + 1 == segments.size()) {
      path.feed = true;
      return path;
    }
    if (segments[at + 1].empty()) {
      return Fail(Code::kInvalidArgument, "a resource's id in the path must not be empty");
    }
    path.steps.push_back({place->type, segments[at + 1]});
  }
  return path;
}

std::string NameLink(const ResourcePath& path) {
  std::string link;
  for (const ResourceStep& step : path.steps) {
    if (!link.empty()) link += '/';
    link += SegmentOf(step.type);
    link += '/';
    link += step.id;
  }
  return link;
}

bool IsOfResourceIds(const ResourcePath& path) {
  std::optional<ResourceId> parent;
  for (const ResourceStep& step : path.steps) {
    const auto id = ParseRid(step.id);
    if (!id.has_value() || TypeOf(id->kind) != step.type) return false;
    if (parent.has_value() && (id->database != parent->database ||
                               (parent->container != 0 && id->container != parent->container) ||
                               (parent->user != 0 && id->user != parent->user)))
      return false;
    parent = id;
  }
  return !path.steps.empty();
}

std::string RidLink(const ResourcePath& path) {
  if (path.steps.empty()) return {};
  return LowerCase(path.steps.back().id);
}

}  // namespace orrery::sql
