#include "api/cassandra/system/schema/schema_keyspace.h"

#include <utility>

#include "api/cassandra/system/build/keyspace_builder.h"
#include "api/cassandra/system/schema/schema_tables.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kSchemaKeyspace = "system_schema";
constexpr int32_t kSchemaGcGraceSeconds = 7 * 24 * 3'600;
constexpr int32_t kSchemaFlushPeriodMs = 3'600'000;

}  // namespace

TableBuilder SchemaTable(std::string_view name, std::string_view comment) {
  TableOptions options;
  options.gc_grace_seconds = kSchemaGcGraceSeconds;
  options.memtable_flush_period_in_ms = kSchemaFlushPeriodMs;
  TableBuilder builder(kSchemaKeyspace, name, comment);
  builder.Options(std::move(options));
  return builder;
}

KeyspacePtr MakeSchemaKeyspace() {
  return MakeSystemKeyspace(
      kSchemaKeyspace, KeyspaceNature::kLocal,
      {KeyspacesTable(), TablesTable(), ViewsTable(), ColumnsTable(), DroppedColumnsTable(),
       IndexesTable(), TriggersTable(), TypesTable(), FunctionsTable(), AggregatesTable()});
}

}  // namespace orrery::cassandra
