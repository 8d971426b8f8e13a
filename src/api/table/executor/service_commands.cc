#include "api/table/executor/service_commands.h"

#include <utility>

#include "api/table/executor/service_properties.h"
#include "net/http/http_date.h"

namespace orrery::table {
namespace {

// The times that a change of the catalog is made anew because other nodes were faster.
constexpr int kAttemptsMax = 32;

}  // namespace

Outcome<Reply> ServiceCommands::GetProperties(const Call& /*call*/) const {
  const auto database = parts_.tables.catalog().snapshot()->Database(kDatabase);
  return Reply{
      .body = XmlText(KeptProperties(database == nullptr ? std::nullopt : database->extra)),
      .is_xml = true,
      .charge = RequestUnits::Whole(1)};
}

Outcome<Reply> ServiceCommands::SetProperties(const Call& call) const {
  for (int attempt = 1;; ++attempt) {
    TABLE_ASSIGN(const gateway::DatabaseEntry database, parts_.tables.Database());
    TABLE_ASSIGN(const XmlElement properties,
                 ChangedProperties(KeptProperties(database.extra), call.request.body));
    const auto changed = parts_.tables.catalog().UpdateDatabase(
        kDatabase, WithProperties(database.extra, properties), &database);
    if (changed.has_value()) return Reply{.status = 202, .charge = RequestUnits::Whole(1)};
    if (changed.error().code() != Code::kPreconditionFailed || attempt == kAttemptsMax)
      return Fail(changed.error());
  }
}

Outcome<Reply> ServiceCommands::GetStats(const Call& /*call*/) const {
  XmlElement replication{.name = "GeoReplication"};
  replication.children = {
      {.name = "Status", .text = "live"},
      {.name = "LastSyncTime", .text = net::FormatHttpDate(parts_.clock.Now())}};
  XmlElement stats{.name = "StorageServiceStats"};
  stats.children.push_back(std::move(replication));
  return Reply{.body = XmlText(stats), .is_xml = true, .charge = RequestUnits::Whole(1)};
}

}  // namespace orrery::table
