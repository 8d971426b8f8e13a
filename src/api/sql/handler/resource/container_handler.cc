#include "api/sql/handler/resource/container_handler.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/container/container_form.h"
#include "api/sql/container/database_form.h"
#include "api/sql/container/kept_properties.h"
#include "api/sql/document/container_names.h"
#include "api/sql/encryption/encryption_policy.h"
#include "api/sql/handler/finder.h"
#include "api/sql/handler/list_page.h"
#include "api/sql/offer/auto_upgrade.h"
#include "gateway/view/container_ranges.h"
#include "net/http/url.h"

namespace orrery::sql {
namespace {

using enum ResourceType;

constexpr uint64_t kKilobyte = 1'024;
constexpr uint32_t kTransformationRetryMs = 500;
// In kilobytes, of a container with one partition. Nothing here is held to it.
constexpr std::string_view kQuota =
    "documentSize=10240;documentsSize=10485760;documentsCount=-1;collectionSize=10485760;";

// Items still follow the last change of the policy. Clients try again by themselves what was too
// fast.
Failure TryLater(std::string message) {
  return {.status = 429,
          .substatus = Substatus::kRequestRateTooLarge,
          .message = std::move(message),
          .retry_after_ms = kTransformationRetryMs};
}

class Containers {
 public:
  explicit Containers(const HandlerParts& parts) : parts_(parts) {}

  SqlResult<Reply> Create(const Call& call) const {
    SQL_ASSIGN(const gateway::DatabaseRef database, Find().Database(call.path));
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(gateway::ContainerSettings settings, NewContainer(body, parts_.clock.Now()));
    SQL_TRY(CheckEncryptionPolicy(EncryptionPolicyOf(settings), EncryptionKeys::Of(database->extra),
                                  settings.partition_key_paths));
    settings.throughput = call.headers.throughput;
    if (call.headers.autoscale_increment.has_value())
      settings.extra = WithIncrement(settings.extra, *call.headers.autoscale_increment);
    SQL_ASSIGN(const gateway::ContainerRef created,
               parts_.gateway.catalog().CreateContainer(database->name, std::move(settings),
                                                        parts_.default_throughput));
    return Seen(201, *created);
  }

  SqlResult<Reply> Read(const Call& call) const {
    SQL_ASSIGN(const auto found, Find().Container(call.path, call.headers));
    model::Value seen = SeenContainer(*found.container);
    if (call.headers.range_statistics) AddStatistics(seen, *found.container);
    Reply reply = Seen(200, *found.container, seen);
    if (const auto progress = parts_.gateway.catalog().IndexProgress(found.container->id)) {
      reply.headers.Add("x-ms-documentdb-collection-index-transformation-progress",
                        fmt::to_string(*progress));
    }
    if (call.headers.quota_info) AddUsage(reply, *found.container);
    return reply;
  }

  SqlResult<Reply> Replace(const Call& call) const {
    const MutexLock lock(parts_.container_changes);
    for (int attempt = 1;; ++attempt) {
      SQL_ASSIGN(const auto found, Find().Container(call.path, call.headers));
      auto reply = ReplaceEntry(call, *found.container);
      // Another node was faster: what is replaced has a newer form, with scripts maybe.
      const bool outrun =
          parts_.gateway.catalog().snapshot()->Newest(*found.container) != found.container;
      if (reply.has_value() || !outrun || attempt == kChangeAttemptsMax) return reply;
    }
  }

  SqlResult<Reply> Delete(const Call& call) const {
    SQL_ASSIGN(const auto found, Find().Container(call.path, call.headers));
    SQL_TRY(CheckIfMatch(call, SeenContainer(*found.container)));
    SQL_TRY(parts_.gateway.catalog().DropContainer(found.container->database_name,
                                                   found.container->settings.name));
    return Reply{.status = 204};
  }

  SqlResult<Reply> List(const Call& call) const {
    SQL_ASSIGN(const gateway::DatabaseRef database, Find().Database(call.path));
    return ListPage(DatabaseRid(database->id), "DocumentCollections", All(database->id),
                    call.headers);
  }

  SqlResult<Reply> Query(const Call& call) const {
    SQL_ASSIGN(const gateway::DatabaseRef database, Find().Database(call.path));
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const QueryText query, QueryTextFrom(body));
    SQL_ASSIGN(const auto rows, parts_.queries.Run(query, All(database->id)));
    return FeedReply(DatabaseRid(database->id), "DocumentCollections", rows);
  }

