#include "api/cassandra/system/core/core_keyspace.h"

#include <utility>
#include <vector>

#include "api/cassandra/system/build/keyspace_builder.h"
#include "api/cassandra/system/core/core_tables.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kCoreKeyspace = "system";
constexpr int32_t kCoreFlushPeriodMs = 3'600'000;

}  // namespace

TableBuilder CoreTable(std::string_view name, std::string_view comment) {
  TableOptions options;
  options.gc_grace_seconds = 0;
  options.memtable_flush_period_in_ms = kCoreFlushPeriodMs;
  TableBuilder builder(kCoreKeyspace, name, comment);
  builder.Options(std::move(options));
  return builder;
}

KeyspacePtr MakeCoreKeyspace(const SystemFacts& facts) {
  std::vector<TablePtr> tables = EmptyCoreTables();
  tables.push_back(LocalTable(facts.self, facts.peers));
  tables.push_back(PeersTable(facts.peers));
  tables.push_back(PeersV2Table(facts.peers));
  tables.push_back(SizeEstimatesTable(facts.sizes));
  tables.push_back(TableEstimatesTable(facts.sizes));
  tables.push_back(IndexInfoTable());
  tables.push_back(BuiltViewsTable());
  tables.push_back(ViewBuildsInProgressTable(facts.view_builds));
  tables.push_back(PreparedStatementsTable(facts.prepared));
  return MakeSystemKeyspace(kCoreKeyspace, KeyspaceNature::kLocal, std::move(tables));
}

}  // namespace orrery::cassandra
