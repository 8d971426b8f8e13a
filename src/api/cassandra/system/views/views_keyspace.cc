#include "api/cassandra/system/views/views_keyspace.h"

#include <utility>
#include <vector>

#include "api/cassandra/system/build/keyspace_builder.h"
#include "api/cassandra/system/views/views_tables.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kViewsKeyspace = "system_views";

}  // namespace

TableBuilder ViewTable(std::string_view name, std::string_view comment) {
  return TableBuilder(kViewsKeyspace, name, comment);
}

KeyspacePtr MakeViewsKeyspace(const SystemFacts& facts) {
  std::vector<TablePtr> tables = {
      ClientsTable(facts.clients), SettingsTable(facts.settings),  ThreadPoolsTable(facts.monitor),
      CachesTable(facts.monitor),  CqlMetricsTable(facts.monitor),
  };
  for (const auto& part : {TableMetricTables(facts.sizes), EmptyTaskTables(),
                           EmptyInternodeTables(), EmptyRepairTables()}) {
    tables.insert(tables.end(), part.begin(), part.end());
  }
  return MakeSystemKeyspace(kViewsKeyspace, KeyspaceNature::kVirtual, std::move(tables));
}

}  // namespace orrery::cassandra