  SqlResult<Reply> NoConflicts(const Call& call) const {
    SQL_ASSIGN(const auto found, Find().Container(call.path, call.headers));
    if (!call.path.feed) return Refuse(404, "Resource Not Found: there are no conflicts");
    if (call.action == Action::kQuery && parts_.clients_merge && !call.headers.cross_partition &&
        !call.headers.partition_key.has_value() && !call.headers.range_id.has_value()) {
      return Refuse(400, "Cross partition query is required but disabled.");
    }
    return FeedReply(ContainerNames(*found.container).rid(), "Conflicts", {});
  }

 private:
  Finder Find() const { return Finder(parts_.gateway.catalog()); }

  SqlResult<Reply> ReplaceEntry(const Call& call, const gateway::ContainerEntry& entry) const {
    SQL_TRY(CheckIfMatch(call, SeenContainer(entry)));
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const auto settings, ChangedContainer(entry, body, parts_.clock.Now()));
    const auto changed =
        parts_.gateway.catalog().UpdateContainer(entry.database_name, settings, &entry);
    if (!changed.has_value() && changed.error().code() == Code::kPreconditionFailed)
      return std::unexpected<ErrorResponse>(TryLater(changed.error().message()));
    if (!changed.has_value()) return Fail(changed.error());
    return Seen(200, **changed);
  }

  std::vector<model::Value> All(DatabaseId database) const {
    std::vector<model::Value> seen;
    for (const auto& container : Find().Containers(database))
      seen.push_back(SeenContainer(*container));
    return seen;
  }

  Reply Seen(int status, const gateway::ContainerEntry& entry) const {
    return Seen(status, entry, SeenContainer(entry));
  }
  Reply Seen(int status, const gateway::ContainerEntry& entry, const model::Value& seen) const {
    Reply reply = ResourceReply(status, seen);
    // The owner of a container is its database; Java's client builds the container's link on it.
    reply.owner = {.rid = DatabaseRid(entry.database), .database = entry.database_name};
    return reply;
  }

  // Adds the statistics of each range.
  void AddStatistics(model::Value& seen, const gateway::ContainerEntry& entry) const {
    const auto ranges = gateway::RangesOf(parts_.gateway, entry);
    if (!ranges.has_value()) return;
    model::Values statistics;
    for (const gateway::ContainerRange& range : *ranges) {
      statistics.push_back(model::Value::Object(
          {{"id", model::Value::String(fmt::to_string(range.partition.value()))},
           {"sizeInKB", model::Value::Int64(static_cast<int64_t>(range.bytes / kKilobyte))},
           {"documentCount", model::Value::Int64(static_cast<int64_t>(range.items))},
           {"partitionKeys", model::Value::Array({})}}));
    }
    SetField(seen, "statistics", model::Value::Array(std::move(statistics)));
  }

  void AddUsage(Reply& reply, const gateway::ContainerEntry& entry) const {
    const auto ranges = gateway::RangesOf(parts_.gateway, entry);
    if (!ranges.has_value()) return;
    uint64_t bytes = 0;
    uint64_t items = 0;
    for (const gateway::ContainerRange& range : *ranges) {
      bytes += range.bytes;
      items += range.items;
    }
    reply.headers.Add("x-ms-resource-usage",
                      fmt::format("documentSize={0};documentsSize={0};documentsCount={1};"
                                  "collectionSize={0};",
                                  bytes / kKilobyte, items));
    reply.headers.Add("x-ms-resource-quota", kQuota);
  }

  const HandlerParts parts_;
};

}  // namespace

void AddContainerHandlers(HandlerTable& table, const HandlerParts& parts) {
  const Containers containers(parts);
  const auto add = [&](ResourceType type, Action action,
                       SqlResult<Reply> (Containers::*method)(const Call&) const) {
    table.AddBlocking(parts.gateway.io_pool(), type, action,
                      [=](const Call& call) { return (containers.*method)(call); });
  };
  add(kContainer, Action::kCreate, &Containers::Create);
  add(kContainer, Action::kRead, &Containers::Read);
  add(kContainer, Action::kReplace, &Containers::Replace);
  add(kContainer, Action::kDelete, &Containers::Delete);
  add(kContainer, Action::kReadFeed, &Containers::List);
  add(kContainer, Action::kQuery, &Containers::Query);
  for (const Action action : {Action::kReadFeed, Action::kRead, Action::kDelete, Action::kQuery})
    add(kConflict, action, &Containers::NoConflicts);
}

}  // namespace orrery::sql
