#include "api/table/executor/tables.h"

#include <algorithm>
#include <utility>

#include "api/table/entity/stored_entity.h"
#include "net/http/http_message.h"

namespace orrery::table {
namespace {

// The keys and every property's value are indexed. Types are not: no condition of a filter is of
// them alone, and they would be a third of all entries. "$id" and "id" are the same.
gateway::IndexingSettings IndexingOf() {
  gateway::IndexingSettings indexing;
  indexing.included_paths = {"/*", "/\"$pk\"/?", "/\"id\"/?"};
  indexing.excluded_paths = {"/\"_etag\"/?", "/*/?", "/*/\"$t\"/?"};
  return indexing;
}

}  // namespace

gateway::ContainerRef Tables::Find(std::string_view name, Dialect dialect) const {
  const auto snapshot = catalog_.snapshot();
  const gateway::DatabaseRef database = snapshot->Database(kDatabase);
  if (database == nullptr) return nullptr;
  gateway::ContainerRef found = snapshot->Container(database->id, name);
  if (found != nullptr || dialect == Dialect::kCosmos) return found;
  for (gateway::ContainerRef& each : snapshot->ListContainers(database->id))
    if (net::EqualsIgnoringCase(each->settings.name, name)) return std::move(each);
  return nullptr;
}

Outcome<gateway::ContainerRef> Tables::Get(std::string_view name, Dialect dialect) const {
  gateway::ContainerRef found = Find(name, dialect);
  // What another API has made there may not be a table.
  if (found == nullptr || found->schema->partition_key_paths.size() != 1 ||
      found->schema->partition_key_paths.front().steps() !=
          std::vector<std::string>{std::string(kPartitionKeyField)})
    return Refuse(ErrorCode::kTableNotFound);
  return found;
}

std::vector<gateway::ContainerRef> Tables::List() const {
  const auto snapshot = catalog_.snapshot();
  const gateway::DatabaseRef database = snapshot->Database(kDatabase);
  if (database == nullptr) return {};
  return snapshot->ListContainers(database->id);
}

Result<gateway::DatabaseEntry> Tables::Database() const {
  auto found = catalog_.FindDatabase(kDatabase);
  if (found.has_value()) return found;
  auto created = catalog_.CreateDatabase(std::string(kDatabase), {});
  if (created.has_value() || created.error().code() != Code::kAlreadyExists) return created;
  return catalog_.FindDatabase(kDatabase);
}

Outcome<void> Tables::Create(const NewTable& table, Dialect dialect) const {
  if (Find(table.name, dialect) != nullptr) return Refuse(ErrorCode::kTableAlreadyExists);
  TABLE_TRY(Database());
  gateway::ContainerSettings settings;
  settings.name = table.name;
  settings.partition_key_paths = {std::string(kPartitionKeyPath)};
  settings.indexing = IndexingOf();
  settings.throughput = table.throughput;
  // Entities may have lifetimes of their own in any table.
  settings.default_ttl_s = table.ttl_s.value_or(-1);
  const auto created = catalog_.CreateContainer(kDatabase, std::move(settings));
  if (created.has_value()) return {};
  if (created.error().code() == Code::kAlreadyExists) return Refuse(ErrorCode::kTableAlreadyExists);
  return Fail(created.error());
}

Outcome<void> Tables::Drop(std::string_view name, Dialect dialect) const {
  const gateway::ContainerRef found = Find(name, dialect);
  if (found == nullptr) return Refuse(ErrorCode::kResourceNotFound);
  const Status dropped = catalog_.DropContainer(kDatabase, found->settings.name);
  if (dropped.has_value()) return {};
  if (dropped.error().code() == Code::kNotFound) return Refuse(ErrorCode::kResourceNotFound);
  return Fail(dropped.error());
}

}  // namespace orrery::table
