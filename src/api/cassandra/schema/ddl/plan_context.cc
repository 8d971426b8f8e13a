#include "api/cassandra/schema/ddl/plan_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/schema/codec/keyspace_codec.h"
#include "api/cassandra/schema/codec/table_codec.h"
#include "base/check.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {

bool IsSchemaName(std::string_view name) {
  return !name.empty() && name.size() <= kSchemaNameMax &&
         std::ranges::all_of(name, query::IsWordCharacter);
}

CqlResult<std::string> KeyspaceToChange(const PlanContext& context, std::string_view keyspace) {
  ast::QualifiedName name;
  name.keyspace = keyspace;
  CQL_ASSIGN(std::string found, KeyspaceOf(name, context.session_keyspace));
  const KeyspacePtr existing = context.schema.FindKeyspace(found);
  if (IsSystemKeyspace(found) || (existing != nullptr && existing->is_virtual))
    return Invalid(fmt::format("System keyspace '{}' is not user-modifiable", found));
  if (!IsSchemaName(found)) {
    return Invalid(
        fmt::format("Keyspace name must not be empty, more than {} characters long, or contain "
                    "non-alphanumeric-underscore characters (got '{}')",
                    kSchemaNameMax, found));
  }
  return found;
}

SchemaChange KeyspaceChange(SchemaChangeKind kind, std::string keyspace) {
  return {kind, SchemaTarget::kKeyspace, std::move(keyspace), {}, {}};
}

SchemaChange TableChange(SchemaChangeKind kind, std::string keyspace, std::string table) {
  return {kind, SchemaTarget::kTable, std::move(keyspace), std::move(table), {}};
}

CatalogStep Replaced(const Keyspace& next) {
  return ReplaceDatabase{next.name, EncodeKeyspace(next)};
}

CatalogStep Replaced(const Table& next) {
  ORRERY_CHECK(next.container != nullptr);
  // Settings that other APIs made on the container stay.
  gateway::ContainerSettings settings = next.container->settings;
  gateway::ContainerSettings ours = EncodeTable(next, settings.throughput);
  settings.rows = std::move(ours.rows);
  settings.extra = std::move(ours.extra);
  return ReplaceContainer{next.keyspace, std::move(settings)};
}

}  // namespace orrery::cassandra
