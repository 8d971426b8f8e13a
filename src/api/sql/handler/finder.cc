#include "api/sql/handler/finder.h"

#include <fmt/format.h>

#include <utility>

#include "api/sql/document/container_names.h"
#include "api/sql/resource/resource_id.h"

namespace orrery::sql {
namespace {

constexpr size_t kDatabaseStep = 0;
constexpr size_t kContainerStep = 1;

std::unexpected<ErrorResponse> NotThere(const ResourcePath& path, size_t step,
                                        std::string_view kind) {
  const bool owner = path.feed || step + 1 < path.steps.size();
  return Refuse(404,
                fmt::format("Resource Not Found: there is no {} '{}'", kind, path.steps[step].id),
                owner ? Substatus::kOwnerNotFound : Substatus::kNone);
}

bool HoldsDocuments(const gateway::ContainerEntry& entry) {
  return !entry.settings.rows.has_value();
}

}  // namespace

SqlResult<gateway::DatabaseRef> Finder::Database(const ResourcePath& path) const {
  const std::string& id = path.steps.at(kDatabaseStep).id;
  if (gateway::DatabaseRef found = snapshot_->Database(id); found != nullptr) return found;
  if (const auto rid = ParseRid(id); rid.has_value() && rid->kind == RidKind::kDatabase) {
    for (gateway::DatabaseRef& database : snapshot_->ListDatabases())
      if (database->id.value() == rid->database) return std::move(database);
  }
  return NotThere(path, kDatabaseStep, "database");
}

SqlResult<Finder::Found> Finder::Container(const ResourcePath& path,
                                           const RequestHeaders& headers) const {
  SQL_ASSIGN(const gateway::DatabaseRef database, Database(path));
  const std::string& id = path.steps.at(kContainerStep).id;
  Found found{.container = snapshot_->Container(database->id, id)};
  if (found.container == nullptr) {
    const auto rid = ParseRid(id);
    if (rid.has_value() && rid->kind == RidKind::kContainer &&
        rid->database == database->id.value()) {
      const gateway::ContainerRef* named = snapshot_->by_id.Find(ContainerId(rid->container));
      if (named != nullptr) found = {.container = *named, .by_rid = true};
    }
  }
  if (found.container == nullptr || !HoldsDocuments(*found.container))
    return NotThere(path, kContainerStep, "container");
  if (!headers.container_rid.empty() &&
      headers.container_rid != ContainerNames(*found.container).rid()) {
    return Refuse(400, "the container was deleted and created again: its id is another one now",
                  Substatus::kIncorrectContainerRid);
  }
  return found;
}

std::vector<gateway::ContainerRef> Finder::Containers(DatabaseId database) const {
  std::vector<gateway::ContainerRef> containers = snapshot_->ListContainers(database);
  std::erase_if(containers,
                [](const gateway::ContainerRef& entry) { return !HoldsDocuments(*entry); });
  return containers;
}

}  // namespace orrery::sql
